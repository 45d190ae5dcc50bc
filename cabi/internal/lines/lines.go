// Package lines keeps the records of a [slog.Logger] as lines of text until somebody takes them, so that they can be
// given to another language after the call in which they happened.
package lines

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
)

// Most is how many lines wait at most. Further ones are counted, and a line says how many they were.
const Most = 1024

// Line is a record as text, without a newline, and without control characters, which the text of another machine
// might have.
type Line struct {
	Level slog.Level
	Text  string
}

// Queue has the lines that wait. Its zero value is empty. It is safe for use by several goroutines.
type Queue struct {
	mu      sync.Mutex
	waiting []Line
	lost    int
}

// Logger returns a logger that adds to the queue.
func (q *Queue) Logger() *slog.Logger { return slog.New(handler{queue: q}) }

// Waiting returns how many lines wait.
func (q *Queue) Waiting() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.lost > 0 {
		return len(q.waiting) + 1
	}
	return len(q.waiting)
}

// Take takes the oldest line, if there is one.
func (q *Queue) Take() (Line, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		lost := q.lost
		q.lost = 0
		return Line{slog.LevelWarn, fmt.Sprintf("%d lines are lost, since nobody took them", lost)}, lost > 0
	}
	l := q.waiting[0]
	q.waiting = q.waiting[1:]
	if len(q.waiting) == 0 {
		q.waiting = nil
	}
	return l, true
}

func (q *Queue) add(l Line) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) >= Most || q.lost > 0 {
		q.lost++
		return
	}
	q.waiting = append(q.waiting, l)
}

// handler is the slog.Handler of a queue.
type handler struct {
	queue  *Queue
	prefix string // of the names of attributes: the groups
	with   string // attributes that all records have
}

// Enabled implements slog.Handler.
func (h handler) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (h handler) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(harmless(r.Message))
	b.WriteString(h.with)
	r.Attrs(func(a slog.Attr) bool {
		appendAttr(&b, h.prefix, a)
		return true
	})
	h.queue.add(Line{r.Level, b.String()})
	return nil
}

// WithAttrs implements slog.Handler.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		appendAttr(&b, h.prefix, a)
	}
	h.with += b.String()
	return h
}

// WithGroup implements slog.Handler.
func (h handler) WithGroup(name string) slog.Handler {
	if name != "" {
		h.prefix += name + "."
	}
	return h
}

// appendAttr appends an attribute as " name=value", in quotes if the value has spaces.
func appendAttr(b *strings.Builder, prefix string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			prefix += a.Key + "."
		}
		for _, inner := range v.Group() {
			appendAttr(b, prefix, inner)
		}
		return
	}
	if a.Key == "" {
		return
	}
	text := harmless(v.String())
	if text == "" || strings.ContainsAny(text, " \"=") {
		text = fmt.Sprintf("%q", text)
	}
	fmt.Fprintf(b, " %s%s=%s", prefix, a.Key, text)
}

// harmless returns a text without control characters.
func harmless(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, text)
}

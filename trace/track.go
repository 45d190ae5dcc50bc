package trace

import (
	"strconv"
	"time"
)

// Process is a group of lanes in the viewer: a session, a game. It may be used by
// several goroutines at once.
type Process struct {
	w        *Writer
	pid      int64
	events   Track         // events about the whole process
	counters time.Duration // of the last one
}

// Track is a lane of a [Process]. It may be used by several goroutines at once.
type Track struct {
	w        *Writer
	pid, tid int64
	last     time.Duration
}

// Process adds a group of lanes, with a lane of its own for [Process.Instant].
func (w *Writer) Process(name string) *Process {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	p := &Process{w: w, pid: w.ids}
	p.events = Track{w: w, pid: p.pid, tid: p.pid}
	if w.first == nil {
		w.first = p
	}
	w.meta(p.pid, p.pid, "process_name", Text("name", name))
	w.meta(p.pid, p.pid, "thread_name", Text("name", "events"))
	return p
}

// Track adds a lane below the existing ones.
func (p *Process) Track(name string) *Track {
	w := p.w
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ids++
	t := &Track{w: w, pid: p.pid, tid: w.ids}
	w.meta(t.pid, t.tid, "thread_name", Text("name", name))
	w.meta(t.pid, t.tid, "thread_sort_index", Int("sort_index", t.tid))
	return t
}

// meta writes a name. It has no time, and is never dropped.
func (w *Writer) meta(pid, tid int64, what string, value Arg) {
	if w.over() {
		return
	}
	b := w.start('M', pid, tid, what)
	w.finish(appendArgs(b, []Arg{value}))
}

// Slice adds an event that took some time.
func (t *Track) Slice(at time.Time, d time.Duration, name string, args ...Arg) {
	w := t.w
	if !w.lock(at) {
		return
	}
	defer w.mu.Unlock()
	since := w.since(at)
	began := later(&t.last, since)
	b := w.start('X', t.pid, t.tid, name)
	b = appendTime(b, `,"ts":`, began)
	b = appendTime(b, `,"dur":`, max(d-(began-since), 0)) // the end stays the same even if the beginning is moved
	w.finish(appendArgs(b, args))
}

// Instant adds an event at one moment.
func (t *Track) Instant(at time.Time, name string, args ...Arg) {
	t.instant(at, `,"s":"t"`, name, args)
}

// Instant adds an event of the whole process at one moment.
func (p *Process) Instant(at time.Time, name string, args ...Arg) {
	p.events.instant(at, `,"s":"p"`, name, args)
}

func (t *Track) instant(at time.Time, scope, name string, args []Arg) {
	w := t.w
	if !w.lock(at) {
		return
	}
	defer w.mu.Unlock()
	t.mark(w.since(at), scope, name, args)
}

func (t *Track) mark(since time.Duration, scope, name string, args []Arg) {
	b := t.w.start('i', t.pid, t.tid, name)
	b = append(appendTime(b, `,"ts":`, later(&t.last, since)), scope...)
	t.w.finish(appendArgs(b, args))
}

// Counter adds values that are valid from the given time on: the viewer draws one curve for each combination of name
// and value.
func (p *Process) Counter(at time.Time, name string, values ...Arg) {
	w := p.w
	if !w.lock(at) {
		return
	}
	defer w.mu.Unlock()
	b := w.start('C', p.pid, p.pid, name)
	b = appendTime(b, `,"ts":`, later(&p.counters, w.since(at)))
	w.finish(appendArgs(b, values))
}

// later returns t, or the last time of the lane if that is later: times of a lane must not decrease.
func later(last *time.Duration, t time.Duration) time.Duration {
	*last = max(*last, t)
	return *last
}

// appendTime appends a time in microseconds, with a precision of a nanosecond.
func appendTime(b []byte, key string, d time.Duration) []byte {
	return appendThousandths(append(b, key...), int64(d))
}

// start begins an event in the buffer.
func (w *Writer) start(phase byte, pid, tid int64, name string) []byte {
	b := w.events.current
	if w.begun {
		b = append(b, ",\n"...)
	} else {
		b, w.begun = append(b, "[\n"...), true
	}
	b = append(b, `{"ph":"`...)
	b = append(b, phase)
	b = strconv.AppendInt(append(b, `","pid":`...), pid, 10)
	b = strconv.AppendInt(append(b, `,"tid":`...), tid, 10)
	return appendText(append(b, `,"name":`...), name)
}

func (w *Writer) finish(b []byte) { w.events.put(append(b, '}')) }

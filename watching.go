package tickback

import (
	"context"
	"log/slog"
)

// observe hears of every event of the session at once.
func (m *front[S]) observe(e Event) {
	if m.log != nil {
		m.log.event(e)
	}
	if m.tracer != nil {
		m.tracer.event(e)
	}
}

// look is called after the session has worked. A recording or a trace that cannot be written is said
// once; the match does not mind.
func (m *front[S]) look() {
	m.watchTape()
	t := m.tracer
	if t == nil || t.over {
		return
	}
	if err := t.w.Err(); err != nil {
		t.over = true
		if m.log != nil {
			m.log.to.LogAttrs(context.Background(), slog.LevelError, "trace ended", slog.Any("error", err))
		}
		return
	}
	s := m.machine.Stats(t.links[:0])
	t.links = s.Links
	t.look(&s)
}

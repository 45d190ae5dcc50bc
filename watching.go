package tickback

import (
	"context"
	"log/slog"
)

// observe gets every event of the session at once.
func (m *front[S]) observe(e Event) {
	if m.log != nil {
		m.log.event(e)
	}
	if m.tracer != nil {
		m.tracer.event(e)
	}
}

// look is called after each call of the session. It reports once if a recording or a trace
// cannot be written; the match goes on.
func (m *front[S]) look() {
	m.watchRecording()
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

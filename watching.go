package tickback

import (
	"context"
	"log/slog"

	"github.com/tickback/tickback/session"
)

// watch sets up who looks at the match: Options.Log and Options.Trace.
func (m *Match[S, I]) watch(o *Options[S, I], cfg *session.Config) {
	if o.Log != nil {
		m.log = &eventLog{to: o.Log}
		cfg.Observe = m.observe
	}
	if o.Trace == nil {
		return
	}
	m.tracer = &tracer{w: o.Trace, now: m.now}
	cfg.Observe, cfg.Probe = m.observe, m.tracer
	if m.transport != nil {
		m.transport = tracedTransport{m.transport, m.tracer}
	}
}

// watched is the rest, once there is a session.
func (m *Match[S, I]) watched(cfg *session.Config) {
	if m.log != nil {
		m.log.session, m.log.players = m.session.Machine, cfg.Players
	}
	if m.tracer != nil {
		m.tracer.begin(cfg.GameID, cfg.Players, m.Stats().Links)
	}
}

// observe hears of every event of the session at once.
func (m *Match[S, I]) observe(e Event) {
	if m.log != nil {
		m.log.event(e)
	}
	if m.tracer != nil {
		m.tracer.event(e)
	}
}

// look is called after the session has worked. A trace that cannot be written is said
// once; the match does not mind.
func (m *Match[S, I]) look() {
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
	s := m.session.Stats(t.links[:0])
	t.links = s.Links
	t.look(&s)
}

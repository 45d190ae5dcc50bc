package tickback

// observe receives every event of the session at once, for the log and the trace.
func (m *front[S]) observe(e Event) {
	if m.log != nil {
		m.log.Event(e)
	}
	if m.tracer != nil {
		m.tracer.Event(e)
	}
}

// look is called after each call of the session. It reports, once, that a recording or a trace can no longer be
// written; the match continues.
func (m *front[S]) look() {
	m.recordings.Watch()
	if m.tracer == nil {
		return
	}
	if err := m.tracer.Look(); err != nil && m.log != nil {
		m.log.TraceEnded(err)
	}
}

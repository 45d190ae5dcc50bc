package session

import "time"

// watchEvery is how exactly waiting and silence are measured.
const watchEvery = 50 * time.Millisecond

// watch notices who is awaited, and for how long.
func (m *Machine) watch() {
	if m.now < m.watched+watchEvery {
		return
	}
	m.watched = m.now
	switch {
	case m.joining != nil && m.phase < Playing:
		return // see join
	}
	switch m.phase {
	case Connecting:
		m.watchWaiting(m.missing((*link).awaited), "an answer", beginning, m.cfg.ConnectTimeout)
	case Starting:
		if m.lobby.ready {
			m.watchWaiting(m.missing(func(l *link) bool { return l.state != gone && l.readyFor != m.match.number }), "readiness", m.lobby.since, m.cfg.ReadyTimeout)
		} else if m.now-m.lobby.since > m.cfg.ReadyTimeout {
			m.notReady(m.cfg.Local)
		}
	case Playing:
		if players, since := m.match.stalls.Waiting(); since != 0 {
			m.remind(players, "inputs", since, waitingAfter)
		}
		m.watchQuorum()
	}
	m.lookElsewhere()
	for _, l := range m.links {
		if l.alive() && !l.aside && !l.doubtful() {
			m.watchSilence(l)
		}
	}
}

func (m *Machine) missing(is func(*link) bool) (players PlayerSet) {
	for _, l := range m.links {
		if is(l) {
			players |= l.players
		}
	}
	return players
}

// watchWaiting reminds of the players that are awaited before a match, and gives up after a
// time.
func (m *Machine) watchWaiting(players PlayerSet, what string, since, limit time.Duration) {
	if players == 0 {
		return
	}
	m.remind(players, what, since, waitingEvery)
	if m.now-since <= limit {
		return
	}
	if m.phase == Starting {
		m.notReady(players)
		return
	}
	if err := m.refusedAsLater(players); err != nil {
		m.fail(err)
		return
	}
	m.fail(&TimeoutError{players, what, limit})
}

// notReady ends a proposal for which somebody was not ready in time.
func (m *Machine) notReady(players PlayerSet) {
	err := &TimeoutError{players, "readiness", m.cfg.ReadyTimeout}
	if !m.cfg.Lobby {
		m.fail(err)
		return
	}
	if m.cfg.host() || m.now-m.lobby.since > m.cfg.ReadyTimeout+m.cfg.Linger {
		m.events.add(Event{What: Refused, Players: players, Match: m.matchAtHand(), Text: err.Error()})
		m.refuse(err.Error())
	}
}

// remind says, in intervals, which players are awaited.
func (m *Machine) remind(players PlayerSet, what string, since, after time.Duration) {
	t := &m.match
	if m.now-since < after || m.now-t.reported < waitingEvery {
		return
	}
	t.reported = m.now
	m.events.add(Event{What: Waiting, Players: players, For: m.now - since, Text: what})
}

// watchSilence warns of a peer from which nothing comes, and gives it up.
func (m *Machine) watchSilence(l *link) {
	quiet := m.now - l.Heard
	switch {
	case quiet > m.cfg.DropAfter && m.logged():
		// The log says what becomes of it.
	case quiet > m.cfg.DropAfter:
		m.lose(l, "silent for "+quiet.Round(time.Millisecond).String())
	case l.state == leaving:
		// It has said so.
	case quiet > m.cfg.WarnAfter && !l.silent:
		l.silent, l.silentFrom = true, l.Heard
		m.events.add(Event{What: Silent, Players: l.players, For: quiet})
	case quiet <= m.cfg.WarnAfter && l.silent:
		l.silent = false
		m.events.add(Event{What: Heard, Players: l.players, For: l.Heard - l.silentFrom})
	}
}

// nextPoll returns when Poll has something to do.
func (m *Machine) nextPoll() time.Duration {
	if m.phase == Playing {
		return max(min(m.lastAll+m.nominal*patience/2, m.coreDue), m.now)
	}
	next := m.now + keepAlive
	if m.lobby.next != nil && m.phase == Lobby {
		next = m.now
	}
	if m.inquiring() {
		next = min(next, m.now+m.nominal)
	}
	for _, l := range m.links {
		switch l.state {
		case connecting:
			if m.phase == Connecting {
				next = min(next, l.HelloDue())
			}
		case gone:
			if at, ok := m.parts(l); ok {
				next = min(next, at)
			}
		case connected, leaving:
			next = min(next, m.sendAfter(l))
			if l.doubtful() && m.phase < Playing { // later it is not asked again
				next = min(next, l.HelloDue())
			}
		}
	}
	if m.phase == Starting && m.lobby.ready {
		for _, l := range m.links {
			if at := m.lobby.readyAt + l.RoundTrip.Smoothed/2; at > m.now {
				next = min(next, at)
			}
		}
	}
	return max(next, m.now)
}

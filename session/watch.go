package session

import (
	"time"

	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/peer"
)

// watchEvery is the resolution at which waiting and silence are measured.
const watchEvery = 50 * time.Millisecond

// watch checks which peers we wait for, and which are silent.
func (m *lobbying) watch() {
	if m.now < m.watched+watchEvery {
		return
	}
	m.watched = m.now
	if m.lateJoin != nil && m.phase < Playing {
		return // see join
	}
	switch m.phase {
	case Connecting:
		m.await(m.playersWhere((*link).awaited), "an answer", m.cfg.ConnectTimeout)
	case Starting:
		missing := m.cfg.Local
		if m.lobby.Stage() >= lobby.Ready {
			missing = m.lobby.Missing(m.notGone())
		}
		m.await(missing, "readiness", m.cfg.ReadyTimeout)
	case Playing:
		if players, since := m.pacing.stalls.Waiting(); since != 0 {
			m.remind(players, "inputs", since, waitingAfter)
		}
		m.tellSlow()
		if log := m.match.Log(); log == nil || !m.match.Calm() || !log.Quiet() {
			m.match.Quorum(m.facts())
			m.carryOutOrders()
		}
	}
	if m.phase == Playing && !m.someoneQuiet() {
		return // nearly always
	}
	m.lookElsewhere()
	for _, l := range m.links {
		if l.alive() && !l.notBothMembers && !l.doubtful() {
			m.watchSilence(l)
		}
	}
}

// someoneQuiet reports whether nothing has been heard of a peer for long enough to matter, or its silence was reported.
func (m *lobbying) someoneQuiet() bool {
	heard := m.now - min(peer.ReportAfter, m.cfg.WarnAfter, m.cfg.DropAfter)
	for _, l := range m.links {
		if l.Heard < heard || l.silentFrom != 0 {
			return true
		}
	}
	return false
}

// await tells the application which players we wait for before a match. After a time-out it gives up the session,
// or, in a lobby, the match.
func (m *lobbying) await(players PlayerSet, what string, limit time.Duration) {
	if players == 0 {
		return
	}
	if players != m.cfg.Local {
		m.remind(players, what, m.since, pace.RemindEvery)
	}
	waited, err := m.now-m.since, error(&TimeoutError{players, what, limit})
	switch {
	case waited <= limit:
	case m.phase == Connecting:
		for _, l := range m.links {
			if l.players&players != 0 && l.engaged.Earlier {
				err = l.restarted()
				break
			}
		}
		m.fail(err)
	case !m.cfg.Lobby:
		m.fail(err)
	case m.cfg.host() || waited > limit+m.cfg.Linger:
		m.events.Add(Event{What: Refused, Players: players, Match: m.lobby.Number(), Text: err.Error()})
		m.refuse(err.Error())
	}
}

// remind emits an event at intervals that says which players we wait for.
func (m *lobbying) remind(players PlayerSet, what string, since, after time.Duration) {
	if m.pacing.stalls.Remind(m.now, since, after) {
		m.events.Add(Event{What: Waiting, Players: players, For: m.now - since, Text: what})
	}
}

// watchSilence warns of a silent peer, and gives it up after a time-out.
func (m *lobbying) watchSilence(l *link) {
	quiet := m.now - l.Heard
	switch {
	case quiet > m.cfg.DropAfter && m.logged():
		// The log decides about it.
	case quiet > m.cfg.DropAfter:
		m.lose(l, "silent for "+quiet.Round(time.Millisecond).String())
	case l.state == leaving:
		// It has announced that it leaves.
	case quiet > m.cfg.WarnAfter && l.silentFrom == 0:
		l.silentFrom = l.Heard
		m.events.Add(Event{What: Silent, Players: l.players, For: quiet})
	case quiet <= m.cfg.WarnAfter && l.silentFrom != 0:
		m.events.Add(Event{What: Heard, Players: l.players, For: l.Heard - l.silentFrom})
		l.silentFrom = 0
	}
}

// nextInPlay is nextPoll during a match.
func (m *lobbying) nextInPlay() time.Duration {
	return max(min(m.lastAll+m.nominal*patience/2, m.match.NextPoll()), m.now)
}

// nextPoll returns when Poll has something to do next.
func (m *lobbying) nextPoll() time.Duration {
	if m.phase == Playing {
		return m.nextInPlay()
	}
	next := m.now + keepAlive
	if m.lobby.Next() != nil && m.phase == Lobby {
		next = m.now
	}
	if m.inquiry.busy() {
		next = min(next, m.now+m.nominal)
	}
	starts := m.phase == Starting && m.lobby.Stage() >= lobby.Ready
	for _, l := range m.links {
		if at := m.lobby.StartsAt(l.RoundTrip.Smoothed); starts && at > m.now {
			next = min(next, at)
		}
		switch l.state {
		case connecting:
			if m.phase == Connecting {
				next = min(next, l.HelloDue())
			}
		case gone:
			if at, ok := l.farewellDue(m.nominal); ok {
				next = min(next, at)
			}
		case connected, leaving:
			next = min(next, m.sendAfter(l))
			if l.doubtful() && m.phase < Playing { // during a match no Hello is sent to it
				next = min(next, l.HelloDue())
			}
		}
	}
	return max(next, m.now)
}

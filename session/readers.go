package session

import (
	"time"

	"github.com/tickback/tickback/session/spectate"
)

// readers passes on the agreed frames: to the chain of hashes, recordings, spectators, and the evidence for
// desyncs.
type readers struct {
	sender
	audience *spectate.Host // nil without spectators
}

// open lets spectators and newcomers in at this host.
func (m *readers) open(h *spectate.Host) {
	m.audience = h
	m.stream.SetSpectators(h)
}

// serve sends due datagrams to the spectators and returns when to call it again.
func (m *readers) serve() (next time.Duration) {
	if m.audience == nil || m.silent() {
		return m.now + time.Hour
	}
	next = m.audience.Update(m.now)
	for _, n := range m.audience.News() {
		if n.Newcomer.Players != 0 {
			continue // a newcomer, not a spectator
		}
		e := Event{What: SpectatorLeft, Text: n.Addr.String() + ": " + n.Why}
		if n.Joined {
			e = Event{What: SpectatorJoined, Text: n.Addr.String()}
		}
		m.events.Add(e)
	}
	return next
}

// silent reports whether the session is over and spectators have had time to hear of it. Those that are still there
// will notice our silence.
func (m *readers) silent() bool { return m.phase == Over && m.now >= m.farewell }

// enterOver ends the session.
func (m *readers) enterOver(err error) {
	m.pacing.schedule.End(m.now)
	m.endRecording(&RecordEnd{Over: err})
	m.over(err)
	m.inquiry.stop()
	if m.lateJoin != nil {
		m.lateJoin.follower.Leave()
	}
	if m.audience != nil {
		m.audience.Close(reasonOf(err))
		if s := m.audience.Stats(); s.Spectators+s.Leaving > 0 {
			m.linger()
		}
	}
	m.events.Add(Event{What: Closed, Text: err.Error()})
}

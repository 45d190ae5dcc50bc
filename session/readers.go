package session

import (
	"time"

	"github.com/tickback/tickback/session/spectate"
)

// readers read the agreed frames: the chain of hashes, recordings, spectators, evidence.
type readers struct {
	sender
	audience *spectate.Host // nil without spectators
}

// serve sends the spectators what is due, and returns when more will be.
func (m *readers) serve() (next time.Duration) {
	if m.audience == nil || m.silent() {
		return m.now + time.Hour
	}
	next = m.audience.Update(m.now)
	for _, n := range m.audience.News() {
		if n.Newcomer.Players != 0 {
			continue // it has come to play
		}
		e := Event{What: SpectatorLeft, Text: n.Addr.String() + ": " + n.Why}
		if n.Joined {
			e = Event{What: SpectatorJoined, Text: n.Addr.String()}
		}
		m.events.Add(e)
	}
	return next
}

// silent reports whether the session is over, and spectators have had time to be told. Those that are
// still there have to notice our silence.
func (m *readers) silent() bool { return m.phase == Over && m.now >= m.farewell }

// enterOver ends the session for good.
func (m *readers) enterOver(err error) {
	m.match.schedule.End(m.now)
	m.endRecording(&RecordEnd{Over: err})
	m.phase, m.err, m.farewell = Over, err, m.now
	if m.lateJoin != nil {
		m.lateJoin.follower.Leave()
	}
	if m.audience != nil {
		m.audience.Close(reasonOf(err))
		if s := m.audience.Stats(); s.Spectators+s.Leaving > 0 {
			m.farewell = m.now + m.cfg.Linger
		}
	}
	m.events.Add(Event{What: Closed, Text: err.Error()})
}

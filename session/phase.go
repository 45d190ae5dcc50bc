package session

// Each phase is entered by one function, which sets all that it implies.

// enterLobby ends Connecting, a match, or a proposal that is not played.
func (m *Machine) enterLobby() {
	m.phase, m.since = Lobby, m.now
	m.lobby.Clear()
	if lost, left := m.needed(m.cfg.continues()); lost != 0 {
		m.fail(&LostError{Players: lost, Why: aloneAfter, Left: left, Restarted: restarted(&m.peers) & lost})
	}
}

// aloneAfter is why no match follows when peers have gone.
const aloneAfter = "no match can begin without them"

// enterStarting begins to wait until all peers are ready for the proposed match.
func (m *Machine) enterStarting() {
	m.match.schedule.End(m.now)
	m.phase, m.since = Starting, m.now
	m.match.stalls.Reminder.End()
	m.eager(true)
}

// enterPlaying begins with frame 0.
func (m *Machine) enterPlaying() {
	m.phase = Playing
	m.match.stalls.Reminder.End()
	m.match.schedule.Begin(m.now)
	m.adaptDelay()
	m.events.Add(Event{What: Started, Players: m.lobby.At().Founders, Match: m.match.number})
	if m.audience != nil {
		if err := m.audience.Begin(&m.lobby.At().Offer); err != nil {
			m.fail(err)
		}
	}
	if m.stream.Tape.Armed() {
		m.recordFrom(0, nil)
	}
}

// enterEnding begins to wait for the peers: the last frame is agreed, or we leave.
func (m *Machine) enterEnding() {
	m.match.schedule.End(m.now)
	m.phase, m.since = Ending, m.now
	m.eager(true)
}

// enterOver ends the session for good.
func (m *Machine) enterOver(err error) {
	m.match.schedule.End(m.now)
	m.endRecording(&RecordEnd{Over: err})
	m.phase, m.err, m.farewell = Over, err, m.now
	if m.joining != nil {
		m.joining.viewer.Leave()
	}
	if m.audience != nil {
		m.audience.Close(reasonOf(err))
		if s := m.audience.Stats(); s.Guests+s.Leaving > 0 {
			m.farewell = m.now + m.cfg.Linger
		}
	}
	m.events.Add(Event{What: Closed, Text: err.Error()})
}

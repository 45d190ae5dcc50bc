package session

// Each phase is entered by one function, which sets all that it implies.

// enterLobby is the end of Connecting, of a match, and of a proposal that is not
// played.
func (m *Machine) enterLobby() {
	m.phase, m.lobby.since = Lobby, m.now
	m.lobby.offer, m.lobby.accepted, m.lobby.ready = nil, false, false
	m.match.reported = 0
	if lost, left := m.needed(); lost != 0 {
		m.fail(&LostError{Players: lost, Why: aloneAfter, Left: left})
	}
}

// aloneAfter is why nothing follows a match whose others have gone.
const aloneAfter = "no match can begin without them"

// enterStarting begins to wait until everybody is ready for the match that is
// offered.
func (m *Machine) enterStarting() {
	m.match.stops(m.now)
	m.phase, m.lobby.since = Starting, m.now
	m.match.reported = 0
	m.eager(true)
}

// enterPlaying is frame 0.
func (m *Machine) enterPlaying() {
	m.phase = Playing
	m.match.reported = 0
	m.match.schedule.Begin(m.now)
	m.chooseDelay()
	m.events.add(Event{What: Started, Players: m.lobby.founders, Match: m.match.number})
	m.showStart()
	m.recordStart()
}

// enterEnding waits for the others: all that is to be agreed is, or we leave.
func (m *Machine) enterEnding() {
	m.match.stops(m.now)
	m.phase, m.end.since = Ending, m.now
	m.eager(true)
}

// enterOver is for ever.
func (m *Machine) enterOver(err error) {
	m.match.stops(m.now)
	m.endRecording(&RecordEnd{Over: err})
	m.phase, m.err, m.farewell = Over, err, m.now
	if m.audience != nil {
		m.audience.Close(reasonOf(err))
		if s := m.audience.Stats(); s.Guests+s.Leaving > 0 {
			m.farewell = m.now + m.cfg.Linger
		}
	}
	m.events.add(Event{What: Closed, Text: err.Error()})
}

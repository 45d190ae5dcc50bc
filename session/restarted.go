package session

import (
	"fmt"

	"github.com/tickback/tickback/wire/datagram"
)

// What becomes of a process that is started again while the others are still in a session
// with the one before it. They know its address, and another nonce: it gets Welcomes that
// say so, and nothing else, until they have given up the one before. It has no part in
// their match, and must not begin one of its own.

// RestartedError says that a peer is still in a session with an earlier process at our
// address.
type RestartedError struct {
	Players PlayerSet // of the peer
	Playing bool      // they play a match, which goes on without us
	Joins   bool      // newcomers are let in
}

// Error names the players, and says what can be done.
func (e *RestartedError) Error() string {
	switch {
	case e.Joins && e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before: join it, with its token", e.Players)
	case e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before, and lets nobody in: start again when it is over", e.Players)
	}
	return fmt.Sprintf("%v is still in a session with the process that was here before: start again when that is over", e.Players)
}

// engaged tells the sender of a Hello whether we are in a session with an earlier process at
// its address: one that has proved to be there, with another nonce.
func (m *Machine) engaged(l *link, nonce uint64) (e datagram.Engaged) {
	if !l.Proven() || nonce == l.Theirs {
		return e
	}
	e.Earlier = true
	if e.Playing = m.phase == Playing; e.Playing {
		e.Joins = m.cfg.OnLeave == Continue && m.audience != nil && m.audience.Invites()
	}
	return e
}

// turnedAway is a peer that is in a session with an earlier process of ours. It may end
// soon, and then we get another answer; but a match that goes on when somebody leaves does
// so without us.
func (m *Machine) turnedAway(l *link) {
	if e := l.engaged; e.Playing && m.cfg.OnLeave == Continue && !l.aside && m.phase == Connecting {
		m.fail(&RestartedError{l.players, e.Playing, e.Joins})
	}
}

// refusedAsLater is the error if one of the awaited peers has said that it is in a session
// with an earlier process of ours, or nil.
func (m *Machine) refusedAsLater(players PlayerSet) error {
	for _, l := range m.links {
		if e := l.engaged; l.players&players != 0 && e.Earlier {
			return &RestartedError{l.players, e.Playing, e.Joins}
		}
	}
	return nil
}

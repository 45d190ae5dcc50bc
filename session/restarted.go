package session

import (
	"fmt"

	"github.com/tickback/tickback/wire/datagram"
)

// A process may be started again while its peers are still in a session with the one before it. They
// know its address with another nonce. Until they have given up the earlier process, they send it
// nothing but Welcomes that say so. It has no part in their match, and must not begin one of its own.

// RestartedError says that a peer is still in a session with an earlier process at our
// address.
type RestartedError struct {
	Players PlayerSet // of the peer
	Playing bool      // they play a match, which continues without us
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

// engaged returns what the sender of a Hello is told about an earlier process at its address, which
// has proved that it was there, with another nonce.
func (m *Machine) engaged(l *link, nonce uint64) (e datagram.Engaged) {
	if !l.Proven() || nonce == l.Theirs {
		return e
	}
	e.Earlier = true
	e.Playing = m.phase == Playing
	e.Joins = e.Playing && m.cfg.continues() && m.audience != nil && m.audience.Invites()
	return e
}

// restarted returns the error for a peer that is in a session with an earlier process of ours.
func (l *link) restarted() error {
	return &RestartedError{l.players, l.engaged.Playing, l.engaged.Joins}
}

package tickback

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// The names of packages rollback and session that a game needs, so that it
// imports only this one.
type (
	Frame      = rollback.Frame
	Player     = rollback.Player
	PlayerSet  = rollback.PlayerSet
	Peer       = session.Peer
	Event      = session.Event
	Parameters = session.Parameters
	AutoDelay  = session.AutoDelay
	OnLeave    = session.OnLeave
	Outcome    = session.Outcome
	Stats      = session.Stats
)

// MaxPlayers is the most players that a match can have.
const MaxPlayers = rollback.MaxPlayers

// What becomes of a match that somebody leaves.
const (
	End      = session.End
	Continue = session.Continue
)

// The kinds of an [Event], in What; see package session.
const (
	Connected = session.Connected
	Open      = session.Open
	Message   = session.Message
	Proposed  = session.Proposed
	Accepted  = session.Accepted
	Refused   = session.Refused
	Started   = session.Started
	Waiting   = session.Waiting
	Resumed   = session.Resumed
	Silent    = session.Silent
	Heard     = session.Heard
	Moved     = session.Moved
	Left      = session.Left
	Lost      = session.Lost
	Desync    = session.Desync
	Ended     = session.Ended
	Closed    = session.Closed
)

// SetOf returns the set of these players.
func SetOf(players ...Player) PlayerSet { return rollback.SetOf(players...) }

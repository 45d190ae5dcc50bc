package session

import "github.com/tickback/tickback/session/event"

// Event is something that has happened in a session; see [event.Event] for its fields.
type Event = event.Event

// What is the kind of an [Event].
type What = event.What

// The kinds of events; package event describes each of them.
const (
	Connected       = event.Connected
	Open            = event.Open
	Message         = event.Message
	Proposed        = event.Proposed
	Accepted        = event.Accepted
	Refused         = event.Refused
	Started         = event.Started
	Waiting         = event.Waiting
	Resumed         = event.Resumed
	Slowed          = event.Slowed
	Silent          = event.Silent
	Heard           = event.Heard
	Moved           = event.Moved
	Restarted       = event.Restarted
	Left            = event.Left
	Lost            = event.Lost
	Revoked         = event.Revoked
	Dropped         = event.Dropped
	Joined          = event.Joined
	Paused          = event.Paused
	Unpaused        = event.Unpaused
	Frozen          = event.Frozen
	Quorate         = event.Quorate
	Desync          = event.Desync
	Reported        = event.Reported
	Live            = event.Live
	SpectatorJoined = event.SpectatorJoined
	SpectatorLeft   = event.SpectatorLeft
	Warning         = event.Warning
	Recorded        = event.Recorded
	Ended           = event.Ended
	Closed          = event.Closed
)

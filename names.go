package tickback

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/membership"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/session/spectate"
)

// The names of packages rollback and session that a game needs, so that it
// imports only this one.
type (
	// Frame is the number of a frame, or of the state before it: from 0 on.
	Frame = rollback.Frame
	// Player is the number of a player: from 0 on. Player 0 is the host.
	Player = rollback.Player
	// PlayerSet is a set of players; see [SetOf].
	PlayerSet = rollback.PlayerSet
	// Peer is another machine, with its players and its address; see [session.Peer].
	Peer = session.Peer
	// Event is something that has happened; see [session.Event] for its fields.
	Event = session.Event
	// Rate is a tick rate that is no integer, such as 60.0988; see [session.Rate].
	Rate = session.Rate
	// Parameters are the parameters of a match that the host proposes; see [session.Parameters].
	Parameters = session.Parameters
	// AutoDelay chooses the input delay; see [session.AutoDelay].
	AutoDelay = session.AutoDelay
	// OnLeave says what happens when a player leaves: [End] or [Continue]; see [session.OnLeave].
	OnLeave = session.OnLeave
	// Outcome is how a match has ended; see [session.Outcome] for its fields.
	Outcome = session.Outcome
	// Stats are the statistics of a session; see [session.Stats] for all of them, with units, and for which of them
	// are reset with each match.
	Stats = session.Stats
	// LinkStats are the statistics of the link to a peer; see [session.LinkStats].
	LinkStats = session.LinkStats
	// Health says whether the peers had the same states; see [session.Health].
	Health = session.Health
	// Phase is the stage that a session has reached; see [session.Phase].
	Phase = session.Phase
	// Entry is an entry of the membership log; see [session.Entry].
	Entry = session.Entry
	// EntryKind is the kind of an entry; see [session.EntryKind].
	EntryKind = session.EntryKind
)

// The errors with which Update ends a session. Each says what happened; use errors.As to find it in an error that wraps
// it.
type (
	// MismatchError says that a peer cannot play with this machine, and names the first thing
	// in which it differs; see [session.MismatchError].
	MismatchError = session.MismatchError
	// PlaceError says that a peer has other players than [Mesh] expects at its address. It
	// wraps a [MismatchError]; see [session.PlaceError].
	PlaceError = session.PlaceError
	// TimeoutError says which peer did not connect in time, or was not ready in time; see [session.TimeoutError].
	TimeoutError = session.TimeoutError
	// RefusedError says which peer refused the match that the host proposed, and why; see
	// [session.RefusedError].
	RefusedError = session.RefusedError
	// LostError says which players are gone, when the session cannot continue without them; see [session.LostError].
	LostError = session.LostError
	// RemovedError says that the other peers continue without this machine, and from which frame on; see
	// [session.RemovedError].
	RemovedError = session.RemovedError
	// QuorumError says that most peers have been out of reach for too long, and names them; see [session.QuorumError].
	QuorumError = session.QuorumError
	// JoinError says why a running match cannot be joined; see [session.JoinError].
	JoinError = session.JoinError
	// RestartedError says that a peer is still in a session with an earlier process at this
	// machine's address; see [session.RestartedError].
	RestartedError = session.RestartedError
	// SyncTestError is the error of a match made by [SyncTest]: a frame had a different result when it was simulated
	// again. It names the frame and the fields; see [rollback.SyncTestError].
	SyncTestError = rollback.SyncTestError
)

// TokenError says that our token is not valid at a server or a host, or that one is needed and none was given. It ends
// a [Client], and is part of the error with which [Join] or [Spectate] ends.
type TokenError = admission.TokenError

// Types that only a [Server] and its clients use.
type (
	// ByeError is the message of a server that has ended the connection: that all places are taken, or why it kicked
	// the player.
	ByeError = served.ByeError
	// ServerLostError says that a server has not answered, or has been silent.
	ServerLostError = served.LostError
	// ClientStats are the statistics of a client, according to its server.
	ClientStats = served.ClientStats
	// ServerCounts are the statistics that only a server has.
	ServerCounts = served.ServerCounts
	// Faults counts messages of clients that the server could not use, such as forged, repeated or early ones; see
	// [served.Faults].
	Faults = served.Faults
	// ClientCounts are the statistics that only a client has.
	ClientCounts = served.ClientCounts
)

// ErrPartial is the error when a client that does not receive the whole match tries to record it.
var ErrPartial = served.ErrPartial

// WishError says why a player cannot be kicked, or why a match cannot be paused; see [membership.WishError].
type WishError = membership.WishError

// ErrClosed is the error of a session that was closed on this side.
var ErrClosed = session.ErrClosed

// DesyncReport says how the states of the peers came to differ; see [Match.DesyncReport].
type DesyncReport = desync.Report

// HostsError says that a spectator has no host to watch, and gives the reason for each host.
type HostsError = spectate.HostsError

// ErrHostRestarted is among the reasons in a [HostsError] if a host was killed and started again, and has shown
// nothing since then.
var ErrHostRestarted = spectate.ErrRestarted

// ErrEnd says that the match is over, and that a spectator, a server or one of its clients has reached its end.
var ErrEnd = spectate.ErrEnd

// The values of [Health], in [Outcome] and [Stats].
const (
	Unverified = session.Unverified
	Healthy    = session.Healthy
	Desynced   = session.Desynced
)

// The values of [Phase], in [Stats]; see package session.
const (
	Connecting = session.Connecting
	Lobby      = session.Lobby
	Starting   = session.Starting
	Playing    = session.Playing
	Ending     = session.Ending
	Over       = session.Over
)

// MaxPlayers is the maximum number of players in a match.
const MaxPlayers = rollback.MaxPlayers

// Strict requires floats that are the same on every machine: a value for the field Floats of a game; see
// [rollback.Strict].
const Strict = rollback.Strict

// The values of [OnLeave]: what happens to a match when a player leaves.
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
	Slowed    = session.Slowed
	Silent    = session.Silent
	Heard     = session.Heard
	Moved     = session.Moved
	Restarted = session.Restarted
	Left      = session.Left
	Lost      = session.Lost
	Revoked   = session.Revoked
	Dropped   = session.Dropped
	Joined    = session.Joined
	Paused    = session.Paused
	Unpaused  = session.Unpaused
	Frozen    = session.Frozen
	Quorate   = session.Quorate
	Desync    = session.Desync
	Reported  = session.Reported
	Live      = session.Live
	Warning   = session.Warning
	Recorded  = session.Recorded
	Ended     = session.Ended
	Closed    = session.Closed

	SpectatorJoined = session.SpectatorJoined
	SpectatorLeft   = session.SpectatorLeft
)

// The kinds of an [Entry] of [Match.Log].
const (
	EntryLeave  = session.EntryLeave
	EntryDrop   = session.EntryDrop
	EntryKick   = session.EntryKick
	EntryJoin   = session.EntryJoin
	EntryPause  = session.EntryPause
	EntryResume = session.EntryResume
	EntryEnd    = session.EntryEnd
)

// SetOf returns the set of these players.
func SetOf(players ...Player) PlayerSet { return rollback.SetOf(players...) }

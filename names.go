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
	// Peer is another machine ([session.Peer]):
	//
	//	Players PlayerSet      on this machine: one, or several that share it
	//	Addr    netip.AddrPort where its datagrams come from and go to; the session follows it if it changes
	Peer = session.Peer
	// Event is something that has happened, for the application to show or to act on ([session.Event]):
	//
	//	What    What          its kind, such as Connected
	//	Players PlayerSet     whom it concerns
	//	Match   uint32        the number of the match, 1 for the first
	//	Frame   Frame         when
	//	For     time.Duration for how long
	//	Text    string        why or what, for people
	//	Data    []byte        the application's own
	//	Ours    uint64        with Theirs, checksums of states that differ
	//	Theirs  uint64
	//
	// Fields that the kind does not mention are zero.
	Event = session.Event
	// Rate is a tick rate that is no integer, such as 60.0988: so many frames in so many seconds ([session.Rate]).
	//
	//	Frames  uint32
	//	Seconds uint32
	Rate = session.Rate
	// Parameters are the parameters of a match that the host proposes, the same for all ([session.Parameters]):
	//
	//	Seed    uint64 for the generators in the state
	//	Frames  Frame  the length of the match; 0 means no limit
	//	Content uint64 a digest of what the game needs besides its build, such as levels; a hook may refuse another one
	//	Data    []byte for the game's own use, such as the stage and the characters; at most 64 KiB
	Parameters = session.Parameters
	// AutoDelay chooses the input delay by the path to the farthest peer, at the start of a match and during it
	// ([session.AutoDelay]):
	//
	//	On       bool turns it on
	//	Min      int  with Max, bounds in frames; Max 0 means the equivalent of 133 ms, but at least 8
	//	Max      int
	//	Rollback int  how many frames of rollback are acceptable instead of delay
	AutoDelay = session.AutoDelay
	// OnLeave says what happens when a player leaves: [End] or [Continue]. It is a number ([session.OnLeave]).
	OnLeave = session.OnLeave
	// Outcome is how a match has ended ([session.Outcome]):
	//
	//	Match       uint32    its number, 1 for the first
	//	Frames      Frame     how many it had
	//	Hash        uint64    of its last state
	//	Chain       uint64    of the hashes of all states
	//	Resimulated uint64    frames that ran more than once here
	//	Health      Health    whether the peers had the same states
	//	Result      uint64    what the game has passed to Finish of its tick, if Finished
	//	Finished    bool
	//	Left        PlayerSet who was gone at the end
	//	Unagreed    bool      it has ended at this machine alone, and the others may have ended later
	//	Fairness    int       by how much the peers differ in resimulated frames, in hundredths of a percent of its frames
	//	Told        bool      all peers have reported what Fairness needs
	Outcome = session.Outcome
	// Stats are the statistics of a session: phase, frames, stalls, rollbacks, Links ([LinkStats]), Health and some
	// forty more. The type itself, at [session.Stats], says of each its unit, and whether it is of the match or of the
	// session.
	Stats = session.Stats
	// LinkStats are the statistics of the link to a peer: Players, Addr, Connected, RoundTrip, Lag, Jitter, Waited, Lost,
	// datagrams, bytes and some twenty more. The type itself, at [session.LinkStats], has all with their units.
	LinkStats = session.LinkStats
	// Health says whether the peers had the same states: [Unverified], [Healthy] or [Desynced].
	Health = session.Health
	// Phase is the stage that a session has reached, from [Connecting] to [Over].
	Phase = session.Phase
	// Entry is one line of the membership log: what has changed, and from which frame on ([session.Entry]).
	//
	//	Kind    EntryKind such as EntryJoin
	//	Players PlayerSet whom it concerns; for a pause, who has asked for it
	//	Frame   Frame     the first without them, with them, or that does not run; for EntryEnd the number of frames
	Entry = session.Entry
	// EntryKind is the kind of an entry: [EntryLeave] and those after it.
	EntryKind = session.EntryKind
)

// The errors with which Update ends a session. Each says what happened; use errors.As to find it in an error that wraps
// it.
type (
	// MismatchError says that a peer cannot play with this machine, and in what it differs first
	// ([session.MismatchError]):
	//
	//	Players PlayerSet of the other machine; empty if a spectator or a client compares itself with it
	//	Item    string    what differs, such as "build"
	//	Ours    string    with Theirs, both values; text is quoted
	//	Theirs  string
	//	Server  bool      the other machine is a server
	MismatchError = session.MismatchError
	// PlaceError says that a peer has other players than [Mesh] expects at its address. It wraps a [MismatchError]
	// ([session.PlaceError]).
	//
	//	Local    PlayerSet on this machine
	//	Expected PlayerSet at the peer
	//	Claimed  PlayerSet by the peer
	PlaceError = session.PlaceError
	// TimeoutError says who did not appear, or was not ready, in time ([session.TimeoutError]):
	//
	//	Players PlayerSet
	//	For     string        what this machine has waited for
	//	After   time.Duration
	TimeoutError = session.TimeoutError
	// RefusedError says who has refused the match that the host proposed ([session.RefusedError]):
	//
	//	Players PlayerSet
	//	Reason  string
	RefusedError = session.RefusedError
	// LostError says who is gone, if the session cannot continue without them ([session.LostError]):
	//
	//	Players   PlayerSet
	//	Why       string
	//	Left      bool      they said that they leave; the match lacks nothing
	//	Restarted PlayerSet those of them whose process was restarted and has forgotten the session
	LostError = session.LostError
	// RemovedError says that the other peers continue without this machine ([session.RemovedError]):
	//
	//	Frame  Frame  the first without it
	//	Kicked bool   on purpose
	//	Reason string
	RemovedError = session.RemovedError
	// QuorumError says that most peers have been out of reach for too long ([session.QuorumError]):
	//
	//	Players PlayerSet     who cannot be reached
	//	After   time.Duration
	QuorumError = session.QuorumError
	// JoinError says why a running match cannot be joined ([session.JoinError]):
	//
	//	Why     string
	//	Revoked bool   the token was revoked, because somebody was kicked
	//	Err     error  a *TokenError if Revoked, otherwise nil
	JoinError = session.JoinError
	// RestartedError says that a peer is still in a session with an earlier process at this machine's address
	// ([session.RestartedError]):
	//
	//	Players PlayerSet of the peer
	//	Playing bool      they play a match, which continues without this machine
	//	Joins   bool      newcomers are admitted
	RestartedError = session.RestartedError
	// SyncTestError is the error of a match made by [SyncTest]: a frame had a different result when it was simulated
	// again ([rollback.SyncTestError]).
	//
	//	Frame       Frame              the first of them
	//	Differences []canon.Difference the fields of state Frame+1; Total is their number, and the list may be shorter
	//	Snapshot    bool               the frames agree, but the snapshot between them has changed
	//	Effects     bool               the effects differ
	//	Result      bool               the calls of Finish differ
	//	Undescribed error              why there are no fields to show
	SyncTestError = rollback.SyncTestError
)

// TokenError says that our token is not valid at a server or a host, or that one is needed and none was given. It ends
// a [Client], and is part of the error with which [Join] or [Spectate] ends.
//
//	Reason  string that the other machine gives
//	Revoked bool   the token was valid until somebody was kicked
//	Missing bool   no token was given on this machine
type TokenError = admission.TokenError

// Types that only a [Server] and its clients use.
type (
	// ByeError is the message of a server that has ended the connection: that all places are taken, or why it kicked
	// the player.
	//
	//	Reason string
	ByeError = served.ByeError
	// ServerLostError says that a server has not answered, or has been silent.
	//
	//	For  string        what this machine has waited for
	//	Long time.Duration
	ServerLostError = served.LostError
	// ClientStats are the statistics of a client, according to its server ([served.ClientStats]); counts are of ticks:
	//
	//	Player    Player
	//	Inputs    uint64        arrived in time
	//	Replaced  uint64        did not
	//	Late      uint64        arrived after their tick
	//	Carried   uint64        of Late, were merged into a later one
	//	Stale     uint64        came so late that they may be repetitions
	//	Faults    Faults        what gained the client nothing
	//	Behind    int           the age of the newest state that the client holds, in ticks; -1 if it holds none
	//	Plain     bool          a state of the client once differed
	//	RoundTrip time.Duration
	ClientStats = served.ClientStats
	// ServerCounts are the statistics that only a server has ([served.ServerCounts]):
	//
	//	Faults    Faults of all clients, also of those that are gone
	//	Late      uint64 inputs of present clients that arrived after their tick
	//	Replaced  uint64 ticks for which no input had arrived
	//	Broken    uint64 clients that were removed because they violated the protocol
	//	Strangers uint64 datagrams that belong to no client
	//	Refused   uint64 requests for a place that were refused
	//	Uninvited uint64 of these, without the token
	//	Crowded   uint64 of these, from an address that had its places
	//	Spent     uint64 requests that repeat one that is over
	//	Doubled   uint64 clients with the ID of another one that was playing
	//	Moved     uint64 changes of clients' addresses
	//	Skipped   uint64 tick periods that the server was too late for
	ServerCounts = served.ServerCounts
	// Journal keeps what a match that a server owns needs to go on after the server's process has died: see
	// [ServerOptions.Journal] and package journal.
	Journal = served.Journal
	// JournalError means that a match cannot go on from its journal, or not without it ([served.JournalError]):
	//
	//	Record uint64 // the number of the record that is wrong, from 1; 0 if it is none of them
	JournalError = served.JournalError
	// Faults counts what clients sent and the server could not use ([served.Faults]):
	//
	//	Forged    uint64 datagrams that the client did not make, by their contents
	//	Repeated  uint64 datagrams that had arrived before
	//	Elsewhere uint64 datagrams from another address, while the client was heard at its own
	//	Flooded   uint64 datagrams beyond the rate, which are not read
	//	Early     uint64 inputs for ticks too far ahead
	//	Unsent    uint64 acknowledgements of states that were not sent
	//	Orders    uint64 orders for ticks too far ahead, or too many of them
	//	Illegal   uint64 inputs that Check of the hooks has refused, or that are none
	Faults = served.Faults
	// ClientCounts are the statistics that only a client has ([served.ClientCounts]):
	//
	//	Updates   uint64 states that came as updates
	//	Wholes    uint64 states that came whole
	//	Stale     uint64 updates that came too late
	//	Resumed   uint64 how often it went on at the state of an update, and skipped the ticks before
	//	Corrected uint64 states that differed from the prediction
	//	Stalls    uint64 ticks that could not run, because the server was silent
	//	Skipped   uint64 ticks that were skipped to catch up
	//	Lag       Frame  how many ticks the newest state is behind the next input, on a machine that is too slow
	ClientCounts = served.ClientCounts
)

// ErrPartial is the error when a client that does not receive the whole match tries to record it.
var ErrPartial = served.ErrPartial

// ErrJournalEnded means that the match of a journal has ended, so that it cannot go on: begin another one with an empty
// journal.
var ErrJournalEnded = served.ErrJournalEnded

// WishError says why a player cannot be kicked, or why a match cannot be paused.
//
//	Wish membership.Wish what was asked for: its Kind and Players
//	Why  string
type WishError = membership.WishError

// ErrClosed is the error of a session that was closed on this side.
var ErrClosed = session.ErrClosed

// DesyncReport says how the states of the peers came to differ; see [Match.DesyncReport]. State is the first that differs,
// Equal the last that compared equal, Peers and Groups say who had which, and Fields name what differs, up to Total of
// them. The type itself, at [desync.Report], has the game, the parameters and the inputs as well.
type DesyncReport = desync.Report

// HostsError says that a spectator has no host to watch.
//
//	Hosts []netip.AddrPort
//	Why   []error          the reason for each of them
//	Lost  bool             one of them was watched before
type HostsError = spectate.HostsError

// ErrHostRestarted is among the reasons in a [HostsError] if a host was killed and started again, and has shown
// nothing since then.
var ErrHostRestarted = spectate.ErrRestarted

// ErrEnd says that the match is over, and that a spectator, a server or one of its clients has reached its end.
var ErrEnd = spectate.ErrEnd

// The values of [Health], in [Outcome] and [Stats].
const (
	Unverified = session.Unverified // nothing has been compared yet, or not with all peers
	Healthy    = session.Healthy    // all comparisons were equal
	Desynced   = session.Desynced   // a peer had a different state; this is final
)

// The values of [Phase], in [Stats].
const (
	Connecting = session.Connecting // some peers have not answered yet
	Lobby      = session.Lobby      // all are connected, and no match is proposed
	Starting   = session.Starting   // a match is proposed, and not all are ready
	Playing    = session.Playing    // frames run
	Ending     = session.Ending     // the last frame is agreed, or this machine leaves; the others are to know it
	Over       = session.Over       // the session has ended
)

// MaxPlayers is the maximum number of players in a match.
const MaxPlayers = rollback.MaxPlayers

// Strict requires floats that are the same on every machine: a value for the field Floats of a game; see
// [rollback.Strict].
const Strict = rollback.Strict

// The values of [OnLeave]: what happens to a match when a player leaves.
const (
	End      = session.End      // it ends for all, at the same frame
	Continue = session.Continue // it goes on without the player, from the same frame on for all
)

// The kinds of an [Event], in What. Package session says more of each, and which fields it has.
const (
	Connected = session.Connected // a peer has answered, and plays the same game
	Open      = session.Open      // all peers are connected, and matches can be proposed
	Message   = session.Message   // the application of these players has sent Data
	Proposed  = session.Proposed  // the host proposes a match
	Accepted  = session.Accepted  // these players accept it
	Refused   = session.Refused   // these players refuse it; Text says why
	Started   = session.Started   // the match begins here, with Frame
	Waiting   = session.Waiting   // frames have waited for these players for the time For; Text says for what
	Resumed   = session.Resumed   // the wait is over
	Slowed    = session.Slowed    // frames wait for these players again and again; Text says why
	Silent    = session.Silent    // nothing has arrived from these players for the time For
	Heard     = session.Heard     // something has arrived from them again
	Moved     = session.Moved     // these players have a new address, Text
	Restarted = session.Restarted // the process of these players has forgotten the match; Lost or Dropped follows
	Left      = session.Left      // these players have left; Frame is the first without them
	Lost      = session.Lost      // these players were silent for too long, or broke the protocol (Text)
	Revoked   = session.Revoked   // the token admits nobody any more, since somebody was kicked
	Dropped   = session.Dropped   // the match continues without these players; Text says why
	Joined    = session.Joined    // these players have joined; Frame is the first with them
	Paused    = session.Paused    // these players have asked for a pause, from Frame on
	Unpaused  = session.Unpaused  // these players have asked for its end, after the time For
	Frozen    = session.Frozen    // these players are silent, and without them too few are left
	Quorate   = session.Quorate   // enough players are back
	Desync    = session.Desync    // these players have another state; Ours and Theirs are the checksums
	Reported  = session.Reported  // a desync is explained, or Text says why not; see DesyncReport
	Live      = session.Live      // a spectator has caught up
	Warning   = session.Warning   // a replay is from another build, damaged or incomplete; Text says which
	Recorded  = session.Recorded  // a recording is complete; Frame is the one after its last
	Ended     = session.Ended     // the match is over after Frame frames; see Outcome
	Closed    = session.Closed    // the session is over; Text says why

	SpectatorJoined = session.SpectatorJoined // a spectator watches from the address Text
	SpectatorLeft   = session.SpectatorLeft   // a spectator is gone; Text says why
)

// The kinds of an [Entry] of [Match.Log].
const (
	EntryLeave  = session.EntryLeave  // the players have left
	EntryDrop   = session.EntryDrop   // the players were lost
	EntryKick   = session.EntryKick   // the players were kicked
	EntryJoin   = session.EntryJoin   // the players have joined
	EntryPause  = session.EntryPause  // no frame runs from there on
	EntryResume = session.EntryResume // frames run again
	EntryEnd    = session.EntryEnd    // the match ends for all after this many frames
)

// SetOf returns the set of these players.
func SetOf(players ...Player) PlayerSet { return rollback.SetOf(players...) }

package tickback

import (
	"crypto/rand"
	"encoding/binary"
	"io"
	"log/slog"
	"reflect"
	"runtime/debug"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/trace"
)

// Options configures a session. Sample is required. Peers are for [P2P] alone, and a Transport is for [P2P] and [Join].
// When peers connect, they compare the fields that must be the same for all.
type Options[S any, I comparable] struct {
	// Players is how many players the match has, 1 to [MaxPlayers]; the same for all peers. By default it counts one
	// player here, those of the peers, and the reserved places. [Join] requires it.
	Players int
	// Local are the players of this machine. By default these are all players that are neither a peer's nor reserved.
	// [Join] requires it.
	Local PlayerSet
	// Peers are the other machines, with their players. The peer of player 0 is the host.
	Peers []Peer
	// Transport carries the datagrams. Once P2P or Join has returned a match, the match owns
	// the transport, and closes it.
	Transport Transport

	// Sample returns the current input of a local player. It is called exactly once for each local player and new
	// frame, and never for a frame that is simulated again, so no tap is lost or doubled.
	Sample func(p Player) I
	// Orders, if given, returns the orders of that player, right after Sample; they are copied.
	// MaxOrders is the maximum size in bytes, the same for all peers.
	Orders    func(p Player) []byte
	MaxOrders int

	// Only peers with the same GameID and Build can play together; both have at most 64 bytes.
	// The default ID is the program's main package and the name of the state's type.
	GameID, Build string
	// TickRate is the number of frames in a second; the default is 60; the same
	// for all peers.
	TickRate int
	// Rate is the tick rate instead, if it is no integer; see [Rate].
	Rate Rate
	// Window is the maximum number of frames that may run on predictions; the default is the number in 133 ms, 8 at 60
	// frames a second. A longer network path slows the match down, which the event Slowed reports.
	Window int
	// Lockstep turns prediction off: a frame runs when all its inputs have arrived.
	Lockstep bool
	// Delay is the input delay of each local player, in frames.
	Delay [MaxPlayers]int
	// AutoDelay chooses the delay from measurements.
	AutoDelay AutoDelay
	// RunAhead is how many frames ahead of the match [Match.View] shows it here, 0 to 8: what the players here do appears so
	// much earlier, as with an input delay below zero. Each frame that is shown costs so many steps more, and in a game
	// that owns its memory a Save and a Restore. Nothing else changes, here or elsewhere: see docs/sessions.md.
	RunAhead int
	// OnLeave says what happens to a match when a player leaves or is lost; the same for all
	// peers. The default is End. With Continue the others go on, if they are a majority, and
	// players may come back.
	OnLeave OnLeave
	// Token lets players [Join] at this machine during a match (Continue only). [NewToken] makes one. Give all machines
	// the same token, so that each of them can let newcomers in.
	Token Token
	// Reserved are places that are empty at first, the same for all peers: their players are Disconnected until somebody
	// joins with the Token. In a [Local] match they stay Disconnected.
	Reserved PlayerSet

	// Spectators says how many spectators can watch at this machine; the zero value allows none. Every player's
	// machine may have spectators. A spectator with several hosts moves on to the next when one is lost. A Token keeps
	// out spectators, too, unless they have one of their own.
	Spectators Spectators

	// Match has the parameters that the host proposes once all peers are connected: the seed, the length, and the
	// game's own.
	Match Parameters
	// Start returns a function that makes state 0 of a match with the host's parameters, or an error that says why
	// this machine cannot play it. A nil function means the game's own Init, and so does a nil Start, for any
	// parameters.
	Start func(p Parameters) (func(s *S), error)
	// Lobby leaves it to the application to start matches: [Match.Propose] on the host;
	// [Match.Accept] or [Match.Refuse], and [Match.Ready], on the others.
	Lobby bool

	// Record, if given, gets a recording of the first match, in the format of
	// docs/reference/recording-format.md; Recording configures it. The event [Recorded] says
	// that it is complete; see [Match.Record].
	Record    io.Writer
	Recording RecordOptions
	// Agreed, if given, gets every agreed frame, in order.
	Agreed func(a *rollback.Agreed[I])
	// Log, if given, gets a record for each event, and records about a match at its end. The message is the kind of the
	// event ("waiting"), and the attributes are its fields. Losses and desyncs are errors, and so is a session that ends
	// with another error. Silence, waiting, dropped players, a frozen match and the like are warnings. Messages (without
	// their content) are debug records; all others are information: docs/observability.md lists them. Without events
	// nothing is written.
	Log *slog.Logger
	// Trace, if given, gets every frame, rollback, stall, datagram and event with its time, to be viewed in
	// https://ui.perfetto.dev; see package trace. The match does not close it, so several matches can write to the same
	// one. If writing fails, Log gets a record, and the match goes on.
	Trace *trace.Writer
	// Timeouts are how long to wait for peers; zeros mean the defaults.
	Timeouts Timeouts
	// Advanced has settings that few games need.
	Advanced Advanced
}

// Timeouts are how long a session waits for other machines.
type Timeouts struct {
	Connect time.Duration // for a peer to appear; 15 s
	Ready   time.Duration // for all peers to be ready for a match; 30 s
	Warn    time.Duration // before silence is reported as an event; 1 s, at most half of Drop
	Drop    time.Duration // before a silent peer is lost; 5 s
	Linger  time.Duration // for the other machines at the end; 2 s
	Quorum  time.Duration // for a majority to come back; 10 s
	Pause   time.Duration // until a pause ends by itself; a minute
}

// Advanced has settings that few games need; see [session.Config] and [rollback.Config].
type Advanced struct {
	HashEvery, ChainEvery       int
	Snapshots, History          int
	MaxEffects, EffectTolerance int
	// Evidence is the number of bytes that are kept to explain a desync; 0 means 4 MiB, and a negative value none.
	Evidence int
	// MaxState is the maximum size, in bytes, of a state that a newcomer or a client accepts; 0 means 64 MiB for a
	// newcomer, and 16 MiB for a client.
	MaxState int
	// Random and Now replace crypto/rand and time.Now, for tests.
	Random func() uint64
	Now    func() time.Time
}

// random returns the source of random numbers.
func (a *Advanced) random() func() uint64 {
	if a.Random == nil {
		return randomNumber
	}
	return a.Random
}

// config returns the options as a configuration of package session.
func (o *Options[S, I]) config(game rollback.Definition[S, I]) session.Config {
	if o.Players == 0 {
		o.Players = 1
		for _, p := range o.Peers {
			o.Players += p.Players.Len()
		}
		o.Players += o.Reserved.Len()
	}
	if o.GameID == "" {
		o.GameID = defaultID(reflect.TypeFor[S]().String())
	}
	t, a := o.Timeouts, o.Advanced
	return session.Config{
		GameID: o.GameID, Build: o.Build, Platform: rollback.PlatformOf(game),
		Machine: host(),
		Players: o.Players, Local: o.Local, Peers: o.Peers, Reserved: o.Reserved, Token: o.Token,
		TickRate: o.TickRate, Rate: o.Rate, Window: o.Window, RunAhead: o.RunAhead, Lockstep: o.Lockstep,
		Delay: o.Delay, AutoDelay: o.AutoDelay, MaxOrders: o.MaxOrders,
		Lobby: o.Lobby, Match: o.Match, OnLeave: o.OnLeave, Spectators: o.Spectators,
		HashEvery: a.HashEvery, ChainEvery: a.ChainEvery,
		ConnectTimeout: t.Connect, ReadyTimeout: t.Ready, WarnAfter: t.Warn, DropAfter: t.Drop, Linger: t.Linger,
		QuorumTimeout: t.Quorum, MaxPause: t.Pause,
		Random: a.random(), Snapshots: a.Snapshots, History: a.History,
		MaxEffects: a.MaxEffects, EffectTolerance: a.EffectTolerance, Evidence: a.Evidence,
	}
}

func (o *Options[S, I]) hooks() session.Hooks[S, I] {
	return session.Hooks[S, I]{Sample: o.Sample, Orders: o.Orders, Start: o.Start, Agreed: o.Agreed}
}

// defaultID makes an ID for a game without one. The name of the state's type alone is not enough, since most are called
// main.State.
func defaultID(state string) string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		state = info.Path + " " + state
	}
	return state[max(0, len(state)-64):]
}

func randomNumber() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

package tickback

import (
	"cmp"
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// Session is a running game in any mode: [Local], [P2P], [Join], [Serve], [Connect], [Spectate],
// [SyncTest] or [Replay]. It is for one goroutine.
//
// What its methods return by pointer or in a slice belongs to the session: states, effects, events, statistics, and the
// log. Do not change it. It is valid and unchanged until the next call of the same method, or of one that drives the
// session: Update, Advance, Poll, Close, and those that move a replay. Copy what you need for longer.
type Session[S any] interface {
	// Update keeps the network alive and runs the frames that are due. It returns how long to
	// wait at most before the next call; see [Match.Update].
	Update() (wait time.Duration, err error)
	// Advance is like Update, for an engine that owns the loop and keeps the time: it runs at most one frame, and
	// returns the period until the next call; see [Match.Advance].
	Advance() (period time.Duration, err error)
	// Poll keeps the network alive without running frames, while the game loads or shows a menu. Call it at least ten
	// times a second.
	Poll() error
	// Wait sleeps for at most d, until a datagram arrives that a frame may wait for; see
	// [Match.Wait].
	Wait(d time.Duration)
	// View returns what to draw.
	View() View[S]
	// Effects returns the changes of effects since the last call: what to play, move and end. See package effects.
	Effects() []effects.Event
	// Events returns the events since the last call.
	Events() []Event
	// Outcome returns how the last match ended, and whether one has ended.
	Outcome() (Outcome, bool)
	// Stats returns the statistics.
	Stats() Stats
	// Close leaves the match and informs the others, which takes a round trip, but at most Timeouts.Linger, or 200 ms
	// if the application's clock stands still. It closes the session's transport.
	Close() error
}

// View is what to draw: the last two states, and the fraction of the time between them that has passed. The states
// belong to the session; see [Session] for how long they are valid.
type View[S any] struct {
	// Previous is the state before Current. It is Current at the start, and in a game that owns
	// its memory.
	Previous, Current *S
	// Fraction is how much of the time from Previous to Current has passed: 0 to 1.
	Fraction float64
	Frame    Frame // number of Current
	// Ahead is by how many frames Current is ahead of the match: at most Options.RunAhead.
	Ahead Frame
	// Running is true if a match has started and has not ended.
	Running bool

	// Before and After are the states from which a [Client] draws the other players: two known states, just before and
	// after the moment at ClientOptions.Behind in the past. Share is how much of the time from Before to After has
	// passed at that moment: 0 to 1. A picture made from them moves smoothly and is never corrected. In all other
	// sessions they are Previous, Current and Fraction.
	Before, After *S
	Share         float64
	// Seen is the number of ticks, rounded, from that moment to the next tick of a [Client]. If shots should hit what
	// the player saw, the game puts this number into its input. It is 0 in all other sessions.
	Seen int
}

// Match is a [Session] of a match on this machine or between peers. Make it with [Local], [P2P], [Join] or [SyncTest].
type Match[S any, I comparable] struct {
	front[S]
	session *session.Session[S, I]
}

// Local runs a game on this machine alone, for one or several players. With Options.Spectators
// and a Transport, others can watch. Nobody can take Reserved places: their players stay
// Disconnected, like those of empty seats in a match with peers.
func Local[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	switch {
	case len(o.Peers) > 0 || o.Token != nil:
		return nil, refusef(matchOptions, "Local has no Peers, and nobody joins it; use P2P")
	case (o.Transport != nil) != o.Spectators.Enabled():
		return nil, refusef(matchOptions, "Local has a Transport for its Spectators alone; to play with others use P2P")
	case o.Reserved != 0 && o.Transport != nil:
		return nil, refusef(matchOptions, "Local has no Reserved places if others watch; use P2P")
	}
	cfg := o.config(game)
	if o.Reserved != 0 { // a session requires these, but without a transport nobody can join
		cfg.OnLeave, cfg.Token = Continue, NewToken()
	}
	return newMatch(game, o, cfg)
}

// P2P runs a match between machines, each of which knows the addresses of all others. [Join]
// joins a running one.
func P2P[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport == nil:
		return nil, refusef(matchOptions, "P2P needs a Transport, such as that of transport/udp")
	case len(o.Peers) == 0 && o.Reserved == 0:
		return nil, refusef(matchOptions, "P2P needs Peers or Reserved places; for a match on one machine use Local, and for a running one Join")
	case o.lacking() != 0:
		return nil, refusef(matchOptions, "Peers have no address for %v (players count from 0); Mesh takes those of all others, in the order of their players", o.lacking())
	case o.Token != nil && o.OnLeave != Continue:
		return nil, refusef(matchOptions, "a Token lets others join while play goes on, which takes OnLeave Continue")
	}
	for i, p := range o.Peers {
		if err := checkReach(matchOptions, fmt.Sprintf("Peers[%d]", i), o.Transport, p.Addr); err != nil {
			return nil, err
		}
	}
	return newMatch(game, o, o.config(game))
}

// Join joins a running match as the Local players, who may be new or come back. The hosts are the addresses of some
// machines of the match. They are asked in turn, and one of them names the others. Players, Local, the Token of the
// match and OnLeave [Continue] are required. Peers and Reserved places must be empty, since the hosts say who plays.
//
// The match begins with the event [Joined], or ends with a [*JoinError].
func Join[S any, I comparable](game rollback.Definition[S, I], hosts []netip.AddrPort, o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport == nil:
		return nil, refusef(matchOptions, "Join needs a Transport, such as that of transport/udp")
	case o.Players == 0:
		return nil, refusef(matchOptions, "Players is required to join a match: how many it has")
	}
	if err := checkReach(matchOptions, "hosts", o.Transport, hosts...); err != nil {
		return nil, err
	}
	cfg := o.config(game)
	cfg.Join = &session.Join{Hosts: hosts, MaxState: o.Advanced.MaxState}
	return newMatch(game, o, cfg)
}

// SyncTest runs a game like [Local], but in every frame it goes back depth frames and simulates them again. A step that
// gives a different result ends the match with a [*SyncTestError], which names the frame and the fields.
func SyncTest[S any, I comparable](game rollback.Definition[S, I], depth int, o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport != nil || o.meets() || o.Spectators.Enabled():
		return nil, refusef(matchOptions, "SyncTest has no Transport, no Peers and no Spectators")
	case depth < 1:
		return nil, refusef(matchOptions, "a sync test of depth %d compares nothing", depth)
	}
	cfg := o.config(game)
	cfg.SyncTest = depth
	return newMatch(game, o, cfg)
}

// meets reports whether there are other machines in the match, or may be later.
func (o *Options[S, I]) meets() bool {
	return len(o.Peers) > 0 || o.Reserved != 0 || o.Token != nil
}

// lacking returns the players of the peers without an address.
func (o *Options[S, I]) lacking() (set PlayerSet) {
	for _, p := range o.Peers {
		if !p.Addr.IsValid() || p.Addr.Port() == 0 {
			set |= p.Players
		}
	}
	return set
}

func newMatch[S any, I comparable](game rollback.Definition[S, I], o Options[S, I], cfg session.Config) (*Match[S, I], error) {
	if o.Sample == nil {
		return nil, refusef(matchOptions, "Sample is required: it returns what a player does")
	}
	m := new(Match[S, I])
	m.open(o.Transport, o.Advanced.Now, o.Log, o.Trace)
	cfg.Clock = m.time
	cfg.Observe, cfg.Probe = m.observer(), m.probe()
	cfg.HashEvery = session.HashInterval(game, cfg.HashEvery, cfg.ChainEvery, cmp.Or(cfg.TickRate, cfg.Rate.Nearest())) // a recording needs this value, too
	s, err := session.New(game, cfg, o.hooks())
	if err != nil {
		return nil, inOptions(matchOptions, err)
	}
	m.session = s
	if cfg.RunAhead > 0 {
		m.leader = s
	}
	m.begin(s, cfg.GameID, cfg.Players, here(&cfg).String())
	m.recordings = recording.New(recording.Subject{
		Session: s, Game: cfg.GameID, TickRate: cfg.TickRate, Rate: cfg.Rate, HashEvery: cfg.HashEvery, Marshals: rollback.CapabilitiesOf(game).Marshal,
		Info: tbr.Info{Build: cfg.Build, Platform: cfg.Platform, Recorder: here(&cfg).String()},
	}, m.now)
	if err := m.recordFirst(matchOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// here returns the players who play on this machine.
func here(c *session.Config) PlayerSet {
	if c.Local != 0 {
		return c.Local
	}
	set := PlayerSet(1<<c.Players-1) &^ c.Reserved
	for _, p := range c.Peers {
		set &^= p.Players
	}
	return set
}

// DesyncReport returns the report on the desync of the last match: which peers differ, from which
// frame on, and in which fields. It is nil until the event [Reported], and if there was no
// desync. All peers get the same report.
func (m *Match[S, I]) DesyncReport() *DesyncReport {
	r, err := desync.Decode(m.session.Report())
	if err != nil {
		return nil // there is no report
	}
	return r
}

// SetDelay changes the input delay of a local player, in frames from now on. No input is lost
// or doubled.
func (m *Match[S, I]) SetDelay(p Player, frames int) error { return m.session.SetDelay(p, frames) }

// Settled returns the newest state that is the same at all machines and will never change, and its frame: every machine
// has confirmed all inputs before it. It is nil before frames run here, and once the state is no longer held; with
// Advanced.Snapshots above Window, states are held for longer.
func (m *Match[S, I]) Settled() (s *S, f Frame) {
	e := m.session.Inspect()
	if final := m.machine.Final(); final != nil {
		o, _ := m.session.Outcome()
		return final, o.Frames
	}
	if phase := m.machine.Phase(); phase != session.Playing && phase != session.Ending {
		return nil, 0
	}
	f = min(e.Agreed(), e.Final())
	return e.StateAt(f), f
}

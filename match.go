package tickback

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/desync"
)

// Session is a game that runs, in whatever mode: [Local], [P2P], [Spectate],
// [SyncTest] or [Replay].
// It is for one goroutine.
type Session[S any] interface {
	// Update keeps the network alive, and runs the frames that are due. It returns
	// when to call it again, at the latest; see [Match.Update].
	Update() (wait time.Duration, err error)
	// Advance is Update for an engine that owns the loop and keeps the time: it runs at most
	// one frame, and returns how long the period until the next call should be; see
	// [Match.Advance].
	Advance() (period time.Duration, err error)
	// Poll keeps the network alive, and runs no frames: while the game loads, or is
	// in a menu. Call it at least ten times a second.
	Poll() error
	// Wait sleeps, at most for so long, until a datagram arrives that a frame may wait for;
	// see [Match.Wait].
	Wait(d time.Duration)
	// View returns what to draw.
	View() View[S]
	// Effects returns what has become of effects since the last call: what to let
	// sound, move and end. See package effects.
	Effects() []effects.Event
	// Events returns what has happened since the last call. They are the session's,
	// valid until the next call.
	Events() []Event
	// Outcome returns how the last match ended, and whether one has.
	Outcome() (Outcome, bool)
	// Stats returns the statistics. They are the session's, valid until the next
	// call.
	Stats() Stats
	// Close leaves: the others are told, which takes a round trip, at most
	// Timeouts.Linger. The session's transport is closed.
	Close() error
}

// View is what to draw: the states before and after, and how far the time between
// them has passed. The states are the session's, valid and unchanged until any call
// but View, Effects, Events, Outcome and Stats; do not change them, and copy what is
// needed longer.
type View[S any] struct {
	// Previous is the state of the frame before. It is Current where there is none:
	// at the start, and in a game that owns its memory.
	Previous, Current *S
	// Fraction is how much of the way from Previous to Current has passed: 0 to 1.
	Fraction float64
	Frame    Frame // number of Current
	// Running says that frames run: a match has started, and not ended.
	Running bool
}

// Match is a [Session] in which frames run. Make it with [Local], [P2P] or
// [SyncTest].
type Match[S any, I comparable] struct {
	front[S]
	session *session.Session[S, I]
}

// Local runs a game on this machine alone: for one player, or several on one sofa.
// With Options.Spectators and a Transport others may watch. Nobody ever takes Reserved
// places: their players are Disconnected, as those of a match with empty seats are.
func Local[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	switch {
	case len(o.Peers) > 0 || o.Token != nil:
		return nil, refusef(matchOptions, "Local has no Peers, and nobody joins it; use P2P")
	case (o.Transport != nil) != o.Spectators.Welcomes():
		return nil, refusef(matchOptions, "Local has a Transport for its Spectators alone; to play with others use P2P")
	case o.Reserved != 0 && o.Transport != nil:
		return nil, refusef(matchOptions, "Local has no Reserved places if others watch; use P2P")
	}
	cfg := o.config(game)
	if o.Reserved != 0 { // as a session wants it; without a transport nobody can join
		cfg.OnLeave, cfg.Token = Continue, NewToken()
	}
	return newMatch(game, o, cfg)
}

// P2P runs a match with other machines, each of which knows all others. [Join] is for one
// that is played already.
func P2P[S any, I comparable](game rollback.Definition[S, I], o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport == nil:
		return nil, refusef(matchOptions, "P2P needs a Transport, such as that of transport/udp")
	case len(o.Peers) == 0 && o.Reserved == 0:
		return nil, refusef(matchOptions, "P2P needs Peers or Reserved places; a match without others is Local, and Join is for one that is played already")
	case o.lacking() != 0:
		return nil, refusef(matchOptions, "Peers have no address for %v (players count from 0); Mesh takes those of all others, in the order of their players", o.lacking())
	case o.Token != nil && o.OnLeave != Continue:
		return nil, refusef(matchOptions, "a Token lets others join while play goes on, which takes OnLeave Continue")
	}
	return newMatch(game, o, o.config(game))
}

// Join joins a match that is played already, as the Local players: somebody new, or somebody
// who was there before. The hosts are the addresses of some machines of the match; they are
// asked in turn, and tell where the others are. Players, Local, the Token of the match and
// OnLeave [Continue] are required; there are no Peers and no Reserved places, since the hosts
// tell who plays.
//
// The match begins with the event [Joined], or ends with a [*JoinError].
func Join[S any, I comparable](game rollback.Definition[S, I], hosts []netip.AddrPort, o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport == nil:
		return nil, refusef(matchOptions, "Join needs a Transport, such as that of transport/udp")
	case o.Players == 0:
		return nil, refusef(matchOptions, "Players is required to join a match: how many it has")
	}
	cfg := o.config(game)
	cfg.Join = &session.Join{Hosts: hosts, MaxState: o.Advanced.MaxState}
	return newMatch(game, o, cfg)
}

// SyncTest runs a game like [Local], goes back so many frames in every frame, and
// simulates them again. A step that comes out differently ends it with a
// [*SyncTestError], which names the frame and the fields.
func SyncTest[S any, I comparable](game rollback.Definition[S, I], depth int, o Options[S, I]) (*Match[S, I], error) {
	switch {
	case o.Transport != nil || o.meets() || o.Spectators.Welcomes():
		return nil, refusef(matchOptions, "SyncTest has no Transport, no Peers and no Spectators")
	case depth < 1:
		return nil, refusef(matchOptions, "a sync test of depth %d compares nothing", depth)
	}
	cfg := o.config(game)
	cfg.SyncTest = depth
	return newMatch(game, o, cfg)
}

// meets reports whether there are others in the match, or can be.
func (o *Options[S, I]) meets() bool {
	return len(o.Peers) > 0 || o.Reserved != 0 || o.Token != nil
}

// lacking returns the players who play elsewhere, nobody knows where.
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
	s, err := session.New(game, cfg, o.hooks())
	if err != nil {
		return nil, inOptions(matchOptions, err)
	}
	m.session = s
	m.begin(s, cfg.GameID, cfg.Players, here(&cfg).String())
	m.terms = recordTerms{session: s, hashEvery: cfg.HashEvery, marshals: rollback.CapabilitiesOf(game).Marshal, header: tbr.Header{
		Game: cfg.GameID, TickRate: orUsual(cfg.TickRate),
		Info: tbr.Info{Build: cfg.Build, Platform: cfg.Platform, Recorder: here(&cfg).String()},
	}}
	if err := m.recordFirst(matchOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// here is who plays here.
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

// Report returns the report on the desync of the last match: who differs from whom,
// from which frame on, and in which fields. It is nil if there is none, or not yet: the
// event [Reported] says when there is. All peers get the same.
func (m *Match[S, I]) Report() *DesyncReport {
	r, err := desync.Decode(m.session.Report())
	if err != nil {
		return nil // there is none
	}
	return r
}

// SetDelay changes the input delay of a player who plays here, in frames from now
// on. What the player does is neither lost nor doubled.
func (m *Match[S, I]) SetDelay(p Player, frames int) error { return m.session.SetDelay(p, frames) }

// Settled returns the newest state that is the same at all machines and will never change,
// and its frame: of all inputs before it every machine has said that it has them. It is nil
// before a match runs here, as the states of others are not known then, and if the state is
// not held any more; Advanced.Snapshots above Window hold it for longer.
// The state is the session's, as those of View are.
func (m *Match[S, I]) Settled() (s *S, f Frame) {
	e := m.session.Engine()
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

package session

import (
	"errors"
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/pace"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/rate"
)

// Spectator follows a match that is played on other machines, from the agreed stream of a host. Like [Machine] it
// opens no socket and reads no clock: call [Spectator.Receive], [Spectator.Update], [Spectator.Outgoing] and
// [Spectator.Events], in this order.
type Spectator[S any, I comparable] struct {
	cfg      SpectatorConfig
	nominal  time.Duration // the tick period
	shown    shownMatch[S, I]
	incoming incoming
	play     pace.Playout

	clock  pace.Clock
	now    time.Duration // of the clock
	phase  Phase
	err    error
	events event.Queue
}

// SpectatorHooks are the functions that a spectator needs from the game besides its step; see [Hooks].
type SpectatorHooks[S any, I comparable] struct {
	Start  func(p Parameters) (func(s *S), error)
	Agreed func(a *rollback.Agreed[I])
}

// incoming is what comes from the hosts, and is not shown yet.
type incoming struct {
	follower *spectate.Follower
	frames   stream.Decoder // of the item that is shown
}

// pending returns how many frames are buffered.
func (c *incoming) pending() int { return c.frames.Left() + c.follower.Buffered() }

// empty reports whether there is nothing more to show now.
func (c *incoming) empty() bool { return c.frames.Left() == 0 && c.follower.Front() == nil }

// last reports whether nothing more will come before the end of the match, or at all, once the next frame is this
// one.
func (c *incoming) last(next Frame) bool {
	n := c.pending()
	return n > 0 && uint32(next)+uint32(n) >= c.follower.Live() && c.follower.Over() || c.follower.Err() != nil
}

// NewSpectator creates a spectator. An invalid configuration is rejected here, with an error that names the
// problem: from this package ([ErrConfig]), the engine, or the game.
func NewSpectator[S any, I comparable](game rollback.Definition[S, I], cfg SpectatorConfig, hooks SpectatorHooks[S, I]) (*Spectator[S, I], error) {
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	s := &Spectator[S, I]{cfg: cfg, nominal: rate.Tick(cfg.TickRate, cfg.Rate)}
	s.events.Observe = cfg.Observe
	s.clock = pace.NewClock(s.nominal, cfg.DropAfter)
	s.now = s.clock.Now()
	s.play.Init(s.nominal, cfg.JitterBuffer, cfg.CatchUp)
	s.play.Carry = pace.CarryOf(cfg.Rate)
	s.shown = shownMatch[S, I]{game: game, hooks: hooks, plan: plan, events: &s.events, config: rollback.Config{
		MaxOrders: cfg.MaxOrders, Stream: hooks.Agreed != nil, HashEvery: cfg.HashEvery, Probe: cfg.Probe,
		MaxEffects: cfg.MaxEffects, EffectTolerance: cfg.EffectTolerance, Clock: cfg.Clock,
	}}
	if err := tryPlayers(cfg.Players, s.shown.build); err != nil {
		return nil, err
	}
	s.incoming.follower = spectate.NewFollower(spectate.FollowerConfig{
		Hosts: cfg.Hosts, Token: cfg.Token, Compare: s.compare, Period: s.nominal, Random: cfg.Random,
		Timeout: cfg.ConnectTimeout, Drop: cfg.DropAfter, MaxState: cfg.MaxState,
	})
	return s, nil
}

// tryPlayers builds for told players, or, if that is 0 because no match is known yet, for the smallest number that
// the game accepts.
func tryPlayers(told int, build func(players int) error) error {
	if told > 0 {
		return build(told)
	}
	for players := 1; ; players++ {
		if err := build(players); players == rollback.MaxPlayers || !errors.Is(err, rollback.ErrPlayers) {
			return err
		}
	}
}

// State returns the current state; before a match, state 0 of the game. It belongs to the spectator, is valid until
// the next call of Update, and must not be modified.
func (s *Spectator[S, I]) State() *S { return s.shown.engine.State() }

// StateAt returns state f, or nil if it is not held; see [rollback.Engine.StateAt].
func (s *Spectator[S, I]) StateAt(f Frame) *S { return s.shown.engine.StateAt(f) }

// Frame returns the number of the next frame to run.
func (s *Spectator[S, I]) Frame() Frame { return s.shown.engine.Frame() }

// Effects returns the changes to effects since the last call; see [rollback.Engine.Effects]. None is ever
// cancelled.
func (s *Spectator[S, I]) Effects() []effects.Event { return s.shown.engine.Effects() }

// Inspect returns an inspector of the engine, which belongs to the spectator.
func (s *Spectator[S, I]) Inspect() rollback.Inspector[S, I] { return rollback.Inspect(s.shown.engine) }

// Phase returns the phase: [Connecting] to a host, in the [Lobby] until there is a match, [Starting] while a state
// is being transferred, [Playing], or [Over].
func (s *Spectator[S, I]) Phase() Phase { return s.phase }

// Err returns why the spectator is over: spectate.ErrEnd at the end of the stream, [*spectate.HostsError] if no
// host can be watched, [ErrClosed] after Leave, or an error of the engine.
func (s *Spectator[S, I]) Err() error { return s.err }

// Events returns the events since the last call. The result is valid until the next call.
func (s *Spectator[S, I]) Events() []Event { return s.events.Take() }

// Outcome returns how the last match ended, as reported by the host, and whether it has. Healthy means that our
// last state equals the host's.
func (s *Spectator[S, I]) Outcome() (Outcome, bool) { return s.shown.outcome, s.shown.over }

// Health reports whether our states equal those of the host.
func (s *Spectator[S, I]) Health() Health { return s.shown.health }

// Final returns the state at which the last match ended, or nil if there is none, or it is not held as a value.
func (s *Spectator[S, I]) Final() *S {
	if !s.shown.over {
		return nil
	}
	return s.shown.engine.StateAt(s.shown.outcome.Frames)
}

// Proposal returns the parameters and the number of the match that is watched. The number is 0 if there is none.
func (s *Spectator[S, I]) Proposal() (Parameters, uint32) { return s.shown.params, s.shown.match }

// Outgoing yields the datagrams to send; see [Machine.Outgoing].
func (s *Spectator[S, I]) Outgoing() iter.Seq2[netip.AddrPort, []byte] {
	return s.incoming.follower.Outgoing()
}

// Receive handles a datagram that arrived at this time from this address.
func (s *Spectator[S, I]) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	at = s.clock.Arrive(at)
	s.now = s.clock.Now()
	s.incoming.follower.Receive(at, peer.Unmapped(from), b)
}

// Done reports whether the spectator is over.
func (s *Spectator[S, I]) Done() bool { return s.phase == Over }

// Leave stops watching. The reason is ignored.
func (s *Spectator[S, I]) Leave(string) {
	if s.phase != Over {
		s.incoming.follower.Leave()
		s.close(ErrClosed)
	}
}

func (s *Spectator[S, I]) close(err error) {
	if s.phase != Over {
		s.shown.recording.End(&RecordEnd{Over: err})
		s.phase, s.err = Over, err
		s.events.Add(Event{What: Closed, Text: err.Error()})
	}
}

// Update does what is due and returns when to call it again: it keeps the connection alive, and runs a frame if one
// is due; see [Machine.Update].
func (s *Spectator[S, I]) Update(now time.Duration) (next time.Duration) {
	s.now = s.clock.Update(now)
	next = s.poll()
	if s.phase == Over {
		return s.clock.External(next)
	}
	p, match, began := &s.play, s.shown.match, s.Frame()
	p.SkipLost(s.now)
	p.SkipAll(s.now)
	for s.now >= p.Next() && s.phase != Over && s.shown.match == match && s.Frame() == began {
		if p.Take(s.slot()); s.shown.over {
			break // so that the owner sees the outcome before another match begins
		}
	}
	return s.clock.External(min(next, p.Next()))
}

// Step does what Update does, for an owner that calls it once per frame and does its own timing. It returns how
// long the period until the next call should be.
func (s *Spectator[S, I]) Step(now time.Duration) (period time.Duration) {
	s.now = s.clock.Update(now)
	if s.poll(); s.phase == Over {
		return s.nominal
	}
	period = s.slot()
	s.play.SetNext(s.now + period)
	return period
}

// Poll keeps the connection alive without running frames.
func (s *Spectator[S, I]) Poll(now time.Duration) (next time.Duration) {
	s.now = s.clock.Update(now)
	return s.clock.External(s.poll())
}

func (s *Spectator[S, I]) poll() (next time.Duration) {
	if s.phase == Over {
		return s.now + s.nominal
	}
	next = s.incoming.follower.Update(s.now)
	for _, n := range s.incoming.follower.News() {
		s.events.Add(hostEvent(n, s.Frame()))
	}
	s.anew()
	switch {
	case s.shown.match != 0:
	case !s.incoming.follower.Attached():
		s.phase = Connecting
	default:
		s.phase = Lobby
	}
	// What arrived before the host was lost is still shown.
	if err := s.incoming.follower.Err(); err != nil && s.incoming.empty() {
		s.close(err)
	}
	return next
}

// hostEvent returns the event for a host that was found or lost before this frame.
func hostEvent(n spectate.HostNews, next Frame) Event {
	if n.Found {
		return Event{What: Connected, Text: n.Addr.String()}
	}
	e := Event{What: Lost, Frame: next, Text: n.Addr.String() + ": " + n.Why.Error()}
	var bye *spectate.ByeError
	if n.Over && errors.As(n.Why, &bye) {
		e.What = Left // it left properly, and nothing of the match is missing
	}
	return e
}

// Progress returns how much of the current tick period has passed, for drawing between two states.
func (s *Spectator[S, I]) Progress(now time.Duration) (passed, period time.Duration) {
	n := s.nominal
	if s.phase != Playing || !s.play.Running() {
		return n, n
	}
	return s.play.Progress(s.clock.Internal(now)), n
}

package served

import (
	"iter"
	"net/netip"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
)

// ClientHooks are the functions that a client needs from the game besides its step. Sample is required.
type ClientHooks[S any, I comparable] struct {
	// Sample returns the player's current input. It is called exactly once for each tick.
	Sample func(p Player) I
	// Orders, if given, returns the orders of the player, right after Sample; they are copied.
	Orders func(p Player) []byte
	// Start is the same as in session.Hooks.
	Start func(p stream.Parameters) (func(s *S), error)
	// Sight is the same as the server's; nil if the server has none.
	Sight func(s *S, p Player) PlayerSet
	// Agreed, if given, is called with every tick that is completely known, in order.
	Agreed func(a *rollback.Agreed[I])
}

// Client plays on a server: it runs the match ahead of what it has received, so that its inputs reach the server in
// time, and rolls back when a prediction was wrong. Call [Client.Receive], [Client.Update], [Client.Outgoing] and
// [Client.Events], in this order.
type Client[S any, I comparable] struct {
	cfg   ClientConfig
	game  rollback.Definition[S, I]
	hooks ClientHooks[S, I]
	running[S, I]
	clientMatch clientMatch[S, I]
	server      serverLink
	timing      timing

	clock  pace.Clock
	now    time.Duration
	phase  Phase
	err    error
	events event.Queue
	out    peer.Outbox

	match     match
	nextInput nextInput[I]
	send      sending
	down      serverBody
	recording clientRecording[S, I]
	shown     arrivals
	since     time.Duration // when it started to play
}

// match is what the server has sent about the match.
type match struct {
	params  stream.Parameters
	outcome stream.Outcome
	over    bool // outcome is known
	// verified says that the last state has been compared.
	verified bool
}

// sending schedules the datagrams with inputs.
type sending struct {
	next  time.Duration // when to send next
	count int           // number sent since the last tick
}

// NewClient creates a client. The error is a [*ConfigError] for an invalid configuration, or an error from the
// engine or the game.
func NewClient[S any, I comparable](game rollback.Definition[S, I], cfg ClientConfig, hooks ClientHooks[S, I]) (*Client[S, I], error) {
	cfg.Partial = hooks.Sight != nil
	if err := cfg.complete(); err != nil {
		return nil, err
	}
	switch {
	case hooks.Sample == nil:
		return nil, refusef("Sample is required: it returns what the player does")
	case hooks.Orders != nil && cfg.MaxOrders == 0:
		return nil, refusef("Orders is given, but MaxOrders is 0")
	}
	history := Frame(rollback.DefaultHistory)
	for history < Frame(4*cfg.MaxAhead) {
		history *= 2
	}
	engine, err := rollback.New(game, rollback.Config{
		Players: cfg.Players, MaxOrders: cfg.MaxOrders, Stream: true, Window: cfg.MaxAhead, History: int(history),
		Snapshots: cfg.MaxAhead + int(cfg.held()), MaxEffects: cfg.MaxEffects, EffectTolerance: cfg.EffectTolerance, Clock: cfg.Clock, Probe: cfg.Probe,
	})
	if err != nil {
		return nil, err
	}
	plan, err := canon.PlanFor[I]()
	if err != nil {
		return nil, err
	}
	c := &Client[S, I]{
		cfg: cfg, game: game, hooks: hooks, running: running[S, I]{engine}, out: peer.Outbox{Most: maxOutgoing},
		nextInput: nextInput[I]{sample: hooks.Sample, order: hooks.Orders, plan: plan},
		recording: clientRecording[S, I]{
			engine: engine, encoder: stream.NewEncoder(plan),
			shape: agreed.Shape{Players: cfg.Players, InputSize: plan.Size(), MaxOrders: cfg.MaxOrders},
		},
	}
	state, err := engine.Hash()
	if err != nil {
		return nil, refusef("a client compares states with its server, and this game gives none to hash: %w", err)
	}
	c.server = serverLink{cfg: &c.cfg, items: cfg.items(plan.Size(), state), out: &c.out, ours: upstream{size: plan.Size()}}
	c.timing.nominal = cfg.nominal()
	c.clock = pace.NewClock(cfg.nominal(), cfg.DropAfter)
	c.now = c.clock.Now()
	c.server.begin(c.now)
	c.events.Observe = cfg.Observe
	c.clientMatch = clientMatch[S, I]{
		told: make([]Frame, max(toldHeld, 2*cfg.held())), engine: engine, events: &c.events, full: hooks.Sight == nil, agreed: c.agreed,
		updates: allowance{most: max(Frame(costTime/cfg.nominal()), leastCost)}, maxLag: history / 2,
	}
	c.clientMatch.inquiry = inquiry[S, I]{inputs: plan, shape: c.recording.shape}
	if _, values := game.(rollback.Game[S, I]); values {
		if c.clientMatch.inquiry.states, err = canon.PlanFor[S](canon.AllowFloats); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Final returns the state at which the match ended, or nil if it has not ended, or the state is not held.
func (c *Client[S, I]) Final() *S {
	if !c.match.over || c.clientMatch.shown() < c.match.outcome.Frames {
		return nil
	}
	return c.engine.StateAt(c.match.outcome.Frames)
}

// Known returns the number of the newest state that is known, not predicted.
func (c *Client[S, I]) Known() Frame { return c.clientMatch.newest }

// Player returns the client's player, and whether it has a place yet.
func (c *Client[S, I]) Player() (p Player, ok bool) { return c.server.player, c.server.placed }

// Phase returns the phase: session.Connecting, session.Starting while a state is being transferred,
// session.Playing, session.Ending after the last state has arrived, and session.Over.
func (c *Client[S, I]) Phase() Phase {
	if c.phase == session.Playing && c.Final() != nil {
		return session.Ending
	}
	return c.phase
}

// Err returns why the client is over: [ErrEnd] at the end of the match, session.ErrClosed after Leave, [*ByeError],
// [*LostError], [*session.MismatchError], or an error of the engine.
func (c *Client[S, I]) Err() error { return c.err }

// Events returns the events since the last call. The result is valid until the next call.
func (c *Client[S, I]) Events() []Event { return c.events.Take() }

// Outcome returns how the match ended, as reported by the server, and whether it has.
func (c *Client[S, I]) Outcome() (stream.Outcome, bool) { return c.match.outcome, c.match.over }

// Health reports whether the known states equal those of the server.
func (c *Client[S, I]) Health() stream.Health { return c.clientMatch.health }

// Proposal returns the parameters and the number of the match. The number is 0 until the match is known.
func (c *Client[S, I]) Proposal() (stream.Parameters, uint32) {
	if c.server.offer == nil {
		return c.match.params, 0
	}
	return c.match.params, c.server.offer.Match
}

// Outgoing yields the datagrams to send, each with its destination, and removes them from the outbox.
func (c *Client[S, I]) Outgoing() iter.Seq2[netip.AddrPort, []byte] { return c.out.All() }

// Done reports whether the client is over, and the server knows that it has left, or has had time to.
func (c *Client[S, I]) Done() bool { return c.phase == session.Over && !c.server.leaving(c.now) }

// Urgent reports whether an arriving datagram should be handled at once.
func (c *Client[S, I]) Urgent() bool { return c.phase != session.Playing }

// Progress returns how much of the current tick period has passed.
func (c *Client[S, I]) Progress(now time.Duration) (passed, period time.Duration) {
	n := c.timing.nominal
	if c.phase != session.Playing {
		return n, n
	}
	return min(max(n-(c.timing.due-c.clock.Internal(now)), 0), n), n
}

// Leave leaves the match and notifies the server.
func (c *Client[S, I]) Leave(string) {
	if c.phase != session.Over {
		c.server.leave(c.now)
		c.close(session.ErrClosed)
	}
}

func (c *Client[S, I]) close(err error) {
	if c.phase == session.Over {
		return
	}
	if c.match.over { // the farewell may arrive before the last tick is due here
		c.clientMatch.settle(c.match.outcome.Frames)
	}
	c.clientMatch.verify(&c.match, c.Final())
	c.recording.finish(&c.match)
	c.recording.End(&stream.End{Over: err})
	if e, ok := c.clientMatch.inquiry.goOn(&c.server, &c.match.params, true); ok {
		c.events.Add(e)
	}
	c.phase, c.err = session.Over, err
	c.events.Add(Event{What: event.Closed, Text: err.Error()})
}

// Receive handles a datagram that arrived at this time from this address.
func (c *Client[S, I]) Receive(at time.Duration, from netip.AddrPort, b []byte) {
	at = c.clock.Arrive(at)
	c.now, from = c.clock.Now(), peer.Unmapped(from)
	if c.phase == session.Over {
		c.server.acknowledge(at, from, b)
		return
	}
	body := c.server.receive(at, from, b)
	c.news()
	if body != nil && c.phase != session.Over {
		c.receiveFrom(body)
	}
	lose(c)
}

// wake sets the time of an update.
func (c *Client[S, I]) wake(now time.Duration) {
	if c.clock.Slept(now) {
		c.timing.slept()
	}
	c.now = c.clock.Update(now)
}

// Update does what is due and returns when to call it again: it keeps the connection alive, and runs a tick if one
// is due; see [session.Machine.Update].
func (c *Client[S, I]) Update(now time.Duration) (next time.Duration) {
	c.wake(now)
	c.timing.called(c.now)
	next = c.poll()
	if c.phase != session.Playing {
		return c.clock.External(next)
	}
	if c.now < c.timing.due { // updates that have arrived are shown before the next tick
		if err := c.engine.Settle(); err != nil {
			c.fail(err)
			return c.clock.External(c.now)
		}
	}
	for began := c.engine.Frame(); c.now >= c.timing.due && c.engine.Frame() == began && c.phase == session.Playing; {
		c.tick()
	}
	c.sendDue()
	c.timing.leaves(c.now)
	return c.clock.External(min(next, c.timing.due, c.send.next))
}

// Step does what Update does, for an owner that calls it once per tick and does its own timing. It returns how long
// the period until the next call should be.
func (c *Client[S, I]) Step(now time.Duration) (period time.Duration) {
	c.wake(now)
	if c.poll(); c.phase != session.Playing {
		return c.timing.nominal
	}
	c.timing.due = c.now
	c.tick()
	c.sendDue()
	return c.timing.due - c.now
}

// Poll keeps the connection alive without running ticks.
func (c *Client[S, I]) Poll(now time.Duration) (next time.Duration) {
	c.wake(now)
	return c.clock.External(c.poll())
}

func (c *Client[S, I]) poll() (next time.Duration) {
	if c.phase == session.Over {
		return c.server.linger(c.now)
	}
	next = c.server.update(c.now)
	c.news()
	lose(c)
	c.clientMatch.verify(&c.match, c.Final())
	return next
}

// news handles what has arrived on the control stream.
func (c *Client[S, I]) news() {
	r := &c.server
	if r.again.lost {
		restartMatch(c)
	}
	if c.phase == session.Connecting && r.offer != nil && r.placed {
		c.begin()
	}
	if r.slipped > 0 {
		c.timing.slipped(r.slipped)
		r.slipped = 0
	}
	if r.whole.here && c.phase != session.Connecting && c.phase != session.Over {
		c.takeWhole()
	}
	if e, ok := c.clientMatch.inquiry.goOn(r, &c.match.params, false); ok {
		c.events.Add(e)
	}
	if r.ended != nil && !c.match.over && r.offer != nil {
		c.match.outcome, c.match.over = *r.ended, true
		c.match.outcome.Match, c.match.outcome.Health = r.offer.Match, c.clientMatch.health
		c.events.Add(Event{What: event.Ended, Match: c.match.outcome.Match, Frame: c.match.outcome.Frames})
	}
}

// lose closes the client after an error of the connection. A datagram with the goodbye may hold the last state,
// too.
func lose[S any, I comparable](c *Client[S, I]) {
	if err := c.server.err; err != nil {
		c.close(err)
	}
}

// begin starts the match; its state has yet to arrive.
func (c *Client[S, I]) begin() {
	p := stream.ParametersOf(c.server.offer)
	var init func(*S)
	err := p.Check()
	if err == nil && c.hooks.Start != nil {
		init, err = c.hooks.Start(p)
	}
	if err == nil {
		err = c.engine.Restart(init)
	}
	if err == nil {
		c.clientMatch.mirror, err = sight.NewMirror(sight.Config[S, I]{
			Game: c.game, Players: c.cfg.Players, MaxOrders: c.cfg.MaxOrders, Sight: c.hooks.Sight,
		}, c.server.player)
	}
	if err == nil && c.clientMatch.full { // else the state here is a placeholder until one arrives
		var ours uint64
		if ours, err = c.engine.Hash(); err == nil {
			err = admission.CompareBegin(0, ours, c.server.offer.State, true)
		}
	}
	if err != nil {
		c.fail(err)
		return
	}
	c.match.params, c.phase, c.clientMatch.player = p, session.Starting, c.server.player
	c.events.Add(Event{What: event.Connected, Players: rollback.SetOf(c.server.player), Text: c.cfg.Server.String()})
}

// fail ends the match because of an error of the engine or of the server.
func (c *Client[S, I]) fail(err error) {
	c.server.leave(c.now)
	c.close(err)
}

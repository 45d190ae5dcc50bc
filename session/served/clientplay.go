package served

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/stream"
)

func hex(v uint64) string { return fmt.Sprintf("%016x", v) }

// hear takes the body of a datagram.
func (c *Client[S, I]) hear(body []byte) {
	d := &c.down
	if err := d.consume(body, uint32(c.known)); err != nil {
		c.fail(fmt.Errorf("the server does not follow the protocol: %w", err))
		return
	}
	if c.phase != session.Playing {
		return
	}
	c.remote.told(d)
	c.timing.told(d.margins)
	if d.update == nil {
		return
	}
	u, err := c.mirror.Apply(Frame(d.next), d.update)
	var differs *sight.DesyncError
	switch {
	case errors.Is(err, sight.ErrBaseline):
		c.counts.stale++ // another one has overtaken it
	case errors.As(err, &differs):
		c.desync(differs.State, uint64(differs.Ours), uint64(differs.Theirs))
	case err != nil:
		c.fail(err)
	default:
		c.counts.updates++
		c.learn(u)
	}
}

// takeWhole takes a whole state.
func (c *Client[S, I]) takeWhole() {
	w := &c.remote.whole
	w.here = false
	if c.mirror == nil {
		return
	}
	u, err := c.mirror.Whole(w.number, w.bytes)
	switch {
	case errors.Is(err, sight.ErrBaseline):
		return // a newer one is known
	case err != nil:
		c.fail(err)
		return
	}
	c.counts.wholes++
	if u.Value != nil {
		c.correct(u)
	} else if err := c.engine.Load(u.State, u.Encoded); err != nil {
		c.fail(err)
		return
	}
	c.known = max(c.known, u.State)
	c.arrivals.came(u.State, true, c.timing.nominal, c.now)
	if c.phase == session.Starting {
		c.play(u.State)
	}
}

// play begins to play: so far ahead of the state that has come that our inputs reach the server
// before it runs their ticks.
func (c *Client[S, I]) play(f Frame) {
	n := c.timing.nominal
	ahead := Frame((c.remote.pipe.RoundTrip.Smoothed+c.remote.pipe.RoundTrip.Deviation+n-1)/n) + 1
	first := f + min(ahead, Frame(c.cfg.MaxAhead)-1)
	c.phase, c.since = session.Playing, c.now
	c.recordPlay(f)
	c.events.Add(Event{What: event.Started, Match: c.remote.offer.Match, Frame: f})
	for c.engine.Frame() < first {
		if !c.run() {
			break
		}
	}
	c.remote.play(c.engine.Frame())
	c.timing.begin(c.engine.Frame(), c.now)
	c.sendNext = c.now
}

// learn takes what an update has told.
func (c *Client[S, I]) learn(u *sight.Update[S, I]) {
	for i := range u.Ticks {
		t := &u.Ticks[i]
		f := u.From + Frame(i)
		if f < c.known {
			continue
		}
		if f >= c.engine.Frame() { // we are behind the server
			c.catchUp(f)
		}
		var orders [][]byte
		if len(t.Orders) > 0 {
			orders = t.Orders
		}
		if err := c.engine.Learn(f, t.Inputs, orders, t.Told|t.Gone, t.Gone); err != nil {
			c.fail(err)
			return
		}
		c.attend(f, t.Gone)
	}
	if u.Value != nil {
		c.correct(u)
	} else {
		c.checks.list[u.State%sight.Keep] = check{u.State, u.Check}
	}
	c.known = max(c.known, u.State)
	c.arrivals.came(u.State, false, c.timing.nominal, c.now)
	c.agree()
}

// catchUp runs ticks of which the server has told more than we have run.
func (c *Client[S, I]) catchUp(f Frame) {
	for c.engine.Frame() < f && c.run() {
	}
}

// correct has the engine take a state.
func (c *Client[S, I]) correct(u *sight.Update[S, I]) {
	changed, err := c.engine.Correct(u.State, u.Value)
	switch {
	case errors.Is(err, rollback.ErrSettled):
		return // all inputs before it are known, and have led to it
	case err != nil:
		c.fail(err)
		return
	case changed:
		c.counts.corrected++
	}
	if c.health == stream.Unverified {
		c.health = stream.Healthy
	}
}

// attend tells who has come and gone.
func (c *Client[S, I]) attend(f Frame, gone PlayerSet) {
	if came := c.gone &^ gone; came != 0 {
		c.events.Add(Event{What: event.Joined, Players: came, Frame: f})
	}
	if left := gone &^ c.gone; left != 0 {
		c.events.Add(Event{What: event.Left, Players: left, Frame: f})
	}
	c.gone = gone
}

// agree reads the agreed frames, and compares their states with what the server has told.
func (c *Client[S, I]) agree() {
	for a := c.engine.NextAgreed(); a != nil; a = c.engine.NextAgreed() {
		if c.hooks.Agreed != nil {
			c.hooks.Agreed(a)
		}
		c.recordKnown(a)
		k := c.checks.list[(a.Frame+1)%sight.Keep]
		if k.state != a.Frame+1 || !a.Hashed || c.hooks.Sight != nil || c.plain {
			continue
		}
		if uint16(a.Hash) != k.low {
			c.desync(k.state, a.Hash&0xFFFF, uint64(k.low))
			return
		}
		c.health = max(c.health, stream.Healthy)
	}
	c.recordEnd()
}

// desync notes that a state here is not the server's. From now on the server tells states as such.
func (c *Client[S, I]) desync(f Frame, ours, theirs uint64) {
	if !c.plain {
		c.events.Add(Event{What: event.Desync, Frame: f, Ours: ours, Theirs: theirs, Text: "the server"})
	}
	c.plain, c.health = true, stream.Desynced
	c.mirror.Forget()
}

// run runs a tick without a sample, and reports whether it could.
func (c *Client[S, I]) run() bool {
	err := c.engine.Tick()
	var stall *rollback.Stall
	switch {
	case err == nil:
		return true
	case !errors.As(err, &stall):
		c.fail(err)
	}
	return false
}

// tick runs the tick that is due.
func (c *Client[S, I]) tick() {
	c.sent, c.sendNext = 0, c.now
	if limit := c.params.Frames; c.over && c.engine.Frame() >= c.outcome.Frames || limit > 0 && c.engine.Frame() >= limit {
		if err := c.engine.Settle(); err != nil {
			c.fail(err)
			return
		}
		c.timing.stalled()
		c.agree()
		return
	}
	c.leap()
	f := c.engine.Frame()
	if f >= c.known && f-c.known >= Frame(c.cfg.MaxAhead) {
		c.counts.stalls++
		c.timing.stalled()
		return
	}
	in := c.hooks.Sample(c.remote.player)
	var orders []byte
	if c.hooks.Orders != nil {
		if orders = c.hooks.Orders(c.remote.player); len(orders) > 0 {
			if err := c.remote.pipe.Channel.Send(appendOrders(nil, f, orders)); err != nil {
				orders = nil // too many wait
			}
		}
	}
	err := c.engine.Suppose(c.remote.player, f, in, orders)
	if err != nil && !errors.Is(err, rollback.ErrKnown) && !errors.Is(err, rollback.ErrDisconnected) {
		c.fail(err)
		return
	}
	if !c.run() {
		c.timing.stalled()
		return
	}
	c.input = c.plan.Append(c.input[:0], &in)
	c.fill(f)
	c.remote.push(c.input)
	c.timing.ran(c.now)
	c.agree()
}

// fill adds inputs for ticks that were left out.
func (c *Client[S, I]) fill(f Frame) {
	if c.remote.size == 0 {
		return
	}
	for n := c.remote.inputs.Next(); n < uint32(f); n++ {
		c.remote.push(c.input)
	}
}

// leap leaves out ticks if we are so far behind that going faster does not help.
func (c *Client[S, I]) leap() {
	skip := c.timing.resume(c.now)
	if n := c.timing.behind(); n > 0 {
		skip += n
	}
	if f := c.engine.Frame(); f > c.timing.next { // the server was ahead of us
		skip = max(skip, f-c.timing.next)
	}
	if skip == 0 {
		return
	}
	to := c.timing.next + skip
	for c.engine.Frame() < to && c.run() {
	}
	to = c.engine.Frame()
	c.counts.skipped += uint64(to - c.timing.next)
	c.timing.skip(to - c.timing.next)
}

// sendDue sends inputs, several times in a tick period.
func (c *Client[S, I]) sendDue() {
	if c.phase != session.Playing || c.now < c.sendNext {
		return
	}
	newest, any := c.mirror.Newest()
	if c.sent++; c.sent < c.cfg.PerTick {
		c.sendNext = c.now + c.timing.nominal/time.Duration(c.cfg.PerTick)
	} else {
		c.sendNext = c.timing.due + c.timing.nominal // unless a tick is due before
	}
	c.remote.send(c.now, upward{plain: c.plain, any: any, state: uint32(newest), next: uint32(c.engine.Frame())})
}

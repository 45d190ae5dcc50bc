package served

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/sight"
)

// receiveFrom handles the body of a datagram from the server.
func (c *Client[S, I]) receiveFrom(body []byte) {
	if c.server.pipe.Overtaken > overtakenMost {
		return // the tick numbers in it would be ambiguous
	}
	d := &c.down
	if err := d.consume(body, uint32(c.clientMatch.newest)); err != nil {
		c.fail(fmt.Errorf("the server does not follow the protocol: %w", err))
		return
	}
	if c.phase != session.Playing {
		return
	}
	c.server.ours.told(d)
	c.timing.told(d.margins)
	if d.update == nil {
		return
	}
	if tooExpensive(c, sight.Cost(d.update)) {
		c.clientMatch.counts.stale++ // a plain one will come, which is cheaper
		return
	}
	news, err := c.clientMatch.update(Frame(d.next), d.update)
	switch {
	case err != nil:
		c.fail(err)
	case news:
		c.shown.came(Frame(d.next), false, c.timing.nominal, c.now)
	}
}

// takeWhole handles a whole state.
func (c *Client[S, I]) takeWhole() {
	w := &c.server.whole
	w.here = false
	news, err := c.clientMatch.whole(w.number, w.Bytes())
	switch {
	case err != nil:
		c.fail(err)
		return
	case !news:
		return
	}
	c.shown.came(w.number, true, c.timing.nominal, c.now)
	if c.phase == session.Starting {
		c.play(w.number)
	}
}

// play starts playing at state f, so far ahead of it that our inputs reach the server before it runs their ticks.
func (c *Client[S, I]) play(f Frame) {
	first := f + min(c.server.away(), Frame(c.cfg.MaxAhead)-1)
	c.phase, c.since = session.Playing, c.now
	c.recording.first(f, c.match.params, c.server.offer)
	c.events.Add(Event{What: event.Started, Match: c.server.offer.Match, Frame: f})
	if err := c.clientMatch.reach(first); err != nil {
		c.fail(err)
		return
	}
	c.server.ours.begin(c.engine.Frame())
	c.timing.begin(c.engine.Frame(), c.now)
	c.send.next = c.now
}

// tick runs the next tick.
func (c *Client[S, I]) tick() {
	c.send.count, c.send.next = 0, c.now
	c.clientMatch.updates.renew()
	if limit := c.match.params.Frames; c.match.over && c.engine.Frame() >= c.match.outcome.Frames || limit > 0 && c.engine.Frame() >= limit {
		if err := c.engine.Settle(); err != nil {
			c.fail(err)
			return
		}
		c.timing.stalled()
		c.clientMatch.agree()
		c.recording.finish(&c.match)
		return
	}
	c.skipAhead()
	c.clientMatch.lags = lags(c)
	renew(c)
	f := max(c.timing.next, c.engine.Frame())
	if f >= c.clientMatch.newest && f-c.clientMatch.newest >= Frame(c.cfg.MaxAhead) {
		c.timing.stalls++
		c.timing.stalled()
		c.timing.forget()
		catchUp(c)
		return
	}
	if last := c.match.last(); last > 0 && f >= last { // no more inputs are needed, but ticks remain to be run
		c.timing.stalled()
		catchUp(c)
		return
	}
	late := c.now - c.timing.due
	c.timing.ahead()
	if err := act(c, f); err != nil {
		c.fail(err)
		return
	}
	ran, err := c.clientMatch.run()
	if err != nil {
		c.fail(err)
		return
	}
	if !ran {
		c.timing.stalled()
		return
	}
	c.server.ours.push(f, c.nextInput.encode())
	c.timing.ran(c.now)
	c.clientMatch.agree()
	if late < c.timing.nominal/2 && lag(c) > 0 && c.timing.catchUpTimer.due(c.now) {
		catchUp(c)
	}
}

// last returns the number of ticks of the match, or 0 if that is not known.
func (m *match) last() Frame {
	if m.over {
		return m.outcome.Frames
	}
	return m.params.Frames
}

// skipAhead skips ticks if we are so far behind that running faster does not help.
func (c *Client[S, I]) skipAhead() {
	left := c.timing.skipTicks(c.now)
	skip := c.timing.resume(c.now)
	if left+skip > 0 {
		c.timing.timeBudget.failed(c.now)
	}
	if n := c.timing.behind(); n > 0 {
		skip += n
	}
	if f := c.engine.Frame(); f > c.timing.next { // the server was ahead of us
		skip = max(skip, f-c.timing.next)
		if time.Duration(f-c.timing.next)*c.timing.nominal > jump { // this machine was asleep, and its time is off
			c.timing.forget()
			skip = f - c.timing.next + c.server.away()
		} else {
			c.timing.timeBudget.failed(c.now)
		}
	}
	if skip == 0 {
		return
	}
	if lags(c) { // skipped ticks are not simulated at once
		end := c.clientMatch.newest + Frame(c.cfg.MaxAhead)
		skip = min(skip, end-min(c.timing.next, end))
		c.timing.skipped += uint64(skip)
		c.timing.skip(skip)
		return
	}
	if err := c.clientMatch.reach(min(c.timing.next+skip, c.clientMatch.newest+Frame(c.cfg.MaxAhead)-1)); err != nil {
		c.fail(err)
		return
	}
	to := c.engine.Frame()
	if to > c.timing.next {
		c.timing.skipped += uint64(to - c.timing.next)
		c.timing.skip(to - c.timing.next)
	}
}

// sendDue sends inputs, several times per tick period.
func (c *Client[S, I]) sendDue() {
	if c.phase != session.Playing || c.now < c.send.next {
		return
	}
	newest, any := c.clientMatch.mirror.Newest()
	if c.send.count++; c.send.count < c.cfg.PerTick {
		c.send.next = c.now + c.timing.nominal/time.Duration(c.cfg.PerTick)
	} else {
		c.send.next = c.timing.due + c.timing.nominal // unless a tick is due earlier
	}
	c.server.send(c.now, clientBody{plain: c.clientMatch.plain || wantsPlainUpdates(c), any: any, state: uint32(newest), next: uint32(max(c.timing.next, c.engine.Frame())), anew: c.clientMatch.anew})
}

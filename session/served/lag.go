package served

import (
	"errors"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
)

// A client on which ticks take too long cannot resimulate, with each tick, everything that it has predicted. It
// gives up what costs most: first the prediction, then the ticks themselves. Its inputs are still made when they
// are due, for the tick that is due then, so they are in time; but the engine stays behind that tick by as many
// ticks as it has no time for. So it predicts less far, has less to resimulate, and what it shows is older by that.
//
// If the machine cannot even run each tick once, its engine falls behind the server. When it is [tooFar] behind,
// running what it has missed would take longer than the transfer of a whole state, and the client requests one.
// Meanwhile it takes no updates. Both sides limit how often that happens: see [anewEvery].
//
// With partial sight an update costs as many ticks as it covers: it is encoded as a difference from what these
// ticks produce from a state that the client knows. A client that has skipped ticks asks the server for plain
// states for a while: those take more bytes, but no ticks.
//
// The decision that a machine is too slow is made as between peers: see pace.Debt.

const (
	// tooFar is how far behind the newest known state a client must be to request a whole one.
	tooFar = 250 * time.Millisecond
	// anewEvery is the minimum interval between the whole states that a client requests, and anewRate is the
	// maximum rate at which a server starts to send them, in bytes per second.
	anewEvery = time.Second
	anewRate  = 64 << 10
)

// skipTicks skips ticks that a slow machine cannot catch up on, and returns their number.
func (t *timing) skipTicks(now time.Duration) (left Frame) {
	hopeless := t.debt.Behind(now) && now-t.due >= pace.MaxDebt(t.nominal)
	due := t.debt.SkipLost(now, t.due, t.nominal)
	if hopeless {
		due = t.debt.SkipAll(now)
	}
	left = Frame((due - t.due) / t.nominal)
	t.due += time.Duration(left) * t.nominal
	t.next += left - min(left, madeHeld)
	for range min(left, madeHeld) { // their inputs are sent with the next one
		t.made[t.next%madeHeld] = t.offset(t.next, now) - t.slip
		t.next++
	}
	t.skipped += uint64(left)
	if left > 0 {
		t.catchUpTimer.failed(now)
	}
	return left
}

// catchUpTimer decides when a machine that had no time for all ticks tries to catch up by one. The zero value may
// try at once.
type catchUpTimer struct {
	patience time.Duration
	last     time.Duration // when it last failed
	next     time.Duration // when it may try again
}

const (
	// The patience of a machine that fails again and again grows from leastPatience to mostPatience, and it tries
	// one tick per effortShare-th of that: a machine makes up for a single pause quickly, and one that is always
	// too slow does not stutter all the time.
	leastPatience, mostPatience = time.Second, 8 * time.Second
	effortShare                 = 8
)

func (e *catchUpTimer) failed(now time.Duration) {
	if e.patience *= 2; now-e.last > e.patience {
		e.patience = 0
	}
	e.patience = min(max(e.patience, leastPatience), mostPatience)
	e.last, e.next = now, now+e.patience
}

// due reports whether to try now.
func (e *catchUpTimer) due(now time.Duration) bool {
	if now < e.next {
		return false
	}
	e.next = now + e.patience/effortShare
	return true
}

// timeBudget says for how long a machine that had no time runs no ticks merely to decode updates. The zero value
// has time.
type timeBudget struct {
	until, lasts time.Duration
}

// leastHurry is how long such a period lasts. If the machine has no time again soon after it, the next one lasts twice
// as long, up to mostHurry: each end of a period may make the match stutter.
const leastHurry, mostHurry = 4 * time.Second, time.Minute

func (h *timeBudget) failed(now time.Duration) {
	switch {
	case h.lasts == 0 || now-h.until > h.lasts:
		h.lasts = leastHurry
	case now >= h.until:
		h.lasts = min(2*h.lasts, mostHurry)
	}
	h.until = now + h.lasts
}

// wantsPlainUpdates reports whether to ask the server for updates that cost no ticks. With full sight all updates
// are like that.
func wantsPlainUpdates[S any, I comparable](c *Client[S, I]) bool {
	return !c.clientMatch.full && c.now < c.timing.timeBudget.until
}

// Between two of our ticks, with partial sight, updates may cost as many ticks as fit in costTime, but at least
// leastCost: a machine that was interrupted for a moment finds several, each from the same old baseline, and is
// silent while it applies them. If some are ignored, another one comes soon.
const (
	costTime  = 400 * time.Millisecond
	leastCost = 2
)

// allowance limits the number of ticks spent on updates between two of our ticks.
type allowance struct {
	took  bool // one update was taken
	spent Frame
	most  Frame
}

// affords reports whether one more update may be taken. The first one always may; a machine that lags takes no
// other.
func (c *allowance) affords(cost Frame, lags bool) bool {
	return !c.took || !lags && c.spent+cost <= c.most
}

func (c *allowance) spend(cost Frame) { c.took, c.spent = true, c.spent+cost }

func (c *allowance) renew() { c.took, c.spent = false, 0 }

// tooExpensive reports whether there is no time for an update that costs this many ticks. If a single update is too
// much for a machine that is behind already, plain updates are requested for a while.
func tooExpensive[S any, I comparable](c *Client[S, I], cost Frame) bool {
	if cost > c.clientMatch.updates.most && c.clientMatch.lags && !c.clientMatch.full {
		c.timing.timeBudget.failed(c.now)
	}
	return cost > 0 && wantsPlainUpdates(c)
}

// lag returns how many ticks the engine is behind the tick for which the next input is made.
func lag[S any, I comparable](c *Client[S, I]) Frame {
	return max(c.timing.next, c.engine.Frame()) - c.engine.Frame()
}

// lags reports whether the client has no time for all ticks.
func lags[S any, I comparable](c *Client[S, I]) bool {
	return lag(c) > 0 || c.timing.debt.Behind(c.now)
}

// act makes the input for tick f. The engine may be behind that.
func act[S any, I comparable](c *Client[S, I], f Frame) error {
	c.nextInput.ask(c.server.player, f, c.server.pipe.Channel.Send)
	err := c.engine.Assume(c.server.player, f, c.nextInput.in, c.nextInput.orders)
	if early := (*rollback.TooEarlyError)(nil); errors.Is(err, rollback.ErrKnown) || errors.Is(err, rollback.ErrDisconnected) || errors.As(err, &early) {
		return nil
	}
	return err
}

// catchUp runs one of the ticks that the engine is behind, if there are any.
func catchUp[S any, I comparable](c *Client[S, I]) {
	if c.phase != session.Playing || lag(c) == 0 {
		return
	}
	if _, err := c.clientMatch.run(); err != nil {
		c.fail(err)
		return
	}
	c.clientMatch.agree()
}

// renew requests a whole state if the engine is too far behind what is known.
func renew[S any, I comparable](c *Client[S, I]) {
	f := c.engine.Frame()
	behind := max(c.clientMatch.newest, f) - f
	if c.clientMatch.anew || !c.clientMatch.full || time.Duration(behind)*c.timing.nominal < tooFar || behind < minFar {
		return
	}
	apart := max(anewEvery, time.Duration(c.server.whole.size)*time.Second/anewRate)
	if c.now >= c.timing.asked+apart || behind > Frame(c.cfg.MaxAhead) {
		c.clientMatch.anew, c.timing.asked = true, c.now
	}
}

// minFar is the minimum of tooFar in ticks.
const minFar = 8

package served

import (
	"errors"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
)

// A client on which ticks take too long cannot simulate again, with each tick, all that it has predicted. It
// gives up what costs most: first the prediction, and then the ticks themselves. Its inputs are made when they
// are due, for the tick that is due then, so they are in time all the same; but the engine stays behind these
// ticks by as many as it has no time for. So it predicts less far, has less to simulate again, and what it shows
// is older by that.
//
// If the machine cannot even run each tick once, its engine falls behind the server. When it is [tooFar] behind,
// running what it has missed would take longer than it takes to be told a state as a whole, and
// the client asks for one. It takes no updates meanwhile. Both sides limit how often: see [anewEvery].
//
// With partial sight an update costs as many ticks as lie behind it: it is told as a difference to what they lead to from a
// state that the client knows. A client that has left out ticks asks the server to tell it states as such for a while:
// those are more bytes, and no ticks.
//
// That a machine is too slow is decided as between peers: see pace.Debt.

const (
	// tooFar is how far behind the newest known state a client is when it asks for a whole one.
	tooFar = 250 * time.Millisecond
	// anewEvery is how far apart the whole states lie for which a client asks, and anewRate how many bytes of them
	// a server begins to send in a second at most.
	anewEvery = time.Second
	anewRate  = 64 << 10
)

// skipTicks leaves out ticks, of which it returns the number, that a machine which is too slow cannot make up for.
func (t *timing) skipTicks(now time.Duration) (left Frame) {
	hopeless := t.debt.Behind(now) && now-t.due >= pace.MaxDebt(t.nominal)
	due := t.debt.SkipLost(now, t.due, t.nominal)
	if hopeless {
		due = t.debt.SkipAll(now)
	}
	left = Frame(max(due-t.due, 0) / t.nominal)
	t.due += time.Duration(left) * t.nominal
	for range min(left, madeHeld) { // the server is told their inputs with the next one
		t.made[t.next%madeHeld] = t.offset(t.next, now) - t.slip
		t.next++
	}
	t.skipped += uint64(left)
	if left > 0 {
		t.catchUpTimer.failed(now)
	}
	return left
}

// catchUpTimer is when a machine that had no time for all ticks tries to make up for one of them. The zero value may
// try at once.
type catchUpTimer struct {
	patience time.Duration
	last     time.Duration // when it last had no time
	next     time.Duration // when it may try again
}

const (
	// The patience of a machine that has no time again and again grows from leastPatience to mostPatience, and it
	// makes up for a tick each effortShare of that: a single pause is made up for soon, and a machine that is
	// always too slow does not stumble all the time.
	leastPatience, mostPatience = time.Second, 8 * time.Second
	effortShare                 = 8
)

func (e *catchUpTimer) failed(now time.Duration) {
	if e.patience = 2 * e.patience; e.patience == 0 || now-e.last > e.patience {
		e.patience = leastPatience
	}
	e.patience = min(e.patience, mostPatience)
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

// timeBudget is for how long a machine that had no time has nothing run only to learn a state. The zero value has time.
type timeBudget struct {
	until, lasts time.Duration
}

// A hurry lasts for leastHurry. A machine that has no time again soon after that hurries for twice as long, up to
// mostHurry: each end of it may make the match stumble.
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

// wantsPlainUpdates reports whether the server shall tell states so that they cost no ticks. With full sight it tells nothing else.
func wantsPlainUpdates[S any, I comparable](c *Client[S, I]) bool {
	return !c.clientMatch.full && c.now < c.timing.timeBudget.until
}

// Between two ticks of ours updates may cost the ticks of costTime, and leastCost at least, with partial sight: a
// machine that was away for a moment finds several, each from the same old baseline, and is silent as long as it takes
// them. After some of them another one comes soon.
const (
	costTime  = 400 * time.Millisecond
	leastCost = 2
)

// allowance is how many ticks updates have cost between two of ours, and may.
type allowance struct {
	took  bool // one was taken
	spent Frame
	most  Frame
}

// affords reports whether one more update may be taken. One may always be; a machine that lags takes no other.
func (c *allowance) affords(cost Frame, lags bool) bool {
	return !c.took || !lags && c.spent+cost <= c.most
}

func (c *allowance) spend(cost Frame) { c.took, c.spent = true, c.spent+cost }

func (c *allowance) renew() { c.took, c.spent = false, 0 }

// tooExpensive reports whether there is no time for an update that costs so many ticks. If one of them is too much for a
// machine that is behind already, the next ones shall cost none.
func tooExpensive[S any, I comparable](c *Client[S, I], cost Frame) bool {
	if cost > c.clientMatch.updates.most && c.clientMatch.lags && !c.clientMatch.full {
		c.timing.timeBudget.failed(c.now)
	}
	return cost > 0 && wantsPlainUpdates(c)
}

// lag is how many ticks the engine is behind the tick of which the input is made next.
func lag[S any, I comparable](c *Client[S, I]) Frame {
	return max(c.timing.next, c.engine.Frame()) - c.engine.Frame()
}

// lags reports whether the client has no time for all ticks.
func lags[S any, I comparable](c *Client[S, I]) bool {
	return lag(c) > 0 || c.timing.debt.Behind(c.now)
}

// act makes the input of the next tick. The engine may be behind that.
func act[S any, I comparable](c *Client[S, I], f Frame) error {
	c.nextInput.ask(c.server.player, f, c.server.pipe.Channel.Send)
	err := c.engine.Assume(c.server.player, f, c.nextInput.in, c.nextInput.orders)
	if early := (*rollback.TooEarlyError)(nil); errors.Is(err, rollback.ErrKnown) || errors.Is(err, rollback.ErrDisconnected) || errors.As(err, &early) {
		return nil
	}
	return err
}

// catchUp runs a tick of those that the engine is behind, if there are any.
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

// renew asks for a whole state if the engine is too far behind what is known.
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

// minFar is how many ticks tooFar is at least.
const minFar = 8

package pace

import "time"

// Clock is the time of a session. It never goes back, and between two updates it advances by at most a step: after
// a longer gap the session has slept, or its owner's clock has jumped, and no peer is to blame for that. A session
// that is updated rarely still notices a dead peer, after a fixed number of updates.
type Clock struct {
	now     time.Duration
	epoch   time.Duration // the session's time 0 on the owner's clock
	updated time.Duration // value of now at the last update
	step    time.Duration // maximum advance between two updates
	started bool
}

// Beginning is the session's initial time. It is later than 0, because 0 means never.
const Beginning = time.Minute

// NewClock returns a clock for this tick period, whose time is [Beginning] until the first update or arrival. A step
// is as long as a session catches up on, but at most half of the silence after which a peer is lost.
func NewClock(tick, dropAfter time.Duration) Clock {
	return Clock{now: Beginning, updated: Beginning, step: max(min(MaxDebt(tick), dropAfter/2), tick)}
}

// start sets the epoch on the first call.
func (c *Clock) start(t time.Duration) {
	if !c.started {
		c.started, c.epoch = true, t-c.now
	}
}

// Now returns the session's time.
func (c *Clock) Now() time.Duration { return c.now }

// Internal converts the owner's time into that of the session.
func (c *Clock) Internal(t time.Duration) time.Duration { return t - c.epoch }

// External converts the session's time into that of its owner.
func (c *Clock) External(t time.Duration) time.Duration { return t + c.epoch }

// Slept reports whether an update at the owner's time t will advance by less than the owner's clock has.
func (c *Clock) Slept(t time.Duration) bool { return c.started && c.Internal(t) > c.updated+c.step }

// Update advances the time towards the owner's, as far as one step allows, and returns it.
func (c *Clock) Update(t time.Duration) (now time.Duration) {
	c.start(t)
	now = min(max(c.Internal(t), c.now), c.updated+c.step)
	c.epoch = t - now
	c.now, c.updated = now, now
	return now
}

// Arrive converts the owner's time of an arrival: the result is at most a step from the last update. The clock
// advances to that time if it is later.
func (c *Clock) Arrive(t time.Duration) (at time.Duration) {
	c.start(t)
	at = min(max(c.Internal(t), c.updated-c.step), c.updated+c.step)
	c.now = max(c.now, at)
	return at
}

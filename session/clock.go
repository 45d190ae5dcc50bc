package session

import (
	"time"

	"github.com/tickback/tickback/session/pace"
)

// clock is the time of a session. It never goes back, and between two updates it advances by most
// at the most: after a longer gap the session has slept, or its owner's clock has jumped, and no
// peer is to blame for that. A session that is updated rarely still notices a dead peer, after a
// fixed number of updates.
type clock struct {
	now     time.Duration
	epoch   time.Duration // the session's time 0 on the owner's clock
	updated time.Duration // now, at the last update
	most    time.Duration // the longest step between two updates
	started bool
}

// beginning is the session's time at first. It is later than 0, which stands for never.
const beginning = time.Minute

// start sets the epoch, in the first call.
func (c *clock) start(t time.Duration) (first bool) {
	if c.started {
		return false
	}
	c.started, c.epoch, c.now, c.updated = true, t-beginning, beginning, beginning
	return true
}

// internal converts the owner's time into that of the session.
func (c *clock) internal(t time.Duration) time.Duration { return t - c.epoch }

// update moves the time towards the owner's, as far as one step allows.
func (c *clock) update(t time.Duration) {
	now := min(max(c.internal(t), c.now), c.updated+c.most)
	c.epoch = t - now
	c.now, c.updated = now, now
}

// arrive returns when something arrived, from the owner's time: not more than a step from the last
// update.
func (c *clock) arrive(t time.Duration) (at time.Duration) {
	at = min(max(c.internal(t), c.updated-c.most), c.updated+c.most)
	c.now = max(c.now, at)
	return at
}

// patienceOf returns the longest step between two updates: as many tick periods as the session
// catches up on, but at most half of the silence after which a peer is lost.
func patienceOf(tick, dropAfter time.Duration) time.Duration {
	return max(min(pace.MaxDebt*tick, dropAfter/2), tick)
}

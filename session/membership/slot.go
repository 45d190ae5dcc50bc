package membership

import "time"

// slot is what belongs to the slot that is to be decided, and ends with it.
type slot struct {
	claims  [seats]claim // by lowest player, of those in heard, and our own
	heard   PlayerSet    // the other members who have claimed
	said    claim        // our claim as it was told
	told    bool
	stirred bool // somebody has had something to say

	stopped PlayerSet
	whole   PlayerSet
	gated   Frame               // no frame from here on: the least that we agreed to
	gate    gate                // the newest that we agreed to
	joining gate                // what we want to be agreed to, as coordinator
	filled  [seats][seats]Frame // to member, of player: up to here

	promised ballot
	accepted vote
	votes    [seats]vote
	attempt  attempt
	graceEnd time.Duration // of members who disagree; Never if they do not
	beginAt  time.Duration // of our first attempt, if it was put off; else Never
}

// vote is what a member has accepted.
type vote struct {
	ballot ballot
	entry  Entry
}

// enter begins the slot of the state.
func (c *Core) enter() {
	c.slot = slot{gated: NoFrame, graceEnd: Never, beginAt: Never}
	c.slot.attempt.retryAt = Never
	in := c.s.Members[c.low] == c.me && c.s.IDs[c.low] == c.cfg.ID
	switch {
	case in:
		if c.role == following {
			c.silent = 0 // whom it had not heard as a newcomer is no member's matter
		}
		c.role = voting
	case c.role == voting:
		c.role = removed
	}
	c.departed &= c.s.All()
	c.silent &= c.s.All()
	c.forgetVain()
}

// learn appends a decided entry to the log, and tells everybody concerned.
func (c *Core) learn(e Entry) error {
	before := c.s
	if err := c.fits(e); err != nil {
		return err
	}
	if err := c.s.Apply(e); err != nil {
		return err
	}
	if c.role == voting {
		c.announce(&before, e)
	}
	if len(c.kept) == keep {
		c.kept = c.kept[:copy(c.kept, c.kept[1:])]
	}
	c.kept, c.decided = append(c.kept, e), append(c.decided, e)
	if e.Kind == Join {
		c.welcome(e.Players)
	}
	c.enter()
	for _, w := range c.pending {
		if w.slot == c.s.Slot && c.role == voting && c.s.Has(w.from) {
			_ = c.takeClaim(w.from, &w.claim) // an impossible one is none
		}
	}
	return nil
}

// welcome forgets the newcomers who wanted these players.
func (c *Core) welcome(players PlayerSet) {
	c.since[lowest(players)] = c.s.Slot
	for p, n := range c.ready {
		if n.players&players != 0 {
			c.ready[p] = newcomer{}
		}
	}
}

// announce tells what was decided to those who were members, and to newcomers.
func (c *Core) announce(before *State, e Entry) {
	m := message{what: tellChosen, slot: before.Slot, entry: e}
	for p := range seats {
		if other := before.Members[p]; other != 0 && other != c.me {
			c.box.add(other, &m)
		}
		if n := c.ready[p]; n.players&^before.All() != 0 {
			c.box.add(n.players, &m)
		}
	}
}

// entryOf returns the decided entry of a slot, if it is kept.
func (c *Core) entryOf(slot uint32) (Entry, bool) {
	back := c.s.Slot - slot
	if slot >= c.s.Slot || back > uint32(len(c.kept)) {
		return Entry{}, false
	}
	return c.kept[len(c.kept)-int(back)], true
}

// step does all that can be done now, slot by slot.
func (c *Core) step() {
	for range keep {
		slot := c.s.Slot
		if c.role == voting {
			if intent, leading := c.observe(); leading {
				c.propose(intent)
			}
		} else if c.role == following && !c.slot.told {
			c.slot.told = true
			c.broadcast(message{what: tellClaim}) // what comes next?
		}
		if c.s.Slot == slot {
			return
		}
	}
}

// due returns when something is to be done without being told.
func (c *Core) due() time.Duration {
	if c.role != voting {
		return Never
	}
	next := Never
	for _, t := range [...]time.Duration{c.slot.attempt.retryAt, c.slot.graceEnd, c.slot.beginAt} {
		if t > c.now {
			next = min(next, t)
		}
	}
	return next
}

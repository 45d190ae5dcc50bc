package membership

import "time"

// slot is the state of the slot to be decided; it is cleared for the next slot.
type slot struct {
	claims  []claim   // by lowest player: those of the members in heard, and our own
	heard   PlayerSet // the other members that have sent a claim
	said    claim     // our claim as last sent
	told    bool      // whether it was sent
	wanting bool      // whether it is not empty
	stirred bool      // whether any member has sent more than an empty claim
	idle    bool      // [Core.Quiet] was true, and nothing has happened since

	stopped PlayerSet
	whole   PlayerSet
	gated   Frame               // no frame runs from there on: the lowest that we agreed to
	gate    gate                // the newest gate that we agreed to
	joining gate                // as coordinator: the gate that we want the others to agree to
	filled  [][maxPlayers]Frame // to member, of player: inputs sent up to here

	promised ballot
	accepted vote
	votes    []vote
	attempt  attempt
	graceEnd time.Duration // when members will have disagreed for too long; Never if they agree
	beginAt  time.Duration // when our first attempt begins, if it was postponed; else Never
}

// vote is what a member has accepted.
type vote struct {
	ballot ballot
	entry  Entry
}

// newSlot returns a slot of a match with the given number of players.
func newSlot(players int) slot {
	return slot{claims: make([]claim, players), filled: make([][maxPlayers]Frame, players), votes: make([]vote, players)}
}

// of limits members, by lowest player, to the players of the match, for which the slot has data.
func (s *slot) of(members *[maxPlayers]PlayerSet) []PlayerSet { return members[:len(s.claims)] }

// begin clears the slot.
func (s *slot) begin() {
	clear(s.claims)
	clear(s.filled)
	clear(s.votes)
	*s = slot{claims: s.claims, filled: s.filled, votes: s.votes, gated: NoFrame, graceEnd: Never, beginAt: Never}
}

// enter begins the slot that the state has reached.
func (c *Core) enter() {
	c.slot.begin()
	c.slot.attempt.retryAt = Never
	in := c.s.Members[c.low] == c.me && c.s.IDs[c.low] == c.cfg.ID
	switch {
	case in:
		if c.role == following {
			c.silent = 0 // only members accuse; silence noticed as a newcomer does not count
		}
		c.role = voting
	case c.role == voting:
		c.role = removed
	}
	c.gone &= c.s.All()
	c.silent &= c.s.All()
	c.dropDoneWishes()
}

// learn appends a decided entry to the log and announces it.
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
			_ = c.takeClaim(w.from, &w.claim) // an impossible claim is ignored
		}
	}
	return nil
}

// welcome removes the newcomers that wanted these players.
func (c *Core) welcome(players PlayerSet) {
	c.since[lowest(players)] = c.s.Slot
	for p, n := range c.ready {
		if n.players&players != 0 {
			c.ready[p] = newcomer{}
		}
	}
}

// announce sends the decision to the members of that slot, and to newcomers.
func (c *Core) announce(before *LogState, e Entry) {
	m := message{what: tellChosen, slot: before.Slot, entry: e}
	for p := range maxPlayers {
		if other := before.Members[p]; other != 0 && other != c.me {
			c.box.add(other, &m)
		}
		if n := c.ready[p]; n.players&^before.All() != 0 {
			c.box.add(n.players, &m)
		}
	}
}

// entryOf returns the decided entry of a slot, if it is still kept.
func (c *Core) entryOf(slot uint32) (Entry, bool) {
	back := c.s.Slot - slot
	if slot >= c.s.Slot || back > uint32(len(c.kept)) {
		return Entry{}, false
	}
	return c.kept[len(c.kept)-int(back)], true
}

// step does all that can be done now, slot by slot.
func (c *Core) step() {
	c.slot.idle = false
	for range keep {
		slot := c.s.Slot
		if c.role == voting {
			if intent, leading := c.observe(); leading {
				c.propose(intent)
			}
		} else if c.role == following && !c.slot.told {
			c.slot.told = true
			c.broadcast(message{what: tellClaim}) // asks for the next decisions
		}
		if c.s.Slot == slot {
			return
		}
	}
}

// due returns the next time at which something is due, or Never.
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

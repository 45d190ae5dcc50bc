package membership

// conflict reports whether one of two members is known to accuse the other.
func (c *Core) conflict(a, b Player) bool {
	return c.slot.claims[a].accused.Has(b) || c.slot.claims[b].accused.Has(a)
}

// side returns the players of the members that can go on together with member m: itself, then in ascending order
// each member that is not in conflict with any of those before. So of two members that accuse each other the lower
// one stays.
func (c *Core) side(m Player) PlayerSet { return c.sideWithout(m, c.slot.claims[m].accused) }

// sideWithout returns the side of member m if m accuses these players.
func (c *Core) sideWithout(m Player, accused PlayerSet) PlayerSet {
	kept := c.s.Members[m]
	for p, other := range c.slot.of(&c.s.Members) {
		if other != 0 && Player(p) != m && !accused.Has(Player(p)) && c.fitsSide(Player(p), kept) {
			kept |= other
		}
	}
	return kept
}

// fitsSide reports whether member p is in conflict with no member of a side.
func (c *Core) fitsSide(p Player, kept PlayerSet) bool {
	for q, other := range c.slot.of(&c.s.Members) {
		if other&kept != 0 && c.conflict(p, Player(q)) {
			return false
		}
	}
	return true
}

// coordinator returns the member that drives the decision of the slot: the lowest one whose side can decide and
// includes us. It is this peer if there is none, or if we are one of two members and kick the other.
func (c *Core) coordinator() Player {
	if c.pair() && c.wishes.kick != 0 {
		return c.low
	}
	for p, m := range c.slot.of(&c.s.Members) {
		if m == 0 || c.conflict(Player(p), c.low) {
			continue
		}
		if side := c.side(Player(p)); side&c.me != 0 && c.quorum(side) {
			return Player(p)
		}
	}
	return c.low
}

// nextCoordinator returns the member that will be the coordinator once it notices what we have noticed. Without
// this, the first member to notice a crash would interfere with it.
func (c *Core) nextCoordinator() Player {
	accused := c.slot.claims[c.low].accused
	for p, m := range c.s.Members[:c.low] {
		if m == 0 || c.conflict(Player(p), c.low) {
			continue
		}
		if side := c.sideWithout(Player(p), accused|c.slot.claims[p].accused); side&c.me != 0 && c.quorum(side) {
			return Player(p)
		}
	}
	return c.low
}

// early reports whether to wait for a lower member to begin: once per slot, for twice the retry time.
func (c *Core) early() bool {
	s := &c.slot
	if s.attempt.ballot != 0 || c.nextCoordinator() == c.low {
		return false
	}
	if s.beginAt == Never {
		s.beginAt = c.now + 2*c.cfg.Retry
	}
	return c.now < s.beginAt
}

// going returns the players that we, as coordinator, want dropped: those that we do not hear, at once, and those of
// members in conflict with the others after the grace period, since not all members notice a crash at the same
// time.
func (c *Core) going() PlayerSet {
	silent := c.slot.claims[c.low].accused
	late := c.s.All() &^ c.side(c.low) &^ silent
	switch {
	case late == 0:
		c.slot.graceEnd = Never
	case c.slot.graceEnd == Never:
		c.slot.graceEnd = c.now + c.cfg.Grace
	case c.now >= c.slot.graceEnd:
		return silent | late
	}
	return silent
}

// united reports whether no two members are in conflict.
func (c *Core) united() bool { return c.side(c.low) == c.s.All() }

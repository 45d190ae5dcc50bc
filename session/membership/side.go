package membership

// conflict reports whether one of two members accuses the other, as far as is known.
func (c *Core) conflict(a, b Player) bool {
	return c.slot.claims[a].accused.Has(b) || c.slot.claims[b].accused.Has(a)
}

// side returns the players of those who can go on together with member m: itself,
// then in ascending order whoever is in conflict with none of those before. So of
// two who accuse each other the lower one stays.
func (c *Core) side(m Player) PlayerSet { return c.sideWithout(m, c.slot.claims[m].accused) }

// sideWithout is the side of member m if it accuses these.
func (c *Core) sideWithout(m Player, accused PlayerSet) PlayerSet {
	kept := c.s.Members[m]
	for p, other := range c.s.Members {
		if other != 0 && Player(p) != m && !accused.Has(Player(p)) && c.fitsSide(Player(p), kept) {
			kept |= other
		}
	}
	return kept
}

// fitsSide reports whether member p is in conflict with none of a side.
func (c *Core) fitsSide(p Player, kept PlayerSet) bool {
	for q, other := range c.s.Members {
		if other&kept != 0 && c.conflict(p, Player(q)) {
			return false
		}
	}
	return true
}

// coordinator returns the member whose part it is to get the slot decided: the
// lowest one whose side can decide and has us in it; ourselves if there is none, or if
// we send the other one of two away.
func (c *Core) coordinator() Player {
	if c.pair() && c.wishes.kick != 0 {
		return c.low
	}
	for p, m := range c.s.Members {
		if m == 0 || c.conflict(Player(p), c.low) {
			continue
		}
		if side := c.side(Player(p)); side&c.me != 0 && c.quorum(side) {
			return Player(p)
		}
	}
	return c.low
}

// foreseen returns the member who will be the coordinator if all notice what we have:
// who is first to notice a crash would get in the way of the one whose part it is.
func (c *Core) foreseen() Player {
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

// early reports whether to wait for somebody lower to begin: twice as long as before a
// second attempt, once in a slot.
func (c *Core) early() bool {
	s := &c.slot
	if s.attempt.ballot != 0 || c.foreseen() == c.low {
		return false
	}
	if s.beginAt == Never {
		s.beginAt = c.now + 2*c.cfg.Retry
	}
	return c.now < s.beginAt
}

// going returns the players of those whom we, as coordinator, want dropped: whom we
// do not hear at once, and who does not go together with the others when that has
// lasted for the time of grace, since a crash is not noticed by all at once.
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

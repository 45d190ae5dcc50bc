package membership

// observe updates our claim, and sends it if it has changed. It returns the coordinator's intent, and whether we
// are the coordinator.
func (c *Core) observe() (in intent, leading bool) {
	mine := &c.slot.claims[c.low]
	mine.accused, mine.wishes, mine.ready = c.Accused(), c.wishes, c.ready
	old := c.slot.said
	leader := c.coordinator()
	if leading = leader == c.low; leading {
		in = c.intend()
		mine.intent = in
	} else {
		c.slot.graceEnd = Never
		mine.intent = intent{}
		in = c.slot.claims[leader].intent
	}
	c.part(in)
	c.complete()
	mine.stopped, mine.whole = c.slot.stopped, c.slot.whole
	for p := range (mine.stopped | mine.whole).All() {
		mine.held[p] = c.held(p)
	}
	mine.gate = c.slot.gate
	if c.slot.told && *mine != old || !c.slot.told && (!c.cfg.Lazy || c.slot.stirred || *mine != claim{}) {
		c.slot.told, c.slot.said, c.slot.wanting = true, *mine, *mine != claim{}
		c.broadcast(message{what: tellClaim, claim: *mine})
	}
	return in, leading
}

// part does our part for an intent. What we have stopped or agreed to stays so until the slot is decided, even if
// the reason for it disappears.
func (c *Core) part(in intent) {
	c.slot.stopped |= c.slot.claims[c.low].accused
	switch {
	case in.kind.cuts() && in.players&c.me == 0:
		c.slot.stopped |= in.players
	case in.kind == Join && c.ready[lowest(in.players)] == in.gate.newcomer:
		g := in.gate
		g.frame = max(g.frame, c.match.Floor())
		c.slot.gate, c.slot.gated = g, min(c.slot.gated, g.frame)
	}
}

// complete notes which members are leaving and have sent all their inputs.
func (c *Core) complete() {
	for p, m := range c.slot.of(&c.s.Members) {
		w := &c.slot.claims[p].wishes
		if m == 0 || m == c.me || !w.leaving || c.slot.whole&m != 0 {
			continue
		}
		all := true
		for q := range m.All() {
			all = all && c.held(q) == w.leave
		}
		if all {
			c.slot.whole |= m
		}
	}
}

// held returns the first frame for which this peer lacks the input of player p.
func (c *Core) held(p Player) Frame {
	next := c.match.Next(p)
	if back := c.s.Absent[p].Back; back != NoFrame {
		next = max(next, back)
	}
	return next
}

// Limit returns the first frame for which p's input may not be accepted from p itself now, because p is stopped or
// leaves; [NoFrame] if there is no such limit.
func (c *Core) Limit(p Player) Frame {
	if (c.slot.stopped | c.slot.whole).Has(p) {
		return c.held(p)
	}
	return NoFrame
}

// Stopped returns the players whose inputs are ignored until the slot is decided.
func (c *Core) Stopped() PlayerSet { return c.slot.stopped }

// MayJoin reports whether the newcomer with these players and this incarnation may still join in the slot to be
// decided, since this peer has agreed to its first frame. A peer that is no longer ready for it cannot withdraw
// that, and others may be able to decide it.
func MayJoin(c *Core, players PlayerSet, id uint64) bool {
	return c.slot.gate.newcomer == newcomer{players, id} && id != 0
}

// Gate returns the first frame that must neither run nor count as confirmed until the slot is decided, because a
// newcomer may join at it; [NoFrame] if there is none.
func (c *Core) Gate() Frame { return c.slot.gated }

package membership

// maxRaise is by how many frames one member can postpone the first frame of a newcomer: more than members are ever
// apart.
const maxRaise = 1 << 10

// intend returns what this peer, as coordinator, wants decided with the others' help.
func (c *Core) intend() intent {
	if s := c.going(); s != 0 {
		return intent{kind: Drop, players: s}
	}
	if k := c.kicked(); k != 0 {
		return intent{kind: Kick, players: k}
	}
	if n := c.nextNewcomer(); n.players != 0 && c.united() {
		c.slot.joining = c.gateFor(n)
		return intent{Join, n.players, c.slot.joining}
	}
	return intent{}
}

// kicked returns the players that members with the right to kick want kicked, as far as the others can decide that
// without them. A kick that has begun in this slot is completed first: if the set of players changed each time,
// none would ever be completed.
func (c *Core) kicked() PlayerSet {
	var wanted, k PlayerSet
	for p, m := range c.slot.of(&c.s.Members) {
		if m&c.cfg.Kickers != 0 {
			wanted |= c.slot.claims[p].wishes.kick
		}
	}
	if begun := c.slot.claims[c.low].intent; begun.kind == Kick && begun.players&^wanted == 0 {
		k = begun.players
	}
	for _, m := range c.slot.of(&c.s.Members) {
		if m&wanted != 0 && c.able(c.s.All()&^(k|m)) {
			k |= m
		}
	}
	return k
}

// nextNewcomer returns the lowest newcomer that all members are ready for.
func (c *Core) nextNewcomer() newcomer {
	for p, n := range c.ready {
		e := Entry{Kind: Join, Players: n.players, Frame: NoFrame - 1, ID: n.id}
		if t := c.s; n.players == 0 || t.Apply(e) != nil {
			continue
		}
		all := true
		for q, m := range c.slot.of(&c.s.Members) {
			all = all && (m == 0 || m == c.me || c.slot.claims[q].ready[p] == n)
		}
		if all {
			return n
		}
	}
	return newcomer{}
}

// gateFor returns the gate for a newcomer: a frame far enough ahead, and further ahead
// if other members ask for that.
func (c *Core) gateFor(n newcomer) gate {
	g := c.slot.joining
	if g.newcomer != n {
		g = gate{n, max(c.at, c.match.Floor())}
		for p := range n.players.All() {
			g.frame = max(g.frame, c.s.Absent[p].From+1)
		}
	}
	for p, m := range c.slot.of(&c.s.Members) {
		other := c.slot.claims[p].gate
		if m != 0 && other.newcomer == n && other.frame > g.frame && other.frame-g.frame <= maxRaise {
			g.frame = other.frame
		}
	}
	return g
}

// value returns the entry that we propose for the slot as coordinator. If there is something to decide but the
// entry is not known yet, needed is true and ready false.
func (c *Core) value(in intent) (e Entry, ready, needed bool) {
	if in.kind.cuts() {
		e, ready = c.removal(in)
		return e, ready, true
	}
	e, ready, needed = c.leave()
	if !ready {
		if pause, ok := c.pausing(); ok {
			return pause, true, true
		}
	}
	switch {
	case ready:
		return e, true, true
	case in.kind == Join:
		e = Entry{Kind: Join, Players: in.players, Frame: in.gate.frame, ID: in.gate.id}
		return e, c.gatedAt(in.gate), true
	case c.slot.heldUp() && c.united():
		return Entry{}, true, true
	}
	return e, false, needed
}

package membership

// maxRaise is by how many frames one member can put off the first frame of a
// newcomer: more than members are ever apart.
const maxRaise = 1 << 10

// intend returns what we want decided as coordinator that needs the others' part.
func (c *Core) intend() intent {
	if s := c.going(); s != 0 {
		return intent{kind: Drop, players: s}
	}
	if k := c.kicked(); k != 0 {
		return intent{kind: Kick, players: k}
	}
	if n := c.candidate(); n.players != 0 && c.united() {
		c.slot.joining = c.opening(n)
		return intent{Join, n.players, c.slot.joining}
	}
	return intent{}
}

// kicked returns the players whom members with the right to do so want kicked, as
// far as the others can decide that without them. Whom we have begun to kick in
// this slot goes first: to turn to others each time would come to no end.
func (c *Core) kicked() PlayerSet {
	var wanted, k PlayerSet
	for p, m := range c.s.Members {
		if m&c.cfg.Kickers != 0 {
			wanted |= c.slot.claims[p].wishes.kick
		}
	}
	if begun := c.slot.claims[c.low].intent; begun.kind == Kick && begun.players&^wanted == 0 {
		k = begun.players
	}
	for _, m := range c.s.Members {
		if m&wanted != 0 && c.able(c.s.All()&^(k|m)) {
			k |= m
		}
	}
	return k
}

// candidate returns the lowest newcomer for whom all members are ready.
func (c *Core) candidate() newcomer {
	for p, n := range c.ready {
		e := Entry{Kind: Join, Players: n.players, Frame: NoFrame - 1, ID: n.id}
		if t := c.s; n.players == 0 || t.Apply(e) != nil {
			continue
		}
		all := true
		for q, m := range c.s.Members {
			all = all && (m == 0 || m == c.me || c.slot.claims[q].ready[p] == n)
		}
		if all {
			return n
		}
	}
	return newcomer{}
}

// opening returns the gate for a newcomer: a frame that is far enough ahead, and
// put off if others have gone farther.
func (c *Core) opening(n newcomer) gate {
	g := c.slot.joining
	if g.newcomer != n {
		g = gate{n, max(c.at, c.match.Floor())}
		for p := range n.players.All() {
			g.frame = max(g.frame, c.s.Absent[p].From+1)
		}
	}
	for p, m := range c.s.Members {
		other := c.slot.claims[p].gate
		if m != 0 && other.newcomer == n && other.frame > g.frame && other.frame-g.frame <= maxRaise {
			g.frame = other.frame
		}
	}
	return g
}

// value returns what we propose for the slot as coordinator. If it cannot be told
// yet, but there is something to decide, ready is false.
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
	case c.heldUp() && c.united():
		return Entry{}, true, true
	}
	return e, false, needed
}

package membership

// removal returns the entry that drops or kicks these players. It is possible once all remaining members have
// stopped them and hold the same inputs from them. If that cannot happen because some of the remaining members
// ignore the inputs of others, the entry is None, so that the next slot begins without those stops.
func (c *Core) removal(in intent) (e Entry, ready bool) {
	rest := c.s.All() &^ in.players
	e = Entry{Kind: in.kind, Players: in.players}
	for p := range in.players.All() { // this peer may be one of them
		e.Cuts[p] = c.slot.claims[lowest(rest)].held[p]
	}
	equal, apart := true, false
	for p, m := range c.slot.of(&c.s.Members) {
		if m&rest == 0 {
			continue
		}
		claim := &c.slot.claims[p]
		if in.players&^claim.stopped != 0 {
			return Entry{}, false
		}
		apart = apart || claim.stopped&rest != 0
		for q := range in.players.All() {
			equal = equal && claim.held[q] == e.Cuts[q]
		}
	}
	switch {
	case equal:
		return e, true
	case apart && rest&^c.side(c.low) == 0:
		return Entry{}, true
	}
	return Entry{}, false
}

// leave returns the entry for the lowest member that wants to leave and whose inputs all others have in full.
// needed is whether any member wants to leave.
func (c *Core) leave() (e Entry, ready, needed bool) {
	for p, m := range c.slot.of(&c.s.Members) {
		w := &c.slot.claims[p].wishes
		if m == 0 || !w.leaving {
			continue
		}
		if needed = true; c.allHold(m, w.leave) {
			return Entry{Kind: Leave, Players: m, Frame: w.leave}, true, true
		}
	}
	return Entry{}, false, needed
}

// allHold reports whether all others hold the inputs of a member up to a frame, and accept none from there on.
func (c *Core) allHold(leaver PlayerSet, f Frame) bool {
	for p, m := range c.slot.of(&c.s.Members) {
		if m == 0 || m == leaver {
			continue
		}
		claim := &c.slot.claims[p]
		for q := range leaver.All() {
			if !claim.whole.Has(q) || claim.held[q] != f {
				return false
			}
		}
	}
	return true
}

// pausing returns the entry for the lowest member that wants to pause or resume.
func (c *Core) pausing() (Entry, bool) {
	for p, m := range c.slot.of(&c.s.Members) {
		w := &c.slot.claims[p].wishes
		switch {
		case m == 0:
		case w.resume && c.s.Paused:
			return Entry{Kind: Resume, Players: m, Frame: c.s.PausedAt}, true
		case w.pause && !c.s.Paused && c.s.Pauses[p] < MaxPauses:
			return Entry{Kind: Pause, Players: m, Frame: max(c.at, c.match.Floor())}, true
		}
	}
	return Entry{}, false
}

// gatedAt reports whether all members have agreed to a gate.
func (c *Core) gatedAt(g gate) bool {
	for p, m := range c.slot.of(&c.s.Members) {
		if m != 0 && c.slot.claims[p].gate != g {
			return false
		}
	}
	return true
}

// heldUp reports whether any member has stopped or gated anything in this slot.
func (s *slot) heldUp() bool {
	for p := range s.claims {
		if claim := &s.claims[p]; claim.stopped != 0 || claim.gate != (gate{}) {
			return true
		}
	}
	return false
}

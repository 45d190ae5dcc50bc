package membership

// value returns the entry that the coordinator proposes for the slot. If there is something to decide but the entry is
// not known yet, needed is true and ready false. A pause takes effect at frame soonest.
func (v *view) value(in intent, soonest Frame) (e Entry, ready, needed bool) {
	if in.kind.cuts() {
		e, ready = v.removal(in)
		return e, ready, true
	}
	if e, ready, needed = v.leave(); ready {
		return e, true, true
	}
	if e, ready = v.pausing(soonest); ready {
		return e, true, true
	}
	switch {
	case in.kind == Join:
		e = Entry{Kind: Join, Players: in.players, Frame: in.gate.frame, ID: in.gate.id}
		return e, v.all(func(p Player) bool { return v.claims[p].gate == in.gate }), true
	case v.united() && !v.all(func(p Player) bool { return v.claims[p].stopped == 0 && v.claims[p].gate == gate{} }):
		return Entry{}, true, true
	}
	return Entry{}, false, needed
}

// removal returns the entry that drops or kicks these players. It is possible once all remaining members have
// stopped them and hold the same inputs from them. If that cannot happen because some of the remaining members
// ignore the inputs of others, the entry is None, so that the next slot begins without those stops.
func (v *view) removal(in intent) (e Entry, ready bool) {
	rest := v.All() &^ in.players
	e = Entry{Kind: in.kind, Players: in.players}
	for p := range in.players.All() { // this peer may be one of them
		e.Cuts[p] = v.claims[lowest(rest)].held[p]
	}
	equal, apart := true, false
	for p, m := range v.each() {
		if m&rest == 0 {
			continue
		}
		claim := &v.claims[p]
		if in.players&^claim.stopped != 0 {
			return Entry{}, false
		}
		apart = apart || claim.stopped&rest != 0
		for q := range in.players.All() {
			equal = equal && claim.held[q] == e.Cuts[q]
		}
	}
	if equal {
		return e, true
	}
	return Entry{}, apart && rest&^v.side(v.low, 0) == 0
}

// leave returns the entry for the lowest member that wants to leave and whose inputs all others have in full.
// needed is whether any member wants to leave.
func (v *view) leave() (e Entry, ready, needed bool) {
	for p, m := range v.each() {
		w := &v.claims[p].wishes
		if !w.leaving {
			continue
		}
		if needed = true; v.all(func(q Player) bool { return q == p || v.claims[q].holds(m, w.leave) }) {
			return Entry{Kind: Leave, Players: m, Frame: w.leave}, true, true
		}
	}
	return Entry{}, false, needed
}

// pausing returns the entry for the lowest member that wants to pause or resume.
func (v *view) pausing(soonest Frame) (e Entry, ready bool) {
	for p, m := range v.each() {
		w := &v.claims[p].wishes
		switch {
		case w.resume && v.Paused:
			return Entry{Kind: Resume, Players: m, Frame: v.PausedAt}, true
		case w.pause && !v.Paused && v.Pauses[p] < MaxPauses:
			return Entry{Kind: Pause, Players: m, Frame: soonest}, true
		}
	}
	return Entry{}, false
}

// kicked returns the players that members with the right to kick want kicked, as far as the others can decide that
// without them. A kick that has begun in this slot is completed first: if the set of players changed each time,
// none would ever be completed.
func (v *view) kicked() PlayerSet {
	var wanted, k PlayerSet
	for p, m := range v.each() {
		if m&v.kickers != 0 {
			wanted |= v.claims[p].wishes.kick
		}
	}
	if begun := v.claims[v.low].intent; begun.kind == Kick && begun.players&^wanted == 0 {
		k = begun.players
	}
	for _, m := range v.each() {
		if m&wanted != 0 && v.able(v.All()&^(k|m)) {
			k |= m
		}
	}
	return k
}

// nextNewcomer returns the lowest newcomer that all members are ready for.
func (v *view) nextNewcomer() newcomer {
	for p, n := range &v.claims[v.low].ready {
		if n.players == 0 {
			continue
		}
		e := Entry{Kind: Join, Players: n.players, Frame: NoFrame - 1, ID: n.id}
		if next := *v.LogState; next.apply(e) == "" && v.all(func(q Player) bool { return v.claims[q].ready[p] == n }) {
			return n
		}
	}
	return newcomer{}
}

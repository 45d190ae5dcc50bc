package sequencer

// TakeMargin removes and returns the oldest margin of a player. Each input that arrives has one, late or not, so
// that they show the transit times as they are. Call it until there is none: if the server reported only the margin
// of the newest input, an input that is late because datagrams were lost would never be reported, since a newer one
// arrives with it.
func (s *Sequencer) TakeMargin(p Player) (m Margin, ok bool) {
	if int(p) >= len(s.places) {
		return Margin{}, false
	}
	return s.places[p].margins.pop()
}

// Count returns how many copies of a player's inputs got this verdict since it joined.
func (s *Sequencer) Count(p Player, v Verdict) uint64 {
	if int(p) >= len(s.places) || v >= verdicts {
		return 0
	}
	return s.places[p].counts[v]
}

// Replaced returns how many inputs of a player were replaced since it joined.
func (s *Sequencer) Replaced(p Player) uint64 {
	if int(p) >= len(s.places) {
		return 0
	}
	return s.places[p].replaced
}

// Carried returns how many late inputs of a player were carried into a later tick since it
// joined.
func (s *Sequencer) Carried(p Player) uint64 {
	if int(p) >= len(s.places) {
		return 0
	}
	return s.places[p].merged
}

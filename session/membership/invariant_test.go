package membership

import "fmt"

// check reports violations that no world may have: two entries for one slot, an input
// that is taken back, a frame without players, or, with two members, votes for two
// entries.
func (x *explorer) check(w *world) error {
	for i := range x.n {
		a := x.locals[w.peers[i]]
		if err := attended(a); err != nil {
			return err
		}
		for j := range x.n {
			if err := x.compare(a, x.locals[w.peers[j]]); err != nil {
				return err
			}
		}
	}
	return nil
}

// compare compares the log of peer b with that of peer a, up to where they have parted.
func (x *explorer) compare(a, b *local) error {
	for k, e := range a.core.log.kept {
		s := &a.before[k]
		other, ok := b.entry(s.Slot)
		if ok && other != e {
			newcomer := !s.Has(a.core.me) || !s.Has(b.core.me) // it follows one of them
			if s.Len() == 2 && (newcomer || parted(a, b, s.Slot)) {
				return nil
			}
			return fmt.Errorf("entry %d is both %v and %v", s.Slot, e, other)
		}
		if err := keeps(s, e, b); err != nil {
			return err
		}
	}
	one, other := &a.core.synod.accepted, &b.core.synod.accepted
	if a.core.log.state == b.core.log.state && a.core.log.state.Len() == 2 && one.ballot != 0 && other.ballot != 0 && one.entry != other.entry {
		return fmt.Errorf("of two, one has voted for %v and one for %v", one.entry, other.entry)
	}
	return nil
}

// parted reports whether the entries of a slot with two members may differ: each has
// decided its own alone, as a member that goes on without the other.
func parted(a, b *local, slot uint32) bool {
	return (removes(a, b, slot) || removes(b, a, slot)) && givesUp(a, b, slot) && givesUp(b, a, slot)
}

// givesUp reports whether peer a has decided a slot alone, and removes b with it or
// immediately after it, or leaves itself, or becomes one of three by it.
func givesUp(a, b *local, slot uint32) bool {
	e, ok := a.entry(slot)
	last := e.Kind == Join || e.Kind == Leave && e.Players == a.core.me
	return ok && a.alone>>slot&1 != 0 && (removes(a, b, slot) || removes(a, b, slot+1) || last)
}

// split reports whether any two of the peers have parted.
func (x *explorer) split(w *world) bool {
	for i := range x.n {
		for j := range i {
			a, b := x.locals[w.peers[i]], x.locals[w.peers[j]]
			for k, e := range a.core.log.kept {
				slot := a.before[k].Slot
				if other, ok := b.entry(slot); ok && other != e && parted(a, b, slot) {
					return true
				}
			}
		}
	}
	return false
}

// removes reports whether an entry of peer a's removes b.
func removes(a, b *local, slot uint32) bool {
	e, ok := a.entry(slot)
	return ok && e.Kind.cuts() && e.Players&b.core.me != 0
}

// attended reports a log of a peer that leaves frames without players: a member that is
// alone must have joined before the others left.
func attended(l *local) error {
	for k, e := range l.core.log.kept {
		s := l.before[k]
		if rest := s.All() &^ e.Players; !e.Kind.cuts() || s.Whole(rest) != rest || rest == 0 {
			continue
		} else if came := s.Absent[lowest(rest)].Back; s.Has(rest) && came != NoFrame {
			for p := range e.Players.All() {
				if e.Cut(p) < came {
					return fmt.Errorf("%v: nobody is there before frame %d, with which %v has come", e, came, rest)
				}
			}
		}
	}
	return nil
}

// keeps checks that a peer that remains keeps to the frames of an entry.
func keeps(s *LogState, e Entry, b *local) error {
	if member := s.Has(b.core.me) && s.IDs[b.core.low] == b.core.cfg.ID && e.Players&b.core.me == 0; !member || !b.up {
		return nil
	}
	_, knows := b.entry(s.Slot)
	switch {
	case e.Kind.cuts() || e.Kind == Leave:
		for p := range e.Players.All() {
			if b.cameAfter(p, s.Slot) {
				continue
			}
			if next := b.next[p]; next > e.Cut(p) || knows && next < e.Cut(p) {
				return fmt.Errorf("%v has %d of player %d after %v", b.core.me, next, p, e)
			}
		}
	case e.Kind == Join && !knows && b.floor > e.Frame:
		return fmt.Errorf("%v is at %d before %v", b.core.me, b.floor, e)
	}
	return nil
}

// settled reports violations in a world where nothing more can happen: if the running
// machines hear each other and nobody else, and can go on, they are the members, have
// the same log, and nothing is blocked. Two that have given each other up are each
// checked separately.
func (x *explorer) settled(w *world) error {
	var there []*local
	for i := range x.n {
		if l := x.locals[w.peers[i]]; l.up && l.core.role == voting {
			there = append(there, l)
		}
	}
	for _, l := range there {
		if timer(l.core.synod.attempt.retryAt) == 2 {
			return nil // it has no more attempts
		}
	}
	for _, l := range there {
		c, v, up := l.core, l.core.view(), l.together(there)
		if c.Accused() != c.log.state.All()&^up || !v.able(up) {
			return nil // not all agree on who is there
		}
	}
	for _, l := range there {
		c, up := l.core, l.together(there)
		switch {
		case c.log.state.All() != up:
			return fmt.Errorf("%v has the members %v, and %v are there", c.me, c.log.state.All(), up)
		case c.guard.stopped != 0 || c.guard.gated != NoFrame:
			return fmt.Errorf("%v is held up for ever", c.me)
		case c.wishes != wishes{}:
			return fmt.Errorf("%v wants %+v for ever", c.me, c.wishes)
		}
		for _, other := range there {
			if other.core.log.state != c.log.state && up&other.core.me != 0 {
				return fmt.Errorf("the logs of %v and %v have come to different states", c.me, other.core.me)
			}
		}
	}
	return nil
}

// together returns the players of those whose match is that of a peer.
func (l *local) together(there []*local) (up PlayerSet) {
	for _, other := range there {
		apart := false
		for k, e := range l.core.log.kept {
			s := &l.before[k]
			theirs, ok := other.entry(s.Slot)
			apart = apart || ok && theirs != e
		}
		if !apart {
			up |= other.core.me
		}
	}
	return up
}

package membership

import "fmt"

// check reports what must not be in any world: two entries for one slot, or an
// input that is taken back.
func (x *explorer) check(w *world) error {
	for i := range x.n {
		a := x.locals[w.peers[i]]
		for k, e := range a.core.kept {
			for j := range x.n {
				b := x.locals[w.peers[j]]
				if err := agree(&a.before[k], k, e, b); err != nil {
					return err
				}
				if err := x.keeps(&a.before[k], k, e, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (x *explorer) origin() State {
	var members []PlayerSet
	for i := range x.sc.members {
		members = append(members, 1<<i)
	}
	return Begin(members, 1<<3&^(1<<x.sc.members-1))
}

// agree holds peer b to entry k of another one. Of two members each may have
// dropped the other: from then on there are two matches.
func agree(s *State, k int, e Entry, b *local) error {
	if k >= len(b.core.kept) || b.core.kept[k] == e {
		return nil
	}
	other := b.core.kept[k]
	if s.Len() == 2 && (e.Kind == Drop || other.Kind == Drop) {
		return nil
	}
	return fmt.Errorf("entry %d is both %v and %v", k, e, other)
}

// keeps holds a peer that remains to the frames of an entry.
func (x *explorer) keeps(s *State, k int, e Entry, b *local) error {
	member := s.Has(b.core.me) && e.Players&b.core.me == 0
	split := k < len(b.core.kept) && b.core.kept[k] != e
	if !member || !b.up || split || b.core.s.Len() == 1 && k >= len(b.core.kept) {
		return nil
	}
	switch {
	case e.Kind.cuts() || e.Kind == Leave:
		for p := range e.Players.All() {
			if next := b.next[p]; next > e.Cut(p) || k < len(b.core.kept) && next != e.Cut(p) {
				if s.Len() == 2 {
					continue // the other one goes on with what it has
				}
				return fmt.Errorf("%v has %d of player %d after %v", b.core.me, next, p, e)
			}
		}
	case e.Kind == Join && k >= len(b.core.kept) && b.floor > e.Frame:
		return fmt.Errorf("%v is at %d before %v", b.core.me, b.floor, e)
	}
	return nil
}

// settled reports what must not be where nothing more can happen: if those who are
// up hear all others of them and nobody else, and can decide, they are the members,
// have the same log, and nothing is held up.
func (x *explorer) settled(w *world) error {
	var up PlayerSet
	for i := range x.n {
		if l := x.locals[w.peers[i]]; l.up && l.core.role == voting {
			up |= l.core.me
		}
	}
	var first *local
	for i := range x.n {
		l := x.locals[w.peers[i]]
		if !l.up || l.core.role != voting {
			continue
		}
		if first == nil {
			first = l
		}
		c := l.core
		if c.Accused() != c.s.All()&^up || !c.s.Quorum(up) || timer(c.slot.attempt.retryAt) == 2 {
			return nil // not all agree on who is there, or it has no more attempts
		}
	}
	for i := range x.n {
		l := x.locals[w.peers[i]]
		if !l.up || l.core.role != voting {
			continue
		}
		c := l.core
		switch {
		case c.s != first.core.s:
			return fmt.Errorf("the logs of %v and %v have come to different states", first.core.me, c.me)
		case c.s.All() != up:
			return fmt.Errorf("%v has the members %v, and %v are there", c.me, c.s.All(), up)
		case c.slot.stopped != 0 || c.slot.gated != NoFrame:
			return fmt.Errorf("%v is held up for ever", c.me)
		case c.wishes != wishes{}:
			return fmt.Errorf("%v wants %+v for ever", c.me, c.wishes)
		}
	}
	return nil
}

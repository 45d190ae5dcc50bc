package tickbacktest

import "math/bits"

// Limits of the search for a shorter match that two builds play differently. Starting another build takes some time, so
// each run plays many matches.
const (
	shrinkAsks   = 40     // maximum number of runs of the other build
	shrinkFrames = 20_000 // approximate number of frames in each of them
)

// thinner searches for the shortest match that the other build plays differently, with the same kind of failure as the
// first one.
type thinner[S any, I comparable] struct {
	*builds[S, I]
	ask  func([]*match[I]) (*reply, error) // plays matches in the other build
	asks int
}

// thin removes as much from the match as it can: first the frames after the failure, and then other frames, absences,
// orders and inputs.
func (s *thinner[S, I]) thin() {
	if s.found.broken || s.found.frame < 0 {
		return // the failure does not belong to a frame
	}
	s.match = s.upTo(s.match, s.found)
	passes := []func(size int) []*match[I]{s.fewer, s.present, s.silent, s.idle}
	for again := true; again; {
		again = false
		for _, pass := range passes {
			for size := 1 << max(bits.Len(uint(s.match.frames()))-1, 0); size > 0; {
				if s.any(pass(size)) {
					again = true
				} else {
					size /= 2
				}
			}
		}
	}
}

// upTo returns the match without the frames after the one whose outcomes differ.
func (s *thinner[S, I]) upTo(m *match[I], f *failure) *match[I] {
	if end := f.frame + 1; 0 < end && end < m.frames() {
		return m.without(end, m.frames())
	}
	return m
}

// parts returns edited versions of the match, each with a change in a part of that length, the last part first; edit
// returns nil if there is nothing to change.
func (s *thinner[S, I]) parts(size int, edit func(from, end int) *match[I]) (list []*match[I]) {
	for end := s.match.frames(); end > 0; end -= size {
		if m := edit(max(end-size, 0), end); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// fewer returns matches without some frames.
func (s *thinner[S, I]) fewer(size int) []*match[I] {
	return s.parts(size, func(from, end int) *match[I] {
		if end-from == s.match.frames() {
			return nil
		}
		return s.match.without(from, end)
	})
}

// present returns matches in which players no longer leave, in a part of the match.
func (s *thinner[S, I]) present(size int) []*match[I] {
	return s.parts(size, func(from, end int) *match[I] {
		m, did := s.match.clone(), false
		for f := from; f < end; f++ {
			did = did || m.gone[f] != 0
			m.gone[f] = 0
		}
		return changed(m, did)
	})
}

// silent returns matches without the orders in a part of the match.
func (s *thinner[S, I]) silent(size int) []*match[I] {
	return s.parts(size, func(from, end int) *match[I] {
		m, did := s.match.clone(), false
		for i := from * m.players; i < end*m.players; i++ {
			did = did || m.orders[i] != nil
			m.orders[i] = nil
		}
		return changed(m, did)
	})
}

// idle returns matches in which players do nothing: all of them, and one at a time.
func (s *thinner[S, I]) idle(size int) []*match[I] {
	list := s.parts(size, func(from, end int) *match[I] { return s.resting(from*s.match.players, end*s.match.players, 1) })
	for p := range s.match.players {
		list = append(list, s.parts(size, func(from, end int) *match[I] {
			return s.resting(from*s.match.players+p, end*s.match.players, s.match.players)
		})...)
	}
	return list
}

// resting returns the match with every n-th input zero.
func (s *thinner[S, I]) resting(from, end, every int) *match[I] {
	m, did := s.match.clone(), false
	for i := from; i < end; i += every {
		did = did || m.inputs[i] != *new(I)
		m.inputs[i] = *new(I)
	}
	return changed(m, did)
}

func changed[I comparable](m *match[I], did bool) *match[I] {
	if !did {
		return nil
	}
	return m
}

// any plays matches in both builds. The shortest of those that fail in the same way becomes the match.
func (s *thinner[S, I]) any(list []*match[I]) bool {
	for len(list) > 0 && s.asks < shrinkAsks {
		n := min(len(list), shrinkFrames/max(s.match.frames(), 1)+1)
		if s.best(list[:n]) {
			return true
		}
		list = list[n:]
	}
	return false
}

func (s *thinner[S, I]) best(list []*match[I]) bool {
	s.asks++
	var here [][]outcome
	var played []*match[I]
	for _, m := range list {
		m.tidy()
		if outcomes, f := s.record(m); f == nil {
			here, played = append(here, outcomes), append(played, m)
		}
	}
	if len(played) == 0 {
		return false
	}
	there, err := s.ask(played)
	if err != nil {
		s.asks = shrinkAsks // end the search, and keep what was found
		return false
	}
	s.tried += len(played)
	found, best := s.found, s.match
	for i, outcomes := range there.Outcomes {
		failed := ""
		if i == len(there.Outcomes)-1 {
			failed = there.Failure
		}
		f := differing(here[i], outcomes, failed)
		if f == nil || f.frame < 0 || !s.found.like(f) {
			continue
		}
		if m := s.upTo(played[i], f); simpler(m, best) {
			found, best = f, m
		}
	}
	better := best != s.match
	s.found, s.match = found, best
	return better
}

// simpler reports whether a match is shorter than another one, or has less going on.
func simpler[I comparable](m, other *match[I]) bool {
	if m.frames() != other.frames() {
		return m.frames() < other.frames()
	}
	return m.weight() < other.weight()
}

// weight returns how much happens in a match.
func (m *match[I]) weight() int {
	n := m.active()
	for _, o := range m.orders {
		if o != nil {
			n++
		}
	}
	for _, gone := range m.gone {
		n += gone.Len()
	}
	return n
}

package tickbacktest

import (
	"bytes"
	"math/bits"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Limits of the search for a shorter match.
const (
	shrinkTime = 5 * time.Second
	reruns     = 5  // runs of the first match, to find out whether it always fails
	patience   = 10 // runs of a candidate if the match does not always fail
)

// shrinker searches for the shortest match that fails in the same way as the first one.
type shrinker[S any, I comparable] struct {
	*hunter[S, I]
	source *source[I]
	tries  int // runs of each candidate
	failed int // the number of reruns that failed
	rated  int
	count  int // the number of matches played
	until  time.Time
}

func newShrinker[S any, I comparable](h *hunter[S, I], s *source[I]) *shrinker[S, I] {
	sh := &shrinker[S, I]{hunter: h, source: s, tries: 1, rated: reruns, until: time.Now().Add(shrinkTime)}
	sh.failed = sh.rate()
	if sh.failed < reruns {
		sh.tries = patience
	}
	return sh
}

// rate plays the match several times, and returns how often it fails.
func (s *shrinker[S, I]) rate() (failed int) {
	for range reruns {
		if s.try(s.match) != nil {
			failed++
		}
	}
	return failed
}

// run shrinks until nothing gets any shorter.
func (s *shrinker[S, I]) run() {
	// A closer examination may give more details, but it is slow for twins.
	s.change(func(m *match[I]) bool {
		was := m.thorough
		m.thorough = m.check != checkTwins
		return m.thorough != was
	})
	passes := []func() bool{s.cut, s.shorten, s.together, s.orderless, s.calm, s.simplify}
	for again := true; again && !s.late(); {
		again = false
		for _, pass := range passes {
			again = pass() || again
		}
	}
	s.failed = s.rate()
}

func (s *shrinker[S, I]) late() bool { return time.Now().After(s.until) }

// accept makes the candidate the match, if it fails for the same reason.
func (s *shrinker[S, I]) accept(m *match[I]) bool {
	if m.frames() == 0 || s.late() {
		return false
	}
	m.tidy()
	for range s.tries {
		s.count++
		if f := s.try(m); f != nil && s.found.like(f) {
			s.match, s.found = m, f
			return true
		}
	}
	return false
}

// chunks calls drop for parts of the range 0 to n, from large parts to single elements, and reports whether any was
// dropped. If drop returns true, n must have decreased by the length of the part if shrunk is set, and must be
// unchanged otherwise.
func chunks(n func() int, drop func(from, end int) bool, shrunk bool) (any bool) {
	for size := 1 << max(bits.Len(uint(n()))-1, 0); size > 0; size /= 2 {
		for end := n(); end > 0; end -= size {
			if shrunk {
				end = min(end, n())
			}
			if end > 0 && drop(max(end-size, 0), end) {
				any = true
			}
		}
	}
	return any
}

// cut ends the match at the frame that failed.
func (s *shrinker[S, I]) cut() bool {
	end := s.found.frame + 1
	return end < s.match.frames() && s.accept(s.match.without(end, s.match.frames()))
}

// shorten removes frames.
func (s *shrinker[S, I]) shorten() bool {
	return chunks(s.frames, func(from, end int) bool { return s.accept(s.match.without(from, end)) }, true)
}

func (s *shrinker[S, I]) frames() int { return s.match.frames() }

// together makes players stay in the match who would leave it.
func (s *shrinker[S, I]) together() bool {
	any := false
	for p := range s.match.players {
		set := rollback.SetOf(rollback.Player(p))
		any = chunks(s.frames, func(from, end int) bool {
			return s.change(func(m *match[I]) bool {
				here := false
				for f := from; f < end; f++ {
					here = here || m.gone[f]&set != 0
					m.gone[f] &^= set
				}
				return here
			})
		}, false) || any
	}
	return any
}

// change makes an edited copy of the match, and accepts it if edit has changed something and it still fails.
func (s *shrinker[S, I]) change(edit func(m *match[I]) bool) bool {
	m := s.match.clone()
	return edit(m) && s.accept(m)
}

// orderless removes orders, or shortens them.
func (s *shrinker[S, I]) orderless() bool {
	var at []int
	for i, o := range s.match.orders {
		if len(o) > 0 {
			at = append(at, i)
		}
	}
	any := chunks(func() int { return len(at) }, func(from, end int) bool {
		return s.change(func(m *match[I]) bool {
			had := false
			for _, i := range at[from:end] {
				had = had || m.orders[i] != nil
				m.orders[i] = nil
			}
			return had
		})
	}, false)
	for _, i := range at {
		for n := len(s.match.orders[i]); n > 1 && s.source.Orders == nil; n /= 2 {
			any = s.change(func(m *match[I]) bool { m.orders[i] = m.orders[i][:n/2]; return true }) || any
		}
		any = s.source.Orders == nil && s.change(func(m *match[I]) bool {
			zero := make([]byte, len(m.orders[i]))
			had := !bytes.Equal(zero, m.orders[i])
			m.orders[i] = zero
			return had
		}) || any
	}
	return any
}

// calm makes players do nothing: all of them, then one after the other, then for a while.
func (s *shrinker[S, I]) calm() bool {
	any := s.rest(0, len(s.match.inputs), 1)
	for p := range s.match.players {
		any = chunks(s.frames, func(from, end int) bool {
			return s.rest(from*s.match.players+p, end*s.match.players, s.match.players)
		}, false) || any
	}
	return any
}

// rest makes every n-th input zero.
func (s *shrinker[S, I]) rest(from, end, every int) bool {
	return s.change(func(m *match[I]) bool {
		did := false
		for i := from; i < end; i += every {
			did = did || m.inputs[i] != *new(I)
			m.inputs[i] = *new(I)
		}
		return did
	})
}

// simplify makes inputs simpler, first in all frames with the same input: by removing bits, or, since not every value
// may be valid, by using inputs that Options.Generate has made.
func (s *shrinker[S, I]) simplify() bool {
	any := false
	for _, in := range s.values() {
		for _, simple := range s.candidates(in) {
			if s.change(func(m *match[I]) bool { return swap(m.inputs, in, simple) }) {
				any = true
				break
			}
		}
	}
	for i := range s.match.inputs {
		for _, simple := range s.candidates(s.match.inputs[i]) {
			if s.change(func(m *match[I]) bool { m.inputs[i] = simple; return true }) {
				any = true
				break
			}
		}
	}
	return any
}

// values returns the inputs that occur and are not zero, in order.
func (s *shrinker[S, I]) values() []I {
	var list []I
	for _, in := range s.match.inputs {
		if in != *new(I) && !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

func (s *shrinker[S, I]) candidates(in I) []I {
	if s.reduce != nil {
		return s.reduce(in)
	}
	if s.source.Generate == nil && s.source.Inputs == nil {
		return s.simpler(in)
	}
	var list []I
	for other := range s.source.pool {
		if s.weight(other) < s.weight(in) {
			list = append(list, other)
		}
	}
	slices.SortFunc(list, func(a, b I) int { return s.weight(a) - s.weight(b) })
	return list
}

func swap[I comparable](list []I, from, to I) (any bool) {
	for i := range list {
		if list[i] == from {
			list[i], any = to, true
		}
	}
	return any
}

package tickbacktest

import (
	"testing"

	"pgregory.net/rapid"
)

// Some matches go on beyond Options.Frames for as long as they meet new states:
// what a step reads outside of the state may matter only later. A game that
// comes to no new states ends them early. In one that counts its frames every
// state is new, and Options.Longest ends them. All of this counts frames, so that
// a run does not depend on the speed of the machine.

const (
	longMatches  = 2 // of each check; half as many with -short
	quietLengths = 2 // lengths of a match without a new state that end one
)

// longHolds is how long inputs are held in a match that goes on: up to four
// seconds, since some states are reached only by not letting go.
var longHolds = rapid.OneOf(holds, rapid.IntRange(1, DefaultFrames))

// playLong plays the matches that go on, if nothing has been found yet.
func (h *hunter[S, I]) playLong(t testing.TB, s *source[I]) {
	t.Helper()
	if s.Longest == s.Frames || h.found != nil {
		return
	}
	left := longMatches
	if testing.Short() {
		left /= 2
	}
	rapid.Check(silent{t}, func(r *rapid.T) {
		if left > 0 && h.found == nil {
			h.firstOf(s.long(r, left%2 == 1), false)
			left--
		}
	})
}

// long returns a random match that goes on. Full has all players in it to the end.
func (s *source[I]) long(t *rapid.T, full bool) *match[I] {
	l := *s
	l.Frames, l.Stay, l.holds = s.Longest, s.Stay || full, longHolds
	m := l.random(t)
	m.quiet = quietLengths * s.Frames
	return m
}

// progressCheck knows the states that the matches that go on have met.
type progressCheck struct {
	met    map[uint64]struct{} // hashes
	latest int                 // frame of this match that led to a new one
}

// meet takes the state after frame f, and returns for how many frames there has
// been none that is new.
func (n *progressCheck) meet(f int, hash uint64) (quiet int) {
	if n.met == nil {
		n.met = map[uint64]struct{}{}
	}
	if f == 0 {
		n.latest = 0
	}
	if _, known := n.met[hash]; !known {
		n.met[hash] = struct{}{}
		n.latest = f
	}
	return f - n.latest
}

// settled takes the state after frame f. If a match that goes on has met nothing
// new for long enough, it ends here, and settled returns true.
func (m *match[I]) settled(p *probe, f int, hash uint64) bool {
	if m.quiet == 0 || p.progress.meet(f, hash) < m.quiet {
		return false
	}
	*m = *m.without(f+1, m.frames())
	return true
}

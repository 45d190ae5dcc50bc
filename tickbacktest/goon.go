package tickbacktest

import (
	"testing"

	"pgregory.net/rapid"
)

// Some matches go on beyond Options.Frames for as long as they reach new states, since data that a step reads outside
// of the state may matter only later. In a game that reaches no new states, they end early. In a game that counts its
// frames every state is new, and Options.Longest ends them. Everything is counted in frames, so that a run does not
// depend on the speed of the machine.

const (
	longMatches  = 2 // number of matches for each check; half as many with -short
	quietLengths = 2 // a match ends after this many times Frames without a new state
)

// longHolds is how long inputs are held in a match that goes on: up to four seconds, since some states are only reached
// by holding an input.
var longHolds = rapid.OneOf(holds, rapid.IntRange(1, DefaultFrames))

// playLong plays the matches that go on, if no failure was found before.
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

// long returns a random match that goes on. If full is set, all players stay in it to the end.
func (s *source[I]) long(t *rapid.T, full bool) *match[I] {
	l := *s
	l.Frames, l.Stay, l.holds = s.Longest, s.Stay || full, longHolds
	m := l.random(t)
	m.quiet = quietLengths * s.Frames
	return m
}

// progressCheck has the states that have been reached by the matches that go on.
type progressCheck struct {
	met    map[uint64]struct{} // the hashes of the states
	latest int                 // the last frame of this match that led to a new state
}

// meet records the state after frame f, and returns the number of frames since the last new state.
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

// settled records the state after frame f. It returns true, and ends the match here, if a match that goes on has
// reached no new state for long enough.
func (m *match[I]) settled(p *probe, f int, hash uint64) bool {
	if m.quiet == 0 || p.progress.meet(f, hash) < m.quiet {
		return false
	}
	*m = *m.without(f+1, m.frames())
	return true
}

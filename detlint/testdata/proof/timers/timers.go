// Package timers is a game for the verdict: proved but for. It keeps functions in its state, and what these have captured
// is not restored, unless the state leads to it in another way. Functions that end with the step are fine.
package timers

import "github.com/tickback/tickback/rollback"

type hero struct{ lives int }

type state struct {
	heroes []*hero
	timers []func() bool
	named  map[string]func()
	score  int
}

type input struct{ fire bool }

func step(s *state, t *rollback.Tick[input]) {
	s.keeps()
	s.hands()
	s.counts()
}

// keeps adds a timer in each frame: what it counts belongs to no state.
func (s *state) keeps() {
	left := 2
	s.timers = append(s.timers, func() bool {
		left-- // want unproved
		return left == 0
	})
	for _, due := range s.timers {
		if due() {
			s.score++
		}
	}
}

// hands gives a function to another one, which keeps it.
func (s *state) hands() {
	seen := 0
	s.add("count", func() {
		seen++ // want unproved
	})
	if f := s.named["count"]; f != nil {
		f()
	}
}

func (s *state) add(name string, f func()) { s.named[name] = f }

// counts uses functions that end with the step.
func (s *state) counts() {
	n := 0
	each(s.heroes, func(h *hero) { n += h.lives })
	s.score = n
}

func each(list []*hero, f func(h *hero)) {
	for _, h := range list {
		f(h)
	}
}

var _ = rollback.OwnMemory[state, state, input]{Step: step}

// Package calm has steps as games have them, in which nothing is wrong.
package calm

import (
	"slices"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

type (
	vec  struct{ X, Y fixed.Num }
	cell struct{ X, Y int16 }
	unit struct {
		ID, HP, Cooldown int32
		Pos, Speed       vec
		Path             []cell
		Target           int32
	}
)

type state struct {
	frame  uint32
	rand   rng.Xorshift128Plus
	units  []unit
	alive  map[int32]*unit
	owners map[cell]int32
	tags   map[string][]string
	free   []int32
	ring   [16]int32
	head   uint32
	score  [4]int32
	text   string
	phase  phase
	raw    []byte
	f      float64
	n      int32
	l      int64
	grid   [8][8]uint8
	parent *state
}

type input struct {
	Move int8
	Fire bool
}

type phase uint8

const (
	waiting phase = iota
	playing
	over
)

//tickback:deterministic
func cooldowns(s *state) {
	for i := range s.units {
		if u := &s.units[i]; u.Cooldown > 0 {
			u.Cooldown--
		}
	}
}

//tickback:deterministic
func moves(s *state, t *rollback.Tick[input]) {
	for p := range t.Players() {
		in := t.Input(p)
		u := &s.units[p]
		u.Pos.X = u.Pos.X.Add(fixed.FromInt(int64(in.Move)).Mul(u.Speed.X))
		if in.Fire && t.Status(p) != rollback.Disconnected {
			s.score[p]++
		}
	}
}

//tickback:deterministic
func machine(s *state) {
	switch s.phase {
	case waiting:
		s.phase = playing
	case playing:
		if s.frame > 60*60 {
			s.phase = over
		}
	case over:
		s.text = "over"
	}
}

//tickback:deterministic
func rolls(s *state) error {
	n, err := s.rand.Bounded(6)
	if err != nil {
		return err
	}
	s.n = int32(n) + 1
	return nil
}

//tickback:deterministic
func shuffles(s *state) error {
	return s.rand.Shuffle(len(s.free), func(i, j int) { s.free[i], s.free[j] = s.free[j], s.free[i] })
}

//tickback:deterministic
func ringBuffer(s *state) {
	s.ring[s.head%uint32(len(s.ring))] = s.n
	s.head++
}

//tickback:deterministic
func freeList(s *state) {
	if n := len(s.free); n > 0 {
		s.n, s.free = s.free[n-1], s.free[:n-1]
	}
	s.free = append(s.free, s.n)
}

//tickback:deterministic
func swapRemove(s *state, i int) {
	last := len(s.units) - 1
	s.units[i] = s.units[last]
	s.units[last] = unit{}
	s.units = s.units[:last]
}

//tickback:deterministic
func insertSorted(s *state, id int32) {
	i, found := slices.BinarySearch(s.free, id)
	if !found {
		s.free = slices.Insert(s.free, i, id)
	}
}

//tickback:deterministic
func dead(s *state) {
	s.units = slices.DeleteFunc(s.units, func(u unit) bool { return u.HP <= 0 })
}

package rules

import (
	"fmt"
	"hash/maphash"
	"sync"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// WRONG: the room of a slice depends on its past, and on the version of Go.
func capacityWrong(s *Swarm, _ *rollback.Tick[Input]) {
	if len(s.Bees) == cap(s.Bees) {
		s.Queen++ // a new hive
	}
	s.Bees = append(s.Bees, Bee{})
}

// RIGHT: the room is a number of the game.
func capacityRight(s *Swarm, _ *rollback.Tick[Input]) {
	const hive = 8
	if len(s.Bees)%hive == 0 {
		s.Queen++
	}
	s.Bees = append(s.Bees, Bee{})
}

// WRONG: the slot and the game have the same bees, and Queen is missing.
func saveWrong(s, slot *Swarm)    { slot.Bees = s.Bees }
func restoreWrong(s, slot *Swarm) { s.Bees = slot.Bees }

// RIGHT: every field, and the bees themselves. The memory of the slot is used again.
func saveRight(s, slot *Swarm) {
	slot.Bees = append(slot.Bees[:0], s.Bees...)
	slot.Queen = s.Queen
}

func restoreRight(s, slot *Swarm) {
	s.Bees = append(s.Bees[:0], slot.Bees...)
	s.Queen = slot.Queen
}

// Herd is a state with pointers.
type Herd struct {
	Sheep  []*Sheep
	Target string
}

// Sheep is one of a herd.
type Sheep struct{ ID int32 }

// WRONG: another machine has other addresses, and so has a herd that was restored.
func addressWrong(s *Herd, _ *rollback.Tick[Input]) {
	s.Target = fmt.Sprintf("%p", s.Sheep[0])
}

// RIGHT: a number that the game has given.
func addressRight(s *Herd, _ *rollback.Tick[Input]) {
	s.Target = fmt.Sprint(s.Sheep[0].ID)
}

var seed = maphash.MakeSeed()

// WRONG: each process has another seed.
func hashWrong(s *World, _ *rollback.Tick[Input]) {
	s.Choice = uint8(maphash.Comparable(seed, s.Units[0]) % 200)
}

// RIGHT: a hash with a definition. (canon.Plan hashes a value, and rng draws.)
func hashRight(s *World, _ *rollback.Tick[Input]) {
	s.Choice = uint8(canon.HashBytes([]byte{byte(s.Units[0].ID), byte(s.Units[0].Life)}) % 200)
}

var lists = sync.Pool{New: func() any { return new([]int32) }}

// WRONG: a list from the pool is empty, or what an earlier step has left in it.
func poolWrong(s *World, _ *rollback.Tick[Input]) {
	near := lists.Get().(*[]int32)
	for _, u := range s.Units {
		if u.Life == 0 {
			*near = append(*near, u.ID)
		}
	}
	s.Score = int32(len(*near))
	lists.Put(near)
}

// RIGHT: memory of the step, on the stack. (If it must come from a pool, clear it first.)
func poolRight(s *World, _ *rollback.Tick[Input]) {
	near := make([]int32, 0, len(s.Units))
	for _, u := range s.Units {
		if u.Life == 0 {
			near = append(near, u.ID)
		}
	}
	s.Score = int32(len(near))
}

// Guarded is a state with a field that is for drawing.
type Guarded struct {
	Life  int32
	Flash int32 `canon:"-"` // frames for which a hit is shown
}

// WRONG: Flash is in no hash and in no encoding. A newcomer begins without it.
func excludedWrong(s *Guarded, t *rollback.Tick[Input]) {
	if s.Flash = max(s.Flash-1, 0); t.Input(0).Fire && s.Flash == 0 {
		s.Life--
		s.Flash = 8
	}
}

// Shielded is a state that says what it is.
type Shielded struct{ Life, Shield int32 }

// RIGHT: what the step reads is an ordinary field.
func excludedRight(s *Shielded, t *rollback.Tick[Input]) {
	if s.Shield = max(s.Shield-1, 0); t.Input(0).Fire && s.Shield == 0 {
		s.Life--
		s.Shield = 8
	}
}

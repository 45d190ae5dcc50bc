package rules

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Input is what one player does.
type Input struct {
	Fire bool
	Move int8
}

// World is the state of most of these rules.
type World struct {
	Frames               uint32
	Rand                 rng.Xorshift128Plus
	Units                [32]Unit
	X, Aim, Way          [2]int32 // tenths of a metre
	Score, Damage, Combo int32
	Wind, Turn           int32
	Area                 int64
	Choice               uint8
	Over, Hard           bool
}

// Unit is one of a world. Many have the same Life.
type Unit struct{ ID, Life int32 }

// begin makes state 0 of a world.
func begin(s *World) {
	*s = World{Rand: rng.New(7), Aim: [2]int32{1, 3}, Way: [2]int32{-3, 1}, Damage: 10}
	for i := range s.Units {
		s.Units[i] = Unit{ID: int32(i * 7 % 32), Life: int32(i % 3)}
	}
}

// world is a game of one step.
func world(step func(s *World, t *rollback.Tick[Input]), kinds ...effects.Declaration) game[World] {
	return game[World]{rules: rollback.Game[World, Input]{Init: begin, Effects: kinds, Step: func(s *World, t *rollback.Tick[Input]) {
		s.Frames++ // a state that never changes would prove nothing
		step(s, t)
	}}}
}

// Swarm is a state that owns memory.
type Swarm struct {
	Bees  []Bee
	Queen int32
}

// Bee is one of a swarm.
type Bee struct{ Age int32 }

// swarm is a game that owns its memory.
func swarm(step func(s *Swarm, t *rollback.Tick[Input]), save, restore func(s, slot *Swarm)) game[Swarm] {
	return game[Swarm]{rules: rollback.OwnMemory[Swarm, Swarm, Input]{
		Init: func(s *Swarm) { *s = Swarm{} }, Step: step, Save: save, Restore: restore, New: func() *Swarm { return new(Swarm) },
	}}
}

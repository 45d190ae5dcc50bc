package duel

import (
	"fmt"
	"math"

	"github.com/tickback/tickback/rollback"
)

// The IDs of the games, for peers and recordings. A round has an ID of its own because it ends where a duel
// goes on: peers must not mix the two, and neither must recordings. The states are the same.
const (
	ID      = "duel"
	RoundID = "duel-round"
)

// The results of a round, as passed to [rollback.Tick.Finish].
const (
	Draw uint64 = iota
	Won1        // player 1 has won
	Won2
)

// Round returns the duel with this seed that ends, with [Verdict], in the frame in which a
// fighter has no health left. The states are those of [Game]. Seed 0 is an error
// ([rng.ErrZeroSeed]).
func Round(seed uint32) (rollback.Game[State, Input], error) {
	game, err := Game(seed)
	if err != nil {
		return game, err
	}
	game.Step = stepRound
	return game, nil
}

// stepRound is a named function for the same reason as stepTick.
func stepRound(s *State, t *rollback.Tick[Input]) {
	stepTick(s, t)
	if s.P[0].Hp == 0 || s.P[1].Hp == 0 {
		t.Finish(Verdict(s))
	}
}

// Verdict returns the winner of a round that is over: the fighter with more health.
func Verdict(s *State) uint64 {
	switch a, b := s.P[0].Hp, s.P[1].Hp; {
	case a > b:
		return Won1
	case b > a:
		return Won2
	}
	return Draw
}

// Start returns a function that makes state 0 of a match of either game, with this seed: 1 to
// 2^32 - 1.
func Start(seed uint64) (func(s *State), error) {
	if seed > math.MaxUint32 {
		return nil, fmt.Errorf("the seed of a duel is 1 to %d", uint32(math.MaxUint32))
	}
	if seed == 0 {
		return nil, fmt.Errorf("the seed of a duel must not be 0")
	}
	return func(s *State) { *s, _ = New(uint32(seed)) }, nil
}

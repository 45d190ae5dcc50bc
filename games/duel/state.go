package duel

import (
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rng"
)

// Input is what one player holds during a frame, a mask of buttons. The rules use the four named
// bits; the other twelve are carried and ignored.
type Input uint16

// The buttons.
const (
	Left Input = 1 << iota
	Right
	Jump
	Attack
)

// Buttons has all buttons with a meaning.
const Buttons = Left | Right | Jump | Attack

// Action is the current action of a fighter.
type Action uint8

// The actions.
const (
	Idle Action = iota
	Running
	Jumping
	Attacking
	Hitstun
)

var actionNames = [...]string{"idle", "running", "jumping", "attacking", "hitstun"}

// String names the action.
func (a Action) String() string {
	if int(a) < len(actionNames) {
		return actionNames[a]
	}
	return fmt.Sprintf("Action(%d)", uint8(a))
}

// Fighter is one player's part of the state.
type Fighter struct {
	X, Y   int32 // lower left corner of the body
	Vx, Vy int32 // units per tick; Vx is carried and stays 0
	Facing int8  // +1 right, -1 left
	State  Action

	HitstunFrames        int32 // ticks until the fighter can act again
	Hp                   int32 // 0 to FullHp; a fighter without health still stands and fights
	AttackCooldownFrames int32 // ticks until the next attack may start
	AttackActiveFrames   int32 // ticks in which the current attack can still hit
	AttackHasHit         uint8 // 1 once the current attack has hit
}

// State is a whole match at one frame. It is a plain value: copy it to save it, and assign the
// copy to restore it.
type State struct {
	Frame uint32
	P     [2]Fighter     // P[0] is player 1
	Rng   rng.Xorshift32 // carried and hashed; no rule draws from it
}

// New returns state 0 of the match with this seed. Seed 0 is an error
// ([rng.ErrZeroSeed]).
func New(seed uint32) (State, error) {
	generator, err := rng.NewXorshift32(seed)
	if err != nil {
		return State{}, fmt.Errorf("duel: %w", err)
	}
	return State{
		P: [2]Fighter{
			{X: StartX1, Facing: +1, Hp: FullHp},
			{X: StartX2, Facing: -1, Hp: FullHp},
		},
		Rng: generator,
	}, nil
}

// Checksum is the field-wise FNV-1a 32 of the state, in the order of its fields: signed fields
// sign-extended to 32 bits, unsigned ones zero-extended. Recordings and packets contain it, so it
// is frozen with the rules.
func Checksum(s *State) uint32 {
	h := canon.NewFNV32().Add(s.Frame)
	for i := range s.P {
		h = addFighter(h, &s.P[i])
	}
	return h.Add(s.Rng.State).Sum()
}

func addFighter(h canon.FNV32, f *Fighter) canon.FNV32 {
	h = h.Add(uint32(f.X)).Add(uint32(f.Y)).Add(uint32(f.Vx)).Add(uint32(f.Vy))
	h = h.Add(uint32(int32(f.Facing))).Add(uint32(f.State))
	h = h.Add(uint32(f.HitstunFrames)).Add(uint32(f.Hp))
	h = h.Add(uint32(f.AttackCooldownFrames)).Add(uint32(f.AttackActiveFrames))
	return h.Add(uint32(f.AttackHasHit))
}

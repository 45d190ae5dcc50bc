package rules

import (
	"encoding/binary"
	"math"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rng"
)

// Picture is what a match looks like in one frame: what machines compare, and reports show.
type Picture struct {
	Points [Seats]uint32
	Frames uint32
	Chance rng.Xorshift128Plus
	Things []Pose
}

// Pose is where a thing is, and how it moves.
type Pose struct {
	X, Y, Angle, SpeedX, SpeedY, Spin float64

	Player, By  int
	Since, Rest uint32
	Rests       bool
}

// describe returns a description of the state that shares no memory with it.
func describe(s *State) any {
	p := Picture{Points: s.Points, Frames: s.Frames, Chance: s.Rng}
	for _, t := range s.Things {
		p.Things = append(p.Things, t.pose())
	}
	return p
}

func (t *Thing) pose() Pose {
	at, v := t.Body.Position(), t.Body.Velocity()
	return Pose{
		at.X, at.Y, t.Body.Angle(), v.X, v.Y, t.Body.AngularVelocity(),
		t.Player, t.By, t.Since, t.Rest, t.Rests,
	}
}

// hash returns a hash of the picture, with all bits of its numbers. The rest of the engine's memory follows
// from the inputs in the same way, and differences in it show in the next frames; hashing all of it would
// take a millisecond.
func hash(s *State) uint64 {
	b := make([]byte, 0, 2048)
	number := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	for _, points := range s.Points {
		number(uint64(points))
	}
	number(uint64(s.Frames))
	for _, word := range []uint64{s.Rng.S0, s.Rng.S1} {
		number(word)
	}
	for _, t := range s.Things {
		p := t.pose()
		for _, x := range []float64{p.X, p.Y, p.Angle, p.SpeedX, p.SpeedY, p.Spin} {
			number(math.Float64bits(x))
		}
		for _, n := range []int{p.Player, p.By, int(p.Since), int(p.Rest)} {
			number(uint64(int64(n)))
		}
		if p.Rests {
			number(1)
		} else {
			number(0)
		}
	}
	return canon.HashBytes(b)
}

package canon

import "testing"

// States like those of a game, for tests that should be easy to read.

type speed int64

func (s speed) String() string { return "v" + string(rune('0'+s%10)) }

type stance uint8

const (
	standing stance = iota
	crouching
)

func (s stance) String() string { return [...]string{"standing", "crouching"}[s] }

type fighter struct {
	X, Y   int32
	Vy     int64
	Stance stance
	alive  bool // padding follows on every architecture
	Meter  uint16
	Combo  uint16
}

type world struct {
	Frame uint32
	P     [2]fighter
	Grid  [64]uint16
	Shake int `canon:"-"`
	_     [3]byte
	Seed  [2]uint64
}

func planFor[T any](t testing.TB, opts ...Option) *Plan[T] {
	t.Helper()
	p, err := PlanFor[T](opts...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func aWorld() *world {
	w := &world{Frame: 7, Shake: 3, Seed: [2]uint64{1, 1 << 63}}
	w.P[0] = fighter{X: -1, Y: 2, Vy: -3, alive: true, Meter: 400}
	w.P[1] = fighter{X: 100, Vy: 460, Stance: crouching, Combo: 9}
	w.Grid[5] = 0xBEEF
	return w
}

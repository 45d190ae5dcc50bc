// Package limits has a game whose floats are strict, with what that does not cover.
package limits

import (
	"maps"
	"math"
	"time"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/portable/math32"
	"github.com/tickback/tickback/rollback"
)

type state struct {
	x, y float64
	f    float32
	n    int32
	wide int64
	cell map[float64]int32
	list []int32
}

var _ = rollback.Game[state, byte]{Step: step, Floats: rollback.Strict}

func assembly(x float64) float64

func step(s *state, t *rollback.Tick[byte]) {
	s.n = int32(s.x)
	s.n = portable.Int32(s.x)
	s.list = append(s.list, s.list[int(s.x)&1]) // want floatint
	s.f = float32(s.wide)
	s.f = math32.FromInt64(s.wide)
	s.f = float32(s.wide & (1<<46 - 1))
	s.x = math.Copysign(s.x, s.x-s.y)
	s.x = portable.Copysign(s.x, s.x-s.y)
	s.x = math.Copysign(s.x, -1)
	s.cell[s.x/s.y]++          // want nankey
	s.x = assembly(s.y)        // want foreign
	for _, n := range s.cell { // want maporder
		s.list = append(s.list, n)
	}
	for n := range maps.Values(s.cell) { // want maporder
		s.list = append(s.list, n)
	}
	s.wide = time.Now().Unix() // want clock
}

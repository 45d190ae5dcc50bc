// Package globals is a game without a type: its state is in package variables.
package globals

import "math/rand"

type enemy struct {
	X, Y float64
	next *enemy
	mood mood
}

// mood is behind an interface, which a state that is sent elsewhere must know.
type mood interface{ slower(by float64) float64 }

type (
	calm  struct{}
	angry struct{ since int }
)

func (calm) slower(by float64) float64  { return by }
func (a *angry) slower(float64) float64 { return float64(a.since) }

var (
	enemies *enemy
	score   = map[string]int{}
	level   = 1
	debug   bool
	speeds  = [...]float64{1, 2, 3} // never changes
)

// SetDebug is called by a menu.
func SetDebug(on bool) { debug = on }

// Update computes a frame.
func Update(dt float64) {
	for e := enemies; e != nil; e = e.next {
		e.X += speeds[level%len(speeds)] * dt
	}
	if rand.Intn(60) == 0 {
		enemies = &enemy{next: enemies}
		score["made"]++
	}
	if debug {
		level++
	}
}

package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// scene is a match with verbs, so that a test reads as a script.
type scene struct {
	testing.TB
	arena.State
	in      [arena.MaxPlayers]arena.Input
	present rollback.PlayerSet
	out     *effects.Emitter // nil unless somebody listens
}

// match is a scene at state 0, with the first so many players present.
func match(t testing.TB, players int) *scene {
	return &scene{TB: t, State: arena.New(1), present: first(players)}
}

func first(players int) rollback.PlayerSet { return rollback.PlayerSet(1<<players - 1) }

// fight is a scene at the start of the first round, with nobody holding anything.
// There will be no pickups but those that a test lays down.
func fight(t testing.TB, players int) *scene {
	c := match(t, players)
	c.until("the fight", func() bool { return c.Phase == arena.Fighting })
	c.SpawnIn = 1 << 30
	return c
}

// step advances the scene by so many ticks.
func (c *scene) step(ticks int) {
	for range ticks {
		arena.Step(&c.State, &c.in, c.present, c.out)
	}
}

// until steps until something is the case, for two minutes at most, and returns
// how many ticks it took.
func (c *scene) until(what string, is func() bool) int {
	c.Helper()
	for ticks := range 2 * 60 * arena.TicksPerSecond {
		if is() {
			return ticks
		}
		c.step(1)
	}
	c.Fatalf("waited in vain for %s", what)
	return 0
}

// hold sets what player p holds from now on.
func (c *scene) hold(p int, x, y int8, b arena.Buttons) {
	c.in[p] = arena.Input{X: x, Y: y, Buttons: b}
}

// release lets player p let go of everything.
func (c *scene) release(p int) { c.hold(p, 0, 0, 0) }

// tap lets player p hold buttons for one tick.
func (c *scene) tap(p int, b arena.Buttons) {
	before := c.in[p]
	c.in[p].Buttons |= b
	c.step(1)
	c.in[p] = before
}

// place puts player p's fighter somewhere, in tenths of a unit, standing still
// and facing a direction.
func (c *scene) place(p int, x, y int64, faceX, faceY int8) *arena.Fighter {
	f := &c.Fighters[p]
	f.Pos, f.Vel = at(x, y), fixed.Vec2{}
	f.FaceX, f.FaceY = faceX, faceY
	return f
}

// shoot lets player p shoot with a charge of so many ticks.
func (c *scene) shoot(p, charge int) {
	c.in[p].Buttons |= arena.Shoot
	c.step(charge)
	c.in[p].Buttons &^= arena.Shoot
	c.step(1)
}

// inTheAir counts player p's shots.
func (c *scene) inTheAir(p int) int {
	n := 0
	for _, shot := range c.Shots[p] {
		if shot.Life > 0 {
			n++
		}
	}
	return n
}

// at is a place in tenths of a unit.
func at(x, y int64) fixed.Vec2 {
	return fixed.Vec2{X: fixed.FromRatio(x, 10), Y: fixed.FromRatio(y, 10)}
}

// reporter is what a check needs of a test, rapid's included.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// want fails unless got is what the rule says.
func want[T comparable](t reporter, rule string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}

// holds fails unless the rule does.
func holds(t reporter, rule string, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("%s: it is not so", rule)
	}
}

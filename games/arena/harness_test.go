package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// scene is a match with methods that make a test read like a script.
type scene struct {
	testing.TB
	arena.State
	in      [arena.MaxPlayers]arena.Input
	present rollback.PlayerSet
	out     *effects.Emitter // nil unless somebody listens
}

// match is a scene at state 0, with the first players present, as many as given.
func match(t testing.TB, players int) *scene {
	return &scene{TB: t, State: arena.New(1), present: first(players)}
}

func first(players int) rollback.PlayerSet { return rollback.PlayerSet(1<<players - 1) }

// fight is a scene at the start of the first round, with no buttons held. The only pickups are those that a test adds.
func fight(t testing.TB, players int) *scene {
	c := match(t, players)
	c.until("the fight", func() bool { return c.Phase == arena.Fighting })
	c.SpawnIn = 1 << 30
	return c
}

// step advances the scene by the given number of ticks.
func (c *scene) step(ticks int) {
	for range ticks {
		arena.Step(&c.State, &c.in, c.present, c.out)
	}
}

// until steps until a condition holds, for two minutes at most, and returns how many ticks it took.
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

// release makes player p let go of everything.
func (c *scene) release(p int) { c.hold(p, 0, 0, 0) }

// tap makes player p hold buttons for one tick.
func (c *scene) tap(p int, b arena.Buttons) {
	before := c.in[p]
	c.in[p].Buttons |= b
	c.step(1)
	c.in[p] = before
}

// place puts player p's fighter at a place, in tenths of a unit, standing still and facing in a direction.
func (c *scene) place(p int, x, y int64, faceX, faceY int8) *arena.Fighter {
	f := &c.Fighters[p]
	f.Pos, f.Vel = at(x, y), fixed.Vec2{}
	f.FaceX, f.FaceY = faceX, faceY
	return f
}

// shoot makes player p shoot after charging for the given number of ticks.
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

// reporter is the part of a test that checks need, including rapid's tests.
type reporter interface {
	Helper()
	Errorf(format string, args ...any)
}

// want fails the test unless got is the value in the rule.
func want[T comparable](t reporter, rule string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}

// holds fails the test unless the rule is met.
func holds(t reporter, rule string, ok bool) {
	t.Helper()
	if !ok {
		t.Errorf("%s: it is not so", rule)
	}
}

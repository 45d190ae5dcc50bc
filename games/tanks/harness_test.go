package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// everybody is the maximum number of players in the matches of these tests.
const everybody = min(tanks.MaxPlayers, rollback.MaxPlayers)

// scene is a match with methods that make a test read like a script.
type scene struct {
	testing.TB
	tanks.State
	in      [tanks.MaxPlayers]tanks.Input
	present rollback.PlayerSet
	out     *effects.Emitter // nil unless somebody listens
}

func first(players int) (set rollback.PlayerSet) {
	for p := range rollback.Player(players) {
		set |= rollback.SetOf(p)
	}
	return set
}

// match is a scene with the given number of tanks on their spawns, and no buttons held.
func match(t testing.TB, players int) *scene {
	c := &scene{TB: t, State: tanks.New(1), present: first(players)}
	c.step(1)
	return c
}

// step advances the scene by the given number of ticks.
func (c *scene) step(ticks int) {
	for range ticks {
		tanks.Step(&c.State, &c.in, c.present, c.out)
	}
}

// until steps until a condition holds, for half a minute at most, and returns how many ticks it took.
func (c *scene) until(what string, is func() bool) int {
	c.Helper()
	for ticks := range 30 * tanks.TicksPerSecond {
		if is() {
			return ticks
		}
		c.step(1)
	}
	c.Fatalf("waited in vain for %s", what)
	return 0
}

// hold sets what player p holds from now on.
func (c *scene) hold(p int, turn, throttle int8, b tanks.Buttons) {
	c.in[p] = tanks.Input{Turn: turn, Throttle: throttle, Buttons: b}
}

// place puts player p's tank at a place, in whole units, looking along one of the axes: 0 to the right, 1 down, 2 to
// the left, 3 up.
func (c *scene) place(p int, x, y int64, look int) *tanks.Tank {
	t := &c.Tanks[p]
	t.Pos, t.Heading = at(x, y), [...]fixed.Num{0, fixed.HalfPi, fixed.Pi, fixed.Pi + fixed.HalfPi}[look]
	return t
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

// tap makes player p fire one shot.
func (c *scene) tap(p int) {
	before := c.in[p]
	c.in[p].Buttons |= tanks.Fire
	c.step(1)
	c.in[p] = before
}

// at is a place in whole units.
func at(x, y int64) fixed.Vec2 { return fixed.Vec2{X: fixed.FromInt(x), Y: fixed.FromInt(y)} }

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

func plan(t testing.TB) *canon.Plan[tanks.State] {
	t.Helper()
	p, err := canon.PlanFor[tanks.State]()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// same fails the test unless two states are equal, and says how they differ.
func same(t testing.TB, rule string, a, b *tanks.State) {
	t.Helper()
	if *a != *b {
		t.Errorf("%s: %v", rule, plan(t).Diff(a, b, 10))
	}
}

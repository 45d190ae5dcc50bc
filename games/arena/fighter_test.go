package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

func TestRunningHasATopSpeedAndFrictionEndsIt(t *testing.T) {
	c := fight(t, 2)
	f := c.place(0, -100, 0, 1, 0)
	c.hold(0, arena.StickEnd, 0, 0)
	c.step(60)
	limit := arena.Acceleration.Mul(arena.Friction).Div(fixed.One - arena.Friction)
	holds(t, "it runs at nearly the top speed", f.Vel.X > limit*99/100 && f.Vel.X <= limit)
	want(t, "straight on", f.Vel.Y, 0)
	c.release(0)
	c.step(60)
	want(t, "it stands", f.Vel, fixed.Vec2{})
	where := f.Pos
	c.step(60)
	want(t, "and stays", f.Pos, where)
}

func TestTwoKeysAreNoFasterThanOne(t *testing.T) {
	c := fight(t, 2)
	f, g := c.place(0, 0, 0, 1, 0), c.place(1, 0, -60, 1, 0)
	c.hold(0, arena.StickEnd, arena.StickEnd, 0)
	c.hold(1, arena.StickEnd, 0, 0)
	c.step(20)
	difference := (f.Vel.Length() - g.Vel.Length()).Abs()
	holds(t, "both run equally fast", difference < 8*fixed.Epsilon)
	want(t, "along the diagonal", f.Vel.X, f.Vel.Y)
}

func TestHalfAStickIsHalfTheSpeed(t *testing.T) {
	c := fight(t, 2)
	f, g := c.place(0, -100, 0, 1, 0), c.place(1, -100, -60, 1, 0)
	c.hold(0, 64, 0, 0)
	c.hold(1, arena.StickEnd, 0, 0)
	c.step(60)
	ratio := f.Vel.X.Div(g.Vel.X)
	holds(t, "half", ratio > fixed.Half && ratio < fixed.Half+fixed.One/100)
}

// There is no stick position of +128, so -128 counts as -127.
func TestTheEndsOfTheStickAreAlike(t *testing.T) {
	c := fight(t, 2)
	f, g := c.place(0, 0, 0, 1, 0), c.place(1, 0, -60, 1, 0)
	c.hold(0, -128, -128, 0)
	c.hold(1, 127, 127, 0)
	c.step(10)
	want(t, "mirrored", f.Vel, g.Vel.Neg())
}

func TestFacingIsWhereTheStickWasPushedLast(t *testing.T) {
	c := fight(t, 2)
	f := &c.Fighters[0]
	c.hold(0, 0, -50, 0)
	c.step(1)
	c.release(0)
	c.step(10)
	want(t, "up", [2]int8{f.FaceX, f.FaceY}, [2]int8{0, -50})
}

func TestChargingAndShieldingSlowDown(t *testing.T) {
	c := fight(t, 3)
	for p, b := range []arena.Buttons{0, arena.Shoot, arena.Shield} {
		c.place(p, -100, int64(-60+30*p), 1, 0)
		c.hold(p, arena.StickEnd, 0, b)
	}
	c.step(30)
	free, charging, shielded := c.Fighters[0].Vel.X, c.Fighters[1].Vel.X, c.Fighters[2].Vel.X
	holds(t, "charging is slower", charging < free*7/10)
	holds(t, "shielding is slower still", shielded < free*4/10)
}

func TestADashIsFastAndHasACooldown(t *testing.T) {
	c := fight(t, 2)
	f := c.place(0, -100, 0, 1, 0)
	c.hold(0, 0, 0, arena.Dash)
	c.step(arena.DashTicks)
	want(t, "its speed stays", f.Vel, fixed.Vec2{X: arena.DashSpeed})
	want(t, "it has come so far", f.Pos.X, at(-100, 0).X+arena.DashTicks*arena.DashSpeed)
	c.step(arena.DashCooldown)
	want(t, "holding on does not start another", f.Dashes, 1)
	c.release(0)
	c.step(1)
	c.tap(0, arena.Dash)
	want(t, "pressing again does", f.Dashes, 2)
	c.step(arena.DashCooldown / 2)
	c.tap(0, arena.Dash)
	want(t, "but not before the cooldown is over", f.Dashes, 2)
}

func TestADashGoesWhereTheStickPoints(t *testing.T) {
	c := fight(t, 2)
	f := c.place(0, 0, 0, 1, 0)
	c.hold(0, 0, arena.StickEnd, arena.Dash)
	c.step(1)
	c.hold(0, arena.StickEnd, 0, 0)
	c.step(5)
	want(t, "and cannot be steered", f.Vel, fixed.Vec2{Y: arena.DashSpeed})
}

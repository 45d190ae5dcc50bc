package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

// facing is a fight of two fighters who face each other at a distance in tenths of a unit.
func facing(t testing.TB, distance int64) *scene {
	c := fight(t, 2)
	c.place(0, -distance/2, 0, 1, 0)
	c.place(1, distance/2, 0, -1, 0)
	return c
}

func (c *scene) untilHit(p int) {
	c.Helper()
	hp := c.Fighters[p].Hp
	c.until("a hit", func() bool { return c.Fighters[p].Hp < hp })
}

func TestAShotHurtsThrowsBackAndStuns(t *testing.T) {
	c := facing(t, 60)
	c.hold(1, 0, 0, arena.Shoot)
	c.shoot(0, 1)
	c.untilHit(1)
	f := &c.Fighters[1]
	want(t, "damage", f.Hp, arena.FullHp-arena.ShotDamage)
	want(t, "it is to the shooter's credit", c.Fighters[0].Dealt, arena.ShotDamage)
	want(t, "by", f.HitBy, arena.Set(0b1))
	want(t, "the shot is gone", c.inTheAir(0), 0)
	holds(t, "thrown back", f.Vel.X >= arena.ShotDamage*arena.KnockBack)
	want(t, "stun", f.Stun, arena.StunTicks+arena.ShotDamage/arena.StunPerDamage)
	c.step(int(f.Stun) - 1)
	want(t, "no charge while stunned", f.Charge, 0)
	c.step(1)
	want(t, "then control is back", f.Charge, 1)
}

func TestTheLessHealthTheFartherABlowThrows(t *testing.T) {
	speeds := [2]fixed.Num{}
	for i, hp := range []int16{arena.FullHp, arena.ShotDamage + 1} {
		c := facing(t, 60)
		c.Fighters[1].Hp = hp
		c.shoot(0, 1)
		c.untilHit(1)
		speeds[i] = c.Fighters[1].Vel.X
	}
	holds(t, "nearly twice as far", speeds[1] > speeds[0]*17/10 && speeds[1] < speeds[0]*2)
}

func TestTwoCanHitAndKnockOutEachOtherInTheSameTick(t *testing.T) {
	c := facing(t, 60)
	c.Fighters[0].Hp, c.Fighters[1].Hp = 1, 1
	c.in[0].Buttons, c.in[1].Buttons = arena.Shoot, arena.Shoot
	c.step(1)
	c.release(0)
	c.release(1)
	c.until("the end of the round", func() bool { return c.Phase != arena.Fighting })
	for p := range 2 {
		want(t, "out", c.Fighters[p].Stance, arena.Out)
		want(t, "with a knock-out", c.Fighters[p].Knockouts, 1)
	}
	want(t, "nobody has won", c.RoundWinner, 0)
}

func TestAShotHitsAllWhomItTouchesInATick(t *testing.T) {
	c := fight(t, 3)
	c.place(0, -40, 0, 1, 0)
	c.place(1, 0, -6, 1, 0)
	c.place(2, 0, 6, 1, 0)
	c.shoot(0, 1)
	c.untilHit(1)
	want(t, "the other too", c.Fighters[2].Hp, c.Fighters[1].Hp)
}

func TestBlowsOfOneTickAddUp(t *testing.T) {
	c := fight(t, 3)
	c.place(0, -30, 0, 1, 0)
	c.place(1, 30, 0, -1, 0)
	c.place(2, 0, 0, 0, 1)
	c.in[0].Buttons, c.in[1].Buttons = arena.Shoot, arena.Shoot
	c.step(1)
	c.release(0)
	c.release(1)
	c.untilHit(2)
	want(t, "damage", c.Fighters[2].Hp, arena.FullHp-2*arena.ShotDamage)
	want(t, "two opposite pushes are none", c.Fighters[2].Vel, fixed.Vec2{})
	want(t, "by both", c.Fighters[2].HitBy, arena.Set(0b11))
}

func TestCreditForAKnockOutIsShared(t *testing.T) {
	c := fight(t, 4)
	c.place(0, -30, 0, 1, 0)
	c.place(1, 30, 0, -1, 0)
	c.place(2, 0, 0, 0, 1).Hp = 2 * arena.ShotDamage
	c.in[0].Buttons, c.in[1].Buttons = arena.Shoot, arena.Shoot
	c.step(1)
	c.release(0)
	c.release(1)
	c.until("the knock-out", func() bool { return c.Fighters[2].Stance == arena.Out })
	want(t, "one", c.Fighters[0].Knockouts, 1)
	want(t, "and the other", c.Fighters[1].Knockouts, 1)
	want(t, "but not who had no part", c.Fighters[3].Knockouts, 0)
}

func TestNothingHurtsInADash(t *testing.T) {
	c := facing(t, 40)
	c.shoot(0, 1)
	c.step(2)
	c.hold(1, 0, 0, arena.Dash)
	c.step(1)
	c.until("the shot's passing", func() bool { return c.Shots[0][0].Pos.X > c.Fighters[1].Pos.X+fixed.One })
	want(t, "unharmed", c.Fighters[1].Hp, arena.FullHp)
	want(t, "the shot flies on", c.inTheAir(0), 1)
}

func TestADashRamsEachOnce(t *testing.T) {
	c := facing(t, 25)
	c.hold(0, 0, 0, arena.Dash)
	c.untilHit(1)
	holds(t, "still dashing", c.Fighters[0].DashTicks > 0)
	holds(t, "thrown back", c.Fighters[1].Vel.X > 0)
	c.step(arena.DashTicks)
	want(t, "once", c.Fighters[1].Hp, arena.FullHp-arena.RamDamage)
	want(t, "and the dasher is unharmed", c.Fighters[0].Hp, arena.FullHp)
}

func TestTwoDashesDoNotHurtEachOther(t *testing.T) {
	c := facing(t, 40)
	c.hold(0, 0, 0, arena.Dash)
	c.hold(1, 0, 0, arena.Dash)
	c.step(arena.DashTicks)
	want(t, "one", c.Fighters[0].Hp, arena.FullHp)
	want(t, "the other", c.Fighters[1].Hp, arena.FullHp)
}

package arena_test

import (
	"testing"

	"github.com/tickback/tickback/games/arena"
)

func TestAShieldDrainsAndRegains(t *testing.T) {
	c := fight(t, 2)
	f := &c.Fighters[0]
	c.hold(0, 0, 0, arena.Shield)
	c.step(10)
	want(t, "raised", f.Guard, arena.Raised)
	want(t, "drained", f.Energy, arena.FullEnergy-10*arena.EnergyDrain)
	c.release(0)
	c.step(5)
	want(t, "lowered", f.Guard, arena.Lowered)
	want(t, "regained", f.Energy, arena.FullEnergy-10*arena.EnergyDrain+5*arena.EnergyGain)
	c.step(arena.FullEnergy)
	want(t, "full, and no more", f.Energy, arena.FullEnergy)
}

func TestAShieldBreaksAndComesBack(t *testing.T) {
	c := fight(t, 2)
	f := &c.Fighters[0]
	c.hold(0, 0, 0, arena.Shield)
	c.step(arena.FullEnergy / arena.EnergyDrain)
	want(t, "broken", f.Guard, arena.Broken)
	c.step(arena.ShieldReady/arena.EnergyGain - 1)
	want(t, "still broken, though held", f.Guard, arena.Broken)
	c.step(2)
	want(t, "raised again", f.Guard, arena.Raised)
}

func TestAShieldTakesTheDamage(t *testing.T) {
	c := fight(t, 2)
	shooter := c.place(0, -20, 0, 1, 0)
	f := c.place(1, 0, 0, -1, 0)
	shooter.BigShots = 1
	c.hold(1, 0, 0, arena.Shield)
	c.shoot(0, 1)
	before := f.Energy
	drained := c.until("the hit", func() bool { return c.inTheAir(0) == 0 })
	want(t, "no damage", f.Hp, arena.FullHp)
	want(t, "no stun", f.Stun, 0)
	const cost = (arena.ShotDamage + arena.BigDamage) * arena.BlockCost
	want(t, "but energy", f.Energy, before-int16(drained)*arena.EnergyDrain-cost)
	holds(t, "and some push", f.Vel.X > 0)
}

func TestABlowCanBreakTheShield(t *testing.T) {
	c := fight(t, 2)
	c.place(0, -20, 0, 1, 0)
	f := c.place(1, 0, 0, -1, 0)
	f.Energy = 30
	c.hold(1, 0, 0, arena.Shield)
	c.shoot(0, 1)
	c.until("the hit", func() bool { return c.inTheAir(0) == 0 })
	want(t, "it takes this blow whole", f.Hp, arena.FullHp)
	want(t, "and no other", f.Guard, arena.Broken)
	c.step(arena.ShotCooldown)
	c.shoot(0, 1)
	c.until("the next hit", func() bool { return c.inTheAir(0) == 0 })
	want(t, "the next one hurts", f.Hp, arena.FullHp-arena.ShotDamage)
}

func TestAShieldCancelsAChargeAndEndsWithADash(t *testing.T) {
	c := fight(t, 2)
	f := &c.Fighters[0]
	c.hold(0, 0, 0, arena.Shoot)
	c.step(20)
	c.hold(0, 0, 0, arena.Shoot|arena.Shield)
	c.step(1)
	want(t, "no charge", f.Charge, 0)
	c.hold(0, 0, 0, arena.Shield|arena.Dash)
	c.step(1)
	want(t, "no shield", f.Guard, arena.Lowered)
	want(t, "a dash", f.Dashes, 1)
}

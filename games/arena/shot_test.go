package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

// lonely is a fight in which player 0 has the arena to itself: player 1 stands behind it, in a corner.
func lonely(t testing.TB) *scene {
	c := fight(t, 2)
	c.place(0, -100, 0, 1, 0)
	c.place(1, -150, 80, -1, 0)
	return c
}

func TestATapIsAWeakShotAndHoldingCharges(t *testing.T) {
	c := lonely(t)
	c.tap(0, arena.Shoot)
	want(t, "nothing yet", c.inTheAir(0), 0)
	c.step(1)
	want(t, "when it is let go", c.Shots[0][0].Damage, arena.ShotDamage)
	c.step(arena.ShotCooldown)
	c.shoot(0, 1+arena.FullCharge/2)
	want(t, "half a charge", c.Shots[0][1].Damage, arena.ShotDamage+arena.ChargeDamage/2)
	c.shoot(0, 10*arena.FullCharge)
	want(t, "a full one is all there is", c.Shots[0][0].Damage, arena.ShotDamage+arena.ChargeDamage)
	want(t, "three shots", c.Fighters[0].Shots, 3)
}

func TestAShotWaitsForTheCooldown(t *testing.T) {
	c := lonely(t)
	c.shoot(0, 1)
	c.shoot(0, 1)
	want(t, "the second one waits", c.Fighters[0].Shots, 1)
	c.step(arena.ShotCooldown - 2)
	want(t, "and is not lost", c.Fighters[0].Shots, 2)
}

func TestAShotFliesStraightAndFades(t *testing.T) {
	c := lonely(t)
	c.shoot(0, 1)
	shot := &c.Shots[0][0]
	want(t, "it starts at the fighter", shot.Pos.X, at(-100, 0).X+arena.ShotSpeed)
	c.step(10)
	want(t, "straight on", shot.Pos, fixed.Vec2{X: at(-100, 0).X + 11*arena.ShotSpeed})
	c.step(arena.ShotLife - 12)
	want(t, "its last tick", c.inTheAir(0), 1)
	c.step(1)
	want(t, "gone", c.inTheAir(0), 0)
}

func TestAShotBouncesOnce(t *testing.T) {
	c := lonely(t)
	c.place(0, 120, 0, 1, 0)
	c.shoot(0, 1)
	shot := &c.Shots[0][0]
	c.until("the wall", func() bool { return shot.Vel.X < 0 })
	want(t, "as fast as before", shot.Vel.X, -arena.ShotSpeed)
	want(t, "its owner is in no danger", c.Fighters[0].Hp, arena.FullHp)
	shot.Vel.X = arena.ShotSpeed
	c.step(2)
	want(t, "the second bounce ends it", c.inTheAir(0), 0)
}

func TestAShotBouncesOffPillars(t *testing.T) {
	c := lonely(t)
	pillar := arena.Pillars()[1]
	f := c.place(0, 20, 0, 1, 0)
	f.Pos.Y = pillar.Y + arena.PillarRadius.Mul(fixed.Half)
	c.shoot(0, 1)
	shot := &c.Shots[0][0]
	straight := shot.Vel
	c.until("the bounce", func() bool { return shot.Vel != straight })
	holds(t, "aside", shot.Vel.Y > 0)
	holds(t, "as fast as before", (shot.Vel.Length()-arena.ShotSpeed).Abs() < 16*fixed.Epsilon)
	holds(t, "from the surface", (shot.Pos.Distance(pillar)-arena.PillarRadius-arena.ShotRadius).Abs() < 16*fixed.Epsilon)
}

func TestAFighterHasSoManyShotsInTheAir(t *testing.T) {
	c := lonely(t)
	for range arena.ShotsEach {
		c.Fighters[0].ShotCooldown = 0
		c.shoot(0, 1)
	}
	c.Fighters[0].ShotCooldown = 0
	c.shoot(0, 1)
	want(t, "the next one waits", c.Fighters[0].Shots, arena.ShotsEach)
	c.until("a free place", func() bool { return c.Fighters[0].Shots > arena.ShotsEach })
	want(t, "which it takes", c.inTheAir(0), arena.ShotsEach)
}

func TestAShotTurnsToTheNearestOpponentInTheCone(t *testing.T) {
	for _, scenario := range []struct {
		rule     string
		x1, y1   int64
		x2, y2   int64
		at1, at2 bool
	}{
		{"the nearer of two", 60, 20, 30, 10, false, true},
		{"the only one in the cone", 60, 20, 10, 30, true, false},
		{"nobody outside of the cone", 20, 20, 20, -20, false, false},
		{"nobody behind", -60, 0, -30, 0, false, false},
		{"neither of two who are equally near", 60, 20, 60, -20, false, false},
	} {
		c := fight(t, 3)
		c.place(0, 0, 0, 1, 0)
		c.place(1, scenario.x1, scenario.y1, 1, 0)
		c.place(2, scenario.x2, scenario.y2, 1, 0)
		c.shoot(0, 1)
		direction := fixed.Vec2{X: fixed.One}
		switch {
		case scenario.at1:
			direction = at(scenario.x1, scenario.y1).Normalise()
		case scenario.at2:
			direction = at(scenario.x2, scenario.y2).Normalise()
		}
		want(t, scenario.rule, c.Shots[0][0].Vel, direction.Scale(arena.ShotSpeed))
	}
}

package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
)

// duel is a match in which players 0 and 1 face each other on free ground, at the given distance.
func duel(t testing.TB, apart int64) *scene {
	c := match(t, 2)
	c.place(0, -200, 500, 0)
	c.place(1, -200+apart, 500, 2)
	return c
}

func TestAGunFiresWhileItIsHeldAndLoaded(t *testing.T) {
	c := duel(t, 300)
	c.hold(0, 0, 0, ^tanks.Fire)
	c.step(1)
	want(t, "other buttons do nothing", c.Tanks[0].Shots, 0)
	c.hold(0, 0, 0, tanks.Fire)
	c.step(1)
	want(t, "at once", c.Tanks[0].Shots, 1)
	want(t, "from the tank", c.Shots[0][0].Pos, c.Tanks[0].Pos)
	c.step(tanks.ReloadTicks - 1)
	want(t, "not before it is loaded", c.Tanks[0].Shots, 1)
	c.step(1)
	want(t, "then again", c.Tanks[0].Shots, 2)
	c.place(0, -800, 560, 0)
	c.step(20 * tanks.ReloadTicks)
	want(t, "all the time", c.Tanks[0].Shots, 22)
	want(t, "a third is in the air", c.inTheAir(0), 3)
}

func TestAShotFliesStraightAndEnds(t *testing.T) {
	c := match(t, 1)
	c.place(0, -800, 560, 0)
	c.tap(0)
	shot := &c.Shots[0][0]
	want(t, "speed per tick", shot.Vel, fixed.Vec2{X: 24 * fixed.One})
	c.step(tanks.ShotTicks - 1)
	want(t, "way", shot.Pos, at(-800+24*(tanks.ShotTicks-1), 560))
	c.step(1)
	want(t, "gone", *shot, tanks.Shot{})
}

func TestAShotEndsAtAWall(t *testing.T) {
	for _, c := range []struct {
		x, y  int64
		look  int
		ticks int
	}{
		{100, 0, 0, 8},  // the wall at 288 is 188 units away
		{-100, 0, 2, 8}, // alike on the other side
		{0, -640 + 100, 3, 5},
		{0, 640 - 100, 1, 5},
		{900, 500, 0, 3},
	} {
		s := match(t, 1)
		s.place(0, c.x, c.y, c.look)
		s.tap(0)
		s.step(c.ticks - 1)
		want(t, "before", s.inTheAir(0), 1)
		s.step(1)
		want(t, "after", s.inTheAir(0), 0)
	}
}

// A shot right in front of a wall does not reach beyond it.
func TestNobodyIsHitThroughAWall(t *testing.T) {
	c := match(t, 2)
	c.place(0, 270, 0, 0)
	c.place(1, 370, 0, 2)
	c.hold(0, 0, 0, tanks.Fire)
	c.step(30)
	want(t, "unhurt", c.Tanks[1].Hp, tanks.FullHp)
}

func TestAHitHurtsAndFourDestroy(t *testing.T) {
	c := duel(t, 100)
	c.hold(0, 0, 0, tanks.Fire)
	want(t, "ticks to the hit", c.until("a hit", func() bool { return c.Tanks[1].Hp < tanks.FullHp }), 5)
	want(t, "health", c.Tanks[1].Hp, tanks.FullHp-tanks.ShotDamage)
	want(t, "the shot is gone", c.inTheAir(0), 0)
	c.until("the end", func() bool { return c.Tanks[1].Stance == tanks.Out })
	want(t, "health", c.Tanks[1].Hp, 0)
	want(t, "shots", c.Tanks[0].Shots, 4)
	want(t, "kills", c.Tanks[0].Kills, 1)
	want(t, "deaths", c.Tanks[1].Deaths, 1)
}

// The maximum distance at which a shot that passes beside a tank hits it: the sum of the radii.
func TestAShotHitsWithinTheSumOfTheRadii(t *testing.T) {
	for _, c := range []struct {
		beside fixed.Num
		hp     int16
	}{
		{20*fixed.One - fixed.Epsilon, tanks.FullHp - tanks.ShotDamage},
		{20 * fixed.One, tanks.FullHp},
		{-20*fixed.One + fixed.Epsilon, tanks.FullHp - tanks.ShotDamage},
		{-20 * fixed.One, tanks.FullHp},
	} {
		s := duel(t, 120)
		s.Tanks[1].Pos.Y += c.beside
		s.tap(0)
		s.step(20)
		want(t, "health", s.Tanks[1].Hp, c.hp)
	}
}

func TestAShotHitsTheFirstTankOnItsWay(t *testing.T) {
	c := match(t, 4)
	c.place(0, -200, 500, 0)
	c.place(1, -50, 530, 2) // out of its way
	c.place(2, -120, 500, 2)
	c.place(3, -160, 500, 2)
	c.tap(0)
	c.step(3)
	want(t, "the nearer one", c.Tanks[3].Hp, tanks.FullHp-tanks.ShotDamage)
	want(t, "the farther one", c.Tanks[2].Hp, tanks.FullHp)
	c.step(tanks.ReloadTicks)
	c.place(2, -152, 515, 2)
	c.place(3, -152, 485, 2)
	c.tap(0)
	c.step(3)
	want(t, "of two at once the lower number", c.Tanks[2].Hp, tanks.FullHp-tanks.ShotDamage)
	want(t, "not both", c.Tanks[3].Hp, tanks.FullHp-tanks.ShotDamage)
	want(t, "never its own", c.Tanks[0].Hp, tanks.FullHp)
}

func TestTwoCanDestroyEachOther(t *testing.T) {
	c := duel(t, 100)
	c.hold(0, 0, 0, tanks.Fire)
	c.hold(1, 0, 0, tanks.Fire)
	c.until("the end", func() bool { return c.Tanks[0].Stance == tanks.Out })
	want(t, "both", c.Tanks[1].Stance, tanks.Out)
	want(t, "kills", [2]uint16{c.Tanks[0].Kills, c.Tanks[1].Kills}, [2]uint16{1, 1})
}

func TestShotsOfWhoLeavesFlyOn(t *testing.T) {
	c := duel(t, 200)
	c.tap(0)
	c.present = first(2) &^ first(1)
	c.step(1)
	want(t, "it is gone", c.Tanks[0], tanks.Tank{})
	c.step(10)
	want(t, "its shot hits", c.Tanks[1].Hp, tanks.FullHp-tanks.ShotDamage)
}

package arena_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

func TestWallsStopAndThrowBack(t *testing.T) {
	c := fight(t, 2)
	f := c.place(0, 150, 0, 1, 0)
	f.Vel = fixed.Vec2{X: fixed.Half}
	c.step(1)
	want(t, "it touches the wall", f.Pos.X, arena.HalfWidth-arena.FighterRadius)
	holds(t, "and is thrown back, slower", f.Vel.X < 0 && f.Vel.X > -fixed.Half/2)
	c.hold(0, arena.StickEnd, arena.StickEnd, 0)
	c.step(200)
	corner := fixed.Vec2{X: arena.HalfWidth - arena.FighterRadius, Y: arena.HalfHeight - arena.FighterRadius}
	holds(t, "a corner holds it", f.Pos.Distance(corner) < fixed.One/20)
}

func TestPillarsAreWalkedAround(t *testing.T) {
	c := fight(t, 2)
	pillar := arena.Pillars()[1]
	f := c.place(0, 30, 0, 1, 0)
	f.Pos.Y = pillar.Y + fixed.One/4
	c.hold(0, arena.StickEnd, 0, 0)
	nearest := fixed.Max
	c.until("the other side", func() bool {
		nearest = min(nearest, f.Pos.Distance(pillar))
		return f.Pos.X > pillar.X+2*fixed.One
	})
	const touching = arena.PillarRadius + arena.FighterRadius
	holds(t, "it touches the pillar and does not enter it", nearest >= touching-4*fixed.Epsilon && nearest < touching+fixed.One/20)
}

func TestSpeedIsLimitedHoweverHardTheBlow(t *testing.T) {
	c := fight(t, 2)
	f := c.place(0, 0, 0, 1, 0)
	f.Vel = fixed.Vec2{X: 100 * fixed.One}
	c.step(1)
	want(t, "one tick", f.Pos.X, arena.TopSpeed.Mul(arena.Friction))
}

func TestBodiesPushEachOtherApartByHalf(t *testing.T) {
	c := fight(t, 2)
	f, g := c.place(0, -3, 0, 1, 0), c.place(1, 3, 0, -1, 0)
	c.step(1)
	want(t, "one to the left", f.Pos.X, -arena.FighterRadius)
	want(t, "one to the right", g.Pos.X, arena.FighterRadius)
}

func TestFightersInTheSamePlaceComeApart(t *testing.T) {
	c := fight(t, 2)
	f, g := c.place(0, 0, 0, 1, 0), c.place(1, 0, 0, -1, 0)
	c.step(2)
	want(t, "apart", f.Pos.Distance(g.Pos), 2*arena.FighterRadius)
	holds(t, "the lower number goes to the left", f.Pos.X < g.Pos.X)
}

func TestACrowdInACornerComesApart(t *testing.T) {
	c := fight(t, 8)
	for p := range c.Fighters {
		c.place(p, 150+int64(p%3), 80+int64(p/3), 1, 0)
	}
	c.step(120)
	for p := range c.Fighters {
		for q := range p {
			d := c.Fighters[p].Pos.Distance(c.Fighters[q].Pos)
			holds(t, "nobody is inside of another", d > 2*arena.FighterRadius*98/100)
		}
	}
}

func TestThoseWhoAreOutAreInNobodysWay(t *testing.T) {
	c := fight(t, 3)
	c.place(0, -20, 0, 1, 0)
	c.place(1, 0, 0, 1, 0).Stance = arena.Out
	c.hold(0, arena.StickEnd, 0, 0)
	c.step(60)
	want(t, "straight through", c.Fighters[0].Pos.Y, 0)
	holds(t, "to the other side", c.Fighters[0].Pos.X > 2*fixed.One)
}

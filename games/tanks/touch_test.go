package tanks_test

import (
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
)

func TestTanksPushEachOtherApartByHalf(t *testing.T) {
	c := match(t, 2)
	f, g := c.place(0, -210, 500, 0), c.place(1, -190, 500, 0)
	c.step(1)
	want(t, "one to the left", f.Pos, at(-216, 500))
	want(t, "one to the right", g.Pos, at(-184, 500))
}

func TestTanksInTheSamePlaceComeApart(t *testing.T) {
	c := match(t, 2)
	f, g := c.place(0, -200, 500, 0), c.place(1, -200, 500, 0)
	c.step(1)
	want(t, "apart", f.Pos.Distance(g.Pos), 32*fixed.One)
	holds(t, "the lower number goes to the left", f.Pos.X < g.Pos.X)
}

// Pairs are processed in the order of their numbers: the first push determines which tank the next one touches.
func TestPushesComeInTheOrderOfTheNumbers(t *testing.T) {
	c := match(t, 3)
	c.place(0, -200, 500, 0)
	c.place(1, -180, 500, 0)
	c.place(2, -160, 500, 0)
	c.step(1)
	want(t, "first 0 and 1", c.Tanks[0].Pos, at(-206, 500))
	want(t, "then 1 and 2", c.Tanks[1].Pos, at(-183, 500))
	want(t, "which comes last", c.Tanks[2].Pos, at(-151, 500))
}

func TestACrowdInACornerComesApart(t *testing.T) {
	c := match(t, everybody)
	for p := range everybody {
		c.place(p, 940+int64(p%3), 620+int64(p/3), 0)
	}
	c.step(400)
	for p := range everybody {
		for q := range p {
			holds(t, "apart", c.Tanks[p].Pos.Distance(c.Tanks[q].Pos) > 31*fixed.One)
		}
	}
}

func TestNobodyIsPushedIntoAWall(t *testing.T) {
	for one := range 2 { // whichever has the lower number
		c, other := match(t, 2), 1-one
		f, g := c.place(one, 272, 100, 0), c.place(other, 250, 100, 0)
		c.hold(other, 0, tanks.StickEnd, 0)
		for range 40 {
			c.step(1)
			holds(t, "it stays before the wall", f.Pos.X <= at(272, 0).X)
		}
		holds(t, "and the other one comes up to it", g.Pos.Distance(f.Pos) > 25*fixed.One)
	}
}

func TestWrecksAreInNobodysWay(t *testing.T) {
	c := destroyed(t)
	c.hold(0, 0, tanks.StickEnd, 0)
	c.step(20)
	want(t, "straight through", c.Tanks[0].Pos, at(-200+120, 500))
}

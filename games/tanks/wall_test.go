package tanks_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/tanks"
)

// gap returns the distance between two ranges; if it is below 0 they overlap.
func gap(a, halfA, b, halfB int) int { return max(a-b, b-a) - halfA - halfB }

// The gaps between walls are wider than a tank, so that it never touches two, and walls are thicker than the distance
// that it drives or a shot flies in a tick.
func TestATankTouchesOneWallAtMost(t *testing.T) {
	for i := range tanks.Walls {
		w := tanks.WallAt(i)
		holds(t, "thick", min(w.HalfX, w.HalfY)*2 > tanks.ShotSpeed/tanks.TicksPerSecond+tanks.TankRadius)
		free := min(tanks.HalfWidth-max(w.X, -w.X)-w.HalfX, tanks.HalfHeight-max(w.Y, -w.Y)-w.HalfY)
		holds(t, "away from the outer walls", free > 2*tanks.TankRadius)
		for j := range i {
			v := tanks.WallAt(j)
			apart := max(gap(int(w.X), int(w.HalfX), int(v.X), int(v.HalfX)), gap(int(w.Y), int(w.HalfY), int(v.Y), int(v.HalfY)))
			holds(t, "away from each other", apart > 2*tanks.TankRadius)
		}
		opposite := tanks.Wall{X: -w.X, Y: -w.Y, HalfX: w.HalfX, HalfY: w.HalfY}
		found := false
		for j := range tanks.Walls {
			found = found || tanks.WallAt(j) == opposite
		}
		holds(t, "one lies opposite", found)
	}
	for i := range tanks.Spawns {
		p, q := tanks.SpawnAt(i), tanks.SpawnAt(i^1)
		want(t, "spawns lie opposite", p, tanks.Place{X: -q.X, Y: -q.Y})
		holds(t, "in the open", inTheOpen(p.Vec(), 0))
	}
}

// slack is how far rounding may leave a tank inside the corner of a wall: the error of a direction, times the radius.
const slack = tanks.TankRadius * fixed.Epsilon

// inTheOpen reports whether a tank is in no wall, with some tolerance.
func inTheOpen(pos fixed.Vec2, slack fixed.Num) bool {
	const radius = tanks.TankRadius * fixed.One
	if pos.X.Abs() > tanks.HalfWidth*fixed.One-radius || pos.Y.Abs() > tanks.HalfHeight*fixed.One-radius {
		return false
	}
	for i := range tanks.Walls {
		w := tanks.WallAt(i)
		c, half := at(int64(w.X), int64(w.Y)), at(int64(w.HalfX), int64(w.HalfY))
		nearest := fixed.Vec2{X: pos.X.Clamp(c.X-half.X, c.X+half.X), Y: pos.Y.Clamp(c.Y-half.Y, c.Y+half.Y)}
		if nearest.Distance(pos) < radius-slack {
			return false
		}
	}
	return true
}

// Wherever a tank is placed, it is moved out of walls at once, and not farther than necessary.
func TestWallsKeepTanksOut(t *testing.T) {
	d, pushed := newDice(3), 0
	for range 3000 {
		tank := alone()
		tank.Pos, tank.Heading = d.place(), fixed.Num(d.Int64N(int64(fixed.TwoPi)))
		if d.IntN(2) == 0 { // at a wall
			w := tanks.WallAt(d.IntN(tanks.Walls))
			tank.Pos = at(int64(w.X)+(d.Int64N(3)-1)*int64(w.HalfX), int64(w.Y)+(d.Int64N(3)-1)*int64(w.HalfY)).Add(d.place().Scale(fixed.One / 16))
		}
		there := tank.Pos
		tanks.Drive(&tank, ahead, tanks.TickMs)
		there = there.Add(tank.Ahead().Scale(6 * fixed.One))
		holds(t, "out", inTheOpen(tank.Pos, slack))
		if inTheOpen(there, -fixed.Epsilon) {
			want(t, "no wall, no push", tank.Pos, there)
		} else {
			pushed++
			holds(t, "the shortest way", !shorter(there, tank.Pos))
		}
	}
	holds(t, "walls were met", pushed > 500)
}

// shorter reports whether one of the four sides of a wall, or a corner, would have been a clearly shorter way out.
func shorter(from, to fixed.Vec2) bool {
	way := from.Distance(to) - fixed.One/8
	for angle := fixed.Num(0); angle < fixed.TwoPi; angle += fixed.TwoPi / 64 {
		if way > 0 && inTheOpen(from.Add(fixed.Vec2{X: way}.Rotate(angle)), 0) {
			return true
		}
	}
	return false
}

func TestATankSlidesAlongAWall(t *testing.T) {
	c := match(t, 1)
	tank := c.place(0, 280-16-10, 100, 0)
	tank.Heading = fixed.Pi / 4
	c.hold(0, 0, tanks.StickEnd, 0)
	c.step(12)
	want(t, "it touches the wall", tank.Pos.X, at(288-16, 0).X)
	holds(t, "and slides", tank.Pos.Y > at(0, 100+40).Y)
	c.hold(0, 0, -tanks.StickEnd, 0)
	c.step(1)
	holds(t, "until it drives away", tank.Pos.X < at(288-16, 0).X)
}

func TestTheOuterWallsHold(t *testing.T) {
	c := match(t, 1)
	tank := c.place(0, 900, 600, 0)
	tank.Heading = fixed.Pi / 4
	c.hold(0, 0, tanks.StickEnd, 0)
	c.step(40)
	want(t, "a corner", tank.Pos, at(960-16, 640-16))
}

// crosses reports in exact numbers whether the line between two points touches a wall: whether some part of the line is
// within both of the wall's ranges.
func crosses(a, b fixed.Vec2, w tanks.Wall) bool {
	low, high := new(big.Rat), big.NewRat(1, 1)
	for _, axis := range [][4]int64{
		{int64(a.X), int64(b.X), int64(w.X), int64(w.HalfX)},
		{int64(a.Y), int64(b.Y), int64(w.Y), int64(w.HalfY)},
	} {
		from, d := axis[0], axis[1]-axis[0]
		least, most := (axis[2]-axis[3])<<16, (axis[2]+axis[3])<<16
		if d == 0 {
			if from < least || from > most {
				return false
			}
			continue
		}
		t1, t2 := big.NewRat(least-from, d), big.NewRat(most-from, d)
		if t1.Cmp(t2) > 0 {
			t1, t2 = t2, t1
		}
		if t1.Cmp(low) > 0 {
			low = t1
		}
		if t2.Cmp(high) < 0 {
			high = t2
		}
	}
	return low.Cmp(high) <= 0
}

// A tank sees another one if it is near and no wall is in between: in exact numbers, and in both directions.
func TestSightEqualsTheRulesAsWritten(t *testing.T) {
	c, r := match(t, 2), rand.New(rand.NewPCG(1, 2))
	between := func(limit int64) fixed.Num { return fixed.Num(r.Int64N(2*limit<<16+1) - limit<<16) }
	seen, hidden, far := 0, 0, 0
	for range 5000 {
		a := fixed.Vec2{X: between(1000), Y: between(700)}
		b := a.Add(fixed.Vec2{X: between(800), Y: between(800)})
		if r.IntN(4) == 0 { // along an edge, or to a corner
			a, b = fixed.Vec2{X: a.X.Floor(), Y: at(0, 80).Y}, fixed.Vec2{X: b.X.Floor(), Y: at(0, 80).Y}
		} else if r.IntN(4) == 0 {
			a = fixed.Vec2{X: at(80, 0).X - a.Y.Floor() + at(0, 80).Y, Y: a.Y.Floor()}
			b = fixed.Vec2{X: at(80, 0).X - b.Y.Floor() + at(0, 80).Y, Y: b.Y.Floor()}
		}
		c.Tanks[0].Pos, c.Tanks[1].Pos = a, b
		walls := false
		for i := range tanks.Walls {
			walls = walls || crosses(a, b, tanks.WallAt(i))
		}
		near := a.Distance(b) < tanks.ViewDistance*fixed.One
		want(t, "sight", c.Sees(0, 1), near && !walls)
		want(t, "from the other side", c.Sees(1, 0), near && !walls)
		switch {
		case !near:
			far++
		case walls:
			hidden++
		default:
			seen++
		}
	}
	holds(t, "all cases came", seen > 500 && hidden > 500 && far > 500)
}

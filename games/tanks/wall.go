package tanks

import "github.com/tickback/tickback/fixed"

// Wall is a block on the map, in whole units: its centre, and its extent from there. No tank and no shot
// enters it, and nobody sees through it.
type Wall struct{ X, Y, HalfX, HalfY int16 }

// Walls is the number of walls.
const Walls = 11

// WallAt returns wall i, 0 to Walls - 1. It panics for any other i.
func WallAt(i int) Wall { return walls[i] }

// walls are so far apart, and so far from the outer walls, that a tank touches at most one of them.
// They are thicker than the distance that a tank drives or a shot flies in a tick.
var walls = [Walls]Wall{
	{0, 0, 80, 80},
	{-320, 0, 32, 160},
	{320, 0, 32, 160},
	{0, -320, 160, 32},
	{0, 320, 160, 32},
	{-600, -360, 96, 32},
	{600, 360, 96, 32},
	{-600, 360, 96, 32},
	{600, -360, 96, 32},
	{-760, 0, 32, 96},
	{760, 0, 32, 96},
}

// block is a wall as numbers of the simulation.
type block struct{ centre, half fixed.Vec2 }

var blocks = blocksOf(walls)

func blocksOf(walls [Walls]Wall) (blocks [Walls]block) {
	for i, w := range walls {
		blocks[i] = block{Place{w.X, w.Y}.Vec(), Place{w.HalfX, w.HalfY}.Vec()}
	}
	return blocks
}

// keepOut moves the centre of a tank out of all walls, the shortest way.
func keepOut(at fixed.Vec2) fixed.Vec2 {
	for i := range blocks {
		if d := at.Sub(blocks[i].centre); d.X.Abs() < blocks[i].half.X+tankRadius && d.Y.Abs() < blocks[i].half.Y+tankRadius {
			at = blocks[i].centre.Add(blocks[i].push(d))
		}
	}
	return fixed.Vec2{X: at.X.Clamp(-tankMaxX, tankMaxX), Y: at.Y.Clamp(-tankMaxY, tankMaxY)}
}

// push moves a tank, which is given relative to the wall's centre, out of the wall: away from the
// nearest point of the wall, or, if its centre is inside, over the nearest side. Of two sides
// that are equally near it takes the left or right one.
func (b *block) push(d fixed.Vec2) fixed.Vec2 {
	nearest := fixed.Vec2{X: d.X.Clamp(-b.half.X, b.half.X), Y: d.Y.Clamp(-b.half.Y, b.half.Y)}
	if nearest == d {
		if b.half.X-d.X.Abs() <= b.half.Y-d.Y.Abs() {
			return fixed.Vec2{X: toward(b.half.X+tankRadius, d.X), Y: d.Y}
		}
		return fixed.Vec2{X: d.X, Y: toward(b.half.Y+tankRadius, d.Y)}
	}
	if away := d.Sub(nearest); away.LengthSquared() < tankRadius.Mul(tankRadius) {
		return nearest.Add(away.Normalise().Scale(tankRadius))
	}
	return d
}

// toward returns a magnitude with the sign of another number.
func toward(magnitude, sign fixed.Num) fixed.Num {
	if sign < 0 {
		return -magnitude
	}
	return magnitude
}

// free returns how much of the way d from a point is free of walls, 0 to One.
func free(from, d fixed.Vec2) fixed.Num {
	share := min(inside(from.X, d.X, mapX), inside(from.Y, d.Y, mapY))
	l := lineOf(from, from.Add(d))
	for i := range blocks {
		if b := &blocks[i]; l.meets(b) {
			at := from.Sub(b.centre)
			share = min(share, max(entry(at.X, d.X, b.half.X), entry(at.Y, d.Y, b.half.Y)))
		}
	}
	return share.Clamp(0, fixed.One)
}

// inside returns the share of the way d along an axis after which it reaches the outer wall.
func inside(at, d, limit fixed.Num) fixed.Num {
	if (at + d).Abs() <= limit {
		return fixed.One
	}
	return (toward(limit, d) - at).Div(d)
}

// entry returns the share of the way d along an axis after which a wall begins, 0 if it has begun.
func entry(at, d, half fixed.Num) fixed.Num {
	if at.Abs() <= half {
		return 0
	}
	return (toward(half, at) - at).Div(d)
}

// near reports whether two points are nearer to each other than reach, which is less than 2^14 units.
// Most pairs are far apart, which takes only two comparisons to see. The squares are rounded like those
// of [fixed.Vec2.DistanceSquared].
func near(a, b fixed.Vec2, reach fixed.Num) bool {
	dx, dy := a.X-b.X, a.Y-b.Y
	if dx >= reach || -dx >= reach || dy >= reach || -dy >= reach {
		return false
	}
	const half = int64(fixed.One) / 2
	return (int64(dx)*int64(dx)+int64(dy)*int64(dy)+half)>>fixed.FracBits < (int64(reach)*int64(reach)+half)>>fixed.FracBits
}

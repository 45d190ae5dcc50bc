package tanks

import (
	"math/bits"

	"github.com/tickback/tickback/fixed"
)

// line is a segment from one point to another, prepared for many tests. All coordinates are doubled, so that those of the middle
// are integers.
type line struct {
	middle fixed.Vec2 // twice the middle
	way    fixed.Vec2
	extent fixed.Vec2 // the absolute value of way, which is half of the segment, doubled
}

func lineOf(from, to fixed.Vec2) line {
	way := fixed.Vec2{X: to.X - from.X, Y: to.Y - from.Y}
	return line{fixed.Vec2{X: from.X + to.X, Y: from.Y + to.Y}, way, fixed.Vec2{X: absolute(way.X), Y: absolute(way.Y)}}
}

// absolute returns the absolute value of n. It has no branch, since the sign of a position cannot be predicted.
func absolute(n fixed.Num) fixed.Num {
	sign := n >> 63
	//detlint:ignore fixedwrap with the bits of a negative number turned over, one more is its absolute; on the map none is the least
	return n ^ sign - sign
}

// meets reports whether a wall touches the line: no axis separates them, neither one of the wall's nor the one across the line.
// No product exceeds 2^60 on the map.
func (l *line) meets(b *block) bool {
	mx, my := l.middle.X-2*b.centre.X, l.middle.Y-2*b.centre.Y
	if (2*b.half.X+l.extent.X-absolute(mx))|(2*b.half.Y+l.extent.Y-absolute(my)) < 0 {
		return false
	}
	across := absolute(fixed.Num(int64(l.way.X)*int64(my) - int64(l.way.Y)*int64(mx)))
	return int64(across) <= 2*(int64(b.half.X)*int64(l.extent.Y)+int64(b.half.Y)*int64(l.extent.X))
}

// clear reports whether no wall is between two points on the map. It is exact, and the same from
// either end.
func clear(a, b fixed.Vec2) bool {
	l := lineOf(a, b)
	for i := range blocks {
		if l.meets(&blocks[i]) {
			return false
		}
	}
	return true
}

// wallSet is a set of walls, bit i for wall i.
type wallSet uint16

// clearOf does what clear does, for some of the walls.
func clearOf(a, b fixed.Vec2, some wallSet) bool {
	l := lineOf(a, b)
	for ; some != 0; some &= some - 1 {
		if l.meets(&blocks[bits.TrailingZeros16(uint16(some))]) {
			return false
		}
	}
	return true
}

// box is the smallest box that contains some points. The zero value contains the origin alone, see boxOf.
type box struct{ least, most fixed.Vec2 }

func boxOf(at fixed.Vec2) box { return box{at, at} }

func (b *box) add(at fixed.Vec2) {
	b.least = fixed.Vec2{X: min(b.least.X, at.X), Y: min(b.least.Y, at.Y)}
	b.most = fixed.Vec2{X: max(b.most.X, at.X), Y: max(b.most.Y, at.Y)}
}

// walls returns the walls that the box touches. No line between points in it meets another one.
func (b *box) walls() (set wallSet) {
	for i := range blocks {
		w := &blocks[i]
		if b.most.X >= w.centre.X-w.half.X && b.least.X <= w.centre.X+w.half.X &&
			b.most.Y >= w.centre.Y-w.half.Y && b.least.Y <= w.centre.Y+w.half.Y {
			set |= 1 << i
		}
	}
	return set
}

package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// body is a unit as others see it in a tick: where it was found, and what it is.
type body struct {
	x, y int32 // in 65,536ths of a cell, as fixed.Num
	row  uint32
	side uint8
	kind Kind
}

// blockSize is how many cells along each side have one set of sides.
const blockSize = 4

// neighbours are all units by cell, as a tick has found them. They are made anew in each tick, in
// memory that stays.
type neighbours struct {
	size   int
	starts []int32 // where the bodies of each cell begin, row by row, and one more
	bodies []body
	sides  []uint8 // bit p: player p has a unit in this block
	across int     // blocks
}

// build finds all units again.
func (n *neighbours) build(w *World) {
	n.size, _ = w.Costs.Size()
	n.across = n.size / blockSize
	cells := n.size * n.size
	if len(n.starts) != cells+2 {
		n.starts, n.sides = make([]int32, cells+2), make([]uint8, n.across*n.across)
	}
	clear(n.starts)
	clear(n.sides)
	if cap(n.bodies) < w.Units.Len() {
		n.bodies = make([]body, 0, w.Units.Len()*5/4)
	}
	n.bodies = n.bodies[:w.Units.Len()]
	for c := range w.Units.Chunks() { // counted one too far, so that the next loop ends right
		pos := w.Units.Pos.Read(c)
		for row := range c.Live() {
			n.starts[n.cell(pos.Ref(row))+2]++
		}
	}
	for i := 2; i < len(n.starts); i++ {
		n.starts[i] += n.starts[i-1]
	}
	for c := range w.Units.Chunks() {
		pos, who := w.Units.Pos.Read(c), w.Units.Who.Read(c)
		for row := range c.Live() {
			p, u := pos.Ref(row), who.Ref(row)
			at := n.cell(p)
			n.bodies[n.starts[at+1]] = body{x: int32(p.X), y: int32(p.Y), row: uint32(c.First() + row), side: u.Side, kind: u.Kind}
			n.starts[at+1]++
			n.sides[at/n.size/blockSize*n.across+at%n.size/blockSize] |= 1 << u.Side
		}
	}
}

// cell returns the number of the cell of a position. Units are always on the map.
func (n *neighbours) cell(p *fixed.Vec2) int {
	return int(p.Y>>fixed.FracBits)*n.size + int(p.X>>fixed.FracBits)
}

// row returns the bodies in a part of a row of cells.
func (n *neighbours) row(y, from, to int) []body {
	if y < 0 || y >= n.size {
		return nil
	}
	from, to = max(from, 0), min(to, n.size-1)
	return n.bodies[n.starts[y*n.size+from]:n.starts[y*n.size+to+1]]
}

// enemy returns the nearest unit that is not of a side, within a distance of a position: of several
// that are equally near, the one in the lowest row of the table. ok is false if there is none.
func (n *neighbours) enemy(w *World, at fixed.Vec2, side uint8, far fixed.Num) (e world.Entity, ok bool) {
	x, y := int64(at.X), int64(at.Y)
	best, row := int64(far)*int64(far), uint32(0)
	low := func(v int64) int { return int(max(v-int64(far), 0)>>fixed.FracBits) / blockSize }
	high := func(v int64) int {
		return min(int((v+int64(far))>>fixed.FracBits)/blockSize, n.across-1)
	}
	for by := low(y); by <= high(y); by++ {
		for bx := low(x); bx <= high(x); bx++ {
			if n.sides[by*n.across+bx]&^(1<<side) == 0 || beyond(x, bx, best) || beyond(y, by, best) {
				continue
			}
			for cy := by * blockSize; cy < (by+1)*blockSize; cy++ {
				for _, b := range n.row(cy, bx*blockSize, bx*blockSize+blockSize-1) {
					if b.side == side {
						continue
					}
					dx, dy := int64(b.x)-x, int64(b.y)-y
					if d := dx*dx + dy*dy; d < best || d == best && (!ok || b.row < row) {
						best, row, ok = d, b.row, true
					}
				}
			}
		}
	}
	if !ok {
		return 0, false
	}
	return w.Units.At(int(row)), true
}

// beyond reports whether a block is farther away along one axis than the square root of a distance.
func beyond(v int64, block int, best int64) bool {
	low, high := int64(block)*blockSize<<fixed.FracBits, int64(block+1)*blockSize<<fixed.FracBits
	d := max(low-v, v-high, 0)
	return d*d > best
}

// push returns how those who stand too close push a body away from them, as a part of how far they
// overlap, and whether one of them is in its way. What stands in the very same place is pushed apart
// by the order of rows.
func (n *neighbours) push(at, direction fixed.Vec2, row uint32, radius fixed.Num) (px, py int64, ahead bool) {
	x, y := int64(at.X), int64(at.Y)
	cx, cy := int(at.X>>fixed.FracBits), int(at.Y>>fixed.FracBits)
	for j := cy - 1; j <= cy+1; j++ {
		for _, b := range n.row(j, cx-1, cx+1) {
			dx, dy := x-int64(b.x), y-int64(b.y)
			near := int64(radius + radii[b.kind&7])
			square, most := dx*dx+dy*dy, near*near
			if square >= most || b.row == row {
				continue
			}
			if square == 0 {
				if dx = int64(fixed.One) / 16; row < b.row {
					dx = -dx
				}
			}
			part := (most - square) / (most >> fixed.FracBits) // 0 to 1
			px += dx * part >> (fixed.FracBits + 1)
			py += dy * part >> (fixed.FracBits + 1)
			ahead = ahead || dx*int64(direction.X)+dy*int64(direction.Y) < -near<<(fixed.FracBits-1)
		}
	}
	return px, py, ahead
}

// radii are those of the kinds, side by side.
var radii = [8]fixed.Num{
	Spearman: rules[Spearman].Radius, Archer: rules[Archer].Radius, Knight: rules[Knight].Radius, Catapult: rules[Catapult].Radius,
}

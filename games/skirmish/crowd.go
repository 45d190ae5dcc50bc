package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/near"
)

// bodies are all units as a tick has found them, by where they are. They are found anew in each tick, in
// memory that stays.
type bodies struct {
	grid  *near.Grid
	parts []near.Part // of the grid, by chunk of units
	size  int
}

// crowd finds all units again. The class of a point is its side, and what is above its kind.
func (s *step) crowd() {
	n := &s.memo.crowd
	n.begin(s.World)
	world.Stage(s, &s.Units.Table, (*step).gather)
	world.Tasks(s.World, s, n.grid.Bands(), (*step).sortBand)
}

// begin has an empty grid of the size of the map, with a part for each chunk of units.
func (n *bodies) begin(w *World) {
	if size, _ := w.Costs.Size(); n.grid == nil || n.size != size {
		side := fixed.FromInt(int64(size))
		grid, err := near.New(near.Config{Width: side, Height: side, Cell: fixed.One}) // two bodies that touch are less than a cell apart
		if err != nil {
			panic(err) // the map of a state has a size that Setup.Check has allowed
		}
		n.grid, n.size = grid, size
	}
	parts := 0
	for c := range w.Units.Chunks() {
		parts = c.First()/world.Rows + 1
	}
	n.parts = n.grid.Divide(parts)
}

// gather adds the units of a chunk to its part.
func (s *step) gather(c world.Chunk) {
	part := &s.memo.crowd.parts[c.First()/world.Rows]
	pos, who := s.Units.Pos.Read(c), s.Units.Who.Read(c)
	for row := range c.Live() {
		u := who.Ref(row)
		part.AddMarked(uint32(c.First()+row), *pos.Ref(row), uint32(u.Side)%near.Classes+uint32(u.Kind)*near.Classes)
	}
}

// sortBand sorts a band of the grid.
func (s *step) sortBand(band int) { s.memo.crowd.grid.SortBand(band) }

// kindOf returns the kind of the unit at a point.
func kindOf(p near.Point) Kind { return Kind(p.Mark / near.Classes) }

// enemy returns the nearest unit that is not of a side, within a distance of a position: of several
// that are equally near, the one in the lowest row of the table. ok is false if there is none.
func (n *bodies) enemy(w *World, at fixed.Vec2, side uint8, far fixed.Num) (e world.Entity, ok bool) {
	found, ok := n.grid.NearestOf(at, far, ^near.ClassOf(side))
	if !ok {
		return 0, false
	}
	return w.Units.At(int(found.ID)), true
}

// push returns how those who stand too close push a body away from them, as a part of how far they
// overlap, and whether one of them is in its way. What stands in the very same place is pushed apart
// by the order of rows.
func (n *bodies) push(at, direction fixed.Vec2, row uint32, radius fixed.Num) (px, py int64, ahead bool) {
	x, y := int64(at.X), int64(at.Y)
	var memory [3][]near.Point
	for _, list := range n.grid.AppendLists(memory[:0], at, radius+widest) {
		for _, b := range list {
			dx, dy := x-int64(b.X), y-int64(b.Y)
			touch := int64(radius + radii[kindOf(b)&7])
			square, most := dx*dx+dy*dy, touch*touch
			if square >= most || b.ID == row {
				continue
			}
			if square == 0 {
				if dx = int64(fixed.One) / 16; row < b.ID {
					dx = -dx
				}
			}
			part := (most - square) / (most >> fixed.FracBits) // 0 to 1
			px += dx * part >> (fixed.FracBits + 1)
			py += dy * part >> (fixed.FracBits + 1)
			ahead = ahead || dx*int64(direction.X)+dy*int64(direction.Y) < -touch<<(fixed.FracBits-1)
		}
	}
	return px, py, ahead
}

// radii are those of the kinds, side by side, and widest is the largest of them.
var (
	radii = [8]fixed.Num{
		Spearman: rules[Spearman].Radius, Archer: rules[Archer].Radius, Knight: rules[Knight].Radius, Catapult: rules[Catapult].Radius,
	}
	widest = max(radii[Spearman], radii[Archer], radii[Knight], radii[Catapult])
)

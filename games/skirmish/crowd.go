package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/near"
)

// bodies are all units as they are at the beginning of a tick, by position. They are collected again in each tick,
// in memory that is reused.
type bodies struct {
	grid  *near.Grid
	parts []near.Part // the parts of the grid, by chunk of units
	size  int
}

// crowd collects all units again. Their points are marked by markOf.
func (s *step) crowd() {
	n := &s.memo.crowd
	n.begin(s.World)
	world.Stage(s, &s.Units.Table, (*step).gather)
	world.Tasks(s.World, s, n.grid.Bands(), (*step).sortBand)
}

// begin returns an empty grid of the size of the map, with a part for each chunk of units.
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
	pos, who, task := s.Units.Pos.Read(c), s.Units.Who.Read(c), s.Units.Task.Read(c)
	for row := range c.Live() {
		part.AddMarked(uint32(c.First()+row), *pos.Ref(row), markOf(who.Ref(row), task.Ref(row)))
	}
}

// sortBand sorts a band of the grid.
func (s *step) sortBand(band int) { s.memo.crowd.grid.SortBand(band) }

// enemy returns the nearest unit of another side, within a distance of a position: of several that are equally near,
// the one in the lowest row of the table. ok is false if there is none.
func (n *bodies) enemy(w *World, at fixed.Vec2, side uint8, far fixed.Num) (e world.Entity, ok bool) {
	found, ok := n.grid.NearestOf(at, far, ^near.ClassOf(side))
	if !ok {
		return 0, false
	}
	return w.Units.At(int(found.ID)), true
}

// body is a unit among the others.
type body struct {
	at, direction fixed.Vec2 // where it is, and where it goes: zero if it stays
	radius        fixed.Num
	row           uint32
	goal          uint32 // resting of the goal that it has come near to, or nowhere
	through       uint32 // the side whose units it passes through, or nobody
}

// The values of goal and through for a unit that has none.
const (
	nowhere = 1
	nobody  = near.Classes
)

// passable is how many of its own side a unit passes through at a time; more than these push it. So no crowd becomes
// denser than a state may be: see mostInCell.
const passable = 96

// pressure is what others do to a body.
type pressure struct {
	x, y  int64 // how they push it away, as a fraction of how far they overlap
	ahead bool  // one is in its way
	there bool  // one rests around the goal that it has come near to
}

// push returns how bodies that are too close push a body away. Bodies in exactly the same place are pushed apart in
// the order of rows.
func (n *bodies) push(u *body) (p pressure) {
	x, y, passed := int64(u.at.X), int64(u.at.Y), 0
	var memory [3][]near.Point
	for _, list := range n.grid.AppendLists(memory[:0], u.at, u.radius+widest) {
		for _, b := range list {
			dx, dy := x-int64(b.X), y-int64(b.Y)
			touch := int64(u.radius + radii[kindOf(b)])
			square, most := dx*dx+dy*dy, touch*touch
			if square >= most || b.ID == u.row {
				continue
			}
			if restingOf(b) == u.goal {
				p.there = true
			} else if uint32(b.Class()) == u.through && passed < passable {
				passed++
				continue
			}
			if square == 0 {
				if dx = int64(fixed.One) / 16; u.row < b.ID {
					dx = -dx
				}
			}
			part := (most - square) / (most >> fixed.FracBits) // 0 to 1
			p.x += dx * part >> (fixed.FracBits + 1)
			p.y += dy * part >> (fixed.FracBits + 1)
			p.ahead = p.ahead || dx*int64(u.direction.X)+dy*int64(u.direction.Y) < -touch<<(fixed.FracBits-1)
		}
	}
	return p
}

// radii are the radii of the kinds, side by side, and widest is the largest of them.
var (
	radii = [8]fixed.Num{
		Spearman: rules[Spearman].Radius, Archer: rules[Archer].Radius, Knight: rules[Knight].Radius, Catapult: rules[Catapult].Radius,
	}
	widest = max(radii[Spearman], radii[Archer], radii[Knight], radii[Catapult])
)

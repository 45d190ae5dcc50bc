package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// pathWork is the maximum number of cells that the navigator may compute in a tick.
const pathWork = 16384

// ask requests a way, and returns its number + 1, or 0 if all are in use: then units walk straight on.
func (s *step) ask(goal nav.Cell, starts []nav.Cell) uint8 {
	p := s.Paths.Write()
	free := p.free()
	if free < 0 {
		s.sweep()
		if free = p.free(); free < 0 {
			return 0
		}
	}
	if err := s.memo.nav.Ask(&p.Meter, &p.Ways[free], []nav.Cell{goal}, starts); err != nil {
		return 0 // a start or goal that is not on the map
	}
	return uint8(free) + 1
}

// free returns the lowest way that is free, or -1.
func (p *Paths) free() int {
	for i := range p.Ways {
		if w := &p.Ways[i]; !w.Open() && !w.Waiting() {
			return i
		}
	}
	return -1
}

// paths makes the navigator compute ways, and frees those that nobody follows any more.
func (s *step) paths() {
	if s.every(TicksPerSecond) {
		s.sweep()
	}
	waits := false
	now := s.Paths.Get()
	for i := range now.Ways {
		waits = waits || now.Ways[i].Waiting()
	}
	if waits {
		p := s.Paths.Write()
		s.memo.nav.Advance(&p.Meter, p.Ways[:])
	}
	s.memo.fields(s.World)
}

// sweep frees the ways that no unit follows.
func (s *step) sweep() {
	var used [MaxPaths + 1]bool
	for c := range s.Units.Chunks() {
		task := s.Units.Task.Read(c)
		for row := range c.Live() {
			used[task.Ref(row).Path] = true
		}
	}
	now := s.Paths.Get()
	for i := range now.Ways {
		if w := &now.Ways[i]; !used[i+1] && (w.Open() || w.Waiting()) {
			s.Paths.Write().Ways[i] = nav.Way{}
		}
	}
}

// memo is derived from the state, and not a part of it: deriving it again gives the same.
type memo struct {
	nav    *nav.Navigator
	size   int                      // the size of its map
	field  [MaxPaths + 1]*nav.Field // by the number of the way + 1
	starts []nav.Cell
	crowd  bodies
	step   step
	told   []byte // the orders of a bot that stands in

	planned Setup // the setup whose map is made
	made    *Map
	// buildings are those that can be attacked.
	buildings []standing
}

// standing is a building as units see it in a tick.
type standing struct {
	entity world.Entity
	at     fixed.Vec2
	radius fixed.Num
	side   uint8
}

// stand finds the buildings again.
func (m *memo) stand(w *World) {
	m.buildings = m.buildings[:0]
	for e := range w.Buildings.All() {
		if p, _ := w.Buildings.Place.Get(e); p.Structure != Mine {
			m.buildings = append(m.buildings, standing{e, p.Centre(), fixed.FromInt(int64(p.Structure.Of().Side)) / 2, p.Side})
		}
	}
}

// cellsInWork is the number of cells of a map that the navigator computes in the time of a row of
// units.
const cellsInWork = 4

// look shows the navigator the map as it is now.
func (m *memo) look(w *World) {
	size, _ := w.Costs.Size()
	if m.nav == nil || size != m.size {
		m.nav, m.size = nav.New(nav.Config{}), size
		m.nav.Pausing(func(cells int) { world.Pause(w, cells/cellsInWork) })
	}
	if err := m.nav.Look(&w.Costs); err != nil {
		panic(err) // the map of a state has a size that Setup.Check has allowed
	}
}

// fields makes the fields of the open ways.
func (m *memo) fields(w *World) {
	paths := w.Paths.Get()
	for i := range paths.Ways {
		m.field[i+1] = m.nav.Field(&paths.Ways[i])
	}
}

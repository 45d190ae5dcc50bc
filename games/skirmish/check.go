package skirmish

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// ErrState means a state that no match can have. States come from other machines and from files; the
// step, and code that draws a state, rely on these checks.
var ErrState = errors.New("skirmish: no match has such a state")

// check returns what is wrong with a state.
func (w *World) check() error {
	for _, check := range [...]func() error{w.checkMatch, w.checkPaths, w.checkUnits, w.checkCrowds, w.checkShots, w.checkBuildings} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// The number of cells or rows that are checked in one unit of work, which takes as long as a row of units;
// see [world.Pause].
const (
	cellsChecked = 16
	rowsChecked  = 8
)

func statef(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrState, fmt.Errorf(format, args...))
}

// checkMatch checks the match and its map.
func (w *World) checkMatch() error {
	m := w.Match.Get()
	if m.Players != 0 {
		if err := checkPlayers(int(m.Players)); err != nil {
			return statef("%w", err)
		}
	}
	// In a match for any number of players, all sides begin with fewer units if they would be more than
	// MaxAll.
	if err := (Setup{Size: int(m.Size), Units: int(m.Units)}).Check(); err != nil {
		return statef("%w", err)
	}
	if m.Winner > MaxPlayers && (m.Winner < endlessStandIns || m.Over) {
		return statef("the winner is %d", m.Winner)
	}
	size := int(m.Size)
	if m.Players == 0 {
		size = 0 // the first tick makes the map
	}
	for _, grid := range [...]interface{ Size() (int, int) }{&w.Ground, &w.Costs} {
		if x, y := grid.Size(); x != size || y != size {
			return statef("a map of %d x %d cells, want %d", x, y, size)
		}
	}
	for i := range size * size {
		if g := w.Ground.At(i%size, i/size); g > Water {
			return statef("ground %d", g)
		}
		if i%size == 0 {
			world.Pause(w, size/cellsChecked)
		}
	}
	return nil
}

// checkPaths checks the limit on the cells of ways that are computed in a tick.
func (w *World) checkPaths() error {
	if n := w.Paths.Get().Meter.PerTick; n != pathWork {
		return statef("%d cells of ways in a tick, want %d", n, pathWork)
	}
	return nil
}

// side reports whether a number is that of a player.
func (w *World) side(side uint8) bool { return side < w.Match.Get().Players }

// on reports whether a position is on the map, or at most margin away from it.
func (w *World) on(at fixed.Vec2, margin fixed.Num) bool {
	end := fixed.FromInt(int64(w.Match.Get().Size)) + margin
	return min(at.X, at.Y) >= -margin && max(at.X, at.Y) < end
}

// slow reports whether something moves by less than a cell per tick, as everything does.
func slow(v fixed.Vec2) bool { return max(v.X, v.Y) < fixed.One && min(v.X, v.Y) > -fixed.One }

func (w *World) checkUnits() error {
	if n := w.Units.Len(); n > MaxAll {
		return statef("%d units, want at most %d", n, MaxAll)
	}
	for c := range w.Units.Chunks() {
		world.Pause(w, world.Rows/rowsChecked)
		pos, vel, who, task := w.Units.Pos.Read(c), w.Units.Vel.Read(c), w.Units.Who.Read(c), w.Units.Task.Read(c)
		for row := range c.Live() {
			if at := pos.Ref(row); !w.on(*at, 0) {
				return statef("a unit at %v", *at)
			}
			if v := vel.Ref(row); !slow(*v) {
				return statef("a unit moves by %v", *v)
			}
			if u := who.Ref(row); !w.side(u.Side) || !u.Kind.Valid() || u.Groups>>Groups != 0 {
				return statef("a unit of side %d, kind %d, in groups %b", u.Side, u.Kind, u.Groups)
			}
			if t := task.Ref(row); t.Verb != 0 && (t.Verb < Move || t.Verb > Strike) || t.Path > MaxPaths {
				return statef("a unit does %d on way %d", t.Verb, t.Path)
			}
		}
	}
	return nil
}

// mostInCell is how many units may stand in one cell of an encoded state. In a match they push each other
// apart, and there are never that many; in a state with all of them in one place, each unit would have to
// look at all others.
const mostInCell = 256

// checkCrowds checks that there are not hundreds of units in one cell.
func (w *World) checkCrowds() error {
	size := int(w.Match.Get().Size)
	count := make([]uint32, size*size)
	for c := range w.Units.Chunks() {
		world.Pause(w, world.Rows/rowsChecked)
		pos := w.Units.Pos.Read(c)
		for row := range c.Live() {
			at := pos.Ref(row)
			i := int(at.Y.Int())*size + int(at.X.Int())
			if count[i]++; count[i] > mostInCell {
				return statef("more than %d units in the cell of %v", mostInCell, *at)
			}
		}
	}
	return nil
}

func (w *World) checkShots() error {
	if n := w.Shots.Len(); n > MaxShots {
		return statef("%d shots, want at most %d", n, MaxShots)
	}
	for c := range w.Shots.Chunks() {
		world.Pause(w, world.Rows/rowsChecked)
		pos, vel, load := w.Shots.Pos.Read(c), w.Shots.Vel.Read(c), w.Shots.Load.Read(c)
		for row := range c.Live() {
			if at, v := pos.Ref(row), vel.Ref(row); !w.on(*at, fixed.One) || !slow(*v) {
				return statef("a shot at %v moves by %v", *at, *v)
			}
			if l := load.Ref(row); !w.side(l.Side) || l.Kind.Of().Shot == 0 || l.Left == 0 {
				return statef("a shot of side %d, kind %d, comes down in %d ticks", l.Side, l.Kind, l.Left)
			}
		}
	}
	return nil
}

func (w *World) checkBuildings() error {
	if n := w.Buildings.Len(); n > MaxBuildings {
		return statef("%d buildings, want at most %d", n, MaxBuildings)
	}
	mines, keeps := 0, [MaxPlayers]int{}
	for e := range w.Buildings.All() {
		p, _ := w.Buildings.Place.Get(e)
		works, _ := w.Buildings.Works.Get(e)
		if !p.Structure.Valid() || !w.side(p.Side) && (p.Side != Nobody || p.Structure != Mine) {
			return statef("a building of side %d, kind %d", p.Side, p.Structure)
		}
		if side := p.Structure.Of().Side; min(p.X, p.Y) < 0 || int(max(p.X, p.Y))+side > int(w.Match.Get().Size) {
			return statef("a building at %d, %d", p.X, p.Y)
		}
		switch p.Structure {
		case Mine:
			mines++
		case Keep:
			keeps[p.Side]++
		}
		if mines > 2*MaxPlayers || p.Structure == Keep && keeps[p.Side] > 1 {
			return statef("%d mines, and %d keeps of sides", mines, keeps)
		}
		if err := works.check(p.Structure); err != nil {
			return err
		}
	}
	return nil
}

// check checks the work of a building.
func (w *Works) check(in Structure) error {
	if w.Left < 0 || w.Left > in.Of().Work || w.Queued > QueueLen || w.Queued > 0 && !in.Of().Trains {
		return statef("%v: %d ticks of work are left, and %d units in its queue", in, w.Left, w.Queued)
	}
	for _, k := range w.Queue[:w.Queued] {
		if !k.Valid() {
			return statef("kind %d in a queue", k)
		}
	}
	if w.Done < 0 || w.Done > w.Queue[0].Of().Training {
		return statef("%v: %d ticks of training", in, w.Done)
	}
	return nil
}

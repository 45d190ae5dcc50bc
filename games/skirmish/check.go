package skirmish

import (
	"errors"
	"fmt"

	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
)

// ErrState means a state that no match has. States come from other machines and from files; the step, and
// whoever draws one, rely on what is checked here.
var ErrState = errors.New("skirmish: no match has such a state")

// checkEncoded returns what is wrong with an encoded state.
func checkEncoded(b []byte) error {
	n, err := world.Decode[World](b)
	if err != nil {
		return err
	}
	defer n.Release()
	w := world.ViewOf[World](n)
	for _, check := range [...]func() error{w.checkMatch, w.checkUnits, w.checkShots, w.checkBuildings} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func statef(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrState, fmt.Errorf(format, args...))
}

// checkMatch checks the match and its map.
func (w *World) checkMatch() error {
	m := w.Match.Get()
	if m.Players == 1 || m.Players > MaxPlayers {
		return statef("%d players", m.Players)
	}
	if err := (Setup{Size: int(m.Size)}).Check(); err != nil {
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
	}
	return nil
}

// side reports whether it is that of a player.
func (w *World) side(side uint8) bool { return side < w.Match.Get().Players }

func (w *World) checkUnits() error {
	end := fixed.FromInt(int64(w.Match.Get().Size))
	for c := range w.Units.Chunks() {
		pos, who, task := w.Units.Pos.Read(c), w.Units.Who.Read(c), w.Units.Task.Read(c)
		for row := range c.Live() {
			if at := pos.Ref(row); min(at.X, at.Y) < 0 || max(at.X, at.Y) > end {
				return statef("a unit at %v", *at)
			}
			if u := who.Ref(row); !w.side(u.Side) || !u.Kind.Valid() || u.Groups>>Groups != 0 {
				return statef("a unit of side %d, kind %d, in groups %b", u.Side, u.Kind, u.Groups)
			}
			if t := task.Ref(row); int(t.Verb) > verbs || t.Path > MaxPaths {
				return statef("a unit does %d on way %d", t.Verb, t.Path)
			}
		}
	}
	return nil
}

func (w *World) checkShots() error {
	for c := range w.Shots.Chunks() {
		load := w.Shots.Load.Read(c)
		for row := range c.Live() {
			if l := load.Ref(row); !w.side(l.Side) || !l.Kind.Valid() {
				return statef("a shot of side %d, kind %d", l.Side, l.Kind)
			}
		}
	}
	return nil
}

func (w *World) checkBuildings() error {
	size := int(w.Match.Get().Size)
	for e := range w.Buildings.All() {
		p, _ := w.Buildings.Place.Get(e)
		works, _ := w.Buildings.Works.Get(e)
		if !p.Structure.Valid() || !w.side(p.Side) && (p.Side != Nobody || p.Structure != Mine) {
			return statef("a building of side %d, kind %d", p.Side, p.Structure)
		}
		if side := p.Structure.Of().Side; min(p.X, p.Y) < 0 || int(max(p.X, p.Y))+side > size {
			return statef("a building at %d, %d", p.X, p.Y)
		}
		if works.Queued > QueueLen {
			return statef("%d units in a queue", works.Queued)
		}
		for _, k := range works.Queue[:works.Queued] {
			if !k.Valid() {
				return statef("kind %d in a queue", k)
			}
		}
	}
	return nil
}

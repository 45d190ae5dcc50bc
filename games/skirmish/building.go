package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/world"
	"github.com/tickback/tickback/world/nav"
)

// reach is the maximum distance of a new building from one of the side's own, in cells.
const reach = 12

// build begins a building for a side, if it has the gold and the place is free and near one of its own
// buildings.
func (s *step) build(side uint8, what Structure, at Spot) {
	plan := what.Of()
	place := Place{X: int16(at.Vec().X.Int()), Y: int16(at.Vec().Y.Int()), Side: side, Structure: what}
	if plan.Cost == 0 || s.Buildings.Len() >= MaxBuildings || s.Sides.Get()[side].Gold < plan.Cost || !s.free(place) || !s.nearOwn(place) {
		return
	}
	s.Sides.Write()[side].Gold -= plan.Cost
	s.found(place, plan.Work)
}

// found puts a building on the map.
func (s *step) found(place Place, work int32) world.Entity {
	e, err := s.Buildings.Spawn()
	if err != nil {
		return 0 // the table has no room for more
	}
	s.Buildings.Place.Set(e, place)
	s.Buildings.Health.Set(e, place.Structure.Of().Health)
	s.Buildings.Works.Set(e, Works{Left: work})
	s.cover(place, func(int, int) uint8 { return nav.Blocked })
	return e
}

// cover sets the cost of entering the cells of a building.
func (s *step) cover(place Place, cost func(x, y int) uint8) {
	for dy := range place.Structure.Of().Side {
		for dx := range place.Structure.Of().Side {
			x, y := int(place.X)+dx, int(place.Y)+dy
			s.Costs.Set(x, y, cost(x, y))
		}
	}
}

// free reports whether a building could stand there: on open ground, without units on it.
func (s *step) free(place Place) bool {
	side := place.Structure.Of().Side
	for dy := range side {
		for dx := range side {
			if c := s.Costs.At(int(place.X)+dx, int(place.Y)+dy); c == 0 || c == nav.Blocked {
				return false
			}
		}
	}
	lowX, lowY := fixed.FromInt(int64(place.X))-fixed.Half, fixed.FromInt(int64(place.Y))-fixed.Half
	highX, highY := lowX+fixed.FromInt(int64(side)+1), lowY+fixed.FromInt(int64(side)+1)
	for c := range s.Units.Chunks() {
		pos := s.Units.Pos.Read(c)
		for row := range c.Live() {
			if p := pos.Ref(row); p.X > lowX && p.X < highX && p.Y > lowY && p.Y < highY {
				return false
			}
		}
	}
	return true
}

// nearOwn reports whether a finished building of the side is near a place.
func (s *step) nearOwn(place Place) bool {
	at := place.Centre()
	for e := range s.Buildings.All() {
		p, _ := s.Buildings.Place.Get(e)
		w, _ := s.Buildings.Works.Get(e)
		if p.Side == place.Side && p.Structure != Mine && w.Left == 0 && within(at.Sub(p.Centre()), fixed.FromInt(reach)) {
			return true
		}
	}
	return false
}

// work changes the work of a building.
func (s *step) work(side uint8, o *Order) {
	place, ok := s.Buildings.Place.Get(o.Target)
	works, _ := s.Buildings.Works.Get(o.Target)
	if !ok || place.Side != side || !place.Structure.Of().Trains || works.Left > 0 {
		return
	}
	gold := &s.Sides.Write()[side].Gold
	switch o.Verb {
	case Train:
		if works.Queued == QueueLen || *gold < o.What.Of().Cost {
			return
		}
		*gold -= o.What.Of().Cost
		works.Queue[works.Queued] = o.What
		works.Queued++
	case Cancel:
		if works.Queued == 0 {
			return
		}
		works.Queued--
		*gold += works.Queue[works.Queued].Of().Cost
		if works.Queue[works.Queued] = 0; works.Queued == 0 {
			works.Done = 0
		}
	case Rally:
		works.Rally = o.At
	}
	s.Buildings.Works.Set(o.Target, works)
}

// buildings makes all buildings work: gold once a second, building and training in each tick.
func (s *step) buildings() {
	pay := s.every(TicksPerSecond)
	for e := range s.Buildings.All() {
		place, _ := s.Buildings.Place.Get(e)
		works, _ := s.Buildings.Works.Get(e)
		if pay && place.Structure == Mine {
			place = s.hold(e, place)
		}
		if pay && place.Side != Nobody && works.Left == 0 && !s.Sides.Get()[place.Side].Lost {
			if income := place.Structure.Of().Income; income > 0 {
				s.Sides.Write()[place.Side].Gold += income
			}
		}
		switch {
		case works.Left > 0:
			if works.Left--; works.Left == 0 {
				Finished.Emit(s.t.Effects(), uint32(e.Row()), place.Structure)
			}
		case works.Queued > 0:
			s.train(e, place, &works)
		default:
			continue
		}
		s.Buildings.Works.Set(e, works)
	}
}

// train continues with the first unit in the queue. If there is no room for units of the side, it
// waits.
func (s *step) train(e world.Entity, place Place, works *Works) {
	kind := works.Queue[0]
	if works.Done < kind.Of().Training {
		works.Done++
		return
	}
	at, ok := s.spawnPlace(place, kind.Of().Radius)
	if !ok || s.Units.Len() >= MaxAll {
		return
	}
	works.Done = 0
	copy(works.Queue[:], works.Queue[1:])
	works.Queued--
	works.Queue[works.Queued] = 0
	u := s.raise(place.Side, kind, at)
	if u == 0 {
		return
	}
	s.Sides.Write()[place.Side].Made++
	if works.Rally != (Spot{}) {
		goal := s.inside(works.Rally.Vec())
		s.Units.Task.Set(u, Task{
			Verb: March, Goal: SpotOf(goal.Centre()), Near: crowd(9), Path: s.ask(goal, []nav.Cell{nav.CellOf(at)}),
		})
	}
	Trained.Emit(s.t.Effects(), uint32(e.Row()), at)
}

// raise makes a unit.
func (s *step) raise(side uint8, kind Kind, at fixed.Vec2) world.Entity {
	u, err := s.Units.Spawn()
	if err != nil {
		return 0 // the table has no room for more
	}
	s.Units.Pos.Set(u, at)
	s.Units.Who.Set(u, Who{Side: side, Kind: kind})
	s.Units.Health.Set(u, kind.Of().Health)
	return u
}

// spawnPlace chooses a place around a building where a unit can stand, from a few that the
// state's generator draws.
func (s *step) spawnPlace(place Place, radius fixed.Num) (at fixed.Vec2, ok bool) {
	half := fixed.FromInt(int64(place.Structure.Of().Side)) / 2
	for range 8 {
		r := &s.Match.Write().Rng
		angle := fixed.Num(r.Next() % uint64(2*fixed.Pi))
		far := half*3/2 + radius + fixed.Num(r.Next()%uint64(2*fixed.One))
		sin, cos := fixed.SinCos(angle)
		at = place.Centre().Add(fixed.Vec2{X: cos, Y: sin}.Scale(far))
		if c := s.Costs.At(int(at.X.Int()), int(at.Y.Int())); c != 0 && c != nav.Blocked {
			return at, true
		}
	}
	return at, false
}

// holdRange is how near to a mine units must be to hold it, in cells.
const holdRange = 5

// hold gives a mine to the one side that has units near it.
func (s *step) hold(e world.Entity, place Place) Place {
	at, holder := place.Centre(), uint8(Nobody)
	for c := range s.Units.Chunks() {
		pos, who := s.Units.Pos.Read(c), s.Units.Who.Read(c)
		for row := range c.Live() {
			if !within(pos.Ref(row).Sub(at), fixed.FromInt(holdRange)) {
				continue
			}
			if side := who.Ref(row).Side; holder == Nobody {
				holder = side
			} else if holder != side {
				return place // it is contested
			}
		}
	}
	if holder == Nobody || holder == place.Side {
		return place
	}
	place.Side = holder
	s.Buildings.Place.Set(e, place)
	Taken.Emit(s.t.Effects(), uint32(e.Row()), holder)
	return place
}

// fell removes a building that was destroyed. A side without a keep has lost.
func (s *step) fell(e world.Entity) {
	place, ok := s.Buildings.Place.Get(e)
	if !ok {
		return
	}
	s.cover(place, func(x, y int) uint8 { return s.Ground.At(x, y).Cost() })
	if s.Buildings.Kill(e) != nil {
		return
	}
	Broken.Emit(s.t.Effects(), uint32(e.Row()), place.Centre())
	if place.Structure != Keep {
		return
	}
	for other := range s.Buildings.All() {
		if p, _ := s.Buildings.Place.Get(other); p.Structure == Keep && p.Side == place.Side {
			return
		}
	}
	s.lose(place.Side)
}

// lose takes a side out of the match, with its units and buildings. Only its mines stay, and then
// belong to nobody.
func (s *step) lose(side uint8) {
	if s.Sides.Get()[side].Lost {
		return
	}
	s.Sides.Write()[side].Lost = true
	for u := range s.Units.All() {
		if w, _ := s.Units.Who.Get(u); w.Side == side {
			s.kill(u)
		}
	}
	for e := range s.Buildings.All() {
		place, _ := s.Buildings.Place.Get(e)
		switch {
		case place.Side != side:
		case place.Structure == Mine:
			place.Side = Nobody
			s.Buildings.Place.Set(e, place)
		default:
			s.fell(e)
		}
	}
	Beaten.Emit(s.t.Effects(), uint32(side), side)
}

func (s *step) kill(u world.Entity) {
	if s.Units.Kill(u) != nil {
		return // it has fallen already
	}
}

// within reports whether the length of a vector is at most a given one. Both are far below 2^23,
// so that no square saturates.
func within(v fixed.Vec2, far fixed.Num) bool {
	return v.X.Abs() <= far && v.Y.Abs() <= far && int64(v.X)*int64(v.X)+int64(v.Y)*int64(v.Y) <= int64(far)*int64(far)
}

package nav

import (
	"testing"

	"github.com/tickback/tickback/rng"
)

// The size of the map in the game that these tests play.
const (
	gameWidth, gameHeight = 7 * Side, 5 * Side
	gameSectors           = gameWidth * gameHeight / area
)

// game is the state of a small game: plain data, compared with ==.
type game struct {
	tick    uint32
	rng     rng.Xorshift128Plus
	version uint64
	pages   [gameSectors]Page
	meter   Meter
	ways    [10]Way
	units   [60]unit
	arrived uint32
	strayed uint32
}

type unit struct {
	at  Cell
	way uint32
}

// Size, Version and Page implement Costs.
func (s *game) Size() (width, height int) { return gameWidth, gameHeight }
func (s *game) Version() uint64           { return s.version }
func (s *game) Page(sector int) *Page     { return &s.pages[sector] }

func (s *game) cost(c Cell) *uint8 {
	return &s.pages[c.Y()/Side*(gameWidth/Side)+c.X()/Side][c.Y()%Side*Side+c.X()%Side]
}

func (s *game) set(c Cell, cost uint8) {
	at := s.cost(c)
	s.version += digest(c.X(), c.Y(), cost) - digest(c.X(), c.Y(), *at)
	*at = cost
}

func (s *game) below(n int) int { return below(&s.rng, n) }

func (s *game) cell() Cell { return CellAt(s.below(gameWidth), s.below(gameHeight)) }

// newGame returns a game on a random map.
func newGame(t testing.TB, seed uint64) *game {
	t.Helper()
	r := rng.New(seed)
	g := randomMap(t, &r, gameWidth, gameHeight)
	s := &game{rng: r, version: g.version, meter: Meter{PerTick: []uint32{700, 3000, 1 << 20}[below(&r, 3)]}}
	copy(s.pages[:], g.pages)
	for i := range s.units {
		s.units[i] = unit{s.cell(), uint32(i % len(s.ways))}
	}
	return s
}

// step is a tick: it builds and removes walls, gives orders, and moves the units. It depends on the state, and on the
// input, which stands for the players' actions.
func (s *game) step(t testing.TB, n *Navigator, input int) {
	s.tick++
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(n.Look(s))
	if (s.below(12)+input)%12 == 0 {
		s.order(t, n)
	}
	if s.below(6) == 0 {
		c, cost := s.cell(), []uint8{0, 1, 1, 3, Blocked}[s.below(5)]
		for i := range 1 + s.below(9) {
			if to := CellAt(c.X()+i%3, c.Y()+i/3); to.X() < gameWidth && to.Y() < gameHeight {
				s.set(to, cost)
			}
		}
		must(n.Look(s))
	}
	s.move(t, n)
}

// move is the part of a tick that moves the units.
func (s *game) move(t testing.TB, n *Navigator) {
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	n.Advance(&s.meter, s.ways[:])
	for i := range s.units {
		u := &s.units[i]
		w := &s.ways[u.way]
		f := n.Field(w)
		if f == nil {
			continue
		}
		switch d := f.At(u.at.X(), u.at.Y()); d {
		case Here:
			s.arrived++
		case Lost:
			s.strayed++
			if *s.cost(u.at) == 0 || *s.cost(u.at) == Blocked {
				u.at = n.Nearest(u.at)
			}
			must(n.ReportOffField(&s.meter, w, u.at))
		default:
			u.at = d.From(u.at)
		}
	}
}

// order sends some units to a random place.
func (s *game) order(t testing.TB, n *Navigator) {
	way := s.below(len(s.ways))
	var goals, starts []Cell
	for range 1 + s.below(3) {
		goals = append(goals, s.cell())
	}
	for range s.below(20) {
		u := &s.units[s.below(len(s.units))]
		u.way = uint32(way)
		starts = append(starts, u.at)
	}
	if err := n.Ask(&s.meter, &s.ways[way], goals, starts); err != nil {
		t.Fatal(err)
	}
}

func games(long int) int {
	if testing.Short() {
		return max(long/20, 1)
	}
	return long
}

// Rule: the content of a navigator's cache never has an effect. Games whose navigators have no cache, keep a single
// field, keep many, get other requests and other maps in between, or are made anew, are the same in every tick.
func TestTheCacheNeverShows(t *testing.T) {
	r := seeded(t, 21)
	var arrived, strayed uint32
	for range games(20) {
		first := newGame(t, r.Next())
		var states []*game
		navs := []*Navigator{New(Config{Cache: -1}), New(Config{Cache: 1}), New(Config{Cache: 3}), New(Config{}), New(Config{Cache: 5})}
		shuffled, joins := 4, len(navs)
		navs = append(navs, New(Config{}))
		for range navs {
			s := *first
			states = append(states, &s)
		}
		for range 80 {
			input := below(r, 12)
			for i, n := range navs {
				switch {
				case i == shuffled:
					disturb(t, r, n, states[0])
				case i == joins && below(r, 10) == 0:
					navs[i] = New(Config{})
					n = navs[i]
				}
				states[i].step(t, n, input)
				if *states[i] != *states[0] {
					t.Fatalf("tick %d: navigator %d makes another state", states[i].tick, i)
				}
			}
		}
		for _, w := range states[0].ways {
			sameFields(t, navs, &w)
		}
		arrived, strayed = arrived+states[0].arrived, strayed+states[0].strayed
		if n := navs[0].Stats(); n.Repaired > 0 {
			t.Error("a navigator without a cache has repaired a field")
		}
	}
	if arrived < uint32(100*games(20)) || strayed < uint32(games(20)) {
		t.Errorf("hardly anything has happened: %d have arrived, %d were lost", arrived, strayed)
	}
}

// disturb makes requests to a navigator that nobody needs.
func disturb(t *testing.T, r *rng.Xorshift128Plus, n *Navigator, like *game) {
	t.Helper()
	other := *like
	for range 1 + below(r, 3) {
		other.rng = *r
		other.set(other.cell(), uint8(below(r, 256)))
		look(t, n, &other)
		m := Meter{PerTick: 1 << 20}
		ways := []Way{{}}
		if err := n.Ask(&m, &ways[0], []Cell{other.cell()}, []Cell{other.cell()}); err != nil {
			t.Fatal(err)
		}
		n.Advance(&m, ways)
		n.Field(&ways[0])
		r.Next()
	}
}

// sameFields compares the fields of navigators for a way on the map that they have seen last.
func sameFields(t *testing.T, navs []*Navigator, w *Way) {
	t.Helper()
	first := navs[0].Field(w)
	for i, n := range navs[1:] {
		f := n.Field(w)
		if (f == nil) != (first == nil) {
			t.Fatalf("navigator %d has a field: %v", i+1, f != nil)
		}
		for y := range gameHeight {
			for x := range gameWidth {
				if f != nil && f.value(x, y) != first.value(x, y) {
					t.Fatalf("navigator %d has another field at (%d, %d)", i+1, x, y)
				}
			}
		}
	}
}

// Rule: a resimulation computes no field and no plan again, even after ticks that turned out to be wrong, and gives the
// same states.
func TestSimulatingAgainComputesNothing(t *testing.T) {
	r := seeded(t, 22)
	again := 0
	for range games(20) {
		s := newGame(t, r.Next())
		n := New(Config{Cache: 256})
		for range 40 {
			depth := 1 + below(r, 7)
			from := *s
			inputs := make([]int, depth)
			for i := range inputs {
				inputs[i] = below(r, 12)
				s.step(t, n, inputs[i])
			}
			if below(r, 2) == 0 { // a wrong prediction
				wrong := from
				for range depth {
					wrong.step(t, n, below(r, 12))
				}
			}
			before := n.Stats()
			resimulated := from
			for _, input := range inputs {
				resimulated.step(t, n, input)
			}
			after := n.Stats()
			if resimulated != *s {
				t.Fatalf("tick %d: another state", s.tick)
			}
			if after.Built != before.Built || after.Repaired != before.Repaired || after.Planned != before.Planned {
				t.Fatalf("tick %d, again after %d: %+v, before %+v", s.tick, depth, after, before)
			}
			again += after.Found - before.Found
		}
	}
	if again < 500*games(20) {
		t.Errorf("only %d fields were asked for again", again)
	}
}

// Negative control: the same comparison notices a single cell of a single tick.
func TestAnotherCellIsAnotherState(t *testing.T) {
	a := newGame(t, 23)
	b := *a
	n := New(Config{})
	for i := range 200 {
		a.step(t, n, 0)
		if i == 20 {
			b.set(CellAt(50, 40), *b.cost(CellAt(50, 40))^3)
		}
		b.step(t, n, 0)
	}
	if *a == b {
		t.Error("nothing has been noticed")
	}
}

package nav

import (
	"testing"
	"unsafe"
)

// open is a map without obstacles.
func open(t testing.TB, width, height int) (*Grid, *Navigator) {
	t.Helper()
	g, err := NewGrid(width, height, 1)
	if err != nil {
		t.Fatal(err)
	}
	n := New(Config{})
	look(t, n, g)
	return g, n
}

// Rule: requests are answered in the order in which they came, each when it can be paid for, and a tick that cannot pay
// saves for the next one.
func TestRequestsArePaidInTheirOrder(t *testing.T) {
	_, n := open(t, 12*Side, 12*Side)
	m := &Meter{PerTick: 5000}
	ways := make([]Way, 3)
	ask := func(i int, goal Cell, starts ...Cell) {
		t.Helper()
		if err := n.Ask(m, &ways[i], []Cell{goal}, starts); err != nil {
			t.Fatal(err)
		}
	}
	ask(2, CellAt(5, 5))                 // whole: 36,864 cells, 8 ticks
	ask(0, CellAt(8, 8), CellAt(9, 9))   // one sector in a corner, so 9 with its neighbours: 2,304 cells
	ask(1, CellAt(88, 8), CellAt(89, 9)) // and 15 here: 3,840 cells
	answered := map[int]int{}
	for tick := 1; tick <= 12; tick++ {
		n.Advance(m, ways)
		for i := range ways {
			if answered[i] == 0 && ways[i].Open() {
				answered[i] = tick
			}
		}
	}
	// 8 ticks save 40,000 cells; after the whole map and the first corner 832 are left; with the 9th tick there is
	// enough for the rest.
	if answered[2] != 8 || answered[0] != 8 || answered[1] != 9 {
		t.Errorf("answered in the ticks %v", answered)
	}
	if m.Credit != 0 {
		t.Errorf("%d cells were saved for nobody", m.Credit)
	}
}

// Rule: a path that is covered already is not paid for again.
func TestWhatIsCoveredIsFree(t *testing.T) {
	_, n := open(t, 12*Side, 12*Side)
	m := &Meter{PerTick: 1 << 20}
	ways := make([]Way, 1)
	if err := n.Ask(m, &ways[0], []Cell{CellAt(8, 8)}, []Cell{CellAt(9, 9)}); err != nil {
		t.Fatal(err)
	}
	n.Advance(m, ways)
	again := func(c Cell, want uint32) {
		t.Helper()
		if err := n.ReportOffField(m, &ways[0], c); err != nil {
			t.Fatal(err)
		}
		p := n.plan(&ways[0])
		route := p.route
		for i := range route {
			route[i] |= ways[0].Route[i]
		}
		if got := n.cost(&ways[0], p, &route) - p.work; got != want {
			t.Errorf("%d cells, want %d", got, want)
		}
		n.Advance(m, ways)
	}
	again(CellAt(10, 10), 0)
	again(CellAt(20, 10), 3*area) // one more column of sectors
	ways[0].Widen = 1
	again(CellAt(20, 10), (144-12)*area)
	again(CellAt(100, 100), 0)
}

// Rule: without a budget nothing is answered, and an unlimited budget does not overflow.
func TestExtremeMeters(t *testing.T) {
	_, n := open(t, 2*Side, Side)
	ways := make([]Way, 1)
	m := &Meter{}
	if err := n.Ask(m, &ways[0], []Cell{0}, []Cell{0}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if n.Advance(m, ways) != 0 {
			t.Fatal("it was answered for nothing")
		}
	}
	*m = Meter{PerTick: 1<<32 - 1, Credit: 1<<32 - 1, Tickets: 1}
	if n.Advance(m, ways) != 1 {
		t.Error("it was not answered")
	}
}

// Rule: after the last ticket comes the first one: a new request waits.
func TestTicketsWrap(t *testing.T) {
	_, n := open(t, Side, Side)
	m := Meter{Tickets: 1<<32 - 1}
	for _, want := range []uint32{1, 2} {
		var w Way
		if err := n.Ask(&m, &w, []Cell{0}, []Cell{0}); err != nil || w.Ticket != want || m.Tickets != want {
			t.Errorf("%v, ticket %d of %d, want %d", err, w.Ticket, m.Tickets, want)
		}
	}
}

// Rule: types that belong to a state have no gaps, so that they are hashed at full speed.
func TestPlainDataHasNoGaps(t *testing.T) {
	if got, want := unsafe.Sizeof(Way{}), uintptr(6*4+(MaxGoals+MaxStarts+MaxEnds)*4+maxSectors/8); got > want {
		t.Errorf("a way has %d bytes, want %d", got, want)
	}
	var w Way
	if end := unsafe.Offsetof(w.Ends) + unsafe.Sizeof(w.Ends); unsafe.Offsetof(w.Route) != end {
		t.Errorf("a gap of %d bytes", unsafe.Offsetof(w.Route)-end)
	}
	if got := unsafe.Sizeof(Meter{}); got != 12 {
		t.Errorf("a meter has %d bytes", got)
	}
}

// Rule: a request is answered as soon as what is saved is as much as it costs, and nothing is left then.
func TestARequestIsAnsweredForWhatItCosts(t *testing.T) {
	_, n := open(t, 4*Side, 4*Side)
	var asked Way
	if err := n.Ask(&Meter{}, &asked, []Cell{CellAt(8, 8)}, []Cell{CellAt(60, 60)}); err != nil {
		t.Fatal(err)
	}
	p := n.plan(&asked)
	route := p.route
	cost := n.cost(&asked, p, &route)
	for _, c := range []struct {
		has            uint32
		answered, left int
	}{{cost - 1, 0, int(cost) - 1}, {cost, 1, 0}, {cost + 1, 1, 1}} {
		m, ways := Meter{PerTick: c.has}, []Way{asked, asked}
		ways[1].Ticket++ // it waits, so that what is left is saved
		if got := n.Advance(&m, ways); got != c.answered || m.Credit != uint32(c.left) {
			t.Errorf("for %d of %d cells %d are answered, and %d are left", c.has, cost, got, m.Credit)
		}
	}
}

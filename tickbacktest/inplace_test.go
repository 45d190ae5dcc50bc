package tickbacktest

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// grove is a typical game: pointers, maps, closures, a free list.
type grove struct {
	trees   []*tree
	byName  map[string]*tree
	free    []*tree
	total   int
	pick    func(n int) int
	scratch []int
}

type tree struct {
	name   string
	height float64
	near   *tree
	shape  any
}

func newGrove() *grove {
	return &grove{byName: map[string]*tree{}, pick: func(n int) int { return n / 2 }}
}

func (g *grove) step(t *rollback.Tick[pad]) {
	g.scratch = append(g.scratch[:0], len(g.trees))
	for p := range t.Players() {
		in := t.Input(p)
		if in.Buttons&buttonX != 0 {
			g.plant(string(rune('a'+g.total%26)), float64(in.Stick))
		}
		if in.Buttons != 0 && len(g.trees) > 3 {
			g.free = append(g.free, g.trees[0])
			delete(g.byName, g.trees[0].name)
			g.trees = g.trees[1:]
		}
	}
	for _, x := range g.trees {
		x.height += 0.5
		x.shape = [2]int{int(x.height), len(g.trees)}
	}
}

func (g *grove) plant(name string, height float64) {
	x := &tree{}
	if n := len(g.free); n > 0 {
		x, g.free = g.free[n-1], g.free[:n-1]
	}
	if n := len(g.trees); n > 0 {
		x.near = g.trees[g.pick(n)]
	}
	x.name, x.height = name, height
	g.trees, g.byName[name] = append(g.trees, x), x
	g.total++
}

func groves(t *testing.T, change func(g *rollback.OwnMemory[grove, canon.Memento[grove], pad]), opts ...canon.SaverOption) rollback.OwnMemory[grove, canon.Memento[grove], pad] {
	t.Helper()
	game := rollback.OwnMemory[grove, canon.Memento[grove], pad]{New: newGrove, Init: func(g *grove) { *g = *newGrove() }, Step: (*grove).step}
	change(&game)
	game, err := rollback.SaveInPlace(game, append(opts, canon.Leave("grove.scratch"))...)
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// Positive control: a game that a saver saves passes everything.
func TestAGameThatIsSavedInPlacePasses(t *testing.T) {
	Check(t, groves(t, func(*rollback.OwnMemory[grove, canon.Memento[grove], pad]) {}, canon.Functions()), Options[pad]{})
}

// Negative controls: variables captured by a function are state, and so is what was left out.
func TestFindsWhatASaverWasToldToLeaveOut(t *testing.T) {
	counting := func(g *rollback.OwnMemory[grove, canon.Memento[grove], pad]) {
		fresh := func() *grove {
			g, n := newGrove(), 0
			g.pick = func(most int) int {
				n++
				return n % most
			}
			return g
		}
		g.New, g.Init = fresh, func(g *grove) { *g = *fresh() }
	}
	caught(t, groves(t, counting, canon.Functions()), Options[pad]{}, map[string][]string{"SyncTest": {"frame", "near"}})
	made := 0
	numbered := func(g *rollback.OwnMemory[grove, canon.Memento[grove], pad]) {
		g.New, g.Init = func() *grove {
			g := newGrove()
			made++
			g.total = made
			return g
		}, nil
	}
	// The fields of instances are named although there are functions in them, which cannot be walked.
	text := reports(t, func(t2 testing.TB) { Twins(t2, groves(t, numbered, canon.Functions()), Options[pad]{}) }, "begins differently", "total")
	if strings.Contains(text, "no fields can be shown") {
		t.Error(text)
	}
	caught(t, groves(t, func(*rollback.OwnMemory[grove, canon.Memento[grove], pad]) {}, canon.Functions(), canon.Leave("grove.total")),
		Options[pad]{}, map[string][]string{"SyncTest": {"frame", "name"}})
}

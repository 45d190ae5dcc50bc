package tickbacktest

import (
	"strings"
	"testing"
	"time"

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

// What a saver knows by itself is asked of nobody: neither Describe, nor Marshal, nor what would make a check faster. A Hash
// of the game's own may leave something out, which only Describe would show.
func TestAGameThatIsSavedInPlaceIsAskedForNothing(t *testing.T) {
	none := func(*rollback.OwnMemory[grove, canon.Memento[grove], pad]) {}
	log := &logs{TB: t}
	Check(log, groves(t, none, canon.Functions()), Options[pad]{Frames: 40, Longest: 40})
	if len(log.lines) > 0 {
		t.Errorf("it is asked for something:\n%v", log)
	}
	own := func(g *rollback.OwnMemory[grove, canon.Memento[grove], pad]) {
		g.Hash = func(g *grove) uint64 { return uint64(g.total) }
	}
	log = &logs{TB: t}
	Check(log, groves(t, own, canon.Functions()), Options[pad]{Frames: 40, Longest: 40})
	log.tells(t, "whether Hash sees, and Restore brings back, every field: give Describe")
	if strings.Contains(log.String(), "Marshal") {
		t.Errorf("it is asked to encode itself:\n%v", log)
	}
	c, _ := checkByID[grove, pad](checkSync)
	h := newHunter[grove, pad](t, c, groves(t, none, canon.Functions()))
	now, n := time.Unix(0, 0), 0
	h.progress.clock = func() time.Time { // each look takes longer than the one before, so that a walk would be slow
		n++
		now = now.Add(time.Duration(n) * time.Second)
		return now
	}
	if got := h.explain(newMatch[pad](2, 10)); got != "" || n != 20 {
		t.Errorf("%q after %d looks at the clock, want two in each of 10 frames", got, n)
	}
}

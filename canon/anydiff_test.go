package canon

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type item struct {
	Name  string
	Count int
}

type gameNode struct {
	Item item
	kids []*gameNode
	Up   *gameNode
}

type gameWorld struct {
	Root  *gameNode
	Tail  *gameNode
	Items map[string]int32
	Shape any
	Table map[[2]int8]*item
	Log   []string
	Grid  []uint8
}

func aGame() *gameWorld {
	root := &gameNode{Item: item{"root", 1}}
	kid := &gameNode{Item: item{"kid", 2}, Up: root}
	root.kids = []*gameNode{kid, {Item: item{"late", 3}, Up: root}}
	return &gameWorld{
		Root: root, Tail: kid,
		Items: map[string]int32{"sword": 1, "axe": 2},
		Shape: item{"circle", 3},
		Table: map[[2]int8]*item{{1, 2}: {"t", 1}},
		Log:   []string{"a", "b"},
		Grid:  make([]uint8, 1000),
	}
}

func diffText(t *testing.T, a, b any) string {
	t.Helper()
	r, err := DiffAny(a, b, 100)
	if err != nil {
		t.Fatal(err)
	}
	if (encodeAny(t, a) == encodeAny(t, b)) != (r.Total == 0) {
		t.Errorf("diff and encoding disagree: %v", r)
	}
	return r.String()
}

// Rule: each kind of difference has its own line, at the path where it is.
func TestDiffAnyNamesEachDifference(t *testing.T) {
	for _, c := range []struct {
		change func(*gameWorld)
		want   string
	}{
		{func(*gameWorld) {}, "no difference"},
		{func(w *gameWorld) { w.Root.kids[1].Item.Name = "b" }, `Root.kids[1].Item.Name: "late" != "b"`},
		{func(w *gameWorld) { delete(w.Items, "sword") }, `Items["sword"]: 1 != (missing)`},
		{func(w *gameWorld) { w.Items["bow"] = 5 }, `Items["bow"]: (missing) != 5`},
		{func(w *gameWorld) { w.Items["axe"] = 5 }, `Items["axe"]: 2 != 5`},
		{func(w *gameWorld) { w.Items = nil }, "Items: map[string]int32 of length 2 != map[string]int32 of length 0"},
		{func(w *gameWorld) { w.Root = nil; w.Tail = nil }, "Root: *canon.gameNode != nil\nTail: *canon.gameNode != nil"},
		{func(w *gameWorld) { w.Tail = w.Root.kids[1] }, "Root.kids[0]: as at Tail #3 != not met before\nRoot.kids[1]: not met before != as at Tail #3\n" +
			`Tail.Item.Name: "kid" != "late"` + "\nTail.Item.Count: 2 != 3"},
		{func(w *gameWorld) { w.Root.kids[1].Up = w.Tail }, "Root.kids[1].Up: as at Root #2 != as at Tail #3"},
		{func(w *gameWorld) { w.Log = w.Log[:1] }, "Log: length 2 != length 1"},
		{func(w *gameWorld) { w.Shape = item{"circle", 4} }, "Shape.(canon.item).Count: 3 != 4"},
		{func(w *gameWorld) { w.Shape = 5 }, "Shape: canon.item != int"},
		{func(w *gameWorld) { w.Shape = nil }, "Shape: canon.item != nil"},
		{func(w *gameWorld) { w.Table[[2]int8{1, 2}].Count = 8 }, "Table[{1, 2}].Count: 1 != 8"},
		{func(w *gameWorld) { w.Table[[2]int8{3, 2}] = w.Table[[2]int8{1, 2}] }, "Table[{3, 2}]: (missing) != *canon.item"},
		{func(w *gameWorld) { w.Grid[999] = 1 }, "Grid[999]: 0 != 1"},
	} {
		b := aGame()
		c.change(b)
		if got := diffText(t, aGame(), b); got != c.want {
			t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
		}
	}
}

// Rule: a long string is shown around the first difference.
func TestDiffAnyCutsLongStrings(t *testing.T) {
	a := strings.Repeat("x", 10_000)
	got := diffText(t, a, a[:5000]+"y"+a[5001:])
	if !strings.Contains(got, "of 10000") || len(got) > 300 {
		t.Errorf("got %q", got)
	}
	if got := diffText(t, a, a+"z"); !strings.Contains(got, "xz") || len(got) > 300 {
		t.Errorf("got %q", got)
	}
}

// randomGraph builds a small world with sharing, cycles and all kinds of references; the same seed builds an equal one
// at other addresses.
func randomGraph(seed uint64) any {
	rng := rand.New(rand.NewPCG(seed, 0))
	nodes := make([]*gameNode, 1+rng.IntN(4))
	for i := range nodes {
		nodes[i] = &gameNode{Item: item{Count: rng.IntN(2)}}
	}
	pick := func() *gameNode {
		if i := rng.IntN(len(nodes) + 1); i > 0 {
			return nodes[i-1]
		}
		return nil
	}
	for _, n := range nodes {
		n.Up = pick()
		for range rng.IntN(3) {
			n.kids = append(n.kids, pick())
		}
	}
	holders := []any{
		pick(),
		[]*gameNode{pick(), pick()},
		map[int8]*gameNode{1: pick(), int8(rng.IntN(3)): pick()},
		map[*gameNode]int{pick(): 1},
		[]any{pick(), map[string]any{"a": pick()}, []any{nil, 1, "x", 2.5}[rng.IntN(4)]},
	}
	return holders[rng.IntN(len(holders))]
}

// Rule: DiffAny finds nothing exactly if the encodings are equal.
func TestDiffAnyAgreesWithTheEncoding(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "a")
		other := rapid.SampledFrom([]uint64{seed, rapid.Uint64Range(0, 50).Draw(t, "b")}).Draw(t, "seed of b")
		a, b := randomGraph(seed), randomGraph(other)
		ea, errA := AppendAny(nil, a)
		eb, errB := AppendAny(nil, b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		r, err := DiffAny(a, b, 3)
		if err != nil || (r.Total == 0) != (string(ea) == string(eb)) {
			t.Fatalf("%v, %v for\n%x\n%x", r, err, ea, eb)
		}
		if seed == other && r.Total != 0 {
			t.Fatalf("the same graph at other addresses differs: %v", r)
		}
		if _, err := AppendTextAny(nil, a); err != nil {
			t.Fatal(err)
		}
		seen[r.Total == 0]++
	})
	// Control: the property says nothing unless both outcomes occur.
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("one-sided: %v", seen)
	}
}

package world

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// Rule: a difference names table, row, column and field, with both values.
func TestDiffNamesEntityAndField(t *testing.T) {
	w, list := filled(t, 5000)
	Update(w, func(w *sample) { w.Units.Target.Put(list[4101], list[2]) })
	a := Save(w)
	Update(w, func(w *sample) {
		w.Units.Health.Set(list[4113], 99)
		pos, _ := w.Units.Pos.Get(list[3])
		pos.Y = 7
		w.Units.Pos.Set(list[3], pos)
		if w.Units.Kill(list[4999]) != nil {
			t.Error("it does not die")
		}
		w.Units.Target.Put(list[256], list[1])
		w.Units.Order.Drop(list[7])
		w.Units.Target.Put(list[4101], list[4])
		w.Walls.Set(17, 3, 1)
		w.Scores.Put(-100, 4)
		w.Scores.Drop(-9)
		w.Scores.Put(0, 1000)
		w.Marks.Add(300)
		w.Rules.Write().Tide[2] = -5
	})
	b := Save(w)
	want := strings.Join([]string{
		"Units#4999: alive != dead",
		"Units#3.Pos.Y: -3 != 7",
		"Units#4999.Pos.X: 4999 != 0",
		"Units#4999.Pos.Y: -4999 != 0",
		"Units#4113.Health: 4213 != 99",
		"Units#4999.Health: 5099 != 0",
		"Units#256.Target: (missing) != 1#1/1",
		"Units#4101.Target: 1#2/1 != 1#4/1",
		"Units#7.Order: Kind: 1, To.X: 3, To.Y: 7, Slow: true != (missing)",
		"Rules.Tide[2]: 3 != -5",
		"Walls[17,3]: 0 != 1",
		"Scores[-100]: (missing) != 4",
		"Scores[-9]: 37 != (missing)",
		"Scores[0]: 34 != 1000",
		"Marks[300]: (missing) != there",
	}, "\n")
	if got := Diff(a, b, 100).String(); got != want {
		t.Errorf("it says\n%s\nwant\n%s", got, want)
	}
	if r := Diff(a, b, 2); len(r.Differences) != 2 || r.Total != 15 {
		t.Errorf("of two differences it says %v", r)
	}
	if r := Diff(a, a.Retain(), 5); r.Total != 0 {
		t.Errorf("of none it says %v", r)
	}
	if r := Diff(a, Save(newSample(t)), 1); r.Total < 5000 || !strings.HasPrefix(r.String(), "Units#0: alive != dead") {
		t.Errorf("of an empty world it says %v", r)
	}
}

// Rule: if grids have different sizes, both are named.
func TestDiffNamesSizes(t *testing.T) {
	type land struct{ Cells Grid[uint8] }
	w, err := New[land]()
	ok(t, err)
	Update(w, func(w *land) { w.Cells.Resize(120, 19) })
	a := Save(w)
	Update(w, func(w *land) { w.Cells.Resize(19, 120) })
	if got, want := Diff(a, Save(w), 9).String(), "Cells size: 120x19 != 19x120"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// Rule: a difference between two maps is counted once, on however many pages they differ; and each map is compared.
func TestDiffOfLargeMaps(t *testing.T) {
	type book struct {
		Prices, Debts Map[uint32, int64]
		Names         Set[uint64]
	}
	const keys = 5 * Rows
	w, err := New[book]()
	ok(t, err)
	Update(w, func(w *book) {
		for i := range uint32(keys) {
			w.Prices.Put(2*i, int64(i))
			w.Debts.Put(2*i, int64(i))
			w.Names.Add(2 * uint64(i))
		}
	})
	a := Save(w)
	Update(w, func(w *book) {
		for _, i := range []uint32{3, Rows + 3, 4*Rows + 3} {
			w.Prices.Put(2*i, -1)
			w.Debts.Put(2*i, -1)
			w.Debts.Put(2*i+1, -1)
			w.Names.Drop(2 * uint64(i))
		}
	})
	b := Save(w)
	for _, c := range [][2]*Snapshot{{a, b}, {b, a}} {
		parts := map[string]int{}
		r := Diff(c[0], c[1], 100)
		for _, d := range r.Differences {
			name, _, _ := strings.Cut(d.Path, "[")
			parts[name]++
		}
		if r.Total != 12 || parts["Prices"] != 3 || parts["Debts"] != 6 || parts["Names"] != 3 {
			t.Errorf("%d differences, of which it names %v", r.Total, parts)
		}
	}
}

// descend finds the fields that differ by exchanging parts, as two machines do, and counts the bytes.
func descend(a, b rollback.Parts, level int, node uint64, bytes *int) (found []canon.Difference) {
	if level == rollback.PartLevels {
		x, y := a.AppendText(nil, node), b.AppendText(nil, node)
		*bytes += len(x)
		return canon.DiffTexts(x, y, 100).Differences
	}
	var x, y [64]uint64
	a.Digests(level, node, &x)
	b.Digests(level, node, &y)
	*bytes += len(x) * 8
	for i := range x {
		if x[i] != y[i] {
			found = append(found, descend(a, b, level+1, node*64+uint64(i), bytes)...)
		}
	}
	return found
}

// Rule: each of 1,000 random faults in one field is found by exchanging digests and the pages that differ, and is named
// with entity and field; at most 16 KB of these are needed.
func TestFaultsAreNamed(t *testing.T) {
	faults := rounds(1000)
	r := random(t)
	w, list := filled(t, 10_000)
	Update(w, func(w *sample) { w.spawnShots(t, 300) })
	good, most := Save(w), 0
	for range faults {
		e := list[r.IntN(len(list))]
		want := ""
		Update(w, func(w *sample) {
			switch r.IntN(9) {
			case 0:
				w.Units.Health.Set(e, -1)
				want = rowPath("Units", e.Row()) + ".Health"
			case 1:
				w.Units.Pos.Set(e, vec{int64(e.Row()), 1 << 40})
				want = rowPath("Units", e.Row()) + ".Pos.Y"
			case 2:
				w.Units.Target.Put(e, e)
				want = rowPath("Units", e.Row()) + ".Target"
			case 3:
				w.Rules.Write().Tide[1] = 77
				want = "Rules.Tide[1]"
			case 4:
				x, y := r.IntN(40), r.IntN(21)
				w.Walls.Set(x, y, 4000)
				want = cellPath("Walls", x, y)
			case 5:
				w.Scores.Put(-9, 5000)
				want = "Scores[-9]"
			case 6:
				e := w.Shots.At(r.IntN(300))
				w.Shots.TTL.Set(e, 500)
				want = rowPath("Shots", e.Row()) + ".TTL"
			case 7: // nothing but that it is there
				w.Units.Target.Put(e, 0)
				want = rowPath("Units", e.Row()) + ".Target"
			case 8: // nothing except that it is dead
				e := w.Shots.At(r.IntN(300))
				ok(t, w.Shots.Kill(e))
				want = rowPath("Shots", e.Row())
			}
		})
		bad, bytes := Save(w), 0
		got := descend(partsOf(good), partsOf(bad), 0, 0, &bytes)
		if len(got) != 1 || got[0].Path != want {
			t.Fatalf("a fault in %s is named %v", want, got)
		}
		if d := Diff(good, bad, 5); d.Total != 1 || d.Differences[0] != got[0] {
			t.Fatalf("Diff says %v, the parts %v", d, got)
		}
		most = max(most, bytes)
		bad.Release()
		Restore(w, good)
	}
	if t.Logf("at most %d bytes for one fault", most); most > 16<<10 {
		t.Errorf("%d bytes are needed for one fault", most)
	}
}

func (w *sample) spawnShots(t testing.TB, n int) {
	for range n {
		if _, err := w.Shots.Spawn(); err != nil {
			t.Fatal(err)
		}
	}
}

// Rule: worlds whose tables have different lengths can be compared in this way, too.
func TestPartsOfDifferentSizes(t *testing.T) {
	a, _ := filled(t, 3)
	b, _ := filled(t, 300)
	Update(b, func(w *sample) { w.Walls.Resize(100, 100) })
	bytes := 0
	found := descend(partsOf(Save(a)), partsOf(Save(b)), 0, 0, &bytes)
	if len(found) < 600 {
		t.Errorf("only %d fields", len(found))
	}
	if found := descend(partsOf(Save(a)), partsOf(Save(newSample(t))), 0, 0, &bytes); len(found) < 10 {
		t.Errorf("only %d fields", len(found))
	}
}

// wide has single values that are far too large for one leaf, with fields that span two leaves.
type wide struct {
	Ways One[[500]way]
	Tail One[[2048]uint8]
}

type way struct {
	Kind uint8
	Cost uint64
	Ends [3]uint16
	Open bool
}

// Rule: a field of a large single value is found, with only a few others, wherever it is.
func TestFaultsInLargeValuesAreNamed(t *testing.T) {
	r := random(t)
	w, err := New[wide]()
	ok(t, err)
	Update(w, func(w *wide) {
		for i := range w.Ways.Write() {
			w.Ways.Write()[i].Cost = r.Uint64()
		}
	})
	good := Save(w)
	for range rounds(300) {
		i, k := r.IntN(500), r.IntN(3)
		want := fmt.Sprintf("Ways[%d].", i)
		Update(w, func(w *wide) {
			v := &w.Ways.Write()[i]
			switch r.IntN(5) {
			case 0:
				v.Kind++
				want += "Kind"
			case 1:
				v.Cost ^= 1 << r.IntN(64)
				want += "Cost"
			case 2:
				v.Ends[k]++
				want += fmt.Sprintf("Ends[%d]", k)
			case 3:
				v.Open = true
				want += "Open"
			case 4:
				i = r.IntN(2048)
				w.Tail.Write()[i] = 1
				want = fmt.Sprintf("Tail[%d]", i)
			}
		})
		bad, bytes := Save(w), 0
		if got := descend(partsOf(good), partsOf(bad), 0, 0, &bytes); len(got) != 1 || got[0].Path != want || bytes > 3<<10 {
			t.Fatalf("a fault in %s is named %v, by %d bytes", want, got, bytes)
		} else if d := Diff(good, bad, 5); d.Total != 1 || d.Differences[0] != got[0] {
			t.Fatalf("Diff says %v, the parts %v", d, got)
		}
		bad.Release()
		Restore(w, good)
	}
}

// Rule: two units in the same row that were spawned at different times are distinguished by their generations.
func TestDiffNamesGenerations(t *testing.T) {
	a, b := newSample(t), newSample(t)
	born := func(w *sample, times int) {
		Update(w, func(w *sample) {
			for i := range times {
				e, err := w.Units.Spawn()
				ok(t, err)
				if i < times-1 {
					ok(t, w.Units.Kill(e))
				}
			}
		})
	}
	born(a, 1)
	born(b, 12)
	if got, want := Diff(Save(a), Save(b), 9).String(), "Units#0 generation: 1 != 12"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if got, want := Diff(Save(b), Save(a), 9).String(), "Units#0 generation: 12 != 1"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// manyParts is a world with more parts than one node of the highest level covers.
type manyParts struct {
	A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T One[uint64]
}

func (w *manyParts) parts() []*One[uint64] {
	return []*One[uint64]{
		&w.A, &w.B, &w.C, &w.D, &w.E, &w.F, &w.G, &w.H, &w.I, &w.J,
		&w.K, &w.L, &w.M, &w.N, &w.O, &w.P, &w.Q, &w.R, &w.S, &w.T,
	}
}

// Rule: a digest does not depend on anything beside its node: after one change, one node of each level differs,
// whichever part it is in.
func TestADigestIsOfItsNodeAlone(t *testing.T) {
	w, err := New[manyParts]()
	if err != nil {
		t.Fatal(err)
	}
	var of [64]uint64
	if partsOf(Save(w)).Digests(0, 0, &of); of != [64]uint64{} {
		t.Errorf("of nothing the digests are %v", of)
	}
	for part, one := range w.parts() {
		before := Save(w)
		Update(w, func(*manyParts) { one.Set(uint64(part) + 1) })
		x, y := partsOf(before), partsOf(Save(w))
		for level, node := 0, uint64(0); level < rollback.PartLevels; level++ {
			var of, other [64]uint64
			x.Digests(level, node, &of)
			y.Digests(level, node, &other)
			differ := []int(nil)
			for i := range of {
				if of[i] != other[i] {
					differ = append(differ, i)
				}
			}
			if len(differ) != 1 {
				t.Errorf("a change of part %d: of level %d the nodes %v differ", part, level+1, differ)
				break
			}
			node = node<<6 | uint64(differ[0])
		}
	}
}

// savedOf returns a snapshot of an empty world.
func savedOf[W any](t *testing.T) *Snapshot {
	t.Helper()
	w, err := New[W]()
	if err != nil {
		t.Fatal(err)
	}
	return Save(w)
}

// Rule: snapshots of worlds of different types are not equal, even with the same number of parts, and neither are those of
// types with the same name but other parts.
func TestWorldsOfOtherTypesAreNotEqual(t *testing.T) {
	type one struct{ A One[uint32] }
	type other struct{ B One[int8] }
	type more struct {
		A One[uint32]
		B One[int8]
	}
	list := []*Snapshot{savedOf[one](t), savedOf[other](t), savedOf[more](t)}
	for i, a := range list {
		for k, b := range list {
			if a.Equal(b) != (i == k) {
				t.Errorf("%T and %T are equal: %v", a.world, b.world, a.Equal(b))
			}
		}
	}
}

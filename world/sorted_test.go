package world

import (
	"cmp"
	"slices"
	"testing"
)

// Rule: commands that were carried out are released, with what they point to.
func TestCommandsAreLetGoOf(t *testing.T) {
	type land struct {
		Units units
		Calls Later[*int]
	}
	w, err := New[land]()
	ok(t, err)
	Update(w, func(w *land) {
		_, err := w.Units.Spawn()
		ok(t, err)
		for k := range w.Units.Chunks() {
			w.Calls.Push(k, new(int))
		}
		for range w.Calls.Drain() {
		}
	})
	if list := w.Calls.drained[:cap(w.Calls.drained)]; len(list) == 0 || list[0] != nil {
		t.Errorf("%v are held", list)
	}
}

// Rule: a map has as many pages as its keys need, even after some were dropped.
func TestPagesOfAMap(t *testing.T) {
	w := newSample(t)
	const n = 3*Rows + 1
	Update(w, func(w *sample) {
		for i := range int32(n) {
			w.Scores.Put(i*7%n, 1)
		}
		for left := n; left > 0; left-- {
			if got, want := len(w.Scores.list), (left+Rows-1)/Rows; got != want || w.Scores.Len() != left {
				t.Fatalf("%d keys, of %d, are in %d pages, want %d", w.Scores.Len(), left, got, want)
			}
			w.Scores.Drop(int32(left * 5 % n))
		}
		if len(w.Scores.list) != 0 {
			t.Errorf("no keys are in %d pages", len(w.Scores.list))
		}
	})
}

// Rule: commands that compare as equal stay in the order of Drain: by chunk, and within a chunk in the order of
// pushing. There are more of them than an insertion sort, which is stable, would handle.
func TestDrainSortedIsStable(t *testing.T) {
	const perChunk = 60
	w := newArena(t, 3*Rows)
	Update(w, func(w *arena) {
		for c := range w.Units.Chunks() {
			for i := range perChunk {
				w.Hits.Push(c, hit{Entity(i % 3), int32(c.First() + i)})
			}
		}
		whole := w.Hits.Len()
		got := slices.Collect(w.Hits.DrainSorted(func(a, b hit) int { return cmp.Compare(a.Who, b.Who) }))
		if whole < 3*perChunk || len(got) != whole {
			t.Fatalf("%d commands were pushed, and %d come out", whole, len(got))
		}
		for i, h := range got[1:] {
			if before := got[i]; h.Who < before.Who || h.Who == before.Who && h.Amount <= before.Amount {
				t.Fatalf("command %d of %v comes after %d of %v", h.Amount, h.Who, before.Amount, before.Who)
			}
		}
	})
}

// Rule: the digests of the pages of a part differ where the pages do, there is one for each page, and they are appended
// to the given ones.
func TestPageDigests(t *testing.T) {
	w := newArena(t, 3*Rows)
	before := Save(w)
	var someone Entity
	Update(w, func(w *arena) {
		someone = w.Units.At(Rows + 1)
		w.Units.Health.Set(someone, 1_000)
	})
	after := Save(w)
	paths, whole := after.Parts()
	_, was := before.Parts()
	differing := 0
	for part, path := range paths {
		a, b := before.PageDigests([]uint64{7}, part), after.PageDigests([]uint64{7}, part)
		if len(a) != len(b) || a[0] != 7 || b[0] != 7 || len(a) != 1+after.store.parts[part].count() {
			t.Fatalf("%s: %d and %d digests of %d pages", path, len(a), len(b), after.store.parts[part].count())
		}
		var where []int
		for i := range a {
			if a[i] != b[i] {
				where = append(where, i-1)
			}
		}
		if (len(where) > 0) != (whole[part] != was[part]) {
			t.Errorf("%s: its pages %v differ, and its digests are %x and %x", path, where, was[part], whole[part])
		}
		if len(where) > 0 {
			differing++
			if path != "Units.Health" || !slices.Equal(where, []int{1}) {
				t.Errorf("pages %v of %s differ, and only the second one of Units.Health was changed", where, path)
			}
		}
	}
	if differing != 1 {
		t.Errorf("%d parts differ", differing)
	}
}

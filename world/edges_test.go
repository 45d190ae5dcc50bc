package world

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"
)

// full calls do, and returns its panic unless it says that something is full.
func full(t *testing.T, call string, do func()) {
	t.Helper()
	var use *UseError
	if err := mustPanic(t, do); !errors.Is(err, ErrFull) || !errors.As(err, &use) || use.Call != call {
		t.Errorf("%s: %v", call, err)
	}
}

// Rule: a table, a grid and a map are full at their limits, and not before; at the limits everything else works.
func TestWhatIsFull(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		w.Units.grow(MaxRows/Rows - 1) // as if that many rows lived
		w.Units.lowest = MaxRows/Rows - 1
		e, err := w.Units.Spawn()
		if err != nil || e.Row() != MaxRows-Rows {
			t.Errorf("%v, %v", e, err)
		}
		w.Units.lowest = MaxRows / Rows
		var use *UseError
		if _, err := w.Units.Spawn(); !errors.Is(err, ErrFull) || !errors.As(err, &use) || use.Path != "Units" || use.Row != -1 {
			t.Error(err)
		}
		if w.Units.Kill(e) != nil || w.Units.lowest != MaxRows/Rows-1 {
			t.Error("a row is not free again")
		}
		w.Walls.Resize(MaxSide, 1)
		w.Walls.Resize(0, MaxSide)
		for _, size := range [][2]int{{MaxSide + 1, 1}, {1, MaxSide + 1}, {-1, 1}, {1, -1}} {
			full(t, "Resize", func() { w.Walls.Resize(size[0], size[1]) })
		}
		w.Scores.length = MaxKeys
		w.Scores.resize(MaxKeys / Rows)
		w.Scores.Put(0, 5) // it is there
		full(t, "Put", func() { w.Scores.Put(-1, 5) })
		if v, _ := w.Scores.Get(0); v != 5 {
			t.Error("a key that is there cannot be changed")
		}
	})
	for _, c := range []struct {
		p     paged
		h     heading
		fits  bool
		pages uint64
	}{
		{&w.Units.Table, heading{MaxRows / Rows}, true, MaxRows / Rows * 6},
		{&w.Units.Table, heading{MaxRows/Rows + 1}, false, (MaxRows/Rows + 1) * 6},
		{&w.Units.Table, heading{math.MaxUint64}, false, MaxRows * 6},
		{&w.Walls, heading{MaxSide, MaxSide}, true, MaxSide * MaxSide / Rows},
		{&w.Walls, heading{MaxSide + 1, 1}, false, MaxSide / Rows},
		{&w.Walls, heading{1, MaxSide + 1}, false, MaxSide / Rows},
		{&w.Walls, heading{math.MaxUint64, math.MaxUint64}, false, 4 * MaxSide * MaxSide / Rows},
		{&w.Scores, heading{MaxKeys}, true, MaxKeys / Rows},
		{&w.Scores, heading{MaxKeys + 1}, false, MaxKeys / Rows},
	} {
		if err := c.p.setHead(c.h); (err == nil) != c.fits || err != nil && !errors.Is(err, ErrFull) {
			t.Errorf("%s of %v: %v", c.p.pathOf(), c.h, err)
		}
		if got := c.p.wanted(c.h); got != c.pages {
			t.Errorf("%s of %v wants %d pages, want %d", c.p.pathOf(), c.h, got, c.pages)
		}
		c.p.reset()
	}
}

// Rule: an entity that is not in a table counts as dead in every call.
func TestNobodyLivesElsewhere(t *testing.T) {
	w, list := filled(t, 300)
	other := entityOf(2, 0, 1)
	for _, e := range []Entity{0, other, entityOf(1, 0, 2), entityOf(1, 300, 1), entityOf(1, 512, 1), entityOf(1, MaxRows-1, 1)} {
		if _, ok := w.Units.Pos.Get(e); ok || w.Units.Alive(e) || w.Units.Order.Has(e) {
			t.Errorf("%v lives", e)
		}
	}
	for _, row := range []int{-1, -Rows, 300, 511, 512, MaxRows} {
		if e := w.Units.At(row); e != 0 {
			t.Errorf("%v lives in row %d", e, row)
		}
	}
	for c := range w.Units.Chunks() {
		for _, row := range []int{-1, Rows, 44 + c.First()} {
			if (c.Has(row) || c.Entity(row) != 0) != (row == 44) {
				t.Errorf("row %d of chunk %d: %v", row, c.number, c.Entity(row))
			}
		}
		if want := min(300-c.First(), Rows); c.Len() != want || c.Entity(0) != list[c.First()] {
			t.Errorf("chunk %d has %d, want %d", c.number, c.Len(), want)
		}
	}
	const last = MaxRows - 1
	if e := entityOf(MaxTables, last, math.MaxUint32); e.table() != MaxTables || e.Row() != last || e.Generation() != math.MaxUint32 {
		t.Errorf("the last entity of all is %v", e)
	}
	if e := entityOf(3, 70000, 9); e.table() != 3 || e.Row() != 70000 || e.Generation() != 9 || e.String() != "3#70000/9" {
		t.Error(e)
	}
}

// Rule: the generations of a row repeat from 1 on; generation 0 is never used.
func TestGenerationsWrap(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		e, _ := w.Units.Spawn()
		ok(t, w.Units.Kill(e))
		w.Units.write(0).Generations[0] = math.MaxUint32 - 1
		for _, want := range []uint32{math.MaxUint32, 1, 2} {
			e, _ := w.Units.Spawn()
			if e.Generation() != want || !w.Units.Alive(e) {
				t.Errorf("%v, want generation %d", e, want)
			}
			if text := fmt.Sprintf("1#0/%d", want); e.String() != text {
				t.Errorf("it is %v, want %s", e, text)
			}
			ok(t, w.Units.Kill(e))
		}
	})
}

// Rule: the numbers of stages repeat from 1 on; 0 means outside of stages, where chunks of a stage are stale.
func TestNumbersOfStagesWrap(t *testing.T) {
	a, b := newArena(t, 600), newArena(t, 600)
	storeOf(a).stages = math.MaxUint32 - 1
	for range 3 {
		a.update()
		b.update()
	}
	if Hash(a) != Hash(b) || storeOf(a).stages == 0 || storeOf(a).stages > 10 {
		t.Errorf("after the last number comes %d", storeOf(a).stages)
	}
}

// Rule: an encoding is appended with one allocation, with slightly more room than it needs, and with none if there is
// room.
func TestAppendTakesMemoryOnce(t *testing.T) {
	w, _ := filled(t, 600)
	s := Save(w)
	defer s.Release()
	var b []byte
	if n := testing.AllocsPerRun(20, func() { b = s.Append(nil) }); n > 2 { // one allocation, of which the race detector makes two
		t.Errorf("%v allocations", n)
	}
	parts := storeOf(w).parts
	zero := 0
	for _, p := range parts {
		for i := range p.count() {
			if p.isZero(i) {
				zero += p.pageBytes()
			}
		}
	}
	if most := storeOf(w).encodedSize(); most < len(b)+zero || most > len(b)+zero+25*len(parts) {
		t.Errorf("room for %d bytes, and %d and zeros of %d are written", most, len(b), zero)
	}
}

// Rule: a snapshot reports how much memory its pages take, with the overhead of each.
func TestBytesOfASnapshot(t *testing.T) {
	w, _ := filled(t, 10)
	a := Save(w).Bytes()
	Update(w, func(w *sample) { w.spawn(t, Rows, nil) })
	const columns, each = 6, 8 + int(unsafe.Sizeof(page[int]{}))
	content := unsafe.Sizeof(rowPage{}) + unsafe.Sizeof([Rows]vec{}) + unsafe.Sizeof([Rows]int32{}) + unsafe.Sizeof([Rows]uint8{}) +
		unsafe.Sizeof(optionalPage[Entity]{}) + unsafe.Sizeof(optionalPage[order]{})
	if got := Save(w).Bytes() - a; unsafe.Sizeof(uintptr(0)) == 8 && got != int(content)+columns*each {
		t.Errorf("a chunk more takes %d bytes, want %d", got, int(content)+columns*each)
	}
}

// Rule: the work of decoding is counted by pages and by their bytes.
func TestDecodingIsCounted(t *testing.T) {
	from, _ := filled(t, 600)
	b := Save(from).Append(nil)
	want := 0
	for _, p := range storeOf(from).parts {
		for i := range p.count() {
			if want += 16; !p.isZero(i) {
				want += 1 + p.pageBytes()/128
			}
		}
	}
	w, got := newSample(t), 0
	storeOf(w).pause = func(n int) { got += n }
	ok(t, Load(w, b))
	if got != want {
		t.Errorf("%d of work, want %d", got, want)
	}
}

// Rule: a set of rows behaves like a naive one.
func TestMasksAreNaive(t *testing.T) {
	r := random(t)
	for range 200 {
		var m mask
		want := map[int]bool{}
		for range r.IntN(400) {
			row := r.IntN(Rows)
			if r.IntN(3) == 0 {
				m.remove(row)
				delete(want, row)
			} else {
				m.add(row)
				want[row] = true
			}
		}
		free := 0
		for want[free] {
			free++
		}
		if m.len() != len(want) || m.empty() != (len(want) == 0) || m.free() != free {
			t.Fatalf("%d rows, empty: %v, the first free one is %d; want %d, %d", m.len(), m.empty(), m.free(), len(want), free)
		}
		last := -1
		for row := range m.rows() {
			if row <= last || !want[row] || !m.has(row) {
				t.Fatalf("row %d comes after %d", row, last)
			}
			last = row
			delete(want, row)
			if len(want) == 3 && r.IntN(2) == 0 {
				break // it may be broken off
			}
		}
		if len(want) > 3 {
			t.Fatalf("%v are left out", want)
		}
	}
	all := mask{math.MaxUint64, math.MaxUint64, math.MaxUint64, math.MaxUint64}
	if all.free() != Rows || all.len() != Rows {
		t.Error(all.free(), all.len())
	}
}

// Rule: the text of a leaf has the fields that begin in it, and no others.
func TestTextOfALeaf(t *testing.T) {
	w, _ := filled(t, 1)
	for leaf, want := range []string{"Rules.Seed: 7\n", "Rules.Tide[0]: 1\nRules.Tide[1]: -2\nRules.Tide[2]: 3\n"} {
		if got := string(w.Rules.appendLeafText(nil, leaf)); got != want {
			t.Errorf("leaf %d is %q, want %q", leaf, got, want)
		}
	}
}

// Rule: the cells of a grid have a text, and those beyond its size, in its last pages, have none.
func TestTextOfACell(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		w.Walls.Resize(3, 2)
		w.Walls.Set(2, 1, 9)
	})
	for y := range gridSide {
		for x := range gridSide {
			want := ""
			if x < 3 && y < 2 {
				want = fmt.Sprintf("Walls[%d,%d]: %d\n", x, y, w.Walls.At(x, y))
			}
			if got := string(w.Walls.appendLeafText(nil, y*gridSide+x)); got != want {
				t.Errorf("cell (%d, %d) is %q, want %q", x, y, got, want)
			}
		}
	}
}

// Rule: restoring a snapshot of another type of world panics, and leaves the world as it was.
func TestASnapshotOfAnotherTypeIsNotRestored(t *testing.T) {
	w, _ := filled(t, 3)
	before := Hash(w)
	defer func() {
		if recover() == nil || Hash(w) != before {
			t.Error("it was restored")
		}
	}()
	Restore(w, savedOf[manyParts](t))
}

// Rule: after the last key of a map nothing is encoded, even if it is the only one on its page.
func TestNothingIsBehindTheLastKey(t *testing.T) {
	for _, keys := range []int{1, 2, Rows + 1} {
		w := newSample(t)
		Update(w, func(w *sample) {
			for i := range keys {
				w.Scores.Put(int32(i), 1)
			}
		})
		ok(t, w.Scores.finish())
		w.Scores.write(keys / Rows).Values[keys%Rows] = 5
		var use *UseError
		if err := w.Scores.finish(); !errors.Is(err, errBehind) || !errors.As(err, &use) || use.Row != keys {
			t.Errorf("%d keys: %v", keys, err)
		}
	}
}

// Rule: a set of rows is empty if it has no row, whichever that is.
func TestAnEmptySetOfRows(t *testing.T) {
	var m mask
	if !m.empty() {
		t.Error("the zero set is not empty")
	}
	for row := range Rows {
		if m.add(row); m.empty() || m.len() != 1 {
			t.Errorf("with row %d it is empty: %v", row, m.empty())
		}
		m.remove(row)
	}
}

// Rule: nodes beyond the parts of a state, and beyond their leaves, have no text and no digest.
func TestNothingIsBeyondTheLeaves(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		for i := range Rows + 1 {
			w.Scores.Put(int32(i), 1)
		}
	})
	s := Save(w)
	parts := storeOf(w).parts
	for part, p := range parts {
		for _, leaf := range []int{p.leaves(), p.leaves() + 1, maxLeaves - 1} {
			if b := partsOf(s).AppendText(nil, uint64(part)<<leafBits|uint64(leaf)); len(b) > 0 {
				t.Errorf("leaf %d of %s is %q", leaf, p.pathOf(), b)
			}
		}
	}
	if b := partsOf(s).AppendText(nil, uint64(len(parts))<<leafBits); len(b) > 0 {
		t.Errorf("behind the last part is %q", b)
	}
	for row := 1; row < Rows; row++ {
		if b := w.Scores.appendRow(nil, 1, row); len(b) > 0 {
			t.Fatalf("behind the last key is %x", b)
		}
	}
}

// Rule: a cell beyond the size of a grid is refused, and so is a change of the size outside of a step, without a row in
// the error.
func TestCellsBeyondAGrid(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) { w.Walls.Resize(20, 3) })
	ok(t, w.Walls.finish())
	w.Walls.write(1)[4] = 1 // column 20
	var use *UseError
	if err := w.Walls.finish(); !errors.Is(err, errOutside) || !errors.As(err, &use) || use.Row != -1 {
		t.Errorf("%+v", use)
	}
	if err := mustPanic(t, func() { w.Walls.Resize(1, 1) }); !errors.As(err, &use) || use.Row != -1 || use.Call != "Resize" {
		t.Errorf("%+v", use)
	}
}

// Rule: states of different worlds differ as a whole.
func TestDiffOfDifferentWorlds(t *testing.T) {
	a, b := Save(newSample(t)), Save(newArena(t, 1))
	if got, want := Diff(a, b, 9).String(), "(world): world.sample != world.arena"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// Rule: memory that was decoded for loading is reused, and so is that of what is refused.
func TestLoadingKeepsNoSnapshots(t *testing.T) {
	w := newArena(t, 600)
	base := Save(w)
	encoded, delta := base.Append(nil), base.AppendDelta(nil, base)
	cut := func(b []byte) []byte { return b[:len(b)-1] }
	d := defined(t, Game[arena, uint8]{Init: played(1).Init, Step: played(1).Step, Check: func(*arena) error { return nil }})
	strict := played(1)
	strict.Check = func(*arena) error { return errLayout }
	none := defined(t, strict)
	for i, load := range []func() error{
		func() error { return Load(w, encoded) },
		func() error { return d.Unmarshal(w, encoded) },
		func() error {
			n, err := ApplyDelta[arena](base, delta)
			n.Release()
			return err
		},
		func() error { return Load(w, cut(encoded)) },
		func() error { return d.Unmarshal(w, cut(encoded)) },
		func() error { return none.Unmarshal(w, encoded) },
		func() error {
			_, err := ApplyDelta[arena](base, cut(delta))
			return err
		},
	} {
		refused := i > 2
		if err := load(); (err != nil) != refused {
			t.Fatalf("load %d: %v", i, err)
		}
		s := storeOf(w)
		s.reclaim()
		before := len(s.spare)
		for range 5 {
			if err := load(); (err != nil) != refused {
				t.Fatalf("load %d: %v", i, err)
			}
		}
		if s.reclaim(); len(s.spare) != before || before == 0 {
			t.Errorf("load %d: %d snapshots are free, want those %d that the first call has left, and one at least", i, len(s.spare), before)
		}
	}
}

// sized is a part whose head determines the number of its pages: a fixed number for each unit.
type sized struct {
	paged
	at, made heading
	each     uint64
}

func (p *sized) head() (heading, int)    { return p.at, 1 }
func (p *sized) wanted(h heading) uint64 { return h[0] * p.each }
func (p *sized) setHead(h heading) error { p.made = h; return nil }

// Rule: a delta may give a part as many pages as it has, and one unit more for each byte that follows, up to the last
// one; at least one page, if a unit is less than that. Unchanged pages are not made again.
func TestHowManyPagesADeltaMayAdd(t *testing.T) {
	for _, c := range []struct {
		at, each uint64
		rest     int
		most     uint64
	}{{5, 1, 7, 12}, {5, 3, 7, 12}, {0, 1, 7, 7}, {5, 1, 0, 5}, {0, 0, 3, 90}} {
		for _, want := range []uint64{0, c.at, c.most, c.most + 1} {
			p := &sized{at: heading{c.at}, each: c.each}
			r := reader{b: append([]byte{byte(want)}, make([]byte, c.rest)...)}
			r.changedHead(p)
			fits := want <= c.most || c.each == 0
			if fits != (r.err == nil) || fits && want != c.at && p.made[0] != want || want == c.at && p.made[0] != 0 {
				t.Errorf("%d units of %d pages, %d bytes follow: of %d units %d are made, %v", c.at, c.each, c.rest, want, p.made[0], r.err)
			}
		}
	}
}

// Rule: a grid may grow to its largest size in one step, and stay empty: a delta for that has few bytes, and can be applied to
// the smallest grid.
func TestAGridGrowsToItsLargestSize(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) { w.Walls.Resize(1, 1) })
	small := Save(w)
	Update(w, func(w *sample) { w.Walls.Resize(MaxSide, MaxSide) })
	large := Save(w)
	for _, c := range [][2]*Snapshot{{small, large}, {large, small}} {
		delta := c[1].AppendDelta(nil, c[0])
		got, err := ApplyDelta[sample](c[0], delta)
		if err != nil || len(delta) > 100 {
			t.Fatalf("%d bytes: %v", len(delta), err)
		}
		if !got.Equal(c[1]) {
			t.Error("it leads to another world")
		}
	}
}

// Rule: a delta that makes a grid larger than the largest size is refused with that reason, however many bytes follow.
func TestADeltaMakesNoGridTooLarge(t *testing.T) {
	type land struct{ Cells Grid[uint8] }
	w, err := New[land]()
	ok(t, err)
	base := Save(w)
	begin := base.AppendDelta(nil, base)
	begin = begin[: len(begin)-3 : len(begin)-3] // without the size, and the end of the pages
	for _, rest := range []int{0, 100, 1 << 16} {
		for _, size := range [][2]uint64{{MaxSide + 1, 1}, {1, MaxSide + 1}, {math.MaxUint64, math.MaxUint64}} {
			b := append(appendUvarint(appendUvarint(begin, size[0]), size[1]), make([]byte, rest)...)
			if _, err := ApplyDelta[land](base, b); !errors.Is(err, ErrFull) {
				t.Errorf("%v and %d bytes: %v", size, rest, err)
			}
		}
	}
}

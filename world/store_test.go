package world

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: a snapshot that has other holders, too, is released, and another one is used.
func TestASnapshotOfOthersIsNotTakenAgain(t *testing.T) {
	w, _ := filled(t, 10)
	old := Save(w)
	old.Retain()
	n := saveIn(w, old)
	if n == old || old.holders.Load() != 1 {
		t.Errorf("the same one: %v; it is held by %d", n == old, old.holders.Load())
	}
	if again := saveIn(w, n); again != n || n.holders.Load() != 1 {
		t.Errorf("one that nobody else holds is the same one: %v; it is held by %d", again == n, n.holders.Load())
	}
}

// Rule: neither unnamed fields nor fields that are not part of the state belong to the structure of a part.
func TestWhatAShapeConsistsOf(t *testing.T) {
	type plain struct {
		A [2]int32
		_ uint32
		B uint8 `canon:"-"`
		C int64
	}
	if got, want := string(appendShape(nil, reflect.TypeFor[plain]())), "{A [2]int32;C int64;}"; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
}

// Rule: the text of a map has its keys, of each page, and nothing after the last one.
func TestTheTextOfAMap(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		for i := range int32(Rows + 2) {
			w.Scores.Put(i, 7)
		}
	})
	for row, want := range map[int]string{0: "Scores[256]: 7\n", 1: "Scores[257]: 7\n", 2: "", Rows - 1: ""} {
		if got := string(w.Scores.appendRowText(nil, 1, row)); got != want {
			t.Errorf("row %d of the second page is %q, want %q", row, got, want)
		}
	}
}

// Rule: a single value has a leaf for each eight bytes or part of them.
func TestLeavesOfASingleValue(t *testing.T) {
	type land struct {
		Seven One[[7]uint8]
		Eight One[[8]uint8]
		Nine  One[[9]uint8]
	}
	w, err := New[land]()
	ok(t, err)
	if a, b, c := w.Seven.leaves(), w.Eight.leaves(), w.Nine.leaves(); a != 1 || b != 1 || c != 2 {
		t.Errorf("%d, %d and %d leaves", a, b, c)
	}
}

// Rule: memory that a step was given for writing stays the same as long as nobody else holds it.
func TestWritingAgainIsWritingTheSame(t *testing.T) {
	w, _ := filled(t, 3)
	Update(w, func(w *sample) {
		if a := w.Rules.Write(); a != w.Rules.Write() {
			t.Error("of a single value another copy is lent")
		}
	})
}

// Rule: a map whose values cannot be part of a state is refused by its path.
func TestAMapOfWhatCannotBeInAState(t *testing.T) {
	type land struct{ Names Map[int32, string] }
	if _, err := New[land](); err == nil || !strings.Contains(err.Error(), "Names") {
		t.Errorf("of strings: %v", err)
	}
}

// Rule: one command left by a step is one too many; and commands left by a step that panicked, even in the middle of a
// drain, do not disturb the next one.
func TestWhatAStepLeaves(t *testing.T) {
	w, list := filled(t, 3)
	push := func(w *sample) {
		for k := range w.Units.Chunks() {
			w.Hits.Push(k, hit{Who: list[0]})
		}
	}
	if err := mustPanic(t, func() { Update(w, push) }); !errors.Is(err, ErrLeft) {
		t.Errorf("one is left: %v", err)
	}
	_ = mustPanic(t, func() {
		Update(w, func(w *sample) {
			push(w)
			for range w.Hits.Drain() {
				panic(errors.New("in the middle"))
			}
		})
	})
	got := 0
	Update(w, func(w *sample) {
		push(w)
		for range w.Hits.Drain() {
			got++
		}
	})
	if got != 1 {
		t.Errorf("the next step has %d commands, want its own", got)
	}
}

// Rule: construction names every path with something that has no place in a world.
func TestNewNamesWhatIsForbidden(t *testing.T) {
	type inner struct {
		Name string
		Fine int32
		Rate float64
	}
	type bad struct {
		Units struct {
			Table
			Info  Column[inner]
			List  Optional[[]byte]
			Loose int32
			Tide  One[int32]
		}
		Score  int64
		Rules  One[map[int]int]
		Walls  Grid[int]
		Scores Map[int32, *int32]
		Lone   Column[int32]
	}
	_, err := New[bad]()
	var check *canon.CheckError
	if !errors.As(err, &check) {
		t.Fatal(err)
	}
	var got []string
	for _, p := range check.Problems {
		got = append(got, p.Path+": "+p.Kind)
	}
	want := []string{
		"Units.Info.Name: string", "Units.Info.Rate: float64", "Units.List: slice", "Units.Loose: int32", "Units.Tide: One in a table",
		"Score: int64", "Rules: map", "Walls: int", "Scores: ptr", "Lone: a column without a table",
	}
	if !slices.Equal(got, want) {
		t.Errorf("it names\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if text := err.Error(); strings.Contains(text, "AllowFloats") || !strings.Contains(text, "Units.Info.Rate: float64; use a fixed-point number (package fixed): a world has no floats") {
		t.Errorf("it advises what a world does not have: %s", text)
	}
	if _, err := New[struct{}](); err == nil {
		t.Error("a world without parts is none")
	}
	if _, err := New[int](); err == nil {
		t.Error("a number is no world")
	}
}

// Rule: an entity gets the lowest free row, and the row gets another generation; dead rows are zero.
func TestRowsAreUsedFromTheLowest(t *testing.T) {
	w, list := filled(t, 600)
	Update(w, func(w *sample) {
		for _, row := range []int{400, 3, 299} {
			if err := w.Units.Kill(list[row]); err != nil {
				t.Fatal(err)
			}
		}
		for _, row := range []int{3, 299, 400, 600} {
			e, err := w.Units.Spawn()
			if err != nil || e.Row() != row || row < 600 && (e.Generation() != 2 || w.Units.Alive(list[row])) {
				t.Errorf("%v, %v, want row %d", e, err, row)
			}
			if pos, ok := w.Units.Pos.Get(e); !ok || pos != (vec{}) || w.Units.Order.Has(e) {
				t.Errorf("a new entity in row %d is not zero", row)
			}
		}
	})
	if w.Units.Len() != 601 || w.Units.At(3) == list[3] || w.Units.At(4) != list[4] || w.Units.At(601) != 0 {
		t.Error("the wrong entities live")
	}
	if got := Entity(0).String() + " " + w.Units.At(3).String(); got != "nobody 1#3/2" {
		t.Error(got)
	}
}

// Rule: the hash and the encoding are a function of the state, and do not depend on its history.
func TestHashAndEncodingDoNotDependOnHistory(t *testing.T) {
	a, _ := filled(t, 300)
	b := newSample(t)
	Update(b, func(w *sample) {
		w.Walls.Resize(7, 7)
		w.Walls.Set(3, 3, 1)
		for k := range int32(900) {
			w.Scores.Put(k, 3)
		}
	})
	first := Save(b)
	other, _ := filled(t, 300)
	s := Save(other)
	if err := Load(b, s.Append(nil)); err != nil {
		t.Fatal(err)
	}
	if Hash(a) != Hash(b) || string(Save(a).Append(nil)) != string(Save(b).Append(nil)) {
		t.Error("two states are equal, and their hashes or encodings are not")
	}
	if first.Equal(s) || !Save(a).Equal(Save(b)) {
		t.Error("Equal is wrong")
	}
}

// Rule: a hash changes when two entities exchange their places, which a sum or an exclusive-or would not notice.
func TestSwappedValuesChangeTheHash(t *testing.T) {
	w, list := filled(t, 600)
	before := Hash(w)
	for _, pair := range [][2]int{{0, 1}, {5, 300}, {256, 512}} {
		swap := func(w *sample) {
			a, b := list[pair[0]], list[pair[1]]
			x, _ := w.Units.Pos.Get(a)
			y, _ := w.Units.Pos.Get(b)
			w.Units.Pos.Set(a, y)
			w.Units.Pos.Set(b, x)
		}
		Update(w, swap)
		if Hash(w) == before {
			t.Errorf("%v have changed places, and the hash has not", pair)
		}
		Update(w, swap)
	}
	Update(w, func(w *sample) { // whole pages change places
		chunks := slices.Collect(w.Units.Chunks())
		first, second := chunks[0], chunks[1]
		x, y := w.Units.Health.Write(first), w.Units.Health.Write(second)
		for row := range Rows {
			*x.At(row), *y.At(row) = *y.At(row), *x.At(row)
		}
	})
	if Hash(w) == before {
		t.Error("two pages have changed places, and the hash has not")
	}
}

// Rule: only a step changes a world. Outside of it, spawning and killing return an error; all other changes panic with
// one.
func TestOnlyAStepChangesAWorld(t *testing.T) {
	w, list := filled(t, 3)
	s := Save(w)
	view := ViewOf[sample](s)
	var k Chunk
	for k = range w.Units.Chunks() {
	}
	for _, c := range []struct {
		what string
		w    *sample
		err  error
	}{{"outside", w, ErrOutsideStep}, {"a snapshot", view, ErrFrozen}} {
		var use *UseError
		if _, err := c.w.Units.Spawn(); !errors.Is(err, c.err) || !errors.As(err, &use) || use.Path != "Units" {
			t.Errorf("%s: Spawn: %v", c.what, err)
		}
		if err := c.w.Units.Kill(list[0]); !errors.Is(err, c.err) {
			t.Errorf("%s: Kill: %v", c.what, err)
		}
		for name, do := range map[string]func(){
			"Set":    func() { c.w.Units.Pos.Set(list[0], vec{}) },
			"Put":    func() { c.w.Units.Order.Put(list[0], order{}) },
			"Drop":   func() { c.w.Units.Order.Drop(list[0]) },
			"One":    func() { c.w.Rules.Set(rules{}) },
			"Grid":   func() { c.w.Walls.Set(0, 0, 1) },
			"Resize": func() { c.w.Walls.Resize(1, 1) },
			"Map":    func() { c.w.Scores.Put(1, 1) },
			"Remove": func() { c.w.Scores.Drop(1) },
			"Add":    func() { c.w.Marks.Add(1) },
		} {
			if err := mustPanic(t, do); !errors.Is(err, c.err) {
				t.Errorf("%s: %s: %v", c.what, name, err)
			}
		}
	}
	if err := mustPanic(t, func() { w.Units.Health.Write(k) }); !errors.Is(err, ErrOutsideStep) || !strings.Contains(err.Error(), "Units.Health row 0: Write") {
		t.Error(err)
	}
	Update(w, func(w *sample) {
		if err := w.Units.Kill(list[1]); err != nil {
			t.Error(err)
		}
		if err := w.Units.Kill(list[1]); !errors.Is(err, ErrDead) || w.Units.Pos.Set(list[1], vec{}) || w.Units.Order.Put(list[1], order{}) {
			t.Error("a dead entity can be killed or changed")
		}
		for c := range w.Shots.Chunks() {
			t.Error("nothing lives there", c)
		}
		e, _ := w.Shots.Spawn()
		for c := range w.Shots.Chunks() {
			if err := mustPanic(t, func() { w.Units.Health.Read(c) }); !errors.Is(err, ErrOtherTable) {
				t.Error(err)
			}
		}
		if err := mustPanic(t, func() { Update(w, func(*sample) {}) }); err == nil || w.Shots.Kill(e) != nil {
			t.Error("a step in a step")
		}
		if err := mustPanic(t, func() { Restore(w, s) }); err == nil {
			t.Error("a restore in a step")
		}
	})
	if err := mustPanic(t, func() { w.Walls.store.changeable("x", "y", 1) }); err == nil {
		t.Error("after a step the world can be changed")
	}
}

// Rule: a snapshot does not change while other goroutines read, hash, encode and draw it, and the world continues. (The
// race detector checks.)
func TestSnapshotsAreReadByOthers(t *testing.T) {
	w, list := filled(t, 1000)
	var wait sync.WaitGroup
	for frame := range 40 {
		s := Save(w)
		want := Hash(w)
		for range 2 {
			s.Retain()
			wait.Go(func() {
				defer s.Release()
				view, sum := ViewOf[sample](s), int64(0)
				for c := range view.Units.Chunks() {
					pos := view.Units.Pos.Read(c)
					for row := range c.Live() {
						sum += pos.At(row).X
					}
				}
				d, err := Decode[sample](s.Append(nil))
				if s.Hash() != want || err != nil || d.Hash() != want || view.Walls.Version() == 0 {
					t.Error("a snapshot has changed", err)
				}
				runtime.Gosched()
			})
		}
		s.Release()
		Update(w, func(w *sample) {
			for c := range w.Units.Chunks() {
				pos := w.Units.Pos.Write(c)
				for row := range c.Live() {
					pos.At(row).X += int64(frame)
				}
			}
			w.Units.Health.Set(list[frame], -1)
			w.Walls.Set(frame, 3, 77)
		})
	}
	wait.Wait()
}

// Rule: the memory of a snapshot without holders is reused, and that of one with a holder is not.
func TestReleasedPagesAreUsedAgain(t *testing.T) {
	w, list := filled(t, 10)
	page := func(w *sample) *page[[Rows]vec] { return w.Units.Pos.list[0] }
	move := func() { Update(w, func(w *sample) { w.Units.Pos.Set(list[0], vec{Y: 9}) }) }
	a := Save(w)
	first := page(w)
	move()
	if page(w) == first {
		t.Fatal("a page of a snapshot was written")
	}
	a.Retain().Release()
	Save(w)
	move()
	if page(w) == first {
		t.Error("a page of a snapshot that is held was used again")
	}
	a.Release()
	b := Save(w)
	move()
	if page(w) != first {
		t.Error("a page that nobody has any more was not used again")
	}
	if b.Bytes() < 10*Rows || b.Bytes() > 100*Rows {
		t.Errorf("a snapshot has %d bytes", b.Bytes())
	}
	if b.Release(); mustPanic(t, b.Release) == nil {
		t.Error("a snapshot can be released twice")
	}
}

// Rule: a restore brings back everything, including derived data; so does one of another world's snapshot.
func TestRestoreBringsBackEverything(t *testing.T) {
	w, list := filled(t, 300)
	s := Save(w)
	want, version := Hash(w), w.Walls.Version()
	other, _ := filled(t, 5)
	Update(w, func(w *sample) {
		for _, e := range list[:290] {
			if err := w.Units.Kill(e); err != nil {
				t.Fatal(err)
			}
		}
		w.Walls.Resize(90, 90)
		w.Scores.Put(-77, 1)
		w.spawn(t, 900, nil)
	})
	if w.Walls.Version() == version {
		t.Error("another grid has the same version")
	}
	for _, x := range []*sample{w, other} {
		Restore(x, s)
		if Hash(x) != want || x.Units.Len() != 300 || x.Walls.Version() != version || !x.Units.Alive(list[0]) {
			t.Error("a restored world differs")
		}
		Update(x, func(x *sample) {
			if e, _ := x.Units.Spawn(); e.Row() != 300 {
				t.Error("the lowest free row is not that of the state")
			}
		})
		if Hash(x) == want || s.Hash() != want {
			t.Error("a change after a restore goes astray")
		}
	}
}

// Rule: a step, a save, a restore and a hash allocate nothing once the world has its memory.
func TestATickAllocatesNothing(t *testing.T) {
	w, list := filled(t, 1000)
	var ring [9]*Snapshot
	frame := 0
	tick := func() {
		i := frame % len(ring)
		ring[i] = saveIn(w, ring[i])
		Update(w, stepOfSample)
		ring[i].Hash()
		if frame++; frame%10 == 9 {
			Restore(w, ring[(frame-3)%len(ring)])
		}
		if !storeOf(w).equal(storeOf(w)) || !w.Units.Alive(list[999]) {
			t.Error("it differs from itself")
		}
	}
	for range 40 {
		tick()
	}
	if n := testing.AllocsPerRun(200, tick); n != 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}

// stepOfSample moves, fights, spawns and kills some of each kind.
func stepOfSample(w *sample) {
	for c := range w.Units.Chunks() {
		pos, health := w.Units.Pos.Write(c), w.Units.Health.Read(c)
		for row := range c.Live() {
			pos.At(row).X += int64(health.At(row) & 3)
		}
	}
	e, _ := w.Shots.Spawn()
	w.Shots.TTL.Set(e, 5)
	for e := range w.Shots.All() {
		ttl, _ := w.Shots.TTL.Get(e)
		if w.Shots.TTL.Set(e, ttl-1); ttl == 0 {
			if w.Shots.Kill(e) != nil {
				return
			}
		}
	}
	rules := w.Rules.Get()
	rules.Seed = rules.Seed*6364136223846793005 + 1
	w.Rules.Set(rules)
	w.Walls.Set(int(rules.Seed>>60), 3, uint16(rules.Seed>>50))
	w.Scores.Put(int32(rules.Seed>>60), 1)
	w.Scores.Drop(int32(rules.Seed >> 59 & 15))
	w.Units.Order.Put(w.Units.At(int(rules.Seed>>58)), order{Kind: 1})
	w.Units.Order.Drop(w.Units.At(int(rules.Seed >> 57 & 63)))
}

// Rule: a page of a grid has its cells row by row, and pages of a snapshot do not change.
func TestPagesOfGrids(t *testing.T) {
	type land struct{ Cells Grid[uint8] }
	w, err := New[land]()
	if err != nil {
		t.Fatal(err)
	}
	Update(w, func(w *land) {
		w.Cells.Resize(40, 20) // 3 pages side by side, the last of each row with 8 columns
		w.Cells.Set(37, 18, 7)
	})
	before := Save(w)
	defer before.Release()
	Update(w, func(w *land) { w.Cells.Set(37, 18, 9) })
	const page, cell = 18/16*3 + 37/16, 18%16*16 + 37%16
	if now, then := w.Cells.Page(page)[cell], ViewOf[land](before).Cells.Page(page)[cell]; now != 9 || then != 7 {
		t.Errorf("%d, and %d in the snapshot", now, then)
	}
}

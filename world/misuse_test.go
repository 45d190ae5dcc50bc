package world

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Rule: nothing can be saved, hashed, restored or loaded in a step, in a stage or during one. A step could still write
// to memory that it was given, which would then belong to a snapshot.
func TestAStepIsNotSaved(t *testing.T) {
	w, _ := filled(t, 600)
	s := Save(w)
	encoded, hash, older := s.Append(nil), s.Hash(), Save(w)
	calls := map[string]func(){
		"Save":     func() { Save(w) },
		"Hash":     func() { Hash(w) },
		"Restore":  func() { Restore(w, s) },
		"Load":     func() { must(Load(w, encoded)) },
		"garbage":  func() { must(Load(w, nil)) },
		"the game": func() { saveIn(w, nil) },
		"a frame":  func() { saveIn(w, older) },
	}
	for name, call := range calls {
		var inStep, inStage error
		Update(w, func(w *sample) {
			inStep = mustPanic(t, call)
			inStage = mustPanic(t, func() { Stage(w, &w.Units.Table, func(*sample, Chunk) { call() }) })
		})
		var use *UseError
		if !errors.Is(inStep, ErrInStep) || !errors.As(inStep, &use) || use.Path != "world.sample" {
			t.Errorf("%s in a step: %v", name, inStep)
		}
		if !errors.Is(inStage, ErrInStage) {
			t.Errorf("%s in a stage: %v", name, inStage)
		}
	}
	if Hash(w) != hash || s.Hash() != hash || string(s.Append(nil)) != string(encoded) {
		t.Error("a refused call has changed something")
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Rule: commands for a chunk that belongs to no table of the world are refused by name.
func TestCommandsOfAForeignChunk(t *testing.T) {
	w, _ := filled(t, 3)
	other, _ := filled(t, 3)
	var foreign Chunk
	for foreign = range other.Units.Chunks() {
	}
	Update(w, func(w *sample) {
		for _, k := range []Chunk{{}, foreign} {
			if err := mustPanic(t, func() { w.Hits.Push(k, hit{}) }); !errors.Is(err, ErrOtherTable) || !strings.Contains(err.Error(), "Hits row 0: Push") {
				t.Error(err)
			}
			if err := mustPanic(t, func() { w.Damage.Add(k, 1) }); !errors.Is(err, ErrOtherTable) {
				t.Error(err)
			}
			for name, call := range map[string]func(){
				"Column.Read":     func() { w.Units.Health.Read(k) },
				"Column.Before":   func() { w.Units.Health.Before(k) },
				"Column.Write":    func() { w.Units.Health.Write(k) },
				"Optional.Read":   func() { w.Units.Target.Read(k) },
				"Optional.Write":  func() { w.Units.Target.Write(k) },
				"Optional.HasRow": func() { w.Units.Target.HasRow(k, 0) },
				"Optional.Rows": func() {
					for range w.Units.Target.Rows(k) {
					}
				},
				"Optional.PutRow":  func() { w.Units.Target.PutRow(k, 0, 0) },
				"Optional.DropRow": func() { w.Units.Target.DropRow(k, 0) },
			} {
				if err := mustPanic(t, call); !errors.Is(err, ErrOtherTable) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	})
}

// Rule: a grid whose sides are not multiples of a page has its cells up to the edges, and none beyond.
func TestCellsAtTheEdgesOfAGrid(t *testing.T) {
	type land struct{ Cells Grid[uint8] }
	for _, size := range [][2]int{{1, 1}, {15, 17}, {16, 16}, {33, 5}, {0, 7}} {
		w, err := New[land]()
		if err != nil {
			t.Fatal(err)
		}
		width, height := size[0], size[1]
		Update(w, func(w *land) {
			w.Cells.Resize(width, height)
			for y := -1; y <= height; y++ {
				for x := -1; x <= width; x++ {
					inside := x >= 0 && y >= 0 && x < width && y < height
					if w.Cells.Set(x, y, uint8(1+x+7*y)) != inside {
						t.Fatalf("%v: cell %d, %d", size, x, y)
					}
				}
			}
		})
		if pages, want := len(w.Cells.list), (width+15)/16*((height+15)/16); pages != want {
			t.Errorf("%v: %d pages, want %d", size, pages, want)
		}
		again, err := New[land]()
		if err != nil {
			t.Fatal(err)
		}
		s := Save(w)
		if err := Load(again, s.Append(nil)); err != nil {
			t.Fatalf("%v: %v", size, err)
		}
		for y := -1; y <= height; y++ {
			for x := -1; x <= width; x++ {
				want := uint8(0)
				if x >= 0 && y >= 0 && x < width && y < height {
					want = uint8(1 + x + 7*y)
				}
				if got := again.Cells.At(x, y); got != want {
					t.Fatalf("%v: cell %d, %d is %d, want %d", size, x, y, got, want)
				}
			}
		}
		s.Release()
	}
}

// Rule: a grid of another size has another version, even if all its cells are zero.
func TestAnotherSizeIsAnotherVersion(t *testing.T) {
	w := newSample(t)
	seen := map[uint64][2]int{}
	for _, size := range [][2]int{{20, 10}, {10, 20}, {21, 10}, {0, 0}} {
		Update(w, func(w *sample) { w.Walls.Resize(size[0], size[1]) })
		v := w.Walls.Version()
		if other, is := seen[v]; is {
			t.Errorf("%v has the version of %v", size, other)
		}
		seen[v] = size
	}
}

// Rule: an error about a part as a whole names no row.
func TestMisuseOfAWholePartNamesNoRow(t *testing.T) {
	w := newSample(t)
	var use *UseError
	for _, c := range []struct {
		path, call string
		misuse     func()
	}{
		{"Rules", "Write", func() { w.Rules.Set(rules{}) }},
		{"Rules", "Write", func() { w.Rules.Write() }},
		{"Walls", "Set", func() { w.Walls.Set(1, 1, 1) }},
		{"Walls", "Resize", func() { w.Walls.Resize(1, 1) }},
		{"Scores", "Put", func() { w.Scores.Put(1, 1) }},
		{"Scores", "Drop", func() { w.Scores.Drop(1) }},
		{"Marks", "Put", func() { w.Marks.Add(1) }},
		{"Hits", "Drain", func() {
			for range w.Hits.Drain() {
			}
		}},
		{"Hits", "Len", func() { w.Hits.Len() }},
		{"Hits", "Push", func() { w.Hits.Push(Chunk{}, hit{}) }},
		{"Damage", "Take", func() { w.Damage.Take() }},
		{"Damage", "Add", func() { w.Damage.Add(Chunk{}, 1) }},
		{"Units", "Spawn", func() { _, err := w.Units.Spawn(); must(err) }},
	} {
		if err := mustPanic(t, c.misuse); !errors.As(err, &use) || use.Path != c.path || use.Call != c.call || use.Row != -1 || !errors.Is(err, ErrOutsideStep) {
			t.Errorf("%s of %s: %+v", c.call, c.path, use)
		}
	}
}

// Rule: a component can only be added to living rows, and dropped from these.
func TestComponentsOfDeadRowsAreRefused(t *testing.T) {
	w, _ := filled(t, 3)
	Update(w, func(w *sample) {
		for k := range w.Units.Chunks() {
			if err := mustPanic(t, func() { w.Units.Target.PutRow(k, 3, k.Entity(0)) }); !errors.Is(err, ErrDeadRow) || !strings.Contains(err.Error(), "Units.Target row 3: PutRow") {
				t.Error(err)
			}
			if err := mustPanic(t, func() { w.Units.Target.DropRow(k, 255) }); !errors.Is(err, ErrDeadRow) {
				t.Error(err)
			}
		}
	})
}

// Rule: a chunk that a step has made accepts commands in the same step.
func TestCommandsOfANewChunk(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		list := w.spawn(t, 2*Rows+1, nil)
		n := 0
		for k := range w.Units.Chunks() {
			w.Hits.Push(k, hit{Who: list[n]})
			n++
		}
		var got []Entity
		for h := range w.Hits.Drain() {
			got = append(got, h.Who)
		}
		if n != 3 || !slices.Equal(got, list[:3]) {
			t.Errorf("of %d chunks came %v", n, got)
		}
	})
}

// Rule: a world can be emptied in a step, and neither in a stage nor between steps.
func TestOnlyAStepClears(t *testing.T) {
	w, _ := filled(t, 3)
	before := Hash(w)
	if err := mustPanic(t, func() { Clear(w) }); !errors.Is(err, ErrOutsideStep) {
		t.Errorf("between steps: %v", err)
	}
	Update(w, func(w *sample) {
		if err := mustPanic(t, func() { Stage(w, &w.Units.Table, func(w *sample, _ Chunk) { Clear(w) }) }); !errors.Is(err, ErrInStage) {
			t.Errorf("in a stage: %v", err)
		}
	})
	if Hash(w) != before {
		t.Error("a refused call has changed something")
	}
	if Update(w, func(w *sample) { Clear(w) }); Hash(w) != Hash(newSample(t)) {
		t.Error("a world that was emptied is not as a new one")
	}
}

// Rule: when an engine drops a state, the world drops it as well, and reuses its memory.
func TestAnEngineReleasesStates(t *testing.T) {
	w, _ := filled(t, 3)
	slot := Save(w)
	first := slot
	if slots().Release(&slot); slot != nil {
		t.Error("the engine still has it")
	}
	if again := Save(w); again != first {
		t.Error("its memory is not used again")
	}
}

// Rule: the chunk of a stage that is over is refused with that reason.
func TestAChunkOfAStageThatIsOver(t *testing.T) {
	w := newArena(t, 3)
	Update(w, func(w *arena) {
		var kept Chunk
		Stage(&kept, &w.Units.Table, func(kept *Chunk, c Chunk) { *kept = c })
		for name, call := range map[string]func(){
			"Column.Write":    func() { w.Units.Health.Write(kept) },
			"Optional.Write":  func() { w.Units.Target.Write(kept) },
			"Optional.PutRow": func() { w.Units.Target.PutRow(kept, 0, 0) },
		} {
			if err := mustPanic(t, call); !errors.Is(err, ErrStale) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Rule: the description of a state in a desync report has a digest for each part, by its path, which is that of
// [Snapshot.Parts].
func TestAWorldIsDescribedByItsParts(t *testing.T) {
	w, _ := filled(t, 3)
	got := describe(storeOf(w)).Parts
	paths, digests := Save(w).Parts()
	for i, path := range paths {
		if got[path] != digests[i] {
			t.Errorf("%s: %x, want %x", path, got[path], digests[i])
		}
	}
	if len(got) != len(paths) || got["Units.Health"] == got["Units.Pos"] {
		t.Errorf("it has %v", got)
	}
}

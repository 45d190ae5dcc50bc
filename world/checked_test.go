//go:build worldcheck

package world

import (
	"errors"
	"strings"
	"testing"
)

// Rule: builds with the tag worldcheck detect the use of values that are no longer valid, writes to dead rows, and
// chunks in the wrong goroutine, and name column and row.
func TestMisuseIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *arena, c Chunk)
		want error
		text string
	}{
		"a page that was written since": {func(w *arena, c Chunk) {
			health := w.Units.Health.Read(c)
			*w.Units.Health.Write(c).At(3) = 1
			health.At(3)
		}, ErrStale, "Units.Health row 3: reading"},
		"a component that was put since": {func(w *arena, c Chunk) {
			target := w.Units.Target.Read(c)
			w.Units.Target.PutRow(c, 4, c.Entity(0))
			target.At(4)
		}, ErrStale, "Units.Target row 4: reading"},
		"a dead row": {func(w *arena, c Chunk) {
			*w.Units.Health.Write(c).At(200) = 1
		}, ErrDeadRow, "Units.Health row 200: writing"},
		"a row without the component": {func(w *arena, c Chunk) {
			*w.Units.Target.Write(c).At(5) = 1
		}, ErrDeadRow, "Units.Target row 5: writing"},
		"a chunk that another goroutine writes": {func(w *arena, c Chunk) {
			var p any
			done := make(chan bool)
			go func() {
				defer close(done)
				defer func() { p = recover() }()
				w.Units.Pos.Write(c)
			}()
			if <-done; p != nil {
				panic(p)
			}
		}, ErrOtherChunk, "Units.Pos row 0"},
		"a chunk that is read while it is written": {func(w *arena, c Chunk) {
			var p any
			done := make(chan bool)
			go func() {
				defer close(done)
				defer func() { p = recover() }()
				w.Units.Pos.Read(c)
			}()
			if <-done; p != nil {
				panic(p)
			}
		}, ErrOtherChunk, "it may be written while it is read"},
	} {
		for _, staged := range []bool{true, false} {
			w := newArena(t, 100)
			err := mustPanicIf(t, staged || !strings.HasPrefix(name, "a chunk"), func() {
				Update(w, func(w *arena) {
					if staged {
						Stage(w, &w.Units.Table, c.do)
						return
					}
					for k := range w.Units.Chunks() {
						c.do(w, k)
					}
				})
			})
			if err != nil && (!errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text)) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func mustPanicIf(t *testing.T, should bool, do func()) error {
	if should {
		return mustPanic(t, do)
	}
	do()
	return nil
}

// Rule: values that are kept from one step to the next, or from one stage to the next, are detected.
func TestPagesThatAreKeptAreFound(t *testing.T) {
	w := newArena(t, 100)
	var cells Cells[int32]
	var values Values[vec]
	Update(w, func(w *arena) {
		for c := range w.Units.Chunks() {
			cells, values = w.Units.Health.Write(c), w.Units.Pos.Read(c)
		}
		*cells.At(1) = 5
		values.At(1)
		Stage(w, &w.Units.Table, func(*arena, Chunk) {})
		if err := mustPanic(t, func() { cells.At(1) }); !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	})
	for _, do := range []func(){func() { cells.At(1) }, func() { values.At(1) }} {
		if err := mustPanic(t, do); !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	}
}

// Rule: a write to a page that a snapshot shares is detected when it is hashed again.
func TestAChangedSnapshotIsFound(t *testing.T) {
	w := newArena(t, 100)
	s := Save(w)
	s.Hash()
	ViewOf[arena](s).Units.Health.list[0].content[7]++
	s.hash.Store(0)
	if err := mustPanic(t, func() { s.Hash() }); !errors.Is(err, ErrStale) || !strings.Contains(err.Error(), "Units.Health row 0") {
		t.Error(err)
	}
}

// Rule: values that were read before a step are stale in it.
func TestALoanFromBeforeAStepIsStale(t *testing.T) {
	w := newArena(t, 10)
	for c := range w.Units.Chunks() {
		health := w.Units.Health.Read(c)
		health.At(3)
		var err error
		Update(w, func(*arena) { err = mustPanic(t, func() { health.At(3) }) })
		if !errors.Is(err, ErrStale) {
			t.Error(err)
		}
	}
}

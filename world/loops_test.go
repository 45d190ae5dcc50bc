package world

import "testing"

// Rule: every loop over a world can be left at its first element: after an early break or return nothing more is
// yielded.
func TestLoopsCanBeLeft(t *testing.T) {
	w, _ := filled(t, 600)
	Update(w, func(w *sample) {
		var chunk Chunk
		for chunk = range w.Units.Chunks() {
			break
		}
		w.Hits.Push(chunk, hit{})
		w.Hits.Push(chunk, hit{})
		for name, leave := range map[string]func() (turns int){
			"Table.Chunks":  func() int { return turnsOf(w.Units.Chunks()) },
			"Table.All":     func() int { return turnsOf(w.Units.All()) },
			"Chunk.Live":    func() int { return turnsOf(chunk.Live()) },
			"Optional.Rows": func() int { return turnsOf(w.Units.Order.Rows(chunk)) },
			"Set.Keys":      func() int { return turnsOf(w.Marks.Keys()) },
			"Later.Drain":   func() int { return turnsOf(w.Hits.Drain()) },
			"Map.All": func() (n int) {
				for range w.Scores.All() {
					n++
					break
				}
				return n
			},
		} {
			if n := leave(); n != 1 {
				t.Errorf("%s yields %d to a loop that is left", name, n)
			}
		}
	})
}

// turnsOf leaves a loop at its first element.
func turnsOf[E any](all func(yield func(E) bool)) (n int) {
	for range all {
		n++
		break
	}
	return n
}

// Rule: in a stage, the components of its own chunk are seen with the changes of the stage, and those of other chunks
// as they were before the stage, whichever ran first.
func TestAStageSeesItsOwnComponents(t *testing.T) {
	for _, workers := range []int{1, 2} {
		w := newArena(t, 600)
		SetWorkers(w, workers)
		var chunks []Chunk
		Update(w, func(w *arena) {
			for c := range w.Units.Chunks() {
				chunks = append(chunks, c)
				w.Units.Target.PutRow(c, 1, w.Units.At(0))
			}
		})
		Update(w, func(w *arena) {
			Stage(&chunks, &w.Units.Table, func(chunks *[]Chunk, c Chunk) {
				w.Units.Target.PutRow(c, 2, w.Units.At(0))
				w.Units.Target.DropRow(c, 1)
				rows := 0
				for row := range w.Units.Target.Rows(c) {
					rows += 1 << row
				}
				if rows != 1<<2 || !w.Units.Target.HasRow(c, 2) || w.Units.Target.HasRow(c, 1) {
					t.Errorf("chunk %d sees %b in its own rows", c.First()/Rows, rows)
				}
				for _, other := range *chunks {
					if other.First() != c.First() && (w.Units.Target.HasRow(other, 2) || !w.Units.Target.HasRow(other, 1)) {
						t.Errorf("chunk %d sees what chunk %d does", c.First()/Rows, other.First()/Rows)
					}
				}
			})
		})
	}
}

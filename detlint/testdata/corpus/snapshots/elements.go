package snapshots

import (
	"slices"

	"github.com/tickback/tickback/rollback"
)

// Elements that are copied one by one.

type cell struct{ A, B int32 }

type e1 struct {
	Rows [][]int32
	N    int32
}

// sharedRows appends the rows of the game themselves.
//
//corpus:case
func sharedRows() rollback.OwnMemory[e1, e1, input] {
	return rollback.OwnMemory[e1, e1, input]{
		Step: func(s *e1, t *tick) { s.Rows[0][0]++; s.N++ },
		Save: func(s, slot *e1) {
			slot.N, slot.Rows = s.N, slot.Rows[:0]
			for _, r := range s.Rows {
				slot.Rows = append(slot.Rows, r) // want alias
			}
		},
		Restore: func(s, slot *e1) {
			s.N, s.Rows = slot.N, s.Rows[:0]
			for _, r := range slot.Rows {
				s.Rows = append(s.Rows, slices.Clone(r))
			}
		},
	}
}

type e2 struct {
	By map[int32]*cell
	N  int32
}

// sharedEntries makes another map of the same entries.
//
//corpus:case
func sharedEntries() rollback.OwnMemory[e2, e2, input] {
	return rollback.OwnMemory[e2, e2, input]{
		Step: func(s *e2, t *tick) { s.By[s.N].A++; s.N++ },
		Save: func(s, slot *e2) {
			slot.N, slot.By = s.N, map[int32]*cell{}
			for k, v := range s.By {
				slot.By[k] = v // want alias
			}
		},
		Restore: func(s, slot *e2) {
			s.N, s.By = slot.N, map[int32]*cell{}
			for k, v := range slot.By {
				c := *v
				s.By[k] = &c
			}
		},
	}
}

type e3 struct {
	Cells []cell
	N     int32
}

// halfCells copies a field of each cell.
//
//corpus:case
func halfCells() rollback.OwnMemory[e3, e3, input] {
	return rollback.OwnMemory[e3, e3, input]{
		Step: func(s *e3, t *tick) { s.Cells[0].A += s.Cells[0].B; s.Cells[0].B++; s.N++ },
		Save: func(s, slot *e3) { // want copies
			slot.N, slot.Cells = s.N, slot.Cells[:0]
			for _, c := range s.Cells {
				slot.Cells = append(slot.Cells, cell{A: c.A})
			}
		},
		Restore: func(s, slot *e3) { // want copies
			s.N, s.Cells = slot.N, s.Cells[:0]
			for _, c := range slot.Cells {
				s.Cells = append(s.Cells, cell{A: c.A})
			}
		},
	}
}

type e4 struct {
	Cells []cell
	N     int32
}

// wholeCells copies both.
//
//corpus:case
func wholeCells() rollback.OwnMemory[e4, e4, input] {
	return rollback.OwnMemory[e4, e4, input]{
		Step: func(s *e4, t *tick) { s.Cells[0].A += s.Cells[0].B; s.Cells[0].B++; s.N++ },
		Save: func(s, slot *e4) {
			slot.N, slot.Cells = s.N, slot.Cells[:0]
			for _, c := range s.Cells {
				slot.Cells = append(slot.Cells, cell{A: c.A, B: c.B})
			}
		},
		Restore: func(s, slot *e4) {
			s.N, s.Cells = slot.N, s.Cells[:0]
			for _, c := range slot.Cells {
				s.Cells = append(s.Cells, c)
			}
		},
	}
}

type e5 struct {
	At struct{ X, Y int32 }
	N  int32
}

// halfPlace brings back one of two coordinates, in a struct without a name.
//
//corpus:case
func halfPlace() rollback.OwnMemory[e5, e5, input] {
	return rollback.OwnMemory[e5, e5, input]{
		Step:    func(s *e5, t *tick) { s.At.X++; s.At.Y += s.At.X; s.N += s.At.Y },
		Save:    func(s, slot *e5) { *slot = *s },
		Restore: func(s, slot *e5) { s.At.X, s.N = slot.At.X, slot.N }, // want copies
	}
}

type e6 struct {
	At struct{ X, Y int32 }
	N  int32
}

// wholePlace brings back both.
//
//corpus:case
func wholePlace() rollback.OwnMemory[e6, e6, input] {
	return rollback.OwnMemory[e6, e6, input]{
		Step:    func(s *e6, t *tick) { s.At.X++; s.At.Y += s.At.X; s.N += s.At.Y },
		Save:    func(s, slot *e6) { *slot = *s },
		Restore: func(s, slot *e6) { s.At, s.N = slot.At, slot.N },
	}
}

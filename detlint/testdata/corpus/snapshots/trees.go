package snapshots

import (
	"maps"
	"slices"

	"github.com/tickback/tickback/rollback"
)

type s14 struct {
	Gold   map[int32]int32
	Drawn  int32 `canon:"-"`
	Lookup []int32
}

// tables has a field that is for drawing, and one that the step only reads.
//
//corpus:case
func tables() rollback.OwnMemory[s14, s14, input] {
	return rollback.OwnMemory[s14, s14, input]{
		Step:    func(s *s14, t *tick) { s.Gold[1] += s.Lookup[0]; s.Drawn++ },
		Save:    func(s, slot *s14) { slot.Gold = maps.Clone(s.Gold) },
		Restore: func(s, slot *s14) { s.Gold = maps.Clone(slot.Gold) },
	}
}

type s15 struct {
	Gold map[int32]int32
}

// mapShared assigns a map.
//
//corpus:case
func mapShared() rollback.OwnMemory[s15, s15, input] {
	return rollback.OwnMemory[s15, s15, input]{
		Step:    func(s *s15, t *tick) { s.Gold[1]++ },
		Save:    func(s, slot *s15) { slot.Gold = s.Gold }, // want alias
		Restore: func(s, slot *s15) { s.Gold = maps.Clone(slot.Gold) },
	}
}

type node struct {
	HP   int32
	Left *node
}

type s16 struct {
	Root *node
	N    int32
}

// treeShared copies the root of a tree, and shares the rest of it.
//
//corpus:case
func treeShared() rollback.OwnMemory[s16, s16, input] {
	return rollback.OwnMemory[s16, s16, input]{
		Step: func(s *s16, t *tick) { s.Root.HP++; s.Root.Left.HP++; s.N++ },
		Save: func(s, slot *s16) {
			root := *s.Root
			slot.Root, slot.N = &root, s.N // want alias
		},
		Restore: func(s, slot *s16) { s.Root, s.N = cloned(slot.Root), slot.N },
	}
}

func cloned(n *node) *node {
	if n == nil {
		return nil
	}
	return &node{n.HP, cloned(n.Left)}
}

type leaf struct {
	HP   int32
	Left *leaf
}

func copyOf(n *leaf) *leaf {
	if n == nil {
		return nil
	}
	return &leaf{n.HP, copyOf(n.Left)}
}

type s17 struct {
	Root *leaf
	N    int32
}

// treeCloned copies a tree.
//
//corpus:case
func treeCloned() rollback.OwnMemory[s17, s17, input] {
	return rollback.OwnMemory[s17, s17, input]{
		Step:    func(s *s17, t *tick) { s.Root.HP++; s.Root.Left.HP++; s.N++ },
		Save:    func(s, slot *s17) { slot.Root, slot.N = copyOf(s.Root), s.N },
		Restore: func(s, slot *s17) { s.Root, s.N = copyOf(slot.Root), slot.N },
	}
}

type twig struct {
	HP, Age int32
	Left    *twig
}

func halfOf(n *twig) *twig {
	if n == nil {
		return nil
	}
	return &twig{HP: n.HP, Left: halfOf(n.Left)}
}

type s18 struct{ Root *twig }

// treeLacks copies a tree, and leaves out a field of its nodes.
//
//corpus:case
func treeLacks() rollback.OwnMemory[s18, s18, input] {
	return rollback.OwnMemory[s18, s18, input]{
		Step:    func(s *s18, t *tick) { s.Root.HP += s.Root.Age; s.Root.Age++ },
		Save:    func(s, slot *s18) { slot.Root = halfOf(s.Root) }, // want copies
		Restore: func(s, slot *s18) { s.Root = halfOf(slot.Root) }, // want copies
	}
}

type s19 struct{ Rows [][]int32 }

// rowsShared copies a list of lists, and shares the rows.
//
//corpus:case
func rowsShared() rollback.OwnMemory[s19, s19, input] {
	return rollback.OwnMemory[s19, s19, input]{
		Step:    func(s *s19, t *tick) { s.Rows[0][0]++ },
		Save:    func(s, slot *s19) { slot.Rows = append(slot.Rows[:0], s.Rows...) }, // want alias
		Restore: func(s, slot *s19) { s.Rows = slices.Clone(slot.Rows) },             // want alias
	}
}

type s20 struct{ Rows [][]int32 }

// rowsCloned copies a list of lists.
//
//corpus:case
func rowsCloned() rollback.OwnMemory[s20, s20, input] {
	return rollback.OwnMemory[s20, s20, input]{
		Step: func(s *s20, t *tick) { s.Rows[0][0]++ },
		Save: func(s, slot *s20) {
			slot.Rows = slot.Rows[:0]
			for _, row := range s.Rows {
				slot.Rows = append(slot.Rows, slices.Clone(row))
			}
		},
		Restore: func(s, slot *s20) {
			s.Rows = s.Rows[:0]
			for _, row := range slot.Rows {
				s.Rows = append(s.Rows, append([]int32(nil), row...))
			}
		},
	}
}

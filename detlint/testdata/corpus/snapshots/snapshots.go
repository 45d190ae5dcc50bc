// Package snapshots has games of their own memory, whose copies are whole, or lack something.
package snapshots

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

type input struct{ Move int8 }

type (
	tick = rollback.Tick[input]
	bee  struct{ X, Y int32 }
)

var errShort = errors.New("snapshots: the encoding ends early")

type s1 struct {
	Bees  []bee
	Queen int32
}

// whole copies every field.
//
//corpus:case
func whole() rollback.OwnMemory[s1, s1, input] {
	return rollback.OwnMemory[s1, s1, input]{
		Step:    func(s *s1, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s1) { slot.Bees = append(slot.Bees[:0], s.Bees...); slot.Queen = s.Queen },
		Restore: func(s, slot *s1) { s.Bees = append(s.Bees[:0], slot.Bees...); s.Queen = slot.Queen },
		Equal:   func(s, slot *s1) bool { return s.Queen == slot.Queen && slices.Equal(s.Bees, slot.Bees) },
	}
}

type s2 struct {
	Bees  []bee
	Queen int32
}

// queenNotSaved leaves a field out in Save and Restore.
//
//corpus:case
func queenNotSaved() rollback.OwnMemory[s2, s2, input] {
	return rollback.OwnMemory[s2, s2, input]{
		Step:    func(s *s2, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s2) { slot.Bees = append(slot.Bees[:0], s.Bees...) }, // want copies
		Restore: func(s, slot *s2) { s.Bees = append(s.Bees[:0], slot.Bees...) },    // want copies
	}
}

type s3 struct {
	Bees  []bee
	Queen int32
}

// queenNotRestored saves a field, and does not bring it back.
//
//corpus:case
func queenNotRestored() rollback.OwnMemory[s3, s3, input] {
	return rollback.OwnMemory[s3, s3, input]{
		Step:    func(s *s3, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s3) { slot.Bees = append(slot.Bees[:0], s.Bees...); slot.Queen = s.Queen },
		Restore: func(s, slot *s3) { s.Bees = append(s.Bees[:0], slot.Bees...) }, // want copies
	}
}

type s4 struct {
	Bees  []bee
	Queen int32
}

// beesShared assigns the list.
//
//corpus:case
func beesShared() rollback.OwnMemory[s4, s4, input] {
	return rollback.OwnMemory[s4, s4, input]{
		Step:    func(s *s4, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s4) { slot.Bees = s.Bees; slot.Queen = s.Queen }, // want alias
		Restore: func(s, slot *s4) { s.Bees = append(s.Bees[:0], slot.Bees...); s.Queen = slot.Queen },
	}
}

type s5 struct {
	Bees  []bee
	Queen int32
}

// stateAssigned assigns the whole state, and with it the list.
//
//corpus:case
func stateAssigned() rollback.OwnMemory[s5, s5, input] {
	return rollback.OwnMemory[s5, s5, input]{
		Step:    func(s *s5, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s5) { *slot = *s }, // want alias
		Restore: func(s, slot *s5) { *s = *slot }, // want alias
	}
}

type s6 struct {
	Bees  []bee
	Queen int32
}

// assignedThenCloned assigns the whole state, and clones the list.
//
//corpus:case
func assignedThenCloned() rollback.OwnMemory[s6, s6, input] {
	return rollback.OwnMemory[s6, s6, input]{
		Step:    func(s *s6, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s6) { *slot = *s; slot.Bees = slices.Clone(s.Bees) },
		Restore: func(s, slot *s6) { *s = *slot; s.Bees = slices.Clone(slot.Bees) },
	}
}

type s7 struct {
	Bees  []bee
	Queen int32
}

func copyBees(dst, src *s7) {
	dst.Bees = append(dst.Bees[:0], src.Bees...)
	dst.Queen = src.Queen
}

// byHelper copies in a helper for both ways.
//
//corpus:case
func byHelper() rollback.OwnMemory[s7, s7, input] {
	return rollback.OwnMemory[s7, s7, input]{
		Step:    func(s *s7, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s7) { copyBees(slot, s) },
		Restore: func(s, slot *s7) { copyBees(s, slot) },
	}
}

type s8 struct {
	Bees  []bee
	Queen int32
}

func copySome(dst, src *s8) { dst.Bees = append(dst.Bees[:0], src.Bees...) }

// someByHelper copies a part, in a helper.
//
//corpus:case
func someByHelper() rollback.OwnMemory[s8, s8, input] {
	return rollback.OwnMemory[s8, s8, input]{
		Step:    func(s *s8, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s8) { copySome(slot, s) }, // want copies
		Restore: func(s, slot *s8) { copySome(s, slot) }, // want copies
	}
}

type s9 struct {
	Bees  []bee
	Queen int32
}

// hashLacks hashes a part.
//
//corpus:case
func hashLacks() rollback.OwnMemory[s9, s9, input] {
	return rollback.OwnMemory[s9, s9, input]{
		Step:    func(s *s9, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s9) { slot.Bees = append(slot.Bees[:0], s.Bees...); slot.Queen = s.Queen },
		Restore: func(s, slot *s9) { s.Bees = append(s.Bees[:0], slot.Bees...); s.Queen = slot.Queen },
		Hash: func(s *s9) uint64 { // want copies
			var b []byte
			for _, x := range s.Bees {
				b = binary.LittleEndian.AppendUint32(b, uint32(x.X))
				b = binary.LittleEndian.AppendUint32(b, uint32(x.Y))
			}
			return canon.HashBytes(b)
		},
	}
}

type s10 struct {
	Bees  []bee
	Queen int32
}

// hashWhole hashes all, a part of it by canon.
//
//corpus:case
func hashWhole() rollback.OwnMemory[s10, s10, input] {
	return rollback.OwnMemory[s10, s10, input]{
		Step:    func(s *s10, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Save:    func(s, slot *s10) { slot.Bees = append(slot.Bees[:0], s.Bees...); slot.Queen = s.Queen },
		Restore: func(s, slot *s10) { s.Bees = append(s.Bees[:0], slot.Bees...); s.Queen = slot.Queen },
		Hash: func(s *s10) uint64 {
			h, err := canon.HashAny(s.Bees)
			if err != nil {
				return 0
			}
			return h ^ uint64(s.Queen)
		},
	}
}

type s11 struct {
	Bees  []bee
	Queen int32
}

// equalLacks compares a part.
//
//corpus:case
func equalLacks() rollback.OwnMemory[s11, s11, input] {
	return rollback.OwnMemory[s11, s11, input]{
		Step:  func(s *s11, t *tick) { s.Queen++; s.Bees[s.Queen%8].X++ },
		Equal: func(s, slot *s11) bool { return slices.Equal(s.Bees, slot.Bees) }, // want copies
	}
}

type s12 struct {
	Bees  []bee
	Queen int32
}

// encodingLacks encodes and decodes a part.
//
//corpus:case
func encodingLacks() rollback.OwnMemory[s12, s12, input] {
	return rollback.OwnMemory[s12, s12, input]{
		Step: func(s *s12, t *tick) { s.Queen++; s.Bees[0].X = s.Queen },
		Marshal: func(b []byte, s *s12) ([]byte, error) { // want copies
			for _, x := range s.Bees {
				b = append(b, byte(x.X), byte(x.Y))
			}
			return b, nil
		},
		Unmarshal: func(s *s12, b []byte) error { // want copies
			s.Bees = s.Bees[:0]
			for ; len(b) > 1; b = b[2:] {
				s.Bees = append(s.Bees, bee{int32(b[0]), int32(b[1])})
			}
			return nil
		},
	}
}

type s13 struct{ Queen, Workers int32 }

// encodingWhole encodes and decodes all.
//
//corpus:case
func encodingWhole() rollback.OwnMemory[s13, s13, input] {
	return rollback.OwnMemory[s13, s13, input]{
		Step: func(s *s13, t *tick) { s.Queen++; s.Workers += s.Queen },
		Marshal: func(b []byte, s *s13) ([]byte, error) {
			b = binary.LittleEndian.AppendUint32(b, uint32(s.Queen))
			return binary.LittleEndian.AppendUint32(b, uint32(s.Workers)), nil
		},
		Unmarshal: func(s *s13, b []byte) error {
			if len(b) != 8 {
				return errShort
			}
			*s = s13{int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))}
			return nil
		},
	}
}

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

type s21 struct {
	Bees  []bee
	Name  string
	Board [4]int32
}

type v21 struct {
	bees  []bee
	name  string
	board [4]int32
}

// otherType stores snapshots in another type.
//
//corpus:case
func otherType() rollback.OwnMemory[s21, v21, input] {
	return rollback.OwnMemory[s21, v21, input]{
		Step: func(s *s21, t *tick) { s.Bees[0].X++; s.Name += "x"; s.Board[1] = int32(len(s.Name)) },
		Save: func(s *s21, slot *v21) {
			slot.bees = append(slot.bees[:0], s.Bees...)
			slot.name, slot.board = s.Name, s.Board
		},
		Restore: func(s *s21, slot *v21) {
			s.Bees = append(s.Bees[:0], slot.bees...)
			s.Name, s.Board = slot.name, slot.board
		},
	}
}

type s22 struct {
	Bees []bee
	Name string
}

// bytesSlot stores snapshots as bytes, and lacks the name.
//
//corpus:case
func bytesSlot() rollback.OwnMemory[s22, []byte, input] {
	return rollback.OwnMemory[s22, []byte, input]{
		Step: func(s *s22, t *tick) { s.Bees[0].X += int32(len(s.Name)); s.Name += "x" },
		Save: func(s *s22, slot *[]byte) { // want copies
			*slot = (*slot)[:0]
			for _, x := range s.Bees {
				*slot = append(*slot, byte(x.X), byte(x.Y))
			}
		},
		Restore: func(s *s22, slot *[]byte) { // want copies
			s.Bees = s.Bees[:0]
			for b := *slot; len(b) > 1; b = b[2:] {
				s.Bees = append(s.Bees, bee{int32(b[0]), int32(b[1])})
			}
		},
	}
}

type moving struct{ X, Speed int32 }

type s23 struct{ Balls []moving }

// speedLacks encodes the places of balls, and not how fast they are.
//
//corpus:case
func speedLacks() rollback.OwnMemory[s23, s23, input] {
	return rollback.OwnMemory[s23, s23, input]{
		Step: func(s *s23, t *tick) {
			for i := range s.Balls {
				s.Balls[i].X += s.Balls[i].Speed
				s.Balls[i].Speed--
			}
		},
		Hash: func(s *s23) uint64 { // want copies
			h := uint64(0)
			for _, b := range s.Balls {
				h = h*31 + uint64(b.X)
			}
			return h
		},
	}
}

type rolling struct{ X, Speed int32 }

type s24 struct{ Balls []rolling }

// speedWhole encodes all of the balls.
//
//corpus:case
func speedWhole() rollback.OwnMemory[s24, s24, input] {
	return rollback.OwnMemory[s24, s24, input]{
		Step: func(s *s24, t *tick) {
			for i := range s.Balls {
				s.Balls[i].X += s.Balls[i].Speed
				s.Balls[i].Speed--
			}
		},
		Hash: func(s *s24) uint64 {
			h := uint64(0)
			for _, b := range s.Balls {
				h = h*31 + uint64(b.X)
				h = h*31 + uint64(b.Speed)
			}
			return h
		},
	}
}

type s25 struct{ Life, Flash int32 }

func (s *s25) step(t *tick)      { s.Life += s.Flash; s.Flash++ }
func (s *s25) save(slot *s25)    { slot.Life = s.Life } // want copies
func (s *s25) restore(slot *s25) { *s = *slot }

// methods has its functions as methods, and saves a part.
//
//corpus:case
func methods() rollback.OwnMemory[s25, s25, input] {
	return rollback.OwnMemory[s25, s25, input]{
		Step:    (*s25).step,
		Save:    (*s25).save,
		Restore: (*s25).restore,
	}
}

type s26 struct {
	Life    int32
	scratch []int32
}

// scratched has memory that each step fills before it reads it.
//
//corpus:case
func scratched() rollback.OwnMemory[s26, s26, input] {
	return rollback.OwnMemory[s26, s26, input]{
		Step: func(s *s26, t *tick) {
			s.scratch = append(s.scratch[:0], s.Life)
			s.Life += s.scratch[0]
		},
		Save:    func(s, slot *s26) { slot.Life = s.Life },
		Restore: func(s, slot *s26) { s.Life = slot.Life },
	}
}

type s27 struct {
	Life  int32
	Flash int32 `canon:"-"`
}

// excludedRead is a plain game that reads an excluded field.
//
//corpus:case
func excludedRead() rollback.Game[s27, input] {
	return rollback.Game[s27, input]{Step: func(s *s27, t *tick) {
		if s.Flash > 0 { // want excluded
			s.Life--
		}
		s.Flash = 8
	}}
}

type s28 struct {
	Life  int32
	Flash int32 `canon:"-"`
}

// excludedWritten is a plain game that writes an excluded field, for the picture.
//
//corpus:case
func excludedWritten() rollback.Game[s28, input] {
	return rollback.Game[s28, input]{Step: func(s *s28, t *tick) {
		s.Life--
		s.Flash = max(s.Flash-1, 0)
		if t.Input(0).Move > 0 {
			s.Flash = s.Life
		}
	}}
}

type s29 struct {
	Life  int32
	Flash int32 `canon:"-"`
}

func lowered(x int32) int32 { return x - 1 }

// excludedThroughHelper is a plain game that makes a field of an excluded one, in a helper.
//
//corpus:case
func excludedThroughHelper() rollback.Game[s29, input] {
	return rollback.Game[s29, input]{Step: func(s *s29, t *tick) {
		s.Life = lowered(s.Flash) // want excluded
	}}
}

type s30 struct {
	Bees  []bee
	Queen int32
}

// describeShares describes the state by its own memory.
//
//corpus:case
func describeShares() rollback.OwnMemory[s30, s30, input] {
	return rollback.OwnMemory[s30, s30, input]{
		Step:     func(s *s30, t *tick) { s.Queen++; s.Bees[0].X++ },
		Describe: func(s *s30) any { return *s }, // want alias
	}
}

type s31 struct {
	Bees  []bee
	Queen int32
}

// describeClones describes the state by a copy.
//
//corpus:case
func describeClones() rollback.OwnMemory[s31, s31, input] {
	return rollback.OwnMemory[s31, s31, input]{
		Step: func(s *s31, t *tick) { s.Queen++; s.Bees[0].X++ },
		Describe: func(s *s31) any {
			c := *s
			c.Bees = slices.Clone(s.Bees)
			return c
		},
	}
}

type s32 struct{ Raw []byte }

// keepsEncoding keeps the bytes that it decodes.
//
//corpus:case
func keepsEncoding() rollback.OwnMemory[s32, s32, input] {
	return rollback.OwnMemory[s32, s32, input]{
		Step:      func(s *s32, t *tick) { s.Raw[0]++ },
		Marshal:   func(b []byte, s *s32) ([]byte, error) { return append(b, s.Raw...), nil },
		Unmarshal: func(s *s32, b []byte) error { s.Raw = b; return nil }, // want alias
	}
}

type s33 struct{ Raw []byte }

// copiesEncoding copies the bytes that it decodes.
//
//corpus:case
func copiesEncoding() rollback.OwnMemory[s33, s33, input] {
	return rollback.OwnMemory[s33, s33, input]{
		Step:      func(s *s33, t *tick) { s.Raw[0]++ },
		Marshal:   func(b []byte, s *s33) ([]byte, error) { return append(b, s.Raw...), nil },
		Unmarshal: func(s *s33, b []byte) error { s.Raw = append(s.Raw[:0], b...); return nil },
	}
}

type s34 struct{ Bees []int32 }

// hashSorts sorts the state in place, to hash it.
//
//corpus:case
func hashSorts() rollback.OwnMemory[s34, s34, input] {
	return rollback.OwnMemory[s34, s34, input]{
		Step: func(s *s34, t *tick) { s.Bees[0]++ },
		Hash: func(s *s34) uint64 {
			slices.Sort(s.Bees) // want readonly
			return uint64(s.Bees[0])
		},
	}
}

type s35 struct {
	Bees  []int32
	Saved int32
}

// saveCounts changes the state that it saves.
//
//corpus:case
func saveCounts() rollback.OwnMemory[s35, s35, input] {
	return rollback.OwnMemory[s35, s35, input]{
		Step: func(s *s35, t *tick) { s.Bees[0]++ },
		Save: func(s, slot *s35) {
			slot.Bees = append(slot.Bees[:0], s.Bees...)
			s.Saved++ // want readonly
		},
	}
}

type s36 struct{ Bees []int32 }

// restoreSwaps takes the list out of the slot, which may be restored again.
//
//corpus:case
func restoreSwaps() rollback.OwnMemory[s36, s36, input] {
	return rollback.OwnMemory[s36, s36, input]{
		Step: func(s *s36, t *tick) { s.Bees[0]++ },
		Restore: func(s, slot *s36) {
			s.Bees = append(s.Bees[:0], slot.Bees...)
			slot.Bees = nil // want readonly
		},
	}
}

type s37 struct{ Bees []int32 }

func trim(s *s37) { s.Bees = s.Bees[:0] }

// equalTrims changes the state in a helper.
//
//corpus:case
func equalTrims() rollback.OwnMemory[s37, s37, input] {
	return rollback.OwnMemory[s37, s37, input]{
		Step: func(s *s37, t *tick) { s.Bees[0]++ },
		Equal: func(s, slot *s37) bool {
			trim(s) // want readonly
			return slices.Equal(s.Bees, slot.Bees)
		},
	}
}

type s38 struct {
	Bees   []int32
	sorted []int32 `canon:"-"`
}

// hashWithScratch sorts a copy, in memory that is no part of the state.
//
//corpus:case
func hashWithScratch() rollback.OwnMemory[s38, s38, input] {
	return rollback.OwnMemory[s38, s38, input]{
		Step: func(s *s38, t *tick) { s.Bees[0]++ },
		Hash: func(s *s38) uint64 {
			s.sorted = append(s.sorted[:0], s.Bees...)
			slices.Sort(s.sorted)
			return uint64(s.sorted[0])
		},
	}
}

type s39 struct{ Bees []int32 }

// hashSortsCopy sorts a copy.
//
//corpus:case
func hashSortsCopy() rollback.OwnMemory[s39, s39, input] {
	return rollback.OwnMemory[s39, s39, input]{
		Step: func(s *s39, t *tick) { s.Bees[0]++ },
		Hash: func(s *s39) uint64 {
			bees := slices.Sorted(slices.Values(s.Bees))
			return uint64(bees[0])
		},
	}
}

type s40 struct {
	Bees    []int32
	encoded []byte
}

// hashInState encodes into memory that lies in the state, and that the step does not touch.
//
//corpus:case
func hashInState() rollback.OwnMemory[s40, s40, input] {
	return rollback.OwnMemory[s40, s40, input]{
		Step: func(s *s40, t *tick) { s.Bees[0]++ },
		Hash: func(s *s40) uint64 {
			s.encoded = s.encoded[:0]
			for _, b := range s.Bees {
				s.encoded = binary.LittleEndian.AppendUint32(s.encoded, uint32(b))
			}
			return canon.HashBytes(s.encoded)
		},
	}
}

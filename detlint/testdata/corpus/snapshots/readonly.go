package snapshots

import (
	"encoding/binary"
	"slices"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

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

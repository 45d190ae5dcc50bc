// Package snapshots has games of their own memory, whose copies are whole, or lack something.
package snapshots

import (
	"encoding/binary"
	"errors"
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

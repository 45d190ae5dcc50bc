package snapshots

import (
	"github.com/tickback/tickback/rollback"
)

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

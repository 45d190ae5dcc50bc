package snapshots

import (
	"slices"

	"github.com/tickback/tickback/rollback"
)

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

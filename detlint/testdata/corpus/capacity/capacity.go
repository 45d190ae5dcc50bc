// Package capacity has what depends on how much room a slice has, and on what lies behind it.
package capacity

import (
	"encoding/binary"
	"slices"
)

type state struct {
	list  []int32
	spare []int32
	bytes []byte
	n     int32
}

//tickback:deterministic
func decides(s *state) {
	if len(s.list) == cap(s.list) { // want capacity
		s.n++
	}
	s.list = append(s.list, 1)
}

//tickback:deterministic
func stored(s *state) { s.n = int32(cap(s.list)) } // want capacity

func room(list []int32) int { return cap(list) - len(list) } // want capacity

//tickback:deterministic
func storedByHelper(s *state) { s.n = int32(room(s.list)) }

//tickback:deterministic
func loops(s *state) {
	for range cap(s.list) { // want capacity
		s.n++
	}
}

//tickback:deterministic
func dropsWhenFull(s *state, x int32) {
	if len(s.list) < cap(s.list) { // want capacity
		s.list = append(s.list, x)
	}
}

//tickback:deterministic
func grows(s *state) {
	if cap(s.list) < 64 {
		s.list = make([]int32, 0, 64)
	}
	s.list = append(s.list[:0], s.n)
}

//tickback:deterministic
func growsByLibrary(s *state) {
	s.list = slices.Grow(s.list, 8)
	s.list = append(s.list, 1)
}

//tickback:deterministic
func growsAndExtends(s *state) {
	s.list = slices.Grow(s.list, 8)
	s.list = s.list[:len(s.list)+8] // want capacity
	s.n = s.list[len(s.list)-1]
}

//tickback:deterministic
func growsAndExtendsAtOnce(s *state) {
	n := len(s.list) + 8
	s.list = slices.Grow(s.list, 8)[:n] // want capacity
	s.n = s.list[n-1]
}

//tickback:deterministic
func growsAndClears(s *state) {
	n := len(s.list)
	s.list = slices.Grow(s.list, 8)[:n+8]
	clear(s.list[n:])
}

//tickback:deterministic
func growsAndFills(s *state) {
	n := len(s.list)
	s.list = slices.Grow(s.list, 8)
	s.list = s.list[:n+8]
	for i := range 8 {
		s.list[n+i] = int32(i)
	}
}

//tickback:deterministic
func growsAndPuts(s *state) {
	s.bytes = slices.Grow(s.bytes, 4)
	binary.LittleEndian.PutUint32(s.bytes[len(s.bytes):len(s.bytes)+4], uint32(s.n))
	s.bytes = s.bytes[:len(s.bytes)+4]
}

//tickback:deterministic
func cutsShort(s *state) {
	if n := len(s.list); n > 2 {
		s.list = s.list[:n/2+1]
	}
}

//tickback:deterministic
func clips(s *state) { s.list = slices.Clip(s.list) }

//tickback:deterministic
func limit(s *state) {
	const hive = 8
	if len(s.list)%hive == 0 {
		s.n++
	}
}

//tickback:deterministic
func extended(s *state) {
	s.list = s.list[:cap(s.list)] // want capacity
	s.n = s.list[len(s.list)-1]
}

//tickback:deterministic
func extendedByOne(s *state) {
	if len(s.list) < cap(s.list) {
		s.list = s.list[:len(s.list)+1] // want capacity
	} else {
		s.list = append(s.list, 0)
	}
}

//tickback:deterministic
func extendedAndCleared(s *state) {
	s.list = s.list[:cap(s.list)]
	clear(s.list)
	s.list = s.list[:0]
}

//tickback:deterministic
func extendedAndWritten(s *state) {
	if n := 8; cap(s.list) >= n {
		s.list = s.list[:n]
		for i := range s.list {
			s.list[i] = 0
		}
	} else {
		s.list = make([]int32, n)
	}
}

//tickback:deterministic
func resizedToConstant(s *state) {
	s.list = s.list[:0]
	s.list = s.list[:4] // want capacity
	s.n = s.list[3]
}

//tickback:deterministic
func cut(s *state) {
	if len(s.list) > 4 {
		s.list = s.list[:4]
	}
}

//tickback:deterministic
func removed(s *state, i int) { s.list = append(s.list[:i], s.list[i+1:]...) }

//tickback:deterministic
func removedByLibrary(s *state, i int) { s.list = slices.Delete(s.list, i, i+1) }

//tickback:deterministic
func filtered(s *state) {
	kept := s.list[:0]
	for _, x := range s.list {
		if x > 0 {
			kept = append(kept, x)
		}
	}
	s.list = kept
}

//tickback:deterministic
func overwritten(s *state) {
	front := append(s.list[:2], 9) // want capacity
	s.n = front[2] + s.list[2]
}

//tickback:deterministic
func notOverwritten(s *state) {
	front := append(s.list[:2:2], 9)
	s.n = front[2] + s.list[2]
}

//tickback:deterministic
func sharedBySiblings(s *state) {
	a := append(s.list, 1)
	b := append(s.list, 2) // want capacity
	s.n = a[len(a)-1] + b[len(b)-1]
}

//tickback:deterministic
func copiedBeforeAppend(s *state) {
	a := append(slices.Clone(s.list), 1)
	b := append(slices.Clone(s.list), 2)
	s.n = a[0] + b[0]
}

//tickback:deterministic
func aliasAppended(s *state) {
	s.spare = s.list
	s.list = append(s.list, 1)
	s.spare = append(s.spare, 2) // want capacity
}

//tickback:deterministic
func reused(s *state) {
	s.spare = append(s.spare[:0], s.list...)
	s.n = int32(len(s.spare))
}

func half(n int) int { return n / 2 }

//tickback:deterministic
func growsByHelper(s *state) {
	if n := len(s.spare); cap(s.list) < n {
		s.list = make([]int32, 0, n+half(n))
	}
	s.list = append(s.list[:0], s.spare...)
}

//tickback:deterministic
func growsOrExtends(s *state, x int32) {
	n := len(s.list)
	if n < cap(s.list) {
		s.list = s.list[:n+1]
	} else {
		s.list = append(s.list, 0)
	}
	s.list[n] = x
}

//tickback:deterministic
func siblingsWithoutRoom(s *state) {
	part := s.list[:2:2]
	a := append(part, 1)
	b := append(part, 2)
	s.n = a[2] + b[2]
}

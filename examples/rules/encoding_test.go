package rules

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"maps"
	"slices"

	"github.com/tickback/tickback/canon"
)

// Bank is a state with a map.
type Bank struct{ Gold map[string]int32 }

// WRONG: gob writes the entries of a map in any order.
func encodeWrong(s *Bank) uint64 {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s.Gold); err != nil {
		return 0
	}
	return canon.HashBytes(b.Bytes())
}

// RIGHT: sorted keys, each with its length. (A game without a Hash gets canon.HashAny, which sorts.)
func encodeRight(s *Bank) uint64 {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(s.Gold)) {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
		b = append(b, name...)
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Gold[name]))
	}
	return canon.HashBytes(b)
}

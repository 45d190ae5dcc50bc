package agreed

import "encoding/binary"

// narrow is the maximum number of players whose sets take one byte.
const narrow = 8

// AppendPlayers appends a set of players of the match, bit p for player p: one byte, or two
// bytes, the low one first, in a match with more than 8 players. Recordings and reports of
// desyncs have the same form.
func (s Shape) AppendPlayers(b []byte, set uint16) []byte {
	if s.Players <= narrow {
		return append(b, byte(set))
	}
	return binary.LittleEndian.AppendUint16(b, set)
}

// ConsumePlayers reads a set of players from the front of b, and returns how many bytes it took: 0 if b is too short.
// The caller must check which players are in the set.
func (s Shape) ConsumePlayers(b []byte) (set uint16, n int) {
	switch {
	case s.Players <= narrow && len(b) > 0:
		return uint16(b[0]), 1
	case s.Players > narrow && len(b) > 1:
		return binary.LittleEndian.Uint16(b), 2
	}
	return 0, 0
}

// putPlayers writes a set at the front of b, which has room for it, unless the set is empty.
func (s Shape) putPlayers(b []byte, set uint16) {
	if set != 0 {
		s.AppendPlayers(b[:0], set)
	}
}

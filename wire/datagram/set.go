package datagram

import "encoding/binary"

// Sets is the encoding of sets of players in a match, bit p for player p: one byte if the match has at most 8 players,
// and otherwise two bytes, the low one first. [SetsOf] makes it.
type Sets struct{ players int }

// fewPlayers is the maximum number of players whose sets take one byte.
const fewPlayers = 8

// SetsOf returns the encoding of sets in a match of this many players, at most [MaxPlayers].
func SetsOf(players int) Sets { return Sets{players} }

// Players returns how many players the match has.
func (s Sets) Players() int { return s.players }

// Size returns the size of a set in bytes.
func (s Sets) Size() int {
	if s.players > fewPlayers {
		return 2
	}
	return 1
}

// Seats returns the number of players that a set can name: 8 or [MaxPlayers]. Data with an entry for each player has
// that many entries.
func (s Sets) Seats() int { return s.Size() * fewPlayers }

// Append appends a set.
func (s Sets) Append(b []byte, set uint16) []byte {
	if s.players > fewPlayers {
		return binary.LittleEndian.AppendUint16(b, set)
	}
	return append(b, byte(set))
}

// Consume reads a set from the front of b, and returns the bytes after it. The error is [ErrShort], or [ErrPlayers] if
// the set has a player that the match does not have.
func (s Sets) Consume(b []byte) (set uint16, rest []byte, err error) {
	n := s.Size()
	if len(b) < n {
		return 0, b, ErrShort
	}
	for i, v := range b[:n] {
		set |= uint16(v) << (8 * i)
	}
	if uint32(set)>>s.players != 0 {
		return 0, b, ErrPlayers
	}
	return set, b[n:], nil
}

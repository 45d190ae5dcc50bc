package datagram

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// TagSize is the length of the tag at the end of a keyed datagram.
const TagSize = 8

// Key is the key of the tags of one direction between two peers. Both sides contribute a nonce in the handshake, which
// is not encrypted. So tags detect damage and keep out attackers who cannot see the traffic, but not those who can.
type Key uint64

// KeyOf returns the key of the datagrams from the peer with the first nonce to
// the one with the second.
func KeyOf(from, to uint64) Key {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], from)
	binary.LittleEndian.PutUint64(b[8:], to)
	return Key(xxh3.Hash(b[:]))
}

// Seal appends the tag of a datagram, which is the part of b from start on. The full sequence number goes into the tag
// of a session datagram, so that an old datagram cannot be mistaken for a new one; other kinds have number 0.
func (k Key) Seal(b []byte, start int, sequence uint64) []byte {
	return binary.LittleEndian.AppendUint64(b, k.Tag(b[start:], sequence))
}

// Tag returns the tag of a datagram, for those who append or check it themselves, as every frame does. The number is
// mixed into the key.
func (k Key) Tag(b []byte, sequence uint64) uint64 {
	return xxh3.HashSeed(b, uint64(k)+sequence*0x9E3779B97F4A7C15)
}

// Open returns a datagram without its tag, and reports whether the tag is right.
func (k Key) Open(b []byte, sequence uint64) ([]byte, bool) {
	n := len(b) - TagSize
	if n < 1 {
		return nil, false
	}
	return b[:n], binary.LittleEndian.Uint64(b[n:]) == k.Tag(b[:n], sequence)
}

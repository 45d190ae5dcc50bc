package datagram

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// Sets of at most 8 players take a byte, all others two, and each is read back.
func TestSetsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, MaxPlayers).Draw(t, "players")
		s, set := SetsOf(n), rapid.Uint16().Draw(t, "set")&(1<<n-1)
		b := append(s.Append([]byte("before"), set), "after"...)[6:]
		size := 1
		if n > 8 {
			size = 2
		}
		if s.Size() != size || s.Seats() != 8*size || len(b) != size+5 {
			t.Fatalf("of %d players a set has %d bytes, or %d, for %d of them", n, s.Size(), len(b)-5, s.Seats())
		}
		got, rest, err := s.Consume(b)
		if got != set || string(rest) != "after" || err != nil {
			t.Fatalf("%b comes back as %b, %q, %v", set, got, rest, err)
		}
	})
}

// A set that is truncated, or has a player that the match does not have, is refused.
func TestSetsOfOthersAreRefused(t *testing.T) {
	for n := 1; n <= MaxPlayers; n++ {
		s := SetsOf(n)
		for p := range 8 * s.Size() {
			b := append(s.Append(nil, 1<<p|1), 9)
			set, rest, err := s.Consume(b)
			if want := uint16(1<<p | 1); p < n && (set != want || err != nil) {
				t.Errorf("player %d of %d: %b, %v", p, n, set, err)
			}
			if p >= n && (set != 0 || !errors.Is(err, ErrPlayers) || !bytes.Equal(rest, b)) {
				t.Errorf("player %d of %d: %b, % x, %v", p, n, set, rest, err)
			}
			for i := range s.Size() {
				if _, _, err := s.Consume(b[:i]); !errors.Is(err, ErrShort) {
					t.Errorf("%d bytes: %v", i, err)
				}
			}
		}
	}
}

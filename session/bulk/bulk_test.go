package bulk

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/tickback/tickback/internal/pieces"
	"github.com/tickback/tickback/wire/datagram"
)

func stateOf(size int) []byte {
	b := make([]byte, size)
	for i := range b {
		b[i] = byte(i) + byte(i>>8)
	}
	return b
}

// Rule: a state arrives as it was, from any byte on, in pieces that begin at multiples of their size.
func TestStatesArrive(t *testing.T) {
	for _, size := range []int{1, Piece - 1, Piece, Piece + 1, 3*Piece + 5} {
		for _, have := range []int{0, 1, Piece - 1, Piece, Piece + 7} {
			if have > size {
				continue
			}
			state := stateOf(size)
			var s Sender
			var r Receiver
			if err := r.Begin(size, size); err != nil {
				t.Fatal(err)
			}
			if have > 0 {
				if err := r.Add(state[:have]); err != nil {
					t.Fatal(err)
				}
			}
			for s.Begin(state, have); !s.Done(); {
				at := len(r.Bytes())
				if n, ok := s.Piece(); ok != (at%Piece == 0) || ok && n != at/Piece {
					t.Errorf("at %d: piece %d, %v", at, n, ok)
				}
				b := s.Next()
				if len(b) == 0 || at/Piece != (at+len(b)-1)/Piece || at+len(b) < size && (at+len(b))%Piece != 0 {
					t.Fatalf("%d bytes at %d of %d", len(b), at, size)
				}
				if r.Whole() {
					t.Errorf("it is whole at %d of %d", at, size)
				}
				if err := r.Add(b); err != nil {
					t.Fatal(err)
				}
			}
			if !r.Whole() || !bytes.Equal(r.Bytes(), state) {
				t.Errorf("of %d bytes, from %d on, %d arrive", size, have, len(r.Bytes()))
			}
			if b := s.Next(); b != nil || have < size && s.state != nil {
				t.Errorf("%d bytes more; the state is kept: %v", len(b), s.state != nil)
			}
		}
	}
}

// Rule: nothing is expected that was not announced, and nothing of a size that is not accepted.
func TestNothingElseIsTaken(t *testing.T) {
	var p pieces.Packer
	packed := p.Pack(make([]byte, Piece))
	var r Receiver
	if r.Whole() || r.Add([]byte{1}) != datagram.ErrRange || r.AddPacked(packed) != datagram.ErrRange {
		t.Error("something is taken before it was announced")
	}
	for size, ok := range map[int]bool{math.MinInt: false, -1: false, 0: false, 1: true, 10: true, 11: false, math.MaxInt: false} {
		err := r.Begin(size, 10)
		if e := (*SizeError)(nil); ok != (err == nil) || !ok && (!errors.As(err, &e) || e.Size != size || e.Most != 10) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if err := r.Begin(5, 10); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b   string
		err error
	}{{"", datagram.ErrRange}, {"abcdef", datagram.ErrRange}, {"ab", nil}, {"cdef", datagram.ErrRange}, {"cde", nil}, {"f", datagram.ErrRange}} {
		if err := r.Add([]byte(c.b)); err != c.err {
			t.Errorf("%q: %v", c.b, err)
		}
	}
	if !r.Whole() || string(r.Bytes()) != "abcde" {
		t.Errorf("%q", r.Bytes())
	}
	for have, ok := range map[int]bool{-1: false, 6: false, 5: true} {
		if err := r.Rewind(have); (err == nil) != ok {
			t.Errorf("from %d on: %v", have, err)
		}
	}
	if err := r.Rewind(2); err != nil || r.Whole() || string(r.Bytes()) != "ab" {
		t.Errorf("%v, %q", err, r.Bytes())
	}
}

// Rule: a packed piece is taken if it fits; one that is damaged or too long leaves what has arrived as it is, and takes
// no more memory than a piece has.
func TestPackedPieces(t *testing.T) {
	var p pieces.Packer
	good, long := p.Pack(bytes.Repeat([]byte{1, 2, 3, 4}, Piece/4)), p.Pack(make([]byte, 64*Piece))
	for name, c := range map[string]struct {
		size int
		b    []byte
		ok   bool
	}{
		"it fits": {Piece + 1, good, true}, "it is all": {Piece, good, true}, "it is too long for the state": {Piece - 1, good, false},
		"nothing": {Piece, nil, false}, "half of it": {Piece, good[:len(good)/2], false}, "it is too long for a piece": {100 * Piece, long, false},
	} {
		var r Receiver
		if err := r.Begin(1+c.size, 1<<30); err != nil {
			t.Fatal(err)
		}
		if err := r.Add([]byte{9}); err != nil {
			t.Fatal(err)
		}
		err := r.AddPacked(c.b)
		if (err == nil) != c.ok || err != nil && (!errors.Is(err, datagram.ErrRange) || len(r.Bytes()) != 1) || c.ok && len(r.Bytes()) != 1+Piece {
			t.Errorf("%s: %v, %d bytes", name, err, len(r.Bytes()))
		}
		if cap(r.Bytes()) > 2*Piece {
			t.Errorf("%s: %d bytes of memory", name, cap(r.Bytes()))
		}
	}
}

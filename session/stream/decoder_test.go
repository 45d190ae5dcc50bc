package stream

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/wire/agreed"
)

// pieces returns frames from a given one on, as a host sends them: in pieces of a given
// size.
func pieces(shape agreed.Shape, start uint32, size, count int) (list [][]byte) {
	var w agreed.Writer
	w.Init(shape)
	for n := range uint32(count) {
		if int(n)%size == 0 {
			list = append(list, nil)
		}
		last := &list[len(list)-1]
		*last = w.Append(*last, &agreed.Frame{Number: start + n, Inputs: []byte{byte(n), byte(n / 3)}})
	}
	return list
}

// Rule: a follower gets the frames that a host has sent, in order, beginning with a frame
// that is not later than what is known.
func TestAFollowerHasTheFramesOfAHost(t *testing.T) {
	shape := agreed.Shape{Players: 2, InputSize: 1}
	const start, count = 7, 20
	for size := 1; size <= count; size += 3 {
		var r Decoder
		if err := r.From(shape, start, start-1); !errors.Is(err, agreed.ErrGap) || r.Reading() {
			t.Errorf("from behind what is known: %v", err)
		}
		if _, err := r.Read(); !errors.Is(err, agreed.ErrGap) {
			t.Errorf("before a run begins: %v", err)
		}
		if err := r.From(shape, start, start+4); err != nil || !r.Reading() || r.Left() != 0 {
			t.Fatalf("%v, and %d frames are left before any came", err, r.Left())
		}
		n := uint32(start)
		for _, b := range pieces(shape, start, size, count) {
			left := min(size, start+count-int(n))
			for r.Add(b, left); r.Left() > 0; n++ {
				f, err := r.Read()
				if err != nil || f.Number != n || f.Inputs[0] != byte(n-start) {
					t.Fatalf("frame %d: %+v, %v", n, f, err)
				}
			}
		}
		if n != start+count {
			t.Errorf("pieces of %d: %d frames", size, n-start)
		}
		if r.Stop(); r.Reading() || r.Left() != 0 {
			t.Error("it goes on")
		}
	}
}

// Rule: a piece has exactly as many frames as it says.
func TestAPieceHasAsManyFramesAsItSays(t *testing.T) {
	shape := agreed.Shape{Players: 2, InputSize: 1}
	piece := pieces(shape, 0, 9, 9)[0]
	for _, c := range []struct {
		says  int
		piece []byte
	}{{8, piece}, {10, piece}, {9, append(piece, 0)}, {9, piece[:len(piece)-1]}} {
		var r Decoder
		if err := r.From(shape, 0, 0); err != nil {
			t.Fatal(err)
		}
		var err error
		for r.Add(c.piece, c.says); r.Left() > 0 && err == nil; {
			_, err = r.Read()
		}
		if err == nil {
			t.Errorf("nine frames, of %d bytes, are taken for %d in %d bytes", len(piece), c.says, len(c.piece))
		}
	}
}

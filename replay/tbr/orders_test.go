package tbr_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

var orderlyShape = agreed.Shape{Players: 8, MaxOrders: 4096}

// orderly makes frames in which every player gives the maximum of orders.
func orderly(n int, random bool) (frames []*agreed.Frame) {
	r := rand.New(rand.NewPCG(9, 1))
	for i := range n {
		f := &agreed.Frame{Number: uint32(i), Orders: make([][]byte, 8)}
		for p := range f.Orders {
			o := bytes.Repeat([]byte{byte(i), byte(p)}, 2048)
			for j := range o {
				if random {
					o[j] = byte(r.Uint32())
				}
			}
			f.Orders[p] = o
		}
		frames = append(frames, f)
	}
	return frames
}

// A block with very many orders is written in pieces, and read in pieces: 5 MiB of
// orders take little memory on either side.
func TestManyOrdersAreReadInPieces(t *testing.T) {
	h := tbr.Header{Shape: orderlyShape, TickRate: 20}
	for _, random := range []bool{false, true} {
		frames := orderly(200, random)
		largest := 0
		file := record(t, h, frames)
		r := open(t, file)
		for c, err := range r.Chunks() {
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, c.Size)
		}
		if largest > 1<<20+40<<10 {
			t.Errorf("a chunk of %d bytes", largest)
		}
		for _, from := range []uint32{0, 1, 100, 160, 199} {
			readBack(t, r, frames, from)
		}
		n := allocated(func() {
			c, err := r.Frames(0)
			for err == nil {
				_, err = c.Run(math.MaxInt32)
			}
			if err != io.EOF {
				t.Error(err)
			}
		})
		if random && n > 8<<20 {
			t.Errorf("to read %d bytes, %d are allocated", len(file), n)
		}
	}
}

// Rule: orders are from players of the match, at least one of them, and are not empty;
// and they are for frames of their block, each once. Anything else is noticed when it is
// read.
func TestOrdersThatNoWriterWritesAreRefused(t *testing.T) {
	file, _ := small(t) // the match has three players, whose orders have up to six bytes
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != tbr.KindOrders {
			continue
		}
		for name, payload := range map[string][]byte{
			"of nobody":            {1, 0, 1, 'x'},
			"of a fourth player":   {1, 8, 1, 'x'},
			"without bytes":        {1, 2, 0},
			"of seven bytes":       {1, 2, 7, 1, 2, 3, 4, 5, 6, 7},
			"cut off":              {1, 2, 3, 1, 2},
			"of a frame behind":    {8, 2, 1, 'x'},
			"of a frame twice":     {1, 2, 1, 'x', 0, 2, 1, 'x'},
			"with something after": {1, 2, 1, 'x', 1},
		} {
			r := open(t, tbr.Replace(file[:len(file)-1], c, c.Flags, payload))
			if err := r.Check(); err == nil || errors.Is(err, tbr.ErrOpen) {
				t.Errorf("orders %s are taken: %v", name, err)
			} else {
				typed(t, err)
			}
		}
		r := open(t, tbr.Replace(file[:len(file)-1], c, c.Flags, []byte{1, 2, 1, 'x'}))
		if err := r.Check(); !errors.Is(err, tbr.ErrOpen) { // without its last byte it counts as not closed
			t.Errorf("orders as they should be: %v", err)
		}
		return
	}
	t.Fatal("no orders")
}

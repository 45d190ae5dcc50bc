package datagram

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
)

// shake changes some bytes of an input.
func shake(r *rand.Rand, in []byte) {
	for i := range in {
		if r.IntN(4*len(in)) == 0 {
			in[i] = byte(r.Uint32())
		}
	}
}

// exchangeFrom sends frames of a history to another one that began later, in blocks, some of which are lost and some
// duplicated. The received inputs must be those that were sent.
func exchangeFrom(r *rand.Rand, sent, received *History, width, frames int) error {
	in := bytes.Clone(sent.At(sent.Next() - 1))
	first := received.Next()
	kept := map[uint32][]byte{}
	for sent.Next() < first+uint32(frames) {
		for range 1 + r.IntN(6) {
			shake(r, in)
			kept[sent.Next()] = bytes.Clone(in)
			sent.Push(in)
		}
		from := max(first, received.Next()-min(received.Next(), uint32(r.IntN(8))))
		b, end := sent.AppendBlock(nil, from, sent.Next(), 100+r.IntN(400))
		for range r.IntN(3) {
			if _, err := received.ConsumeBlock(b, from, int(end-from)); err != nil {
				return fmt.Errorf("frames %d to %d: %w", from, end, err)
			}
		}
	}
	b, end := sent.AppendBlock(nil, received.Next(), sent.Next(), 1<<20)
	if _, err := received.ConsumeBlock(b, received.Next(), int(end-received.Next())); err != nil {
		return err
	}
	for f := max(first, sent.Next()-min(sent.Next(), HistoryFrames)); f < sent.Next(); f++ {
		if !bytes.Equal(received.At(f), kept[f]) {
			return fmt.Errorf("frame %d is %x, not %x (width %d)", f, received.At(f), kept[f], width)
		}
	}
	return nil
}

// Rule: a receiver that begins at a frame, with the input before it, reads what a sender sends from there on, wherever
// the sender began: for more than one round of the ring.
func TestWhoBeginsLaterReadsWhatIsSent(t *testing.T) {
	for _, width := range []int{1, 4, 5, 64} {
		for _, next := range []uint32{1, 2, 100, HistoryFrames - 1, HistoryFrames, HistoryFrames + 1, 3000} {
			r := rand.New(rand.NewPCG(uint64(width), uint64(next)))
			var sent, received History
			sent.Init(width)
			in := make([]byte, width)
			for range next {
				shake(r, in)
				sent.Push(in)
			}
			received.Start(width, next, in)
			if received.Next() != next || !bytes.Equal(received.At(next-1), in) {
				t.Fatalf("width %d: next %d, before that %x", width, received.Next(), received.At(next-1))
			}
			if err := exchangeFrom(r, &sent, &received, width, 3*HistoryFrames/2); err != nil {
				t.Errorf("width %d, from %d: %v", width, next, err)
			}
		}
	}
}

// Rule: both ends may begin later, as for a player who comes back: with zeros before, or with an input that both know.
// Frame numbers may be large.
func TestBothEndsMayBeginLater(t *testing.T) {
	for _, next := range []uint32{0, 7, HistoryFrames, 1<<32 - 1<<17} {
		for _, before := range [][]byte{nil, {1, 2, 3, 4, 5, 6}} {
			r := rand.New(rand.NewPCG(1, uint64(next)))
			var sent, received History
			sent.Start(6, next, before)
			received.Start(6, next, before)
			if err := exchangeFrom(r, &sent, &received, 6, 2*HistoryFrames); err != nil {
				t.Errorf("from %d, after %x: %v", next, before, err)
			}
		}
	}
}

// Rule: frames before the beginning are not held. A block that starts there is refused if it has new inputs, and not
// read otherwise.
func TestBlocksFromBeforeTheBeginningAreRefused(t *testing.T) {
	sent := historyOf(1, "01", "02", "03", "04", "05", "06")
	var h History
	h.Start(1, 4, sent.At(3))
	for from := range uint32(4) {
		b, _ := sent.AppendBlock(nil, from, 6, 100)
		if fresh, err := h.ConsumeBlock(b, from, int(6-from)); fresh != 0 || !errors.Is(err, ErrGap) {
			t.Errorf("from %d: %d are read, %v", from, fresh, err)
		}
		if fresh, err := h.ConsumeBlock(b, from, int(4-from)); fresh != 0 || err != nil {
			t.Errorf("from %d, nothing new: %d are read, %v", from, fresh, err)
		}
	}
	b, _ := sent.AppendBlock(nil, 4, 6, 100)
	if fresh, err := h.ConsumeBlock(b, 4, 2); fresh != 2 || err != nil || h.At(5)[0] != 6 {
		t.Errorf("from the beginning: %d are read, %v", fresh, err)
	}
	b, _ = sent.AppendBlock(nil, 3, 6, 100)
	if fresh, err := h.ConsumeBlock(b, 3, 4); fresh != 0 || !errors.Is(err, ErrGap) {
		t.Errorf("with something to compare: %d are read, %v", fresh, err)
	}
}

// The negative control: with a different input before, different inputs are read.
func TestTheInputBeforeMatters(t *testing.T) {
	sent := historyOf(2, "0101", "0102", "0103")
	b, _ := sent.AppendBlock(nil, 2, 3, 100)
	for before, want := range map[string]bool{"\x01\x02": true, "\x05\x02": false} {
		var h History
		h.Start(2, 2, []byte(before))
		if fresh, err := h.ConsumeBlock(b, 2, 1); fresh != 1 || err != nil {
			t.Fatalf("%d are read, %v", fresh, err)
		}
		if same := bytes.Equal(h.At(2), sent.At(2)); same != want {
			t.Errorf("after %x: frame 2 is %x", before, h.At(2))
		}
	}
}

// A history that is started again, with one of its own inputs before, has nothing else of its earlier content.
func TestStartForgets(t *testing.T) {
	h := historyOf(4, repeat(700, "01020304")...)
	h.Start(4, 600, h.At(599))
	if h.Next() != 600 || !bytes.Equal(h.At(599), []byte{1, 2, 3, 4}) {
		t.Errorf("next %d, before that %x", h.Next(), h.At(599))
	}
	h.Push([]byte{1, 2, 3, 9})
	if b, _ := h.AppendBlock(nil, 600, 601, 99); !bytes.Equal(b, []byte{0x08, 9}) {
		t.Errorf("% x", b)
	}
	for f := range uint32(HistoryFrames) {
		if f%HistoryFrames != 599%HistoryFrames && f%HistoryFrames != 600%HistoryFrames && !bytes.Equal(h.At(f), make([]byte, 4)) {
			t.Errorf("%x is left in the place of frame %d", h.At(f), f)
		}
	}
}

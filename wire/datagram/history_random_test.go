package datagram

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// drawInput draws the next input of a player who holds still, presses a button, or changes everything.
func drawInput(t *rapid.T, before []byte) []byte {
	in := bytes.Clone(before)
	switch rapid.IntRange(0, 9).Draw(t, "change") {
	case 0, 1:
		in[rapid.IntRange(0, len(in)-1).Draw(t, "byte")] ^= rapid.ByteRange(1, 255).Draw(t, "value")
	case 2:
		copy(in, rapid.SliceOfN(rapid.Byte(), len(in), len(in)).Draw(t, "all"))
	}
	return in
}

// twoEnds has a sender, a receiver, and the naive versions of both.
type twoEnds struct {
	sent, received        History
	naiveSent, naiveTaken naiveLog
}

func newTwoEnds(width int) *twoEnds {
	e := &twoEnds{naiveSent: naiveLog{width: width}, naiveTaken: naiveLog{width: width}}
	e.sent.Init(width)
	e.received.Init(width)
	return e
}

// join makes the receiver begin with the next frame of the sender, with the input before it.
func (e *twoEnds) join() {
	next := e.sent.Next()
	e.received.Start(e.naiveTaken.width, next, e.sent.At(next-1))
	e.naiveTaken.first, e.naiveTaken.before = next, e.naiveSent.at(next-1)
}

func (e *twoEnds) push(in []byte, n int) {
	for range n {
		e.sent.Push(in)
		e.naiveSent.inputs = append(e.naiveSent.inputs, bytes.Clone(in))
	}
}

// deliver reads a block with both readers, which must agree in everything.
func (e *twoEnds) deliver(t *rapid.T, b []byte, start uint32, count int) error {
	fresh, err := e.received.ConsumeBlock(b, start, count)
	wantFresh, wantErr := e.naiveTaken.consume(b, start, count)
	if fresh != wantFresh || err != wantErr {
		t.Fatalf("%d from %d, % x: %d are read, %v; naively %d, %v", count, start, b, fresh, err, wantFresh, wantErr)
	}
	next := e.naiveTaken.first + uint32(len(e.naiveTaken.inputs))
	if e.received.Next() != next {
		t.Fatalf("next is %d, not %d", e.received.Next(), next)
	}
	for f := max(next, e.naiveTaken.first+HistoryFrames) - HistoryFrames; f < next; f++ {
		if !bytes.Equal(e.received.At(f), e.naiveTaken.at(f)) {
			t.Fatalf("frame %d is %x, not %x", f, e.received.At(f), e.naiveTaken.at(f))
		}
	}
	return err
}

// Whatever is lost, late, duplicated or sent again in other pieces, the received inputs are those that were sent, and
// blocks are those of the naive writer; for inputs of every width, and wherever the receiver has joined.
func TestBlocksArriveWhateverTheNetworkDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, MaxWidth).Draw(t, "width")
		e := newTwoEnds(width)
		type block struct {
			b     []byte
			start uint32
			count int
		}
		var flying []block
		in := make([]byte, width)
		for ago := rapid.OneOf(rapid.Just(0), rapid.IntRange(1, 1200)).Draw(t, "joined"); ago > 0; {
			in = drawInput(t, in)
			n := min(ago, 150)
			e.push(in, n)
			ago -= n
		}
		e.join()
		first := e.sent.Next()
		acked := first
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			in = drawInput(t, in)
			e.push(in, rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 100)).Draw(t, "frames"))
			acked = max(acked, e.sent.Next()-min(e.sent.Next(), HistoryFrames-1)) // the maximum that an honest sender waits for
			from := rapid.Uint32Range(acked, e.sent.Next()).Draw(t, "from")
			if from > e.received.Next() {
				from = e.received.Next()
			}
			if e.sent.Next()-from >= HistoryFrames {
				t.Skip("the receiver is too far behind for any sender")
			}
			b, end := e.sent.AppendBlock(nil, from, e.sent.Next(), rapid.IntRange(0, 600).Draw(t, "room"))
			if want := e.naiveSent.block(from, end); !bytes.Equal(b, want) {
				t.Fatalf("frames %d to %d are % x, not % x", from, end, b, want)
			}
			flying = append(flying, block{b, from, int(end - from)})
			for range rapid.IntRange(0, 2).Draw(t, "arrivals") {
				f := flying[rapid.IntRange(0, len(flying)-1).Draw(t, "which")]
				if err := e.deliver(t, f.b, f.start, f.count); err != nil {
					t.Fatalf("an honest block: %v", err)
				}
			}
			acked = max(acked, e.received.Next()-min(e.received.Next(), HistoryFrames-1))
		}
		for i, in := range e.naiveTaken.inputs {
			if f := first + uint32(i); !bytes.Equal(in, e.naiveSent.at(f)) {
				t.Fatalf("frame %d is %x, not %x", f, in, e.naiveSent.at(f))
			}
		}
	})
}

// Blocks that were tampered with are read, or refused, as by the naive reader.
func TestDamagedBlocksAreReadAsNaively(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, MaxWidth).Draw(t, "width")
		e := newTwoEnds(width)
		in := make([]byte, width)
		for range 20 {
			in = drawInput(t, in)
			e.push(in, rapid.IntRange(1, 20).Draw(t, "frames"))
		}
		for range 5 {
			start := rapid.Uint32Range(0, e.received.Next()).Draw(t, "start")
			b, end := e.sent.AppendBlock(nil, start, min(start+60, e.sent.Next()), 500)
			for range rapid.IntRange(0, 2).Draw(t, "faults") {
				if len(b) > 0 {
					b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
				}
			}
			b = b[:rapid.IntRange(0, len(b)).Draw(t, "cut")]
			count := int(end-start) + rapid.IntRange(-2, 2).Draw(t, "more")
			_ = e.deliver(t, b, start, max(count, 0))
		}
	})
}

// The negative control of the comparison: a reader that ignores the run of a token would be noticed.
func TestNaiveReaderNoticesAnotherInput(t *testing.T) {
	l := naiveLog{width: 1}
	if fresh, err := l.consume([]byte{0x21, 7}, 0, 4); fresh != 4 || err != nil {
		t.Fatal(fresh, err)
	}
	for f, want := range []byte{0, 0, 7, 7} {
		if l.inputs[f][0] != want {
			t.Errorf("frame %d is %x, not %x", f, l.inputs[f], want)
		}
	}
}

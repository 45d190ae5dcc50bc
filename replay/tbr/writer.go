package tbr

import (
	"fmt"
	"io"
	"math"

	"github.com/tickback/tickback/wire/agreed"
)

// Writer writes a recording as a stream: the frames of a block as soon as the block is complete. After an error of the
// io.Writer, all calls return that error; the part that was written is a recording that ends early.
//
// A frame is written with these calls, in this order: [Writer.Keyframe] if [Writer.WantsKeyframe], [Writer.Frame],
// [Writer.Hash].
type Writer struct {
	header    Header
	next      uint32 // the next frame
	segment   uint32 // frames of a segment
	block     uint32 // frames of a block
	open      bool   // a block has begun
	finished  bool
	out       output
	current   blockWriter
	hashes    hashWriter
	orders    ordersWriter
	keyframes keyframeWriter
	packer    packer
}

// NewWriter begins a recording and writes the header to w. The writer keeps the slices in h, which must not change.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	t := &Writer{
		header: h, next: h.First, segment: uint32(h.SegmentFrames()), block: uint32(h.BlockFrames()), out: newOutput(w),
		hashes: hashWriter{every: uint32(h.HashEvery)}, orders: ordersWriter{shape: h.Shape},
	}
	t.keyframes = keyframeWriter{first: h.First, segment: t.segment, every: h.KeyframeEvery}
	t.current.init(h.Shape, int(t.block))
	t.out.chunk(KindGame, Required|Body, h.appendGame(nil))
	t.out.chunk(KindInfo, Required, h.Info.append(nil))
	if err := t.out.flush(); err != nil {
		return nil, err
	}
	return t, nil
}

// Header returns the header.
func (w *Writer) Header() *Header { return &w.header }

// Next returns the number of the next frame.
func (w *Writer) Next() uint32 { return w.next }

// Frame writes the next frame. It copies the data that it keeps; Marked and Mark are not used. The error is [ErrGap]
// for a frame that is not the next one or comes after the match is finished, and [ErrShape] for one of another shape.
func (w *Writer) Frame(f *agreed.Frame) error {
	if w.out.err != nil {
		return w.out.err
	}
	if err := w.check(f); err != nil {
		return err
	}
	if !w.open {
		w.begin()
	}
	if w.orders.add(w.current.count, f.Orders); len(w.orders.out) >= ordersChunk {
		w.writeOrders()
	}
	w.current.add(f)
	w.next++
	w.finished = f.Finished
	w.hashes.await(w.next)
	if w.next%w.block == 0 {
		w.endBlock()
	}
	return w.out.flush()
}

func (w *Writer) check(f *agreed.Frame) error {
	s := &w.header.Shape
	switch {
	case f.Number != w.next || w.next == math.MaxUint32:
		return fmt.Errorf("%w: frame %d, want %d", ErrGap, f.Number, w.next)
	case w.finished:
		return fmt.Errorf("%w: frame %d, but the match is finished", ErrGap, f.Number)
	case w.next == w.header.First && w.next != 0 && w.keyframes.none():
		return fmt.Errorf("%w: a recording from frame %d begins with a keyframe", ErrGap, w.next)
	case w.hashes.missing != 0:
		return fmt.Errorf("%w: the hash of state %d is missing", ErrGap, w.hashes.missing)
	case len(w.out.index.entries) == maxSegments && w.next%w.segment == 0:
		return fmt.Errorf("%w: more than %d segments", ErrTooLarge, maxSegments)
	case len(f.Inputs) != s.Players*s.InputSize || len(f.Orders) > s.Players || int(f.Gone)>>s.Players != 0:
		return fmt.Errorf("%w: frame %d has %d bytes of inputs and orders of %d, and %#b are gone; there are %d players with inputs of %d bytes",
			ErrShape, f.Number, len(f.Inputs), len(f.Orders), f.Gone, s.Players, s.InputSize)
	}
	for p, o := range f.Orders {
		if len(o) > s.MaxOrders {
			return fmt.Errorf("%w: frame %d has %d bytes of orders of player %d, more than %d", ErrShape, f.Number, len(o), p, s.MaxOrders)
		}
	}
	return nil
}

// Hash passes the hash of the state after the last written frame to the writer. It ignores hashes that the recording
// does not have ([Header.HashEvery]); none of the others may be left out: then the error is [ErrGap].
func (w *Writer) Hash(state uint32, hash uint64) error {
	switch {
	case w.out.err != nil:
		return w.out.err
	case !w.hashes.due(state) || state == w.header.First:
		return nil
	case state != w.next || w.hashes.missing != state:
		return fmt.Errorf("%w: the hash of state %d after frame %d", ErrGap, state, w.next-1)
	}
	w.hashes.add(hash)
	if !w.open {
		w.writeHashes()
	}
	return w.out.flush()
}

// Optional writes a chunk that readers may skip: [KindEffects], [KindStats], [KindMembers], or a kind of the game's
// own. It is not in the body.
func (w *Writer) Optional(k Kind, payload []byte) error {
	switch {
	case w.out.err != nil:
		return w.out.err
	case k.own() || !k.valid():
		return fmt.Errorf("%w: %s", ErrKind, k)
	case len(payload) > MaxChunk:
		return fmt.Errorf("%w: %d bytes of %s, more than %d", ErrTooLarge, len(payload), k, MaxChunk)
	}
	w.out.chunk(k, 0, payload)
	return w.out.flush()
}

// Close writes the pending output, how the match ended, and the index. It does not close the io.Writer. It sets
// Finished, Result, Next and Digest of end itself, from the frames.
func (w *Writer) Close(end End) error {
	if w.out.err != nil {
		return w.out.err
	}
	if err := end.check(); err != nil {
		return err
	}
	if w.open {
		w.endBlock()
	}
	end.unhashed = w.hashes.missing != 0
	w.writeHashes()
	end.Next, end.Finished, end.Result = w.next, w.finished, w.current.result
	return w.out.end(&end, &w.header)
}

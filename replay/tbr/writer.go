package tbr

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"math"

	"github.com/tickback/tickback/wire/agreed"
)

// Writer writes a recording as a stream: the frames of a block as soon as the block is complete. After an error of the
// io.Writer, all calls return that error; what was written until then is a recording that ends early.
//
// A frame is written with these calls, in this order: [Writer.Keyframe] if [Writer.WantsKeyframe], [Writer.Frame],
// [Writer.Hash].
type Writer struct {
	w      io.Writer
	header Header
	digest hash.Hash // of the chunks of the body
	out    []byte    // what is written next
	offset uint64    // of it in the file
	err    error

	next     uint32 // the next frame
	segment  int    // frames of a segment
	block    int    // frames of a block
	current  blockWriter
	hashes   hashWriter
	orders   []byte // of this block, not yet written
	ordered  int    // the last frame of the block that has orders
	keyframe uint32 // the frame whose keyframe was given, plus one
	index    index  // only its entries and its end: only a reader looks up frames
	state    []byte // payload of the keyframe that was given and not yet written
	stated   Flags  // its flags; 0 if there is none
	leads    bool   // the next chunk of the block is the first of its segment
	open     bool   // a block has been begun
	finished bool
	closed   bool

	packer packer
	spare  []byte
}

// NewWriter begins a recording and writes the header to w. The writer keeps the slices in h, which must not change.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	t := &Writer{
		w: w, header: h, digest: sha256.New(), next: h.First,
		segment: h.SegmentFrames(), block: h.BlockFrames(),
	}
	t.current.init(h.Shape, t.block)
	t.hashes.every = uint32(h.HashEvery)
	t.out = append(append(t.out, magic...), version)
	t.chunk(KindGame, Required|Body, h.appendGame(nil))
	t.chunk(KindInfo, Required, h.Info.append(nil))
	if err := t.flush(); err != nil {
		return nil, err
	}
	return t, nil
}

// Header returns the header.
func (w *Writer) Header() *Header { return &w.header }

// Next returns the number of the next frame.
func (w *Writer) Next() uint32 { return w.next }

// chunk adds a chunk to the pending output.
func (w *Writer) chunk(k Kind, f Flags, payload []byte) {
	start := len(w.out)
	w.out = appendChunk(w.out, k, f, payload)
	if f&Body != 0 {
		w.digest.Write(w.out[start:])
	}
}

// flush writes the pending output.
func (w *Writer) flush() error {
	if len(w.out) == 0 {
		return nil
	}
	n, err := w.w.Write(w.out)
	if err == nil && n < len(w.out) {
		err = io.ErrShortWrite
	}
	w.offset += uint64(len(w.out))
	w.out, w.err = w.out[:0], err
	return err
}

// at returns the offset of what is added next.
func (w *Writer) at() uint64 { return w.offset + uint64(len(w.out)) }

// usable returns the reason why nothing can be written, or nil.
func (w *Writer) usable() error {
	if w.err == nil && w.closed {
		return ErrClosed
	}
	return w.err
}

// Frame writes the next frame. It copies what it keeps; Marked and Mark are not used. The error is [ErrGap] for a frame
// that is not the next one or comes after the match is finished, and [ErrShape] for one of another shape.
func (w *Writer) Frame(f *agreed.Frame) error {
	if err := w.usable(); err != nil {
		return err
	}
	if err := w.check(f); err != nil {
		return err
	}
	if !w.open {
		w.begin()
	}
	if someOrders(f.Orders) {
		w.orders = appendOrders(w.orders, w.header.Shape, w.current.count-w.ordered, f.Orders)
		w.ordered = w.current.count
		if len(w.orders) >= ordersChunk {
			w.writeOrders()
		}
	}
	w.current.add(f)
	w.next++
	w.finished = f.Finished
	if w.hashes.due(w.next) {
		w.hashes.missing = w.next
	}
	if w.next%uint32(w.block) == 0 {
		w.endBlock()
	}
	return w.flush()
}

func (w *Writer) check(f *agreed.Frame) error {
	s := &w.header.Shape
	switch {
	case f.Number != w.next || w.next == math.MaxUint32:
		return fmt.Errorf("%w: frame %d, want %d", ErrGap, f.Number, w.next)
	case w.finished:
		return fmt.Errorf("%w: frame %d, but the match is finished", ErrGap, f.Number)
	case w.next == w.header.First && w.next != 0 && w.keyframe == 0:
		return fmt.Errorf("%w: a recording from frame %d begins with a keyframe", ErrGap, w.next)
	case w.hashes.missing != 0:
		return fmt.Errorf("%w: the hash of state %d is missing", ErrGap, w.hashes.missing)
	case len(w.index.entries) == maxSegments && w.next%uint32(w.segment) == 0:
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

// Hash gives the writer the hash of the state after the last written frame. States whose hashes the recording does not
// have are ignored, see [Header.HashEvery]; none of the others may be left out. The error is [ErrGap].
func (w *Writer) Hash(state uint32, hash uint64) error {
	switch err := w.usable(); {
	case err != nil:
		return err
	case !w.hashes.due(state) || state == w.header.First:
		return nil
	case state != w.next || w.hashes.missing != state:
		return fmt.Errorf("%w: the hash of state %d after frame %d", ErrGap, state, w.next-1)
	}
	w.hashes.add(hash)
	if !w.open {
		w.writeHashes()
	}
	return w.flush()
}

// Optional writes a chunk that readers may skip: [KindEffects], [KindStats], [KindMembers], or a kind of the game's
// own. It is not in the body.
func (w *Writer) Optional(k Kind, payload []byte) error {
	switch err := w.usable(); {
	case err != nil:
		return err
	case k.own() || !k.valid():
		return fmt.Errorf("%w: %s", ErrKind, k)
	case len(payload) > MaxChunk:
		return fmt.Errorf("%w: %d bytes of %s, more than %d", ErrTooLarge, len(payload), k, MaxChunk)
	}
	w.chunk(k, 0, payload)
	return w.flush()
}

// Close writes the rest, how the match ended, and the index. It does not close the io.Writer. It sets Finished, Result,
// Next and Digest of end itself, from the frames.
func (w *Writer) Close(end End) error {
	if err := w.usable(); err != nil {
		return err
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
	copy(end.Digest[:], w.digest.Sum(nil))
	w.index.end = w.at()
	w.chunk(KindEnd, Required, end.append(nil, w.header.Shape))
	at := w.at()
	w.chunk(KindIndex, Required, w.index.append(nil))
	w.out = appendTrailer(w.out, at)
	err := w.flush()
	w.closed = true
	return err
}

package tbr

import (
	"fmt"
	"io"
	"iter"
)

// Reader reads a recording. It may be used by several goroutines if its source may.
type Reader struct {
	r       io.ReaderAt
	size    int64
	header  Header
	index   index
	begin   int64 // of the chunks that follow the header
	bodyEnd int64 // one behind the last chunk with frames
	next    uint32
	end     End
	closed  bool
	damage  error
}

// Open opens a recording of this size. It reads the header and the index, or the
// heads of all chunks if there is no index. The errors are an [*Error], or what r
// returns.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	t := &Reader{r: r, size: size, bodyEnd: size}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	closed, err := t.readIndex()
	if err == nil && !closed {
		err = t.findSegments()
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

func (r *Reader) readHeader() error {
	w := r.walk(0, 0)
	b, err := w.bytes(0, preface)
	switch {
	case err != nil:
		return err
	case len(b) < preface && string(b) == (magic + string(rune(version)))[:len(b)]:
		return &Error{Reason: ErrCut, Detail: fmt.Sprintf("%d bytes", len(b))}
	case len(b) < preface || string(b[:len(magic)]) != magic:
		return &Error{Reason: ErrMagic, Detail: fmt.Sprintf("it begins with %q", b)}
	case b[len(magic)] != version:
		return &Error{Reason: ErrVersion, Detail: fmt.Sprintf("%d, want %d", b[len(magic)], version)}
	}
	w.offset = int64(preface)
	if err := r.readFirst(w, KindGame, Required|Body, r.header.readGame); err != nil {
		return err
	}
	if err := r.readFirst(w, KindInfo, Required, r.header.Info.read); err != nil {
		return err
	}
	r.begin, r.next = w.offset, r.header.First
	return nil
}

// maxHeader is more bytes than any header has.
const maxHeader = 1 << 20

func (r *Reader) readFirst(w *walker, k Kind, f Flags, read func([]byte) bool) error {
	c, err := w.step()
	switch {
	case err != nil:
		return err
	case c == nil:
		return &Error{Reason: ErrCut, Offset: r.size, Detail: fmt.Sprintf("there is no chunk %s", k)}
	case c.Kind != k || c.Flags != f:
		return c.fail(ErrOrder, fmt.Sprintf("want %s", k))
	}
	payload, err := w.payload(c, maxHeader)
	if err != nil {
		return err
	}
	if !read(payload) {
		return c.fail(ErrRange, "")
	}
	if err := r.header.Check(); err != nil {
		return c.fail(ErrRange, err.Error())
	}
	return nil
}

// readIndex reads the index; false if the recording was not closed.
func (r *Reader) readIndex() (closed bool, err error) {
	if r.size < r.begin+trailerSize {
		return false, nil
	}
	w := r.walk(0, 0)
	b, err := w.bytes(r.size-trailerSize, trailerSize)
	if err != nil {
		return false, err
	}
	at, ok := readTrailer(b)
	if !ok {
		return false, nil
	}
	w.end = r.size - trailerSize
	if at < uint64(r.begin) || at >= uint64(w.end) {
		return false, &Error{Reason: ErrIndex, Offset: r.size - trailerSize}
	}
	r.index.init(&r.header)
	if err := r.readAlone(w, int64(at), KindIndex, w.end, func(p []byte) bool { return r.index.read(p, int64(at)) }); err != nil {
		return false, err
	}
	w.end = int64(at)
	if err := r.readAlone(w, int64(r.index.end), KindEnd, w.end, r.end.read); err != nil {
		return false, err
	}
	if r.index.end < uint64(r.begin) {
		return false, &Error{Reason: ErrIndex, Offset: int64(at)}
	}
	r.bodyEnd, r.next, r.closed = int64(r.index.end), r.end.Next, true
	return true, r.checkIndex(int64(at))
}

// readAlone reads the chunk at an offset, which must end at another.
func (r *Reader) readAlone(w *walker, at int64, k Kind, end int64, read func([]byte) bool) error {
	w.offset = at
	c, err := w.step()
	switch {
	case err != nil:
		return err
	case c == nil || c.Kind != k || c.Flags != Required || c.next() != end:
		return &Error{Reason: ErrIndex, Offset: at, Detail: fmt.Sprintf("want %s", k)}
	}
	payload, err := w.payload(c, MaxChunk)
	if err == nil && !read(payload) {
		err = c.fail(ErrRange, "")
	}
	return err
}

// checkIndex compares the index with the number of frames.
func (r *Reader) checkIndex(at int64) error {
	want := 0
	if r.next > r.header.First {
		want = r.index.of(r.next-1) + 1
	}
	e := r.index.entries
	if r.next < r.header.First || len(e) != want || want > 0 && e[0].offset() < r.begin {
		return &Error{Reason: ErrIndex, Kind: KindIndex, Offset: at, Detail: fmt.Sprintf("%d segments of frames %d to %d", len(e), r.header.First, r.next)}
	}
	return nil
}

// findSegments goes through the chunks of a recording that was not closed, up to
// where it breaks off.
func (r *Reader) findSegments() error {
	r.index.init(&r.header)
	w := r.walk(r.begin, r.header.First)
	r.bodyEnd = r.begin
	segment := uint32(r.header.SegmentFrames())
	var first entry
	for {
		c, err := w.step()
		if c == nil || err != nil {
			if e, ok := err.(*Error); ok && e.Reason == ErrRequired || err != nil && !ok {
				return err
			}
			r.damage = &Error{Reason: ErrOpen, Offset: r.bodyEnd, Detail: fmt.Sprintf("it has the frames %d to %d", r.header.First, r.next)}
			return nil
		}
		switch c.Kind {
		case KindKeyframe:
			first = makeEntry(uint64(c.Offset), true)
		case KindOrders:
			if first == 0 {
				first = makeEntry(uint64(c.Offset), false)
			}
		case KindFrames:
			if first == 0 {
				first = makeEntry(uint64(c.Offset), false)
			}
			if len(r.index.entries) == 0 || w.begun%segment == 0 {
				r.index.entries = append(r.index.entries, first)
			}
			r.bodyEnd, r.next, first = c.next(), w.at, 0
		case KindHashes:
			r.bodyEnd = c.next()
		}
	}
}

// Header returns the header.
func (r *Reader) Header() *Header { return &r.header }

// First returns the first frame, and Next the one behind the last: there is none if
// they are equal.
func (r *Reader) First() uint32 { return r.header.First }

// Next returns the number of the frame behind the last one.
func (r *Reader) Next() uint32 { return r.next }

// End returns how the recording ended; false if it was not closed.
func (r *Reader) End() (End, bool) { return r.end, r.closed }

// Damage returns nil if the recording was closed, and otherwise an [*Error] with
// [ErrOpen] that says up to where it can be read. Damage within is found by who reads it, or by
// [Reader.Check].
func (r *Reader) Damage() error { return r.damage }

// Chunks goes through all chunks between the header and the end, in order.
func (r *Reader) Chunks() iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		w := r.walk(r.begin, r.header.First)
		for {
			c, err := w.step()
			switch {
			case err != nil:
				yield(Chunk{}, err)
				return
			case c == nil || !yield(*c, nil):
				return
			}
		}
	}
}

// Payload reads the payload of a chunk.
func (r *Reader) Payload(c Chunk) ([]byte, error) {
	if c.head == 0 || c.next() > r.size {
		return nil, c.fail(ErrRange, "not a chunk of this recording")
	}
	return r.walk(c.Offset, c.Frame).payload(&c, MaxChunk)
}

// Keyframe returns the last keyframe at a frame or before it. The error wraps
// [ErrNoKeyframe] if there is none.
func (r *Reader) Keyframe(atOrBefore uint32) (frame uint32, state []byte, err error) {
	for i := min(r.index.of(max(atOrBefore, r.First())), len(r.index.entries)-1); i >= 0; i-- {
		if r.index.entries[i].keyframe() && r.index.frame(i) <= atOrBefore {
			return r.readKeyframe(i)
		}
	}
	return 0, nil, &Error{Reason: ErrNoKeyframe, Detail: fmt.Sprintf("at frame %d or before", atOrBefore)}
}

func (r *Reader) readKeyframe(i int) (uint32, []byte, error) {
	frame := r.index.frame(i)
	w := r.walk(r.index.entries[i].offset(), frame)
	c, err := w.step()
	if err != nil {
		return 0, nil, err
	}
	if c == nil || c.Kind != KindKeyframe {
		return 0, nil, &Error{Reason: ErrIndex, Offset: r.index.entries[i].offset(), Detail: "want a keyframe"}
	}
	payload, err := w.payload(c, MaxChunk)
	if err != nil {
		return 0, nil, err
	}
	p := parser{b: payload}
	if b := p.take(4); b == nil || uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24 != frame {
		return 0, nil, c.fail(ErrIndex, fmt.Sprintf("want the keyframe of frame %d", frame))
	}
	if c.Flags&packed == 0 {
		return frame, p.b, nil
	}
	state, ok := unpack(p.b, MaxState)
	if !ok {
		return 0, nil, c.fail(ErrRange, "the state cannot be decompressed")
	}
	return frame, state, nil
}

package tbr

import (
	"errors"
	"fmt"
	"io"
)

// Open opens a recording of the given size in bytes. It reads the header and the index. If there is no index, or it is
// damaged, it reads the heads of all chunks instead; see [Reader.Damage]. The errors are an [*Error], or an error of
// r.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	t := &Reader{r: r, size: size, bodyEnd: size}
	if err := t.readHeader(); err != nil {
		return nil, err
	}
	err := t.readIndex()
	var damage *Error
	if errors.As(err, &damage) {
		t.damage = damage
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
	if err := r.readFirst(w, KindGame, r.header.readGame); err != nil {
		return err
	}
	if err := r.readFirst(w, KindInfo, r.header.Info.read); err != nil {
		return err
	}
	if err := r.header.Check(); err != nil {
		return &Error{Reason: ErrRange, Kind: KindGame, Offset: int64(preface), Detail: err.Error()}
	}
	r.index.init(&r.header)
	r.begin, r.next = w.offset, r.header.First
	return nil
}

// maxHeader is an upper limit for the size of a header in bytes.
const maxHeader = 1 << 20

func (r *Reader) readFirst(w *walker, k Kind, read func([]byte) bool) error {
	c, err := w.head()
	switch {
	case err != nil:
		return err
	case c == nil:
		return &Error{Reason: ErrCut, Offset: r.size, Detail: fmt.Sprintf("there is no chunk %s", k)}
	case c.Kind != k:
		return c.fail(ErrOrder, fmt.Sprintf("want %s", k))
	}
	payload, err := w.payload(c, maxHeader)
	if err != nil {
		return err
	}
	if !read(payload) {
		return c.fail(ErrRange, "")
	}
	return nil
}

// readIndex reads the index and the chunk before it, which says how the recording ended.
func (r *Reader) readIndex() error {
	trailer := r.size - trailerSize
	if trailer < r.begin {
		return &Error{Reason: ErrOpen, Offset: r.size}
	}
	w := r.walk(0, 0)
	b, err := w.bytes(trailer, trailerSize)
	if err != nil {
		return err
	}
	at, ok := readTrailer(b)
	if !ok {
		return &Error{Reason: ErrOpen, Offset: r.size}
	}
	if at < uint64(r.begin) || at >= uint64(trailer) {
		return &Error{Reason: ErrIndex, Offset: trailer}
	}
	var x index
	x.init(&r.header)
	var end End
	if err := r.readAlone(w, int64(at), KindIndex, trailer, func(p []byte) bool { return x.read(p, int64(at)) }); err != nil {
		return err
	}
	if err := r.readAlone(w, int64(x.end), KindEnd, int64(at), func(p []byte) bool { return end.read(p, r.header.Shape) }); err != nil {
		return err
	}
	if !x.fits(&end, r.begin) {
		return &Error{
			Reason: ErrIndex, Kind: KindIndex, Offset: int64(at),
			Detail: fmt.Sprintf("%d segments of frames %d to %d", len(x.entries), r.header.First, end.Next),
		}
	}
	r.index, r.end, r.closed = x, end, true
	r.bodyEnd, r.next = int64(x.end), end.Next
	return nil
}

// closing returns the offset where the recording ends, if the chunks stopped at its end; 0 if they did not, or if what
// follows is not an end.
func (r *Reader) closing(stop *Error) (end int64) {
	if stop.Kind != KindEnd {
		return 0
	}
	w := r.walk(0, 0)
	w.offset, w.end = stop.Offset, r.size
	if _, err := w.head(); err != nil {
		return 0
	}
	c, err := w.head()
	if err != nil || c == nil || c.Kind != KindIndex {
		return 0
	}
	b, err := w.bytes(w.offset, trailerSize)
	if index, ok := readTrailer(b); err != nil || !ok || index != uint64(c.Offset) {
		return 0
	}
	return w.offset + trailerSize
}

// readAlone reads a single chunk at an offset, which must end at another offset.
func (r *Reader) readAlone(w *walker, at int64, k Kind, end int64, read func([]byte) bool) error {
	w.offset, w.end = at, end
	c, err := w.head()
	switch {
	case err != nil:
		return err
	case c == nil || c.Kind != k || c.next() != end:
		return &Error{Reason: ErrIndex, Offset: at, Detail: fmt.Sprintf("want %s", k)}
	}
	payload, err := w.payload(c, MaxChunk)
	if err == nil && !read(payload) {
		err = c.fail(ErrRange, "")
	}
	return err
}

// findSegments goes through the chunks of a recording that was not closed, up to the point where it breaks off.
func (r *Reader) findSegments() error {
	w := r.walk(r.begin, r.header.First)
	w.end, w.indexed, r.bodyEnd = r.size, false, r.begin
	for {
		lead, begins := w.lead, w.begins()
		c, err := w.step()
		if c == nil || err != nil {
			return r.breakOff(err)
		}
		switch c.Kind {
		case KindFrames:
			if lead == 0 {
				lead = makeEntry(uint64(c.Offset), false)
			}
			if begins && len(r.index.entries) == maxSegments {
				return c.fail(ErrRange, fmt.Sprintf("more than %d segments", maxSegments))
			}
			if begins {
				r.index.entries = append(r.index.entries, lead)
			}
			r.bodyEnd, r.next = c.next(), w.at
		case KindHashes:
			r.bodyEnd = c.next()
		}
	}
}

// breakOff ends the recording after the last complete chunk. If that is because of an unknown required chunk, it
// returns an error instead.
func (r *Reader) breakOff(err error) error {
	var e *Error
	if err != nil && (!errors.As(err, &e) || e.Reason == ErrRequired) {
		return err
	}
	d := r.damage
	d.Detail = fmt.Sprintf("it can be read up to byte %d: %d frames from %d on", r.bodyEnd, r.next-r.header.First, r.header.First)
	if d.Reason != ErrOpen {
		return nil
	}
	if d.Offset = r.bodyEnd; e != nil {
		if end := r.closing(e); end != 0 {
			d.Reason, d.Offset, d.Detail = ErrAppended, end, fmt.Sprintf("%d bytes; %s", r.size-end, d.Detail)
		}
	}
	return nil
}

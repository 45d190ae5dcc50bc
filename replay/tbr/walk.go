package tbr

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// windowBytes is the number of bytes that a walker reads at a time.
const windowBytes = 4 << 10

// walker goes from chunk to chunk, and reads payloads only on request.
type walker struct {
	r      *Reader
	offset int64 // the offset of the next chunk
	end    int64 // the offset at which the chunks end
	chunk  Chunk

	begun   uint32 // the first frame of the last block
	at      uint32 // the first frame of the next block
	lead    entry  // the first chunk of the next block; 0 if there is none yet
	hashed  bool   // the last block has its hashes, or needs none
	over    bool   // the last block finishes the match
	indexed bool   // there is an index to compare with

	window []byte
	from   int64 // the offset of the window
	buffer []byte
}

// walk returns a walker that begins at a chunk; the frames before at come before that chunk.
func (r *Reader) walk(offset int64, at uint32) *walker {
	return &walker{
		r: r, offset: offset, end: r.bodyEnd, begun: at, at: at, hashed: true,
		indexed: true, window: make([]byte, 0, windowBytes),
	}
}

// walkFrom returns a walker at the segment of a frame.
func (r *Reader) walkFrom(frame uint32) *walker {
	i := r.index.of(frame)
	if i >= len(r.index.entries) {
		return r.walk(r.bodyEnd, r.next)
	}
	return r.walk(r.index.entries[i].offset(), r.index.frame(i))
}

// bytes returns n bytes at an offset, or fewer at the end of the file; n is at most windowBytes.
func (w *walker) bytes(offset int64, n int) ([]byte, error) {
	if skip := offset - w.from; skip >= 0 && skip+int64(n) <= int64(len(w.window)) {
		return w.window[skip:][:n], nil
	}
	size := int(min(windowBytes, max(w.end-offset, 0)))
	got, err := w.r.r.ReadAt(w.window[:size], offset)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	w.window, w.from = w.window[:got], offset
	return w.window[:min(n, got)], nil
}

// step goes to the next chunk, and returns an error if no such chunk is allowed there. At the end it returns nil.
func (w *walker) step() (*Chunk, error) {
	c, err := w.head()
	if c == nil || err != nil {
		return nil, err
	}
	if c.Kind.own() {
		err = w.pass(c)
	} else if c.Flags&Required != 0 {
		err = c.fail(ErrRequired, "")
	}
	return c, err
}

// head reads the head of the next chunk.
func (w *walker) head() (*Chunk, error) {
	if w.offset >= w.end {
		return nil, nil
	}
	b, err := w.bytes(w.offset, maxHead)
	if err != nil {
		return nil, err
	}
	c, n := consumeHead(b)
	c.Offset, c.Frame = w.offset, w.at
	switch {
	case n == 0 && len(b) < maxHead:
		return nil, &Error{Reason: ErrCut, Offset: w.offset}
	case n == 0:
		return nil, &Error{Reason: ErrChecksum, Offset: w.offset, Detail: "no chunk begins here"}
	case c.next() > w.end:
		return nil, c.fail(ErrCut, fmt.Sprintf("%d bytes, but %d are left", c.next()-w.offset, w.end-w.offset))
	case !c.Flags.known(c.Kind):
		return nil, c.fail(ErrRange, fmt.Sprintf("flags %#x", byte(c.Flags)))
	}
	w.chunk, w.offset = c, c.next()
	return &w.chunk, nil
}

// pass returns an error if the chunk may not be where it is, and counts its frames.
func (w *walker) pass(c *Chunk) error {
	switch c.Kind {
	case KindKeyframe:
		if w.lead != 0 || !w.begins() {
			return c.fail(ErrOrder, fmt.Sprintf("a keyframe of frame %d", w.at))
		}
		w.lead = makeEntry(uint64(c.Offset), true)
	case KindOrders:
		w.leadBy(c)
	case KindFrames:
		w.leadBy(c)
		return w.passFrames(c)
	case KindHashes:
		if w.hashed {
			return c.fail(ErrOrder, fmt.Sprintf("hashes before frame %d", w.at))
		}
		c.Frame, w.hashed = w.begun, true
	default:
		return c.fail(ErrOrder, "")
	}
	return nil
}

// leadBy records the first chunk of a block.
func (w *walker) leadBy(c *Chunk) {
	if w.lead == 0 {
		w.lead = makeEntry(uint64(c.Offset), false)
	}
}

// begins reports whether a segment begins with the next frame.
func (w *walker) begins() bool {
	return w.at == w.r.header.First || w.at%w.r.index.segment == 0
}

func (w *walker) passFrames(c *Chunk) error {
	if w.at != w.r.header.First && w.at%uint32(w.r.header.BlockFrames()) != 0 || w.over {
		return c.fail(ErrOrder, fmt.Sprintf("frames after the last one, %d", w.at-1))
	}
	if w.at == w.r.header.First && w.at != 0 && !w.lead.keyframe() {
		return c.fail(ErrOrder, "a recording that begins late begins with a keyframe")
	}
	if !w.hashed {
		return w.unhashed()
	}
	if i := w.r.index.of(w.at); w.indexed && w.begins() && (i >= len(w.r.index.entries) || w.r.index.entries[i] != w.lead) {
		return c.fail(ErrIndex, fmt.Sprintf("the segment of frame %d begins at byte %d", w.at, w.lead.offset()))
	}
	n, err := w.count(c)
	w.begun, w.at, w.lead, w.over = w.at, w.at+n, 0, c.Flags&partFinished != 0
	w.hashed = w.due() == 0
	return err
}

// due returns the number of hashes that the last block has to have.
func (w *walker) due() int {
	every := uint32(w.r.header.HashEvery)
	switch {
	case every == 0:
		return 0
	case w.at == w.r.next && w.r.end.unhashed:
		return int((w.at-1)/every - w.begun/every)
	}
	return int(w.at/every - w.begun/every)
}

// unhashed returns the error for a block without hashes.
func (w *walker) unhashed() error {
	return w.chunk.fail(ErrOrder, fmt.Sprintf("the hashes of the frames %d to %d are missing", w.begun, w.at))
}

// count returns the number of frames in a chunk.
func (w *walker) count(c *Chunk) (uint32, error) {
	block := uint32(w.r.header.BlockFrames())
	room := block - w.at%block
	if uint64(w.at)+uint64(room) > 1<<32-1 {
		return 0, c.fail(ErrRange, "frames beyond the last number")
	}
	if c.Flags&partShort == 0 {
		return room, nil
	}
	b, err := w.bytes(c.Offset+int64(c.head), min(c.Size, 5))
	if err != nil {
		return 0, err
	}
	p := parser{b: b}
	n := shortCount(&p, c.Flags, int(room))
	if p.bad {
		return 0, c.fail(ErrRange, "the number of frames")
	}
	return uint32(n), nil
}

// payload reads the payload of a chunk, of up to most bytes. It is valid until the next call.
func (w *walker) payload(c *Chunk, most int) ([]byte, error) {
	if c.Size > most {
		return nil, c.fail(ErrRange, fmt.Sprintf("%d bytes, more than %d", c.Size, most))
	}
	size := c.head + c.Size + sumSize
	b, err := w.whole(c.Offset, size)
	if err != nil {
		return nil, err
	}
	sum := b[size-sumSize:]
	if crc32.Checksum(b[:size-sumSize], castagnoli) != uint32(sum[0])|uint32(sum[1])<<8|uint32(sum[2])<<16|uint32(sum[3])<<24 {
		return nil, c.fail(ErrChecksum, "")
	}
	return b[c.head : size-sumSize], nil
}

// whole reads bytes that the file must have.
func (w *walker) whole(offset int64, size int) ([]byte, error) {
	if size <= windowBytes {
		b, err := w.bytes(offset, size)
		if err == nil && len(b) < size {
			err = &Error{Reason: ErrCut, Offset: offset}
		}
		return b, err
	}
	if cap(w.buffer) < size {
		w.buffer = make([]byte, size)
	}
	n, err := w.r.r.ReadAt(w.buffer[:size], offset)
	switch {
	case n == size:
		return w.buffer[:size], nil
	case err == nil || errors.Is(err, io.EOF):
		return nil, &Error{Reason: ErrCut, Offset: offset}
	}
	return nil, err
}

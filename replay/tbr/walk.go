package tbr

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// windowBytes is how much a walker reads at a time.
const windowBytes = 4 << 10

// walker goes from chunk to chunk, and reads no payload unless asked.
type walker struct {
	r      *Reader
	offset int64 // of the next chunk
	end    int64 // where chunks end
	chunk  Chunk

	begun uint32 // the frame with which the last block began
	at    uint32 // the frame with which the next one begins

	window []byte
	from   int64 // offset of the window
	buffer []byte
}

// walk returns a walker that begins at a chunk, before which there are the frames
// up to this one.
func (r *Reader) walk(offset int64, at uint32) *walker {
	return &walker{r: r, offset: offset, end: r.bodyEnd, begun: at, at: at, window: make([]byte, 0, windowBytes)}
}

// walkFrom returns a walker at the segment of a frame.
func (r *Reader) walkFrom(frame uint32) (*walker, error) {
	i := r.index.of(frame)
	if i >= len(r.index.entries) {
		return r.walk(r.bodyEnd, r.next), nil
	}
	return r.walk(r.index.entries[i].offset(), r.index.frame(i)), nil
}

// bytes returns n bytes at an offset, at most windowBytes, or as many as there are.
func (w *walker) bytes(offset int64, n int) ([]byte, error) {
	if skip := offset - w.from; skip >= 0 && skip+int64(n) <= int64(len(w.window)) {
		return w.window[skip:][:n], nil
	}
	size := int(min(windowBytes, max(w.end-offset, 0)))
	got, err := w.r.r.ReadAt(w.window[:size], offset)
	if got < size && err != nil && !errors.Is(err, io.EOF) {
		w.window = w.window[:0]
		return nil, err
	}
	w.window, w.from = w.window[:got], offset
	return w.window[:min(n, got)], nil
}

// step goes to the next chunk. It is nil at the end.
func (w *walker) step() (*Chunk, error) {
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
		return nil, c.fail(ErrCut, fmt.Sprintf("%d bytes, but %d are left", c.Size, w.end-w.offset))
	}
	w.chunk, w.offset = c, c.next()
	return &w.chunk, w.pass(&w.chunk)
}

// pass counts frames, and refuses what a reader must know and does not.
func (w *walker) pass(c *Chunk) error {
	switch {
	case c.Kind == KindFrames:
		n, err := w.count(c)
		if err != nil {
			return err
		}
		w.begun, w.at = w.at, w.at+n
	case c.Kind.own():
	case c.Flags&Required != 0:
		return c.fail(ErrRequired, "")
	}
	return nil
}

// count returns how many frames a chunk has.
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

// payload reads the payload of a chunk, of at most so many bytes. It is valid until
// the next call.
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

// whole reads bytes that the file has.
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

package tbr

import (
	"io"
	"iter"
)

// Reader reads a recording. Several goroutines may use it if they may use its source at the same time.
type Reader struct {
	r       io.ReaderAt
	size    int64
	header  Header
	index   index
	begin   int64 // the offset of the first chunk after the header
	bodyEnd int64 // the offset after the last chunk with frames
	next    uint32
	end     End
	closed  bool
	damage  *Error
}

// Header returns the header.
func (r *Reader) Header() *Header { return &r.header }

// First returns the first frame, and Next the one after the last; there are no frames if they are equal.
func (r *Reader) First() uint32 { return r.header.First }

// Next returns the number of the frame after the last one.
func (r *Reader) Next() uint32 { return r.next }

// End returns how the recording ended, or false if it was not closed.
func (r *Reader) End() (End, bool) { return r.end, r.closed }

// Damage returns nil if the recording was closed. Otherwise it is an [*Error] that says how far it can be read:
// [ErrOpen], [ErrAppended], or what is wrong with its end. Damage inside the recording is found by reading it, or by
// [Reader.Check].
func (r *Reader) Damage() error {
	if r.damage == nil {
		return nil
	}
	return r.damage
}

// Chunks yields all chunks between the header and the end, in order.
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

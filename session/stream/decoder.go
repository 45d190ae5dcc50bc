package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Decoder decodes the frames that a host has sent. They come in runs: a run begins at a frame, and arrives in
// pieces of whole frames.
type Decoder struct {
	reader  agreed.Reader
	reading bool
	bytes   []byte // frames that are not decoded yet
	left    int    // number of these frames
}

// From begins a run at frame start. All frames before next are known; a run that begins after next would skip
// frames, which is the error [agreed.ErrGap].
func (r *Decoder) From(shape agreed.Shape, start, next rollback.Frame) error {
	if start > next {
		return agreed.ErrGap
	}
	r.reading, r.left = true, 0
	return r.reader.Init(shape, uint32(start))
}

// Stop ends the run. No frames can be read until another run begins.
func (r *Decoder) Stop() { r.reading, r.bytes, r.left = false, nil, 0 }

// Reading reports whether a run has begun.
func (r *Decoder) Reading() bool { return r.reading }

// Add passes the next piece, with this many frames. The bytes are kept until they are read.
func (r *Decoder) Add(b []byte, frames int) { r.bytes, r.left = b, frames }

// Left returns how many frames can be read.
func (r *Decoder) Left() int { return r.left }

// Read decodes the next frame; at least one must be left. It is valid until the next call.
func (r *Decoder) Read() (*agreed.Frame, error) {
	if !r.reading {
		return nil, agreed.ErrGap
	}
	f, rest, err := r.reader.Read(r.bytes)
	if err != nil {
		return nil, err
	}
	r.bytes = rest
	if r.left--; r.left == 0 && len(rest) > 0 {
		return nil, agreed.ErrRange
	}
	return f, nil
}

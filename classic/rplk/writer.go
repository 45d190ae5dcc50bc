package rplk

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

var (
	// ErrClosed means that a Writer was used after Close.
	ErrClosed = errors.New("rplk: the recording is closed")
	// ErrAppends means that the destination appends every write at its end.
	ErrAppends = errors.New("rplk: the destination appends every write; open it without O_APPEND")
)

// Writer writes a recording as a stream. The header has a count and a CRC that are known only at the end: if the
// destination can seek, the header is written last and memory is bounded; if it cannot (a pipe), the payload is held in
// memory, 4 bytes a frame, until Close.
type Writer struct {
	dst    io.Writer
	seek   io.WriteSeeker // dst, if it can seek
	start  int64          // the position in seek at which the recording begins
	header Header
	buf    []byte // payload not yet written
	err    error  // the first error; it stays
}

// flushBytes is the number of bytes of payload that a Writer that can seek collects before it writes.
const flushBytes = 16 << 10

// NewWriter starts a recording with this seed at the destination's current position. The error is [ErrSeed] for seed 0,
// and [ErrAppends] for a file opened for appending. Data in the destination beyond the recording's end stays, and would
// damage the recording: truncate a file first. The caller must call Close, and close dst itself afterwards.
func NewWriter(dst io.Writer, seed uint32) (*Writer, error) {
	w := &Writer{dst: dst, header: Header{Seed: seed}}
	// Until the recording is closed, its header claims more frames than any file has, so that readers refuse it as cut
	// short.
	placeholder, err := AppendHeader(nil, Header{Seed: seed, Frames: MaxFrames, CRC: ^uint32(0)})
	if err != nil {
		return nil, err
	}
	seek, ok := dst.(io.WriteSeeker)
	if !ok {
		return w, nil
	}
	// A file may turn out to be a pipe: that is not an error, but it cannot seek.
	start, err := seek.Seek(0, io.SeekCurrent)
	if err != nil {
		return w, nil
	}
	w.seek, w.start = seek, start
	// Write it twice, since the header cannot be completed in a destination that appends every write: this is the time
	// to find that out.
	for range 2 {
		if err := w.writeHeader(placeholder); err != nil {
			return nil, err
		}
	}
	w.buf = make([]byte, 0, flushBytes)
	return w, nil
}

// Write appends frames. It does not keep the caller's memory. An error is final: the recording is then not complete.
func (w *Writer) Write(frames []Inputs) error {
	if w.err != nil {
		return w.err
	}
	if uint64(len(frames)) > MaxFrames-uint64(w.header.Frames) {
		w.err = fmt.Errorf("rplk: the recording is full: a header counts at most %d frames", uint32(MaxFrames))
		return w.err
	}
	w.header.Frames += uint32(len(frames))
	for len(frames) > 0 && w.err == nil {
		n := min(len(frames), flushBytes/FrameSize)
		w.buf = appendFrames(w.buf, frames[:n])
		frames = frames[n:]
		if w.seek != nil && len(w.buf) >= flushBytes {
			w.flush(w.seek)
		}
	}
	return w.err
}

// flush adds the collected payload to the CRC and writes it.
func (w *Writer) flush(dst io.Writer) {
	w.header.CRC = crc32.Update(w.header.CRC, crc32.IEEETable, w.buf)
	_, w.err = dst.Write(w.buf)
	w.buf = w.buf[:0]
}

// Close writes the rest and completes the header. It does not close the destination. A second Close, and a Write after
// it, return [ErrClosed].
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	err := w.finish()
	if w.err = err; err == nil {
		w.err = ErrClosed
	}
	return err
}

func (w *Writer) finish() error {
	if w.seek != nil {
		return w.finishInPlace()
	}
	w.header.CRC = crc32.ChecksumIEEE(w.buf)
	header, err := AppendHeader(nil, w.header)
	if err != nil {
		return err
	}
	if _, err := w.dst.Write(header); err != nil {
		return err
	}
	_, err = w.dst.Write(w.buf)
	return err
}

// finishInPlace writes the rest of the payload, then goes back to write the header, and leaves the destination's
// position at the recording's end.
func (w *Writer) finishInPlace() error {
	if w.flush(w.seek); w.err != nil {
		return w.err
	}
	header, err := AppendHeader(nil, w.header)
	if err != nil {
		return err
	}
	if err := w.writeHeader(header); err != nil {
		return err
	}
	_, err = w.seek.Seek(w.start+int64(w.header.Size()), io.SeekStart)
	return err
}

// writeHeader writes the header at the start of the recording and leaves the
// position after it.
func (w *Writer) writeHeader(header []byte) error {
	if _, err := w.seek.Seek(w.start, io.SeekStart); err != nil {
		return err
	}
	if _, err := w.seek.Write(header); err != nil {
		return err
	}
	at, err := w.seek.Seek(0, io.SeekCurrent)
	if err == nil && at != w.start+HeaderSize {
		err = ErrAppends
	}
	return err
}

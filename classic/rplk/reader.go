package rplk

import (
	"hash/crc32"
	"io"
)

// readBytes is the number of bytes that a Reader requests at a time: large enough to make the calls cheap, and small
// enough to stay in the nearest cache.
const readBytes = 16 << 10

// Reader reads a recording as a stream. It has a buffer of 16 KiB, whatever the header claims.
type Reader struct {
	src    io.Reader
	header Header
	read   uint64 // the number of bytes of payload read
	crc    uint32 // the CRC of these bytes
	err    error  // the error that ended the recording; it stays
	buf    [readBytes]byte
}

// NewReader reads the header from src and returns a Reader of its frames. An
// error of src itself is returned as it is.
func NewReader(src io.Reader) (*Reader, error) {
	r := &Reader{src: src}
	n, err := io.ReadFull(src, r.buf[:HeaderSize])
	if err != nil && !cut(err) {
		return nil, err
	}
	r.header, _, err = ConsumeHeader(r.buf[:n])
	if err != nil {
		return nil, err
	}
	return r, nil
}

// cut reports whether an error means that io.ReadFull has reached the end of its source. An error that wraps io.EOF
// comes from the source itself.
func cut(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }

// Header returns the header. Its frame count and CRC are claims until the last
// Read has returned [io.EOF].
func (r *Reader) Header() Header { return r.header }

// Read reads the next frames into dst and returns how many. After the last frame it returns 0 and exactly [io.EOF], but
// only if the recording is complete: neither cut short nor followed by more data ([ErrLength]), and undamaged
// ([ErrChecksum]). An error that wraps io.EOF comes from the source itself. Any error is final, and frames read before
// it may be wrong. An empty dst reads nothing, without an error while frames are left.
func (r *Reader) Read(dst []Inputs) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	total := 0
	for total < len(dst) && r.left() > 0 {
		n, err := r.fill(dst[total:])
		total += n
		if err != nil {
			r.err = err
			return total, err
		}
	}
	if total == 0 && r.left() == 0 {
		r.err = r.checkEnd()
	}
	return total, r.err
}

// left returns the number of frames still to come.
func (r *Reader) left() uint64 { return (r.header.payloadSize() - r.read) / FrameSize }

// fill reads one bufferful of frames.
func (r *Reader) fill(dst []Inputs) (int, error) {
	frames := min(uint64(len(dst)), r.left(), readBytes/FrameSize)
	payload := r.buf[:frames*FrameSize]
	n, err := io.ReadFull(r.src, payload)
	r.read += uint64(n)
	if err != nil {
		if cut(err) {
			err = r.header.lengthError(r.read)
		}
		return 0, err
	}
	r.crc = crc32.Update(r.crc, crc32.IEEETable, payload)
	decodeFrames(dst[:frames], payload)
	return int(frames), nil
}

// checkEnd is called after the last frame. It returns io.EOF if the recording is complete and undamaged.
func (r *Reader) checkEnd() error {
	n, err := io.ReadFull(r.src, r.buf[:1])
	if n > 0 {
		return r.header.lengthError(r.read + uint64(n))
	}
	if err != io.EOF {
		return err
	}
	if r.crc != r.header.CRC {
		return r.header.crcError(r.crc)
	}
	return io.EOF
}

// ReadAll reads a whole recording from src. If src can seek and is as long as the header says, the memory is allocated
// once; otherwise it grows with the data that arrives, never with the claims of the header.
func ReadAll(src io.Reader) (Recording, error) {
	r, err := NewReader(src)
	if err != nil {
		return Recording{}, err
	}
	// Allocating for one bufferful is safe before anything is verified.
	room := uint64(r.header.Frames)
	if !holds(src, r.header.payloadSize()) {
		room = min(room, readBytes/FrameSize)
	}
	frames := make([]Inputs, 0, room)
	for {
		if len(frames) == cap(frames) && r.left() > 0 {
			frames = append(frames, Inputs{})[:len(frames)]
		}
		n, err := r.Read(frames[len(frames):cap(frames)])
		frames = frames[:len(frames)+n]
		// Compare, do not unwrap: an error that wraps io.EOF comes from the source.
		if err == io.EOF {
			return Recording{Seed: r.header.Seed, Frames: frames}, nil
		}
		if err != nil {
			return Recording{}, err
		}
	}
}

// holds reports whether exactly size bytes are left in src, as far as this can be found out without reading them.
func holds(src io.Reader, size uint64) bool {
	seeker, ok := src.(io.Seeker)
	if !ok {
		return false
	}
	at, err := seeker.Seek(0, io.SeekCurrent)
	if err != nil {
		return false
	}
	end, err := seeker.Seek(0, io.SeekEnd)
	if err != nil {
		return false
	}
	// If this fails, the next read will notice.
	_, err = seeker.Seek(at, io.SeekStart)
	return err == nil && end >= at && uint64(end-at) == size
}

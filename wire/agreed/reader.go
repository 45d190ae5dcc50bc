package agreed

import (
	"encoding/binary"
	"math/bits"

	"github.com/tickback/tickback/wire/datagram"
)

// Reader decodes frames, in order. After an error, every call returns that error.
type Reader struct {
	shape  Shape
	frame  Frame
	next   uint32
	inputs [MaxPlayers * MaxInputSize]byte
	orders [MaxPlayers][]byte
	err    error
}

// Init begins at a frame that is coded without a predecessor: the first of a block, or the first of the match. The
// error wraps [ErrShape].
func (r *Reader) Init(s Shape, first uint32) error {
	if err := s.Check(); err != nil {
		return err
	}
	r.shape, r.next, r.err = s, first, nil
	r.frame = Frame{Inputs: r.inputs[:s.Players*s.InputSize]}
	clear(r.inputs[:])
	return nil
}

// Next returns the number of the next frame.
func (r *Reader) Next() uint32 { return r.next }

// Read reads the frame at the front of b, and returns the bytes after it. The frame belongs to the reader and is valid
// until the next call; its orders are slices of b.
func (r *Reader) Read(b []byte) (f *Frame, rest []byte, err error) {
	if r.err == nil {
		rest, r.err = r.read(b)
	}
	if r.err != nil {
		return nil, b, r.err
	}
	r.next++
	return &r.frame, rest, nil
}

func (r *Reader) read(b []byte) (rest []byte, err error) {
	if len(b) == 0 {
		return nil, ErrShort
	}
	head, f := b[0], &r.frame
	b = b[1:]
	if head >= noPart || r.next == 1<<32-1 {
		return nil, ErrRange
	}
	if r.next%BlockFrames == 0 {
		clear(f.Inputs)
		f.Gone = 0
	}
	f.Number, f.Orders = r.next, nil
	f.Marked, f.Mark = head&hasMark != 0, Mark{}
	f.Finished, f.Result = head&hasFinished != 0, 0
	if head&hasInputs != 0 {
		if b, err = r.readInputs(b); err != nil {
			return nil, err
		}
	}
	if head&hasGone != 0 {
		gone, n := r.shape.ConsumePlayers(b)
		switch {
		case n == 0:
			return nil, ErrShort
		case gone == f.Gone || bits.Len16(gone) > r.shape.Players:
			return nil, ErrRange
		}
		f.Gone, b = gone, b[n:]
	}
	if head&hasOrders != 0 {
		if b, err = r.readOrders(b); err != nil {
			return nil, err
		}
	}
	return r.readEnd(b)
}

// players reads a set of players that is not empty.
func (r *Reader) players(b []byte) (set uint16, rest []byte, err error) {
	set, n := r.shape.ConsumePlayers(b)
	switch {
	case n == 0:
		return 0, nil, ErrShort
	case set == 0 || bits.Len16(set) > r.shape.Players:
		return 0, nil, ErrRange
	}
	return set, b[n:], nil
}

func (r *Reader) readInputs(b []byte) (rest []byte, err error) {
	set, b, err := r.players(b)
	if err != nil {
		return nil, err
	}
	size := r.shape.InputSize
	for ; set != 0; set &= set - 1 {
		p := bits.TrailingZeros16(set)
		var mask uint64
		for i := 0; i < size; i += 8 {
			if len(b) < 1 {
				return nil, ErrShort
			}
			mask, b = mask|uint64(b[0])<<i, b[1:]
		}
		if mask == 0 || bits.Len64(mask) > size {
			return nil, ErrRange
		}
		if len(b) < bits.OnesCount64(mask) {
			return nil, ErrShort
		}
		for ; mask != 0; mask &= mask - 1 {
			c := &r.inputs[p*size+bits.TrailingZeros64(mask)]
			if b[0] == *c {
				return nil, ErrRange // a frame must have only one encoding
			}
			*c, b = b[0], b[1:]
		}
	}
	return b, nil
}

func (r *Reader) readOrders(b []byte) (rest []byte, err error) {
	set, b, err := r.players(b)
	if err != nil {
		return nil, err
	}
	clear(r.orders[:])
	for ; set != 0; set &= set - 1 {
		length, n := datagram.ConsumeUint(b)
		switch {
		case n == 0:
			return nil, ErrShort
		case length == 0 || length > uint32(r.shape.MaxOrders):
			return nil, ErrRange
		case uint32(len(b)-n) < length:
			return nil, ErrShort
		}
		end := n + int(length)
		r.orders[bits.TrailingZeros16(set)] = b[n:end:end]
		b = b[end:]
	}
	r.frame.Orders = r.orders[:r.shape.Players]
	return b, nil
}

// readEnd reads the mark and the result.
func (r *Reader) readEnd(b []byte) (rest []byte, err error) {
	le, f := binary.LittleEndian, &r.frame
	if f.Marked {
		if len(b) < 16 {
			return nil, ErrShort
		}
		f.Mark = Mark{le.Uint64(b), le.Uint64(b[8:])}
		b = b[16:]
	}
	if f.Finished {
		if len(b) < 8 {
			return nil, ErrShort
		}
		f.Result, b = le.Uint64(b), b[8:]
	}
	return b, nil
}

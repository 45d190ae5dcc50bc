package tbr

import (
	"encoding/binary"
	"hash/crc32"
	"math"
)

// maxSegments is the maximum number of segments of a recording: more than two years at 60 frames a second.
const maxSegments = 1 << 20

// index has the positions of the segments. If a segment begins with a keyframe, its position is that of the keyframe.
type index struct {
	first   uint32 // the first frame of the recording
	segment uint32 // the number of frames in a segment
	entries []entry
	end     uint64 // the offset of the chunk that says how the recording ended
}

// entry is the offset of the first chunk of a segment; the lowest bit says whether that is a keyframe.
type entry uint64

func (e entry) offset() int64  { return int64(e >> 1) }
func (e entry) keyframe() bool { return e&1 != 0 }

func makeEntry(offset uint64, keyframe bool) entry {
	e := entry(offset << 1)
	if keyframe {
		e |= 1
	}
	return e
}

func (x *index) init(h *Header) {
	*x = index{first: h.First, segment: uint32(h.SegmentFrames())}
}

func (x *index) empty() bool { return len(x.entries) == 0 }

// begin records that the next segment begins.
func (x *index) begin(offset uint64, keyframe bool) {
	x.entries = append(x.entries, makeEntry(offset, keyframe))
}

// of returns the index of the entry that a frame is in.
func (x *index) of(frame uint32) int { return int(frame/x.segment - x.first/x.segment) }

// frame returns the first frame of an entry.
func (x *index) frame(i int) uint32 {
	if i == 0 {
		return x.first
	}
	return (x.first/x.segment + uint32(i)) * x.segment
}

func (x *index) append(b []byte) []byte {
	b = binary.AppendUvarint(b, x.end)
	b = binary.AppendUvarint(b, uint64(len(x.entries)))
	var last entry
	for _, e := range x.entries {
		b = binary.AppendUvarint(b, uint64(e-last&^1))
		last = e
	}
	return b
}

// read reads an index. It returns false if an offset is not below the given one.
func (x *index) read(payload []byte, below int64) bool {
	p := parser{b: payload}
	x.end = p.uint(uint64(below))
	var last entry
	for range p.uint(min(maxSegments, uint64(len(payload)))) {
		delta := entry(p.uint(math.MaxInt64)) // limited, so that the sum does not overflow
		last = last&^1 + delta
		if delta>>1 == 0 || uint64(last>>1) >= x.end {
			return false
		}
		x.entries = append(x.entries, last)
	}
	return p.done()
}

// fits reports whether the index has as many segments as the frames require, all after the header.
func (x *index) fits(e *End, begin int64) bool {
	switch {
	case e.Next < x.first || int64(x.end) < begin:
		return false
	case e.Next == x.first:
		return x.empty()
	}
	return len(x.entries) == x.of(e.Next-1)+1 && x.entries[0].offset() >= begin
}

// The trailer is the end of a closed file: the offset of the index, a checksum of that, and four letters.
const (
	trailerSize  = 16
	trailerMagic = "tbr!"
)

func appendTrailer(b []byte, index uint64) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint64(b, index)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
	return append(b, trailerMagic...)
}

// readTrailer returns the offset of the index, or false if b is not a trailer.
func readTrailer(b []byte) (index uint64, ok bool) {
	le := binary.LittleEndian
	if len(b) != trailerSize || string(b[12:]) != trailerMagic || le.Uint32(b[8:]) != crc32.Checksum(b[:8], castagnoli) {
		return 0, false
	}
	return le.Uint64(b), true
}

package tbr

import "encoding/binary"

// Reindex returns a closed file with another index, and other values at its end. The index
// has no more segments than the end says.
// Everything has the checksums that it should have.
func Reindex(file []byte, change func(offsets []int64, keyframes []bool, end *End)) []byte {
	r, err := Open(readerAt(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	offsets, keyframes := make([]int64, len(r.index.entries)), make([]bool, len(r.index.entries))
	for i, e := range r.index.entries {
		offsets[i], keyframes[i] = e.offset(), e.keyframe()
	}
	change(offsets, keyframes, &r.end)
	for i := range offsets {
		r.index.entries[i] = makeEntry(uint64(offsets[i]), keyframes[i])
	}
	if segments := r.index.of(r.end.Next-1) + 1; segments < len(r.index.entries) {
		r.index.entries = r.index.entries[:max(segments, 0)]
	}
	out := append([]byte(nil), file[:r.bodyEnd]...)
	out = appendChunk(out, KindEnd, Required, r.end.append(nil, r.header.Shape))
	at := uint64(len(out))
	out = appendChunk(out, KindIndex, Required, r.index.append(nil))
	return appendTrailer(out, at)
}

// Rebuild returns a closed file with another body, whose index is the same except for the
// offset of the end. The end is a chunk of this kind, which may be an unknown optional one,
// and other bytes may follow it.
func Rebuild(file []byte, body []byte, end Kind, behind []byte) []byte {
	r, err := Open(readerAt(file), int64(len(file)))
	if err != nil {
		panic(err)
	}
	r.index.end = uint64(len(body))
	flags := Required
	if end != KindEnd {
		flags = 0
	}
	out := appendChunk(body[:len(body):len(body)], end, flags, r.end.append(nil, r.header.Shape))
	out = append(out, behind...)
	at := uint64(len(out))
	out = appendChunk(out, KindIndex, Required, r.index.append(nil))
	return appendTrailer(out, at)
}

// Overfill finds the segments of a recording that was not closed once more, after so many
// others that there is room for only a few.
func Overfill(r *Reader, room int) error {
	r.index.entries = make([]entry, maxSegments-room)
	return r.findSegments()
}

// Replace returns a file in which a chunk has another payload or other flags, and a
// checksum that is right.
func Replace(file []byte, c Chunk, flags Flags, payload []byte) []byte {
	out := append([]byte(nil), file[:c.Offset]...)
	out = appendChunk(out, c.Kind, flags, payload)
	return append(out, file[c.next():]...)
}

// Rechunk appends a chunk to a file.
func Rechunk(file []byte, k Kind, flags byte, payload []byte) []byte {
	return appendChunk(file, k, Flags(flags), payload)
}

// End returns the offset after the chunk.
func (c Chunk) End() int64 { return c.next() }

// MaxSegments is how many segments there may be.
const MaxSegments = maxSegments

// TrailerSize is how many bytes the trailer has.
const TrailerSize = trailerSize

// Trailer returns the offset of the index.
func Trailer(file []byte) int64 {
	return int64(binary.LittleEndian.Uint64(file[len(file)-trailerSize:]))
}

type readerAt []byte

func (r readerAt) ReadAt(b []byte, at int64) (int, error) { return copy(b, r[at:]), nil }

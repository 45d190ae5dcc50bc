package tbr

import (
	"encoding/binary"
	"hash/crc32"
)

// magic begins every file: a byte that is not text, the name, bytes that a transfer as text would change, and the
// version.
const (
	magic   = "\x89TBR\r\n\x1a"
	version = 1
	preface = len(magic) + 1
)

const (
	// MaxChunk is the maximum size of a payload in bytes.
	MaxChunk = 1<<26 - 1

	sumSize = 4
	maxHead = 4 + 1 + 4 // the size of kind, flags and length
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendChunk appends a chunk: kind, flags, length, payload and the checksum of all of these.
func appendChunk(b []byte, k Kind, f Flags, payload []byte) []byte {
	start := len(b)
	b = append(append(b, k[:]...), byte(f))
	b = binary.AppendUvarint(b, uint64(len(payload)))
	b = append(b, payload...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// consumeHead reads the head of a chunk at the front of b; n is 0 if there is none.
func consumeHead(b []byte) (c Chunk, n int) {
	if len(b) < 6 {
		return c, 0
	}
	size, n := binary.Uvarint(b[5:min(len(b), maxHead)])
	if n <= 0 || size > MaxChunk || n > 1 && b[4+n] == 0 {
		return c, 0
	}
	copy(c.Kind[:], b)
	if !c.Kind.valid() {
		return c, 0
	}
	c.Flags, c.Size, c.head = Flags(b[4]), int(size), 5+n
	return c, c.head
}

package tbr

import (
	"encoding/binary"

	"github.com/tickback/tickback/replay/tbr/coder"
	"github.com/tickback/tickback/wire/agreed"
)

// Flags of a chunk of frames.
const (
	partShort    Flags = 0x10 << iota // the block has fewer frames than there is room for; the number follows
	partFinished                      // the last frame finishes the match; the result follows
	partGone                          // the set of absent players changes; the frames and sets follow
)

// blockWriter collects the frames of a block.
type blockWriter struct {
	shape  agreed.Shape
	coder  coder.Encoder
	number uint32 // the first frame of the block
	room   int    // frames until the end of the block
	count  int
	rows   []byte

	gone     uint16
	changes  []byte // coded changes of gone
	out      []byte
	changed  int // the number of changes
	last     int // the frame of the last change
	finished bool
	result   uint64
}

// init prepares for a new recording.
func (b *blockWriter) init(s agreed.Shape, frames int) {
	*b = blockWriter{shape: s, rows: make([]byte, 0, frames*s.Players*s.InputSize)}
}

// begin begins a block with room for that many frames. If fresh is true, it is the first of a segment.
func (b *blockWriter) begin(number uint32, room int, fresh bool) {
	if fresh {
		b.gone = 0
		b.coder.Init(b.shape.Players, b.shape.InputSize)
	}
	b.number, b.room, b.count = number, room, 0
	b.rows, b.changes, b.changed, b.last = b.rows[:0], b.changes[:0], 0, 0
}

func (b *blockWriter) add(f *agreed.Frame) {
	if f.Gone != b.gone {
		b.gone = f.Gone
		b.changes = b.shape.AppendPlayers(binary.AppendUvarint(b.changes, uint64(b.count-b.last)), f.Gone)
		b.changed++
		b.last = b.count
	}
	b.rows = append(b.rows, f.Inputs...)
	if b.finished = f.Finished; f.Finished {
		b.result = f.Result
	}
	b.count++
}

// payload returns the payload of the block, which is valid until the next call.
func (b *blockWriter) payload() ([]byte, Flags) {
	dst, flags := b.out[:0], Required|Body
	if b.count < b.room {
		flags |= partShort
		dst = binary.AppendUvarint(dst, uint64(b.count))
	}
	if b.finished {
		flags |= partFinished
		dst = binary.LittleEndian.AppendUint64(dst, b.result)
	}
	if b.changed > 0 {
		flags |= partGone
		dst = append(binary.AppendUvarint(dst, uint64(b.changed)), b.changes...)
	}
	b.out = b.coder.Append(dst, b.rows, uint16(b.number))
	return b.out, flags
}

// change is a frame of a block at which the set of absent players changes.
type change struct {
	at   int
	gone uint16
}

// blockReader decodes blocks.
type blockReader struct {
	shape    agreed.Shape
	coder    coder.Decoder
	buffer   []byte
	rows     []byte // the inputs of this block
	count    int
	gone     uint16 // at the end of the block before
	changes  []change
	finished bool
	result   uint64
}

func (b *blockReader) init(s agreed.Shape) { b.shape = s }

// begin begins a segment.
func (b *blockReader) begin() {
	b.gone, b.changes = 0, b.changes[:0]
	b.coder.Init(b.shape.Players, b.shape.InputSize)
}

// read reads a block with at most room frames.
func (b *blockReader) read(payload []byte, flags Flags, number uint32, room int) bool {
	if n := len(b.changes); n > 0 {
		b.gone = b.changes[n-1].gone
	}
	p := parser{b: payload}
	b.count, b.changes = shortCount(&p, flags, room), b.changes[:0]
	if b.finished = flags&partFinished != 0; b.finished {
		b.result = p.uint64()
	}
	if flags&^(Required|Body|partShort|partFinished|partGone) != 0 || flags&partGone != 0 && !b.readGone(&p) || p.bad {
		return false
	}
	row := b.shape.Players * b.shape.InputSize
	if cap(b.buffer) < b.count*row {
		b.buffer = make([]byte, room*row)
	}
	b.rows = b.buffer[:b.count*row]
	return b.coder.Decode(b.rows, p.b, uint16(number)) == nil
}

// shortCount reads the number of frames in a block.
func shortCount(p *parser, flags Flags, room int) int {
	if flags&partShort == 0 {
		return room
	}
	n := int(p.uint(uint64(room - 1)))
	if n == 0 {
		p.bad = true
	}
	return n
}

func (b *blockReader) readGone(p *parser) bool {
	n, at, gone := int(p.uint(uint64(b.count))), 0, b.gone
	for i := range n {
		delta := int(p.uint(uint64(b.count)))
		at += delta
		c := change{at, p.players(b.shape)}
		if p.bad || at >= b.count || i > 0 && delta == 0 || c.gone == gone || int(c.gone)>>b.shape.Players != 0 {
			return false
		}
		gone = c.gone
		b.changes = append(b.changes, c)
	}
	return n > 0
}

package desync

import (
	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// form says how a state is divided into parts.
type form uint8

const (
	formNone    form = iota
	formEncoded      // its encoding has a fixed layout: parts are ranges of bytes
	formLines        // lines of text: parts are the lines whose paths have a hash in a range
	formParts        // parts defined by the game itself: see rollback.Parts
)

// A state is divided like a tree: the root is the whole state, each node has fan children, and the leaves are
// small. All peers build the same tree, since its depth depends only on the size.
const (
	fanBits   = 6
	fan       = 1 << fanBits
	leafBytes = 64 // bytes of an encoding in a leaf
	leafLines = 4  // lines in a leaf, on average
	maxDepth  = 5  // 64 * 64^5 bytes are 64 GiB
)

// depthOf returns the number of levels below the root.
func depthOf(f form, size uint32) (depth int) {
	if f == formParts {
		return rollback.PartLevels
	}
	leaf := uint64(leafBytes)
	if f == formLines {
		leaf = leafLines
	}
	for ; leaf<<(fanBits*depth) < uint64(size) && depth < maxDepth; depth++ {
	}
	return depth
}

// view is a state that can be divided into parts.
type view interface {
	form() form
	// size is the number of bytes, or of lines.
	size() uint32
	// digests fills in the digests of a node's children. Equal parts have equal digests.
	digests(depth, level int, index uint64, out *[fan]uint64)
	// leaf appends a part at the lowest level.
	leaf(b []byte, depth int, index uint64) []byte
}

// encodedView is the encoding of a plain state.
type encodedView struct {
	bytes  []byte
	scalar func(offset int) canon.Scalar
}

func (v *encodedView) form() form   { return formEncoded }
func (v *encodedView) size() uint32 { return uint32(len(v.bytes)) }

// part returns the range of bytes below a node. Nodes past the end have none.
func (v *encodedView) part(depth, level int, index uint64) []byte {
	width := uint64(leafBytes) << (fanBits * (depth - level))
	size := uint64(len(v.bytes))
	if index > size/width {
		return nil
	}
	return v.bytes[index*width : min((index+1)*width, size)]
}

func (v *encodedView) digests(depth, level int, index uint64, out *[fan]uint64) {
	for i := range out {
		out[i] = xxh3.Hash(v.part(depth, level+1, index<<fanBits|uint64(i)))
	}
}

// leaf appends whole scalars: all that have a byte in the leaf.
func (v *encodedView) leaf(b []byte, _ int, index uint64) []byte {
	from, to := leafRange(v.scalar, uint32(len(v.bytes)), index)
	return append(b, v.bytes[from:to]...)
}

// leafRange returns where the scalars of a leaf begin and end.
func leafRange(scalar func(int) canon.Scalar, size uint32, index uint64) (from, to int) {
	if index >= (uint64(size)+leafBytes-1)/leafBytes {
		return 0, 0
	}
	first := scalar(int(index * leafBytes))
	last := scalar(int(min((index+1)*leafBytes, uint64(size)) - 1))
	return first.Offset, last.Offset + last.Len
}

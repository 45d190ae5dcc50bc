package desync

import (
	"encoding/binary"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// A state is divided like a tree: the root is the whole state, each node has fan children, and the leaves are
// small. All peers build the same tree, since the coordinator says how deep it is.
const (
	fanBits   = 6
	fan       = 1 << fanBits
	leafBytes = 64 // bytes of an encoding in a leaf
	leafLines = 4  // lines in a leaf, on average
	maxDepth  = 5  // 64 * 64^5 bytes are 64 GiB
)

// depthFor returns the number of levels below the root for a state of this size, with leaf of it in a leaf.
func depthFor(size, leaf int) (depth int) {
	for ; uint64(leaf)<<(fanBits*depth) < uint64(size) && depth < maxDepth; depth++ {
	}
	return depth
}

// view is a state that can be divided into parts.
type view interface {
	// depth is the number of levels below the root that suits the size of the state.
	depth() int
	// digests fills in the digests of a node's children. Equal parts have equal digests.
	digests(depth, level int, index uint64, out *[fan]uint64)
	// leaf appends a part at the lowest level.
	leaf(b []byte, depth int, index uint64) []byte
}

// appendPart appends what a member says about a node: the digests of its children, or all of it if it is a leaf.
func appendPart(b []byte, v view, depth, level int, index uint64) []byte {
	if level == depth {
		return v.leaf(b, depth, index)
	}
	var digests [fan]uint64
	v.digests(depth, level, index, &digests)
	for _, d := range digests {
		b = binary.LittleEndian.AppendUint64(b, d)
	}
	return b
}

// layout is that of the encodings of a plain state. A game with its own memory has none: scalar is nil.
type layout struct {
	scalar func(offset int) canon.Scalar
	size   int
}

func layoutOf(g Game) layout {
	scalar, size := g.Scalar()
	return layout{scalar, size}
}

// part returns where the scalars of a node begin and end: those that begin in its range of bytes.
func (l layout) part(depth, level int, index uint64) (from, to int) {
	width := uint64(leafBytes) << (fanBits * (depth - level))
	return l.begins(index * width), l.begins((index + 1) * width)
}

// begins returns the offset of the first scalar that begins at an offset or after it.
func (l layout) begins(offset uint64) int {
	if offset >= uint64(l.size) {
		return l.size
	}
	s := l.scalar(int(offset))
	if uint64(s.Offset) < offset {
		return s.Offset + s.Len
	}
	return s.Offset
}

// plainView is the encoding of a plain state.
type plainView struct {
	layout
	bytes []byte
}

func (v *plainView) depth() int { return depthFor(v.size, leafBytes) }

func (v *plainView) digests(depth, level int, index uint64, out *[fan]uint64) {
	for i := range out {
		from, to := v.part(depth, level+1, index<<fanBits|uint64(i))
		out[i] = xxh3.Hash(v.bytes[from:to])
	}
}

func (v *plainView) leaf(b []byte, depth int, index uint64) []byte {
	from, to := v.part(depth, depth, index)
	return append(b, v.bytes[from:to]...)
}

// parted is a [Sandbox] whose game can divide states into parts: then no text of a whole state is created, which
// would take long for a large one.
type parted interface {
	// Parts divides the live state into parts, or returns nil.
	Parts() rollback.Parts
}

// viewOf divides the live state of a sandbox.
func viewOf(s Sandbox, l layout) (view, error) {
	if l.scalar != nil {
		b, err := s.Marshal(nil)
		return &plainView{l, b}, err
	}
	if p, ok := s.(parted); ok {
		if parts := p.Parts(); parts != nil {
			return &partsView{parts}, nil
		}
	}
	text, err := s.Text()
	return newLinesView(text), err
}

// partsView is a state that the game has divided into parts. All of them have the same depth.
type partsView struct{ parts rollback.Parts }

func (v *partsView) depth() int { return rollback.PartLevels }

// digests answers for the levels of [rollback.Parts]; a query for other levels did not come from us.
func (v *partsView) digests(_, level int, index uint64, out *[fan]uint64) {
	clear(out[:])
	if level < rollback.PartLevels {
		v.parts.Digests(level, index, out)
	}
}

// leaf appends the lines of a part, in the form of those of a text.
func (v *partsView) leaf(b []byte, depth int, index uint64) []byte {
	if depth != rollback.PartLevels {
		return b
	}
	return newLinesView(v.parts.AppendText(nil, index)).leaf(b, 0, 0)
}

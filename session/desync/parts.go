package desync

import "github.com/tickback/tickback/rollback"

// parted is a [Sandbox] whose game can divide states into parts: then no text of a whole state is created, which
// would take long for a large one.
type parted interface {
	// Parts divides the live state into parts, or returns nil.
	Parts() rollback.Parts
}

// partsOf divides the live state of a sandbox into parts, or returns nil if its game cannot.
func partsOf(s Sandbox) rollback.Parts {
	if p, ok := s.(parted); ok {
		return p.Parts()
	}
	return nil
}

// partsView is a state that the game has divided into parts. All of them have the same size and depth.
type partsView struct{ parts rollback.Parts }

func (v *partsView) form() form   { return formParts }
func (v *partsView) size() uint32 { return 1 }

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

package desync

import "github.com/tickback/tickback/rollback"

// parted is a [Sandbox] whose game can take states apart: then there is no text of a whole state,
// which takes long if there is much in it.
type parted interface {
	// Parts takes the live state apart, or returns nil.
	Parts() rollback.Parts
}

// partsOf takes the live state of a sandbox apart, or returns nil if its game cannot.
func partsOf(s Sandbox) rollback.Parts {
	if p, ok := s.(parted); ok {
		return p.Parts()
	}
	return nil
}

// partsView is a state that the game has taken apart. All of them have one size and depth.
type partsView struct{ parts rollback.Parts }

func (v *partsView) form() form   { return formParts }
func (v *partsView) size() uint32 { return 1 }

// digests answers for the levels of [rollback.Parts]; a question for others is not ours.
func (v *partsView) digests(_, level int, index uint64, out *[fan]uint64) {
	clear(out[:])
	if level < rollback.PartLevels {
		v.parts.Digests(level, index, out)
	}
}

// leaf appends the lines of a part, as those of a text.
func (v *partsView) leaf(b []byte, depth int, index uint64) []byte {
	if depth != rollback.PartLevels {
		return b
	}
	return newLinesView(v.parts.AppendText(nil, index)).leaf(b, 0, 0)
}

package layout

import (
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// fanBits is the logarithm of the number of children of a node of [rollback.Parts].
const fanBits = 6

// Parts divides a block into a tree whose leaves are its values, so that two machines find those that differ. It refers
// to the block.
func (l *Layout) Parts(block []byte) rollback.Parts { return parts{l, block} }

type parts struct {
	layout *Layout
	block  []byte
}

// Digests implements rollback.Parts. The node may be any number: other machines ask.
func (p parts) Digests(level int, node uint64, children *[64]uint64) {
	clear(children[:])
	if level < 0 || level >= rollback.PartLevels || node>>(fanBits*level) != 0 {
		return
	}
	below := fanBits * (rollback.PartLevels - level - 1) // the logarithm of the values of a child
	for i := range uint64(len(children)) {
		child := node<<fanBits | i
		from, to := p.layout.offset(child<<below), p.layout.offset((child+1)<<below)
		if from == to {
			return
		}
		children[i] = max(canon.HashBytes(p.block[from:to]), 1) // 0 means that there is nothing
	}
}

// AppendText implements rollback.Parts.
func (p parts) AppendText(b []byte, node uint64) []byte {
	if node >= uint64(p.layout.values) {
		return b
	}
	r := p.layout.run(int(node))
	index := int(node) - r.first
	b = append(r.appendPath(b, index), ": "...)
	return append(r.appendValue(b, p.block, index), '\n')
}

package desync

import (
	"fmt"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/rollback"
)

// Parts divides the state into parts; each cell is a node of the lowest level.
func (b *toyBox) Parts() rollback.Parts {
	if !b.parted {
		return nil
	}
	return &toyParts{b}
}

type toyParts struct{ *toyBox }

// Digests implements rollback.Parts.
func (p *toyParts) Digests(level int, node uint64, children *[fan]uint64) {
	cells := uint64((p.size + p.width - 1) / p.width)
	shift := fanBits * (rollback.PartLevels - 1 - level)
	for i := range children {
		n := node<<fanBits | uint64(i)
		if from := n << shift; from < cells {
			to := min((n+1)<<shift, cells)
			children[i] = xxh3.Hash(p.state[from*uint64(p.width) : min(to*uint64(p.width), uint64(p.size))])
		}
	}
}

// AppendText implements rollback.Parts.
func (p *toyParts) AppendText(b []byte, node uint64) []byte {
	c := p.scalar(int(node) * p.width)
	return fmt.Appendf(b, "%s: %s\n", c.Path, p.text(p.state, c))
}

// Rule: a game that divides its states is asked for the parts that differ, and never for the
// text of a whole state.
func TestPartsAreAskedForInsteadOfAText(t *testing.T) {
	g := toy{size: 5000, width: 4, lines: true, parted: true, trouble: map[string]error{"text": fmt.Errorf("a text is made of all")}}
	tb := newTable(t, everyState(), g, 1, 2)
	tb.seats[1].glitch = flip(70, 900, 4001)
	tb.run(200)
	r := tb.report()
	if r.State != 71 || r.Total != 2 || len(r.Fields) != 2 || r.Fields[0].Path != "Cell[0225]" || r.Fields[1].Path != "Cell[1000]" {
		t.Errorf("%+v", r)
	}
}

// Rule: a query about parts that no state has gets an empty answer.
func TestPartsThatAreNotThereAreNothing(t *testing.T) {
	v := &partsView{&toyParts{&toyBox{toy: &toy{size: 40, width: 4}, state: make([]byte, 40)}}}
	var out [fan]uint64
	if v.digests(maxDepth, maxDepth, 3, &out); out != [fan]uint64{} {
		t.Error("a level below the lowest has parts")
	}
	if b := v.leaf(nil, 2, 0); len(b) > 0 {
		t.Error("a level that is not the lowest has leaves")
	}
}

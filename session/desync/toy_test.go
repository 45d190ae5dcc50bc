package desync

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/zeebo/xxh3"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/wire/agreed"
)

// toy is a game whose state is a row of cells, the first of which holds the number of the
// state.
type toy struct {
	size, width int  // bytes of a state, and of a cell
	lines       bool // it has no fixed layout, but a line of text for each cell
	parted      bool // and it takes its states apart itself, instead of making a text of all
	// wrong, if given, changes the state after a frame on this machine, whenever it runs
	// it.
	wrong   func(s []byte, frame uint32)
	trouble map[string]error        // by what the sandbox is asked to do
	refuses func(state uint32) bool // which states it does not load
	panics  bool                    // it panics with its trouble
	steps   int                     // of sandboxes
	loads   int                     // of states, by sandboxes
}

// step runs a frame.
func (g *toy) step(s []byte, frame uint32, inputs []byte) {
	for i, v := range inputs {
		s[4+(int(frame)*7+i*13)%(len(s)-4)] += v + 1
	}
	if g.wrong != nil {
		g.wrong(s, frame)
	}
	binary.LittleEndian.PutUint32(s, frame+1)
}

// scalar is the cell that a byte belongs to.
func (g *toy) scalar(offset int) canon.Scalar {
	i := offset / g.width
	return canon.Scalar{Path: fmt.Sprintf("Cell[%04d]", i), Offset: i * g.width, Len: min(g.width, g.size-i*g.width)}
}

func (g *toy) Scalar() (at func(offset int) canon.Scalar, size int) {
	if g.lines {
		return nil, 0
	}
	return g.scalar, g.size
}

// text is that of a cell of a state.
func (g *toy) text(s []byte, c canon.Scalar) string {
	return string(c.AppendText(nil, s[c.Offset:c.Offset+c.Len]))
}

// fails returns the error of the sandbox for an operation.
func (g *toy) fails(what string) error {
	err := g.trouble[what]
	if err != nil && g.panics {
		panic(err)
	}
	return err
}

func (g *toy) Sandbox() (Sandbox, error) {
	if err := g.fails("new"); err != nil {
		return nil, err
	}
	return &toyBox{toy: g}, nil
}

// toyBox is an instance of the game beside the match.
type toyBox struct {
	*toy
	state []byte
}

func (b *toyBox) Unmarshal(encoded []byte) error {
	b.state = bytes.Clone(encoded)
	b.loads++
	if n := binary.LittleEndian.Uint32(encoded); b.refuses != nil && b.refuses(n) {
		return fmt.Errorf("cell 3 of state %d is too large", n)
	}
	return b.fails("load")
}

func (b *toyBox) Step(f *agreed.Frame) error {
	b.steps++
	if at := binary.LittleEndian.Uint32(b.state); at != f.Number {
		return fmt.Errorf("frame %d is run in state %d", f.Number, at)
	}
	b.step(b.state, f.Number, f.Inputs)
	return b.fails("step")
}

func (b *toyBox) Hash() (uint64, error) { return xxh3.Hash(b.state), b.fails("hash") }

func (b *toyBox) Marshal(p []byte) ([]byte, error) {
	return append(p, b.state...), b.fails("marshal")
}

func (b *toyBox) Text() (text []byte, err error) {
	for off := 0; off < b.size; {
		c := b.scalar(off)
		text = fmt.Appendf(text, "%s: %s\n", c.Path, b.text(b.state, c))
		off += c.Len
	}
	return text, b.fails("text")
}

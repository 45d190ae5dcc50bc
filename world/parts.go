package world

import (
	"encoding/binary"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// The shape of the tree that [rollback.Parts] describes. A part is divided into leaves: rows, cells of a grid, keys of
// a map, and 8 bytes of a single value. A node of level 1 is 16 parts, one of level 2 is a quarter of a part, and
// those of levels 3, 4 and 5 are 4096 leaves, 64 leaves and one.
const (
	fanBits  = 6
	leafBits = 20 // the bits for the number of a leaf in its part

	// If a part has more leaves, the others are ignored. The remaining bits allow 1024 parts.
	maxLeaves = 1 << leafBits
)

// stateParts implements rollback.Parts for a snapshot.
type stateParts struct{ snapshot *Snapshot }

func partsOf(n *Snapshot) rollback.Parts { return stateParts{n} }

// Digests implements rollback.Parts.
func (s stateParts) Digests(level int, node uint64, children *[64]uint64) {
	clear(children[:])
	shift := fanBits * (rollback.PartLevels - 1 - level)
	for i := range children {
		children[i] = s.digest(node<<fanBits|uint64(i), shift)
	}
}

// digest returns the digest of a node that has 1 << shift leaves.
func (s stateParts) digest(node uint64, shift int) uint64 {
	parts := s.snapshot.store.parts
	if shift < leafBits {
		part, from := node<<shift>>leafBits, int(node<<shift&(maxLeaves-1))
		if part >= uint64(len(parts)) {
			return 0
		}
		return leavesDigest(parts[part], from, from+1<<shift)
	}
	var d digester
	found := false
	first := node << (shift - leafBits)
	for part := first; part < min(first+1<<(shift-leafBits), uint64(len(parts))); part++ {
		if v := leavesDigest(parts[part], 0, maxLeaves); v != 0 {
			found = true
			d.add(part)
			d.add(v)
		}
	}
	if !found {
		return 0
	}
	return max(d.sum(), 1)
}

// leavesDigest returns a digest of some leaves of a part, or 0 if they are empty.
func leavesDigest(p paged, from, to int) uint64 {
	to = min(to, p.leaves())
	if from >= to {
		return 0
	}
	if from%Rows == 0 && (to%Rows == 0 || to == p.leaves()) && p.leaves() == p.count()*Rows {
		return pagesDigest(p, from/Rows, to/Rows)
	}
	b := p.appendLeaves(nil, from, to)
	if isZero(b) {
		return 0
	}
	return max(canon.HashBytes(b), 1)
}

// pagesDigest returns a digest of some pages. The digests of most of them are usually known already.
func pagesDigest(p paged, from, to int) uint64 {
	var d digester
	found := false
	for i := from; i < to; i++ {
		if !p.isEmpty(i) {
			found = true
			d.add(uint64(i))
			d.add(p.digest(i))
		}
	}
	if !found {
		return 0
	}
	return max(d.sum(), 1)
}

// AppendText implements rollback.Parts.
func (s stateParts) AppendText(b []byte, node uint64) []byte {
	part, leaf := node>>leafBits, int(node&(maxLeaves-1))
	if part >= uint64(len(s.snapshot.store.parts)) || leaf >= s.snapshot.store.parts[part].leaves() {
		return b
	}
	return s.snapshot.store.parts[part].appendLeafText(b, leaf)
}

// leaves, appendLeaves and appendLeafText are for parts whose leaves are rows of pages.
func (p *pages[E]) leaves() int { return len(p.list) * Rows }

func appendRows(p rowed, b []byte, from, to int) []byte {
	for leaf := from; leaf < to; leaf++ {
		b = p.appendRow(b, leaf/Rows, leaf%Rows)
	}
	return b
}

// rowed is a part whose leaves are the rows of its pages.
type rowed interface {
	appendRow(b []byte, page, row int) []byte
	appendRowText(b []byte, page, row int) []byte
}

func (t *Table) appendLeaves(b []byte, from, to int) []byte { return appendRows(t, b, from, to) }

func (c *Column[T]) appendLeaves(b []byte, from, to int) []byte { return appendRows(c, b, from, to) }

func (c *Optional[T]) appendLeaves(b []byte, from, to int) []byte { return appendRows(c, b, from, to) }

func (g *Grid[T]) appendLeaves(b []byte, from, to int) []byte { return appendRows(g, b, from, to) }

func (m *Map[K, V]) appendLeaves(b []byte, from, to int) []byte { return appendRows(m, b, from, to) }

func (t *Table) appendLeafText(b []byte, leaf int) []byte {
	return t.appendRowText(b, leaf/Rows, leaf%Rows)
}

func (c *Column[T]) appendLeafText(b []byte, leaf int) []byte {
	return c.appendRowText(b, leaf/Rows, leaf%Rows)
}

func (c *Optional[T]) appendLeafText(b []byte, leaf int) []byte {
	return c.appendRowText(b, leaf/Rows, leaf%Rows)
}

func (g *Grid[T]) appendLeafText(b []byte, leaf int) []byte {
	return g.appendRowText(b, leaf/Rows, leaf%Rows)
}

func (m *Map[K, V]) appendLeafText(b []byte, leaf int) []byte {
	return m.appendRowText(b, leaf/Rows, leaf%Rows)
}

// leafBytes is how many bytes of the encoding of a single value form a leaf: few enough that the lines of their fields
// are sent together.
const leafBytes = 8

func (o *One[T]) leaves() int { return (o.plan.Size() + leafBytes - 1) / leafBytes }

// begins returns the offset, in the encoding, of the first field that begins in a leaf or after it.
func (o *One[T]) begins(leaf int) int {
	at := leaf * leafBytes
	if at >= o.plan.Size() {
		return o.plan.Size()
	}
	if s := o.plan.ScalarAt(at); s.Offset < at {
		return s.Offset + s.Len
	}
	return at
}

func (o *One[T]) appendLeaves(b []byte, from, to int) []byte {
	return append(b, o.appendPage(nil, 0)[o.begins(from):o.begins(to)]...)
}

func (o *One[T]) appendLeafText(b []byte, leaf int) []byte {
	encoded := o.appendPage(nil, 0)
	for at, end := o.begins(leaf), o.begins(leaf+1); at < end; {
		s := o.plan.ScalarAt(at)
		b = append(append(b, join(o.path, s.Path)...), ": "...)
		b = append(s.AppendText(b, encoded[at:at+s.Len]), '\n')
		at += s.Len
	}
	return b
}

func isZero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// appendLines appends the text of a value, with a path before each line.
func appendLines[T any](b []byte, plan *canon.Plan[T], path string, v *T) []byte {
	for line := range canon.TextLines(plan.AppendText(nil, v)) {
		inner := string(line.Path)
		if inner == "(value)" {
			inner = ""
		}
		b = append(append(b, join(path, inner)...), ": "...)
		b = append(append(b, line.Value...), '\n')
	}
	return b
}

func (t *Table) appendRow(b []byte, page, row int) []byte {
	p := t.list[page].content
	live := byte(0)
	if p.Live.has(row) {
		live = 1
	}
	return binary.LittleEndian.AppendUint32(append(b, live), p.Generations[row])
}

func (t *Table) appendRowText(b []byte, page, row int) []byte {
	p := t.list[page].content
	if p.Generations[row] == 0 {
		return b
	}
	path := rowPath(t.path, page*Rows+row)
	return fmt.Appendf(b, "%s: %s\n%s generation: %d\n", path, lifeText(p.Live.has(row)), path, p.Generations[row])
}

func (c *Column[T]) appendRow(b []byte, page, row int) []byte {
	return c.row.Append(b, &c.list[page].content[row])
}

func (c *Column[T]) appendRowText(b []byte, page, row int) []byte {
	v := &c.list[page].content[row]
	if !c.table.list[page].content.Live.has(row) && c.row.Equal(v, &c.zero.content[0]) {
		return b
	}
	return appendLines(b, c.row, c.name(c.path, page*Rows+row), v)
}

func (c *Optional[T]) appendRow(b []byte, page, row int) []byte {
	p := c.list[page].content
	if p.Present.has(row) {
		b = append(b, 1)
	}
	return c.row.Append(b, &p.Rows[row])
}

func (c *Optional[T]) appendRowText(b []byte, page, row int) []byte {
	p := c.list[page].content
	if !p.Present.has(row) {
		return b
	}
	return appendLines(b, c.row, c.name(c.path, page*Rows+row), &p.Rows[row])
}

func (g *Grid[T]) appendRow(b []byte, page, row int) []byte {
	return g.cell.Append(b, &g.list[page].content[row])
}

func (g *Grid[T]) appendRowText(b []byte, page, row int) []byte {
	x, y := g.place(page, row)
	if !g.In(x, y) {
		return b
	}
	return appendLines(b, g.cell, cellPath(g.path, x, y), &g.list[page].content[row])
}

func (m *Map[K, V]) appendRow(b []byte, page, row int) []byte {
	if page*Rows+row >= m.length {
		return b
	}
	p := m.list[page].content
	return m.value.Append(appendFixed(b, uint64(p.Keys[row])), &p.Values[row])
}

func (m *Map[K, V]) appendRowText(b []byte, page, row int) []byte {
	if page*Rows+row >= m.length {
		return b
	}
	p := m.list[page].content
	path := m.placeOf(p.Keys[row])
	if m.value.Size() == 0 {
		return fmt.Appendf(b, "%s: there\n", path)
	}
	return appendLines(b, m.value, path, &p.Values[row])
}

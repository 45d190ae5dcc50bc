package world

import (
	"encoding/binary"
	"fmt"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// The tree of a state as [rollback.Parts] has it: a node of level 1 is 16 parts, one of level 2 is a
// quarter of a part, one of level 3 is 64 pages, one of level 4 is a page, and one of level 5 is 4
// rows of a page.
const (
	fanBits   = 6
	pageBits  = 14 // of the pages of a part
	groupRows = Rows >> fanBits

	// Of a part with more pages, the others are not looked at; and there can be as many parts as
	// are left: 1024.
	maxPages = 1 << pageBits
)

// stateParts are the parts of a snapshot.
type stateParts struct{ snapshot *Snapshot }

func partsOf(n *Snapshot) rollback.Parts { return stateParts{n} }

// Digests implements rollback.Parts.
func (s stateParts) Digests(level int, node uint64, children *[64]uint64) {
	clear(children[:])
	if level == rollback.PartLevels-1 {
		if p, page, ok := s.page(node); ok {
			groupDigests(p, page, children)
		}
		return
	}
	shift := fanBits * (rollback.PartLevels - 2 - level)
	for i := range children {
		children[i] = s.digest(node<<fanBits|uint64(i), shift)
	}
}

// digest returns the digest of a node that has 1 << shift pages.
func (s stateParts) digest(node uint64, shift int) uint64 {
	var d digester
	found := false
	for part := node << shift >> pageBits; part <= ((node+1)<<shift-1)>>pageBits && part < uint64(len(s.snapshot.store.parts)); part++ {
		p := s.snapshot.store.parts[part]
		first := part << pageBits // the number of its first page in the tree
		from := max(node<<shift, first) - first
		to := min((node+1)<<shift, first+maxPages) - first
		for i := from; i < min(to, uint64(p.count())); i++ {
			if !p.isEmpty(int(i)) {
				found = true
				d.add(part<<pageBits | i)
				d.add(p.digest(int(i)))
			}
		}
	}
	if !found {
		return 0
	}
	return max(d.sum(), 1)
}

// page returns a page by its node of level 4.
func (s stateParts) page(node uint64) (p paged, page int, ok bool) {
	part, page := node>>pageBits, int(node&(maxPages-1))
	if part >= uint64(len(s.snapshot.store.parts)) || page >= s.snapshot.store.parts[part].count() {
		return nil, 0, false
	}
	return s.snapshot.store.parts[part], page, true
}

// AppendText implements rollback.Parts.
func (s stateParts) AppendText(b []byte, node uint64) []byte {
	p, page, ok := s.page(node >> fanBits)
	if !ok {
		return b
	}
	group := int(node & (1<<fanBits - 1))
	for row := group * groupRows; row < (group+1)*groupRows; row++ {
		b = p.appendRowText(b, page, row)
	}
	return b
}

// groupDigests sets the digests of the groups of rows of a page.
func groupDigests(p paged, page int, digests *[1 << fanBits]uint64) {
	var b []byte
	for group := range digests {
		b = b[:0]
		for row := group * groupRows; row < (group+1)*groupRows; row++ {
			b = p.appendRow(b, page, row)
		}
		if isZero(b) {
			continue
		}
		digests[group] = max(canon.HashBytes(b), 1)
	}
}

func isZero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// appendLines appends the text of a value with a path before each line.
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

func (o *One[T]) appendRow(b []byte, page, row int) []byte {
	if row != 0 {
		return b
	}
	return o.appendPage(b, page)
}

func (o *One[T]) appendRowText(b []byte, page, row int) []byte {
	if row != 0 {
		return b
	}
	return appendLines(b, o.plan, o.path, o.list[page].content)
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

//detlint:ignore address,unproved addresses only find what was met before
package canon

import "unsafe"

// table finds regions by their addresses.
type table struct {
	slots []slot
	turn  uint32
}

// slot is an entry of a table.
type slot struct {
	addr uintptr
	turn uint32 // the slot is empty if this is not the table's turn
	to   uint32 // the link to the region
}

func newTable() table { return table{slots: make([]slot, 64)} }

// begin empties the table.
func (t *table) begin() {
	if t.turn++; t.turn == 0 {
		clear(t.slots)
		t.turn = 1
	}
}

// reserve makes room for n regions in all.
func (t *table) reserve(n int) {
	for 2*n >= len(t.slots) {
		old := t.slots
		t.slots = make([]slot, 4*len(old))
		for _, s := range old {
			if s.turn == t.turn {
				t.enter(s.addr, s.to)
			}
		}
	}
}

// spread is a multiplier that scatters neighbours in memory over the table: 2^64 divided by the golden ratio.
const spread = 0x9e3779b97f4a7c15

func (t *table) place(addr uintptr) int {
	return int(uint64(addr) * spread >> 32 & uint64(len(t.slots)-1))
}

// enter adds a region, for which there must be room.
func (t *table) enter(addr uintptr, to uint32) {
	i := t.place(addr)
	for t.slots[i].turn == t.turn {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = slot{addr, t.turn, to}
}

// find returns the link to the region at an address with a shape, and with so many elements.
func (t *table) find(regions []region, addr unsafe.Pointer, sh *shape, n int) (uint32, bool) {
	for i := t.place(uintptr(addr)); ; i = (i + 1) & (len(t.slots) - 1) {
		s := &t.slots[i]
		switch {
		case s.turn != t.turn:
			return 0, false
		case s.addr == uintptr(addr):
			r := &regions[s.to-linkFirst]
			if r.shape == sh && (int(r.count) == n || sh.kind == shapeEntries) {
				return s.to, true
			}
		}
	}
}

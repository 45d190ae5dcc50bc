package canon

import "testing"

// Rule: there is one round of FNV-1a per field, with the published constants.
func TestFrozenFNV32(t *testing.T) {
	h := NewFNV32()
	if h.Sum() != 0x811C9DC5 {
		t.Errorf("empty: %#x", h.Sum())
	}
	// A field below 256 is one byte of standard FNV-1a: "a" gives 0xE40C292C.
	if got := h.Add('a').Sum(); got != 0xE40C292C {
		t.Errorf("one byte: %#x", got)
	}
	if got := h.Add(0xDEADBEEF).Add(0).Add(1 << 31).Sum(); got != 0x2837AB4E {
		t.Errorf("fields: %#x", got)
	}
}

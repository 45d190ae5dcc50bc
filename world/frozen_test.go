package world

import (
	"encoding/binary"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: the hash and the encoding of a state are the same on every architecture, and in every
// version.
func TestFrozenHashes(t *testing.T) {
	w, list := filled(t, 600)
	Update(w, func(w *sample) {
		for _, row := range []int{5, 255, 256, 599} {
			if err := w.Units.Kill(list[row]); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := w.Units.Spawn(); err != nil {
			t.Fatal(err)
		}
		w.Units.Target.Put(list[7], list[8])
	})
	empty, s := newSample(t), Save(w)
	for _, c := range []struct {
		what      string
		got, want uint64
	}{
		{"an empty world", Hash(empty), 0xa2621ba04c46cf28},
		{"a world", s.Hash(), 0x9f750d09f634ca63},
		{"a grid", w.Walls.Version(), 0xe5b32f61bb0b635d},
		{"an encoding", hashBytes(s.Append(nil)), 0xe69abcdb6a8042bc},
		{"a delta", hashBytes(s.AppendDelta(nil, Save(empty))), 0x2d9daacb3455d5c1},
	} {
		if c.got != c.want {
			t.Errorf("the hash of %s is %#x, want %#x", c.what, c.got, c.want)
		}
	}
}

// treeBytes appends the digests of all nonempty nodes below a node, and the content of the leaves.
func treeBytes(b []byte, p rollback.Parts, level int, node uint64) []byte {
	if level == rollback.PartLevels {
		return p.AppendText(b, node)
	}
	var of [64]uint64
	p.Digests(level, node, &of)
	for i, d := range of {
		if d != 0 {
			child := node<<6 | uint64(i)
			b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, child), d)
			b = treeBytes(b, p, level+1, child)
		}
	}
	return b
}

// Rule: the tree of digests of a state is the same on every architecture, and in every version: machines compare it to
// find where their states differ.
func TestFrozenDigests(t *testing.T) {
	w, list := filled(t, 600)
	Update(w, func(w *sample) { w.Units.Target.Put(list[7], list[8]) })
	several, err := New[manyParts]()
	ok(t, err)
	Update(several, func(w *manyParts) {
		for i, one := range w.parts() {
			one.Set(uint64(i) * 3)
		}
	})
	for _, c := range []struct {
		what string
		n    *Snapshot
		want uint64
	}{
		{"a world", Save(w), 0x2c13a2c03c3672a1},
		{"many parts", Save(several), 0x92583a82ee1db8a4},
	} {
		if got := hashBytes(treeBytes(nil, partsOf(c.n), 0, 0)); got != c.want {
			t.Errorf("the hash of the digests of %s is %#x, want %#x", c.what, got, c.want)
		}
	}
}

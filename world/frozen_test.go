package world

import "testing"

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

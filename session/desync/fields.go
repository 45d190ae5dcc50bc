package desync

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/tickback/tickback/canon"
)

// takeScalars finds the scalars in a part of an encoding that differ. A scalar that spans two parts is reported
// once: in the part with its first byte that differs, since the other part may be equal everywhere, and then was
// never requested.
func (w *walk) takeScalars(i int, index uint64) {
	from, to := leafRange(w.scalar, w.size, index)
	for off := from; off < to; {
		s := w.scalar(off)
		w.takeScalar(s, i, off-from, max(int(index)*leafBytes-off, 0))
		off = s.Offset + s.Len
	}
}

// takeScalar compares the scalar at offset at of a leaf. Its first before bytes may belong to the previous leaf.
func (w *walk) takeScalar(s canon.Scalar, i, at, before int) {
	values, heads := make([][]byte, len(w.groups)), make([][]byte, len(w.groups))
	for g, m := range w.groups {
		if m != nil && at+s.Len <= len(m.parts.leaves[i]) {
			values[g] = m.parts.leaves[i][at : at+s.Len]
			heads[g] = values[g][:before]
		}
	}
	if !differ(values) || differ(heads) {
		return
	}
	f := Field{Path: s.Path}
	for _, b := range values {
		v := Value{}
		if b != nil {
			v = Value{string(s.AppendText(nil, b)), Present}
		}
		f.Values = append(f.Values, v)
	}
	tellApart(f.Values, values, func(b []byte) string { return string(s.AppendRaw(nil, b)) })
	w.add(f)
}

// differ reports whether any two of the values that are not nil differ.
func differ(values [][]byte) bool {
	var first []byte
	for _, b := range values {
		switch {
		case b == nil:
		case first == nil:
			first = b
		case string(b) != string(first):
			return true
		}
	}
	return false
}

// tellApart adds the raw values if different values have the same text.
func tellApart(texts []Value, values [][]byte, raw func(b []byte) string) {
	clash := false
	for i := range texts {
		for j := range i {
			clash = clash || values[i] != nil && values[j] != nil && texts[i].Text == texts[j].Text && string(values[i]) != string(values[j])
		}
	}
	for i := range texts {
		if values[i] != nil && clash {
			texts[i].Text += " (" + raw(values[i]) + ")"
		}
	}
}

func (w *walk) add(f Field) {
	if w.total++; len(w.fields) == MaxFields {
		return
	}
	f.Path = cutText(f.Path, maxItem)
	for i := range f.Values {
		f.Values[i].Text = cutText(f.Values[i].Text, maxValue)
	}
	w.fields = append(w.fields, f)
}

// takeLines finds the lines in a part that differ.
func (w *walk) takeLines(i int) {
	lines := make([][]line, len(w.groups))
	told := make([]uint64, len(w.groups)) // the key up to which lines were sent
	var keys []line
	for g, m := range w.groups {
		if m == nil {
			continue
		}
		r := reader{b: m.parts.leaves[i]}
		cut := len(r.b) > maxLeaf-lineSize(maxItem, maxItem) // the next line may not have fitted
		for len(r.b) > 0 {
			l := consumeLine(&r)
			if r.err != nil {
				break // the rest of a malformed leaf is ignored
			}
			lines[g], keys, told[g] = append(lines[g], l), append(keys, l), l.key
		}
		if !cut {
			told[g] = math.MaxUint64
		}
		w.atLeast = w.atLeast || cut
	}
	slices.SortStableFunc(keys, func(a, b line) int { return cmp.Compare(a.key, b.key) })
	keys = slices.CompactFunc(keys, func(a, b line) bool { return a.key == b.key })
	for _, k := range keys {
		w.takeLine(k, lines, told)
	}
}

func (w *walk) takeLine(k line, lines [][]line, told []uint64) {
	f := Field{Path: string(k.path)}
	values := make([][]byte, len(lines))
	missing := false
	for g := range lines {
		v := Value{}
		if w.groups[g] != nil && k.key <= told[g] {
			v.Kind, missing = Missing, missing || !has(lines[g], k.key)
			for _, l := range lines[g] {
				if l.key == k.key {
					v = Value{string(l.value), Present}
					values[g] = binary.BigEndian.AppendUint64(nil, l.digest)
				}
			}
		}
		f.Values = append(f.Values, v)
	}
	if !missing && !differ(values) {
		return
	}
	tellApart(f.Values, values, func(b []byte) string { return fmt.Sprintf("hash %x", b) })
	w.add(f)
}

func has(lines []line, key uint64) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return l.key == key })
}

// sorted returns the fields in order. Those of an encoding are found in order; lines are sorted by their paths.
func (w *walk) sorted() []Field {
	slices.SortStableFunc(w.fields, func(a, b Field) int {
		if w.form == formEncoded {
			return 0
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return w.fields
}

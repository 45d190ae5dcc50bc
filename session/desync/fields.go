package desync

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// item is a field in a leaf. Values differ if their exact forms do.
type item struct {
	key                uint64 // identifies the field
	path, value, exact string
}

// items reads a leaf. Fields whose keys are not less than end were not told.
func (w *walk) items(leaf []byte, index uint64) (items []item, end uint64) {
	if w.layout.scalar == nil {
		return readLines(leaf)
	}
	at, to := w.layout.part(w.depth, w.depth, index)
	for at < to {
		s := w.layout.scalar(at)
		if s.Len > len(leaf) {
			return items, uint64(at)
		}
		b := leaf[:s.Len]
		items = append(items, item{uint64(at), s.Path, string(s.AppendText(nil, b)), string(s.AppendRaw(nil, b))})
		leaf, at = leaf[s.Len:], at+s.Len
	}
	return items, math.MaxUint64
}

// readLines reads a leaf that consists of lines. What is malformed ends it.
func readLines(leaf []byte) (items []item, end uint64) {
	r := reader{b: leaf}
	last := uint64(0)
	for len(r.b) > 0 {
		l := consumeLine(&r)
		if r.err != nil {
			break
		}
		items, last = append(items, item{l.key, string(l.path), string(l.value), fmt.Sprintf("hash %016x", l.digest)}), l.key
	}
	if len(leaf) > maxLeaf-lineSize(maxItem, maxItem) {
		return items, last + 1 // the next line may not have fitted
	}
	return items, math.MaxUint64
}

// takeLeaf finds the fields in a leaf that differ.
func (w *walk) takeLeaf(i int, index uint64, told [][][]byte) {
	items, ends := make([][]item, len(told)), make([]uint64, len(told))
	var all []item
	for g, parts := range told {
		if w.tells[g] {
			items[g], ends[g] = w.items(parts[i], index)
			w.atLeast = w.atLeast || ends[g] < math.MaxUint64
			all = append(all, items[g]...)
		}
	}
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(a.key, b.key) })
	for _, it := range slices.CompactFunc(all, func(a, b item) bool { return a.key == b.key }) {
		w.takeItem(it, items, ends)
	}
}

// takeItem adds a field if its values differ, with the exact ones if different values read the same.
func (w *walk) takeItem(it item, items [][]item, ends []uint64) {
	f := Field{Path: cutText(it.path, maxItem), Values: make([]Value, len(items))}
	exact := make([]string, len(items))
	differ, clash := false, false
	for g := range items {
		v := &f.Values[g]
		if k := slices.IndexFunc(items[g], func(o item) bool { return o.key == it.key }); k >= 0 {
			*v, exact[g] = Value{items[g][k].value, Present}, items[g][k].exact
		} else if it.key < ends[g] {
			v.Kind = Missing
		}
		for h, u := range f.Values[:g] {
			if u.Kind != Untold && v.Kind != Untold && (u.Kind != v.Kind || exact[h] != exact[g]) {
				differ, clash = true, clash || u == *v
			}
		}
	}
	if !differ {
		return
	}
	if w.total++; len(w.fields) == MaxFields {
		return
	}
	for g := range f.Values {
		v := &f.Values[g]
		if clash && v.Kind == Present {
			v.Text += " (" + exact[g] + ")"
		}
		v.Text = cutText(v.Text, maxValue)
	}
	w.fields = append(w.fields, f)
}

// sorted returns the fields in order. Those of an encoding are found in order; lines are sorted by their paths.
func (w *walk) sorted() []Field {
	if w.layout.scalar == nil {
		slices.SortStableFunc(w.fields, func(a, b Field) int { return cmp.Compare(a.Path, b.Path) })
	}
	return w.fields
}

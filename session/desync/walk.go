package desync

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tickback/tickback/canon"
)

// walk narrows a difference down to fields, with one member of each group.
type walk struct {
	scalar func(offset int) canon.Scalar
	groups []*member // who speaks for each group; nil is nobody
	form   form
	size   uint32
	depth  int
	left   [maxDepth + 1][]uint64 // parts that differ and were not looked into, by level
	asked  ask
	rounds int

	fields  []Field
	total   uint32
	atLeast bool
}

// maxRounds bounds the questions of a walk, whatever it is told.
const maxRounds = 100

// begin chooses who speaks for each group.
func (w *walk) begin(v *Investigation) {
	l := v.leading
	w.groups = make([]*member, len(l.groups))
	scalar, size := v.setup.Game.Scalar()
	w.scalar, w.form = scalar, formLines
	if scalar != nil {
		w.form, w.size = formEncoded, uint32(size)
	}
	v.inOrder(func(m *member) {
		s := &m.state
		if m.gone || m.mute || len(m.entries) == 0 || s.form != w.form || s.source > Resimulated || s.form == formEncoded && s.size != w.size {
			return
		}
		// An original is better than what was simulated again.
		g := groupOf(l.groups, m.entries[0])
		if w.groups[g] == nil || s.source < w.groups[g].state.source {
			w.groups[g] = m
		}
	})
	if w.form == formLines {
		for _, m := range w.groups {
			if m != nil {
				w.size = max(w.size, m.state.size)
			}
		}
	}
	w.depth = depthOf(w.form, w.size)
	w.left[0] = []uint64{0}
	w.check()
}

// check ends the walk when there are not two groups to compare.
func (w *walk) check() {
	count := 0
	for _, m := range w.groups {
		if m != nil && !m.gone && !m.mute {
			count++
		}
	}
	if count < 2 {
		w.left = [maxDepth + 1][]uint64{}
	}
}

// asks reports whether a member speaks for its group.
func (w *walk) asks(m *member) bool { return slices.Contains(w.groups, m) }

// next returns the next question: the deepest parts first, so that fields are found
// in order, and the parts that wait stay few.
func (w *walk) next() (ask, bool) {
	level := w.depth
	for level > 0 && len(w.left[level]) == 0 {
		level--
	}
	if n := len(w.left[level]); n == 0 || len(w.fields) >= MaxFields || w.rounds == maxRounds {
		for _, list := range w.left {
			w.total += uint32(len(list))
			w.atLeast = w.atLeast || len(list) > 0
		}
		return ask{}, false
	}
	w.rounds++
	n := min(len(w.left[level]), maxNodes)
	w.asked = ask{step: askNodes, depth: uint8(w.depth), level: uint8(level), nodes: w.left[level][:n:n]}
	if level == w.depth {
		w.asked.step = askLeaves
	}
	w.left[level] = w.left[level][n:]
	return w.asked, true
}

// take looks at the answers.
func (w *walk) take(v *Investigation) {
	for i, m := range w.groups {
		if m == nil {
			continue
		}
		fits := m.parts.step == w.asked.step && m.parts.number == v.leading.number
		if w.asked.step == askNodes {
			fits = fits && len(m.parts.nodes) == len(w.asked.nodes)
		} else {
			fits = fits && len(m.parts.leaves) == len(w.asked.nodes)
		}
		if !fits {
			w.groups[i] = nil // it is gone, or does not answer
			w.atLeast = true
		}
	}
	for i, index := range w.asked.nodes {
		switch {
		case w.asked.step == askNodes:
			w.takeNode(i, index)
		case w.form == formEncoded:
			w.takeScalars(i, index)
		default:
			w.takeLines(i)
		}
	}
	w.check()
}

// takeNode finds the children that differ.
func (w *walk) takeNode(i int, index uint64) {
	level := int(w.asked.level) + 1
	for c := range uint64(fan) {
		var first *uint64
		for _, m := range w.groups {
			if m == nil {
				continue
			}
			d := &m.parts.nodes[i][c]
			if first == nil {
				first = d
			} else if *first != *d {
				w.left[level] = append(w.left[level], index<<fanBits|c)
				break
			}
		}
	}
}

// takeScalars finds the scalars of a part of an encoding that differ.
func (w *walk) takeScalars(i int, index uint64) {
	from, to := leafRange(w.scalar, w.size, index)
	for off := from; off < to; {
		s := w.scalar(off)
		if s.Offset/leafBytes == int(index) { // it is in one leaf, that of its first byte
			w.takeScalar(s, i, off-from)
		}
		off = s.Offset + s.Len
	}
}

func (w *walk) takeScalar(s canon.Scalar, i, at int) {
	values := make([][]byte, len(w.groups))
	for g, m := range w.groups {
		if m != nil && at+s.Len <= len(m.parts.leaves[i]) {
			values[g] = m.parts.leaves[i][at : at+s.Len]
		}
	}
	if !differ(values) {
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

// differ reports whether two of the values that are there differ.
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

// tellApart adds what lies beneath to values that differ and read the same.
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

// takeLines finds the lines of a part that differ.
func (w *walk) takeLines(i int) {
	lines := make([][]line, len(w.groups))
	var keys []line
	for g, m := range w.groups {
		if m == nil {
			continue
		}
		r := reader{b: m.parts.leaves[i]}
		for len(r.b) > 0 {
			l := consumeLine(&r)
			if r.err != nil {
				break // what it says is its own affair
			}
			lines[g], keys = append(lines[g], l), append(keys, l)
		}
	}
	slices.SortStableFunc(keys, func(a, b line) int { return cmp.Compare(a.key, b.key) })
	keys = slices.CompactFunc(keys, func(a, b line) bool { return a.key == b.key })
	for _, k := range keys {
		w.takeLine(k, lines)
	}
}

func (w *walk) takeLine(k line, lines [][]line) {
	f := Field{Path: string(k.path)}
	values := make([][]byte, len(lines))
	missing := false
	for g := range lines {
		v := Value{}
		if w.groups[g] != nil {
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

// sorted returns the fields in order: those of an encoding are, and lines are sorted
// by their paths.
func (w *walk) sorted() []Field {
	slices.SortStableFunc(w.fields, func(a, b Field) int {
		if w.form == formEncoded {
			return 0
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return w.fields
}

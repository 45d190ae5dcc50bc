package desync

import (
	"slices"

	"github.com/tickback/tickback/canon"
)

// walk narrows a difference down to fields, by querying one member of each group.
type walk struct {
	scalar func(offset int) canon.Scalar
	groups []*member // the member queried for each group, or nil
	form   form
	size   uint32
	depth  int
	left   [maxDepth + 1][]uint64 // parts that differ and have yet to be searched, by level
	asked  ask
	rounds int

	fields  []Field
	total   uint32
	atLeast bool
}

// maxRounds limits the number of queries of a walk, whatever the answers are.
const maxRounds = 100

// begin chooses the member to query for each group.
func (w *walk) begin(v *Investigation) {
	l := v.coordination
	w.groups = make([]*member, len(l.groups))
	scalar, size := v.setup.Game.Scalar()
	w.scalar, w.form = scalar, formLines
	if scalar != nil {
		w.form, w.size = formEncoded, uint32(size)
	} else if v.inParts() {
		w.form, w.size = formParts, 1
	}
	v.inOrder(func(m *member) {
		s := &m.state
		if m.gone || m.mute || len(m.entries) == 0 || s.form != w.form || s.source > Resimulated || s.form == formEncoded && s.size != w.size {
			return
		}
		// An original is better than a resimulated state.
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

// inParts reports whether the game divides states into parts itself. Our own state shows that if it could be
// restored; otherwise those of other members do.
func (v *Investigation) inParts() bool {
	if form := v.own.state.form; form != formNone {
		return form == formParts
	}
	return slices.ContainsFunc(v.members, func(m member) bool { return m.state.form == formParts })
}

// check ends the walk unless there are two groups to compare.
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

// asks reports whether a member is queried for its group.
func (w *walk) asks(m *member) bool { return slices.Contains(w.groups, m) }

// next returns the next query. The deepest parts come first, so that fields are found in order and few parts wait.
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

// take compares the answers.
func (w *walk) take(v *Investigation) {
	for i, m := range w.groups {
		if m == nil {
			continue
		}
		fits := m.parts.step == w.asked.step && m.parts.number == v.coordination.number
		if w.asked.step == askNodes {
			fits = fits && len(m.parts.nodes) == len(w.asked.nodes)
		} else {
			fits = fits && len(m.parts.leaves) == len(w.asked.nodes)
		}
		if !fits {
			w.groups[i] = nil // it has left, or does not answer
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

// takeNode finds the children of a node that differ.
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

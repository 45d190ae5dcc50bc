package desync

import (
	"bytes"
	"slices"
)

// walk narrows a difference down to fields, by the answers of one member of each group.
type walk struct {
	layout layout
	depth  int
	tells  []bool                 // the groups that have a member that answers
	left   [maxDepth + 1][]uint64 // parts that differ and have yet to be searched, by level
	asked  ask
	rounds int

	fields  []Field
	total   uint32
	atLeast bool
}

// maxRounds limits the number of queries of a walk, whatever the answers are.
const maxRounds = 100

// digestSize is the size of a digest in an answer.
const digestSize = 8

// newWalk begins at the root, if there are two groups to compare.
func newWalk(l layout, depth int, tells []bool) walk {
	w := walk{layout: l, depth: depth, tells: tells}
	if w.compares() {
		w.left[0] = []uint64{0}
	}
	return w
}

// compares reports whether there are two groups to compare.
func (w *walk) compares() bool {
	count := 0
	for _, tells := range w.tells {
		if tells {
			count++
		}
	}
	return count > 1
}

// next returns the next query. The deepest parts come first, so that fields are found in order and few parts wait.
func (w *walk) next() (ask, bool) {
	level := w.depth
	for level > 0 && len(w.left[level]) == 0 {
		level--
	}
	n := min(len(w.left[level]), maxNodes)
	if n == 0 || !w.compares() || len(w.fields) >= MaxFields || w.rounds == maxRounds {
		for _, list := range w.left {
			w.total += uint32(len(list))
			w.atLeast = w.atLeast || len(list) > 0
		}
		return ask{}, false
	}
	w.rounds++
	w.asked = ask{step: askParts, depth: uint8(w.depth), level: uint8(level), nodes: w.left[level][:n:n]}
	w.left[level] = w.left[level][n:]
	return w.asked, true
}

// take compares the answers: of each group, the parts that were requested.
func (w *walk) take(told [][][]byte) {
	for g, parts := range told {
		if w.tells[g] && !w.fits(parts) {
			w.tells[g], w.atLeast = false, true // it has left, or does not answer
		}
	}
	for i, index := range w.asked.nodes {
		if w.asked.level < w.asked.depth {
			w.takeNode(i, index, told)
		} else {
			w.takeLeaf(i, index, told)
		}
	}
}

// fits reports whether an answer has what was requested.
func (w *walk) fits(parts [][]byte) bool {
	return len(parts) == len(w.asked.nodes) && (w.asked.level == w.asked.depth ||
		!slices.ContainsFunc(parts, func(p []byte) bool { return len(p) != fan*digestSize }))
}

// takeNode finds the children of a node that differ.
func (w *walk) takeNode(i int, index uint64, told [][][]byte) {
	level := w.asked.level + 1
	for c := range uint64(fan) {
		var first []byte
		for g, parts := range told {
			if !w.tells[g] {
				continue
			}
			d := parts[i][c*digestSize:][:digestSize]
			if first == nil {
				first = d
			} else if !bytes.Equal(first, d) {
				w.left[level] = append(w.left[level], index<<fanBits|c)
				break
			}
		}
	}
}

package coder

// maxDepth is the number of levels of masks above the nibbles of the largest input.
const maxDepth = 4

// tree has the models of a segment: one for gaps, and one for each nibble of a change and for each mask. In a mask, bit
// i says whether child i has a change: one of four nibbles, or of four masks.
type tree struct {
	players, size int
	gap           *model
	levels        [][]model // the models, from the root, which is a single mask, to the nibbles
	pair          *pair     // the models of inputs of one or two bytes, which gap and levels lead to; else nil
	held          []byte    // the inputs of the frame before the next block
}

// pair has the models of inputs of one or two bytes, one after the other.
type pair struct {
	gap     model
	root    [1]model
	nibbles [4]model
}

// changePrior has the initial counts of the values of masks and nibbles, from 1 on: 0 would not be a change.
var changePrior = [15]uint8{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}

// init begins a segment.
func (t *tree) init(players, size int) {
	if players != t.players || size != t.size {
		t.players, t.size = players, size
		t.held = make([]byte, players*size)
		t.grow()
	}
	clear(t.held)
	if t.size == 0 {
		return
	}
	t.gap.init(gapPrior[:])
	for l, nodes := range t.levels {
		for i := range nodes {
			nodes[i].init(changePrior[:t.values(l, i)])
		}
	}
}

// grow makes the levels.
func (t *tree) grow() {
	t.gap, t.levels, t.pair = nil, nil, nil
	switch {
	case t.size == 0:
		return
	case t.size <= 2:
		t.pair = new(pair)
		t.gap, t.levels = &t.pair.gap, [][]model{t.pair.root[:], t.pair.nibbles[:2*t.size]}
		return
	}
	t.gap = new(model)
	var widths []int
	for n := 2 * t.size; n > 1; n = (n + 3) / 4 {
		widths = append(widths, n)
	}
	t.levels = append(t.levels, make([]model, 1))
	for i := range widths {
		t.levels = append(t.levels, make([]model, widths[len(widths)-1-i]))
	}
}

// depth returns the number of levels of masks.
func (t *tree) depth() int { return len(t.levels) - 1 }

// values returns how many values a node can have.
func (t *tree) values(level, i int) int {
	if level == t.depth() {
		return 15
	}
	return 1<<min(4, len(t.levels[level+1])-4*i) - 1
}

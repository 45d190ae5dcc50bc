package coder

import "encoding/binary"

// Probabilities are in units of 1/scale. A table says for each cell of units with which
// symbol it begins, so that decoding looks at one symbol, rarely at two.
const (
	scaleBits = 12
	scale     = 1 << scaleBits
	cellBits  = 5
	cells     = scale >> cellBits
)

// maxSymbols is how many symbols a model can have, and maxSpans the next power of
// two, which makes an index safe with a mask.
const (
	maxSymbols = gapSymbols
	maxSpans   = 64
)

// model counts symbols, and has the probabilities that follow from the counts at
// certain times: after each symbol in the beginning, then less and less often.
type model struct {
	symbols int
	left    int32            // symbols until the probabilities are computed anew
	seen    int32            // symbols that have been counted by then
	total   uint32           // of the counts, without those since then
	spans   [maxSpans]span   // of each symbol
	counts  [maxSpans]uint32 // of each symbol
	table   [2 * cells]uint8 // the symbol with which each cell begins; the second half is not used

	// likely is the span of top, a symbol that has more than three quarters; empty if
	// there is none. It takes no table to know that it comes, and often it does.
	likely span
	top    uint8
}

// span is a symbol's part of [0, scale): where it begins, and its length << 16.
type span uint32

func makeSpan(start, length uint32) span { return span(start | length<<16) }

func (s span) start() uint32  { return uint32(s) & 0xFFFF }
func (s span) length() uint32 { return uint32(s) >> 16 }

const (
	// increment is what a symbol counts for, next to what it has from the beginning.
	increment = 24
	// maxTotal is when counts are halved, so that what is long ago counts less.
	maxTotal = 1 << 17
	// maxPace is the most symbols between two computations.
	maxPace = 256
)

// init begins with these counts.
func (m *model) init(prior []uint8) {
	m.symbols, m.seen, m.total = len(prior), 0, 0
	for i, c := range prior {
		m.counts[i] = uint32(c)
		m.total += uint32(c)
	}
	m.compute()
}

// compute computes the probabilities from the counts. Each symbol has at least 1;
// the last one gets what rounding leaves over.
func (m *model) compute() {
	if m.total > maxTotal {
		m.halve()
	}
	reciprocal := uint64(scale-m.symbols) << 32 / uint64(m.total)
	start, last := uint32(0), m.symbols-1
	m.likely = 0
	clear(m.table[:])
	for i, c := range m.counts[:last] {
		length := uint32(uint64(c)*reciprocal>>32) + 1
		m.setSpan(i, makeSpan(start, length))
		start += length
		m.table[(start+1<<cellBits-1)>>cellBits&(2*cells-1)]++
	}
	m.setSpan(last, makeSpan(start, scale-start))
	m.sumTable()
	m.left = m.pace()
}

func (m *model) setSpan(i int, s span) {
	m.spans[i&(maxSpans-1)] = s
	if s.length() > scale/4*3 {
		m.likely, m.top = s, uint8(i)
	}
}

// sumTable completes the table. At each cell it has how many symbols, but the first
// one, begin behind the first place of the cell before it and not behind its own; the
// sum of these up to a cell is the symbol with which it begins. A multiplication sums
// eight cells. A loop that fills in the cells of each symbol takes three times as long,
// because a processor cannot tell how often it runs.
func (m *model) sumTable() {
	const ones = 0x0101_0101_0101_0101
	sum := uint64(0)
	for t := m.table[:cells]; len(t) >= 8; t = t[8:] {
		w := binary.LittleEndian.Uint64(t)*ones + sum*ones
		binary.LittleEndian.PutUint64(t, w)
		sum = w >> 56
	}
}

func (m *model) halve() {
	m.total = 0
	for i := range m.symbols {
		m.counts[i] = (m.counts[i] + 1) / 2
		m.total += m.counts[i]
	}
}

// pace is how many symbols there are until the next computation.
func (m *model) pace() int32 { return min(max(1, m.seen), maxPace) }

// see counts a symbol.
func (m *model) see(s int) {
	m.counts[s&(maxSpans-1)] += increment
	if m.left--; m.left == 0 {
		m.update()
	}
}

func (m *model) update() {
	n := m.pace()
	m.seen += n
	m.total += uint32(n) * increment
	m.compute()
}

// guess is find for models of which one symbol is often likely.
func (m *model) guess(place uint32) (s int, found span) {
	if place-m.likely.start() < m.likely.length() {
		return int(m.top), m.likely
	}
	return m.find(place)
}

// find returns the symbol of a place in [0, scale), and its span.
func (m *model) find(place uint32) (s int, found span) {
	s = int(m.table[place>>cellBits])
	for {
		found = m.spans[s&(maxSpans-1)]
		if place-found.start() < found.length() {
			return s, found
		}
		s++
	}
}

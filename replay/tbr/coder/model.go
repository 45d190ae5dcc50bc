package coder

import "encoding/binary"

// Probabilities are in units of 1/scale. For each cell of units, a table has the symbol with which the cell begins, so
// that decoding looks at one symbol, rarely at two.
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

// model counts symbols, and has the probabilities derived from the counts at certain times: at first after each symbol,
// then less and less often.
type model struct {
	symbols int
	left    int32            // symbols until the probabilities are recomputed
	seen    int32            // the total of counted symbols at that time
	total   uint32           // the sum of the counts, without those since the last computation
	spans   [maxSpans]span   // the span of each symbol
	counts  [maxSpans]uint32 // the count of each symbol
	table   [2 * cells]uint8 // the symbol with which each cell begins; the second half is not used

	// likely is the span of top, a symbol with a probability of more than three quarters; it is empty if there is
	// none. It is common, and recognized without the table.
	likely span
	top    uint8
}

// span is a symbol's part of [0, scale): where it begins, and its length << 16.
type span uint32

func makeSpan(start, length uint32) span { return span(start | length<<16) }

func (s span) start() uint32  { return uint32(s) & 0xFFFF }
func (s span) length() uint32 { return uint32(s) >> 16 }

const (
	// increment is the weight of an occurrence of a symbol, compared with its initial count.
	increment = 24
	// maxTotal is the total at which counts are halved, so that old symbols count less.
	maxTotal = 1 << 17
	// maxPace is the maximum number of symbols between two computations.
	maxPace = 256
)

// init resets the model to the given counts.
func (m *model) init(prior []uint8) {
	m.symbols, m.seen, m.total = len(prior), 0, 0
	for i, c := range prior {
		m.counts[i] = uint32(c)
		m.total += uint32(c)
	}
	m.compute()
}

// compute computes the probabilities from the counts. Each symbol gets at least 1; the last one gets the remainder
// from rounding.
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

// sumTable completes the table. Each cell has the number of symbols, except the first, that begin after the first place
// of the previous cell and not after its own. The sum of these up to a cell is the symbol with which the cell begins.
// One multiplication sums eight cells. A loop that fills in the cells of each symbol takes three times as long, because
// a processor cannot predict how often it runs.
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

// pace returns the number of symbols until the next computation.
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

// guess is like find, but faster for models in which one symbol is often likely.
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

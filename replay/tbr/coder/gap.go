package coder

import "math/bits"

// A gap is the number of frames for which a player's input stays the same. Each small gap has its own symbol. Of the
// larger ones, each power of two is shared by two symbols, and further bits, which are all equally likely, select the
// gap. The last symbol is a gap that is longer than any block.
const (
	directGaps = 16
	octaves    = 9
	maxGap     = directGaps<<octaves - 1
	gapSymbols = directGaps + 2*octaves + 1
)

// gapBase is the smallest gap of each symbol, and gapBits how many further bits it
// has.
var gapBase, gapBits = gaps()

func gaps() (base [maxSpans]uint16, more [maxSpans]uint8) {
	for g := maxGap + 1; g >= 0; g-- {
		s, m := gapSymbol(g)
		base[s], more[s] = uint16(g), uint8(m)
	}
	return base, more
}

// gapSymbol returns the symbol of a gap and how many further bits it has.
func gapSymbol(g int) (s, more int) {
	if g < directGaps {
		return g, 0
	}
	octave := bits.Len(uint(g)) - bits.Len(directGaps)
	return directGaps + 2*octave + g>>(octave+3)&1, octave + 3
}

// gapPrior has the initial counts of gaps: small gaps are more likely.
var gapPrior = func() (p [gapSymbols]uint8) {
	for i := range p {
		p[i] = uint8(max(1, 14-i))
	}
	return p
}()

// rest returns the span of all symbols of gaps that are at least as long as the rest of a block, which means that the
// input no longer changes.
func rest(m *model, room int) span {
	s, _ := gapSymbol(room)
	if int(gapBase[s]) < room {
		s++
	}
	start := m.spans[s].start()
	return makeSpan(start, scale-start)
}

// further returns the span of the further bits of a gap.
func further(v uint32, more int) span {
	return makeSpan(v<<(scaleBits-more), 1<<(scaleBits-more))
}

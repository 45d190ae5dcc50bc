package tbr_test

import (
	"encoding/binary"
	"math/bits"
)

// naiveModel is a model as in docs/reference/recording-format.md.
type naiveModel struct {
	count, p []uint64
	coded    int
}

func newNaiveModel(n int, count func(s int) uint64) *naiveModel {
	m := &naiveModel{p: make([]uint64, n)}
	for s := range n {
		m.count = append(m.count, count(s))
	}
	m.compute()
	return m
}

func (m *naiveModel) total() (sum uint64) {
	for _, c := range m.count {
		sum += c
	}
	return sum
}

func (m *naiveModel) compute() {
	if m.total() > 131072 {
		for s := range m.count {
			m.count[s] = (m.count[s] + 1) / 2
		}
	}
	n, left := uint64(len(m.p)), uint64(4096)
	r := (4096 - n) << 32 / m.total()
	for s := range m.p {
		if m.p[s] = 1 + m.count[s]*r>>32; s == len(m.p)-1 {
			m.p[s] = left
		}
		left -= m.p[s]
	}
}

func (m *naiveModel) add(s int) {
	m.count[s] += 24
	m.coded++
	if m.coded <= 256 && bits.OnesCount(uint(m.coded)) == 1 || m.coded%256 == 0 {
		m.compute()
	}
}

func (m *naiveModel) start(s int) (sum uint64) {
	for _, p := range m.p[:s] {
		sum += p
	}
	return sum
}

// naiveCoder decodes the inputs of a segment.
type naiveCoder struct {
	players, size int
	gaps          *naiveModel
	nodes         map[[2]int]*naiveModel // by height above the leaves, and number
	before        []byte
	x             uint64
	words         []byte
}

func newNaiveCoder(players, size int) *naiveCoder {
	return &naiveCoder{
		players: players, size: size, before: make([]byte, players*size), nodes: map[[2]int]*naiveModel{},
		gaps: newNaiveModel(35, func(s int) uint64 { return uint64(max(1, 14-s)) }),
	}
}

// width returns the number of nodes at a height.
func (c *naiveCoder) width(height int) int {
	n := 2 * c.size
	for range height {
		n = (n + 3) / 4
	}
	return n
}

func (c *naiveCoder) node(height, i int) *naiveModel {
	m := c.nodes[[2]int{height, i}]
	if m == nil {
		n := 15
		if height > 0 {
			n = 1<<min(4, c.width(height-1)-4*i) - 1
		}
		m = newNaiveModel(n, func(int) uint64 { return 4 })
		c.nodes[[2]int{height, i}] = m
	}
	return m
}

func (c *naiveCoder) pass(start, p uint64) {
	c.x = p*(c.x/4096) + c.x%4096 - start
	if c.x < 65536 {
		c.x = 65536*c.x + uint64(binary.LittleEndian.Uint16(c.words))
		c.words = c.words[2:]
	}
}

func (c *naiveCoder) symbol(m *naiveModel) int {
	s := 0
	for c.x%4096 >= m.start(s)+m.p[s] {
		s++
	}
	c.pass(m.start(s), m.p[s])
	m.add(s)
	return s
}

// smallest returns the smallest gap of a symbol, and the number of its further
// bits.
func smallest(s int) (gap, more int) {
	if s < 16 {
		return s, 0
	}
	k := 4 + (s-16)/2
	return 1<<k + (s-16)%2<<(k-1), k - 1
}

// gap decodes a gap if this many frames are left: that number, if it reaches the
// end.
func (c *naiveCoder) gap(left int) int {
	end := 0
	for g := 0; g < left; g, _ = smallest(end) {
		end++
	}
	if start := c.gaps.start(end); c.x%4096 >= start {
		c.pass(start, 4096-start)
		return left
	}
	g, more := smallest(c.symbol(c.gaps))
	if more > 0 {
		v := c.x % 4096 >> (12 - more)
		c.pass(v<<(12-more), 1<<(12-more))
		g += int(v)
	}
	return g
}

func (c *naiveCoder) change(input []byte, height, i int) {
	v := c.symbol(c.node(height, i)) + 1
	if height == 0 {
		input[i/2] ^= byte(v << (i % 2 * 4))
		return
	}
	for child := range 4 {
		if v>>child&1 == 1 {
			c.change(input, height-1, 4*i+child)
		}
	}
}

// decode decodes a block of a given number of frames.
func (c *naiveCoder) decode(b []byte, block uint32, frames int) []byte {
	row := c.players * c.size
	rows := make([]byte, frames*row)
	if row == 0 {
		return rows
	}
	top := 1
	for c.width(top) > 1 {
		top++
	}
	c.x, c.words = uint64(binary.LittleEndian.Uint32(b)), b[4:]
	for p := range c.players {
		input, f := append([]byte(nil), c.before[p*c.size:][:c.size]...), 0
		for f < frames {
			g := c.gap(frames - f)
			for end := f + g; f < end; f++ {
				copy(rows[f*row+p*c.size:], input)
			}
			if f < frames {
				c.change(input, top, 0)
				copy(rows[f*row+p*c.size:], input)
				f++
			}
		}
	}
	if c.x != 65536+uint64(block)%65536 || len(c.words) != 0 {
		panic("not the end of the block")
	}
	copy(c.before, rows[len(rows)-row:])
	return rows
}

package coder_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/replay/tbr/coder"
)

// naive decodes as docs/reference/recording-format.md says, as plainly as possible: it looks at one symbol after the
// other.
type naive struct {
	shape
	models map[[2]int]*naiveModel // by height above the leaves and number; gaps have height -1
	held   []byte

	x     uint64
	words []byte
	short bool // words were missing
}

type naiveModel struct {
	count, p []uint64
	coded    int
}

func (m *naiveModel) compute() {
	total := uint64(0)
	for _, c := range m.count {
		total += c
	}
	if total > 131072 {
		total = 0
		for s := range m.count {
			m.count[s] = (m.count[s] + 1) / 2
			total += m.count[s]
		}
	}
	n, left := uint64(len(m.count)), uint64(4096)
	m.p = make([]uint64, n)
	for s := range m.p {
		if m.p[s] = 1 + m.count[s]*((4096-n)<<32/total)>>32; s == len(m.p)-1 {
			m.p[s] = left
		}
		left -= m.p[s]
	}
}

func (m *naiveModel) start(s int) (sum uint64) {
	for _, p := range m.p[:s] {
		sum += p
	}
	return sum
}

// width returns how many nodes there are at a height above the leaves.
func (n *naive) width(height int) int {
	w := 2 * n.size
	for range height {
		w = (w + 3) / 4
	}
	return w
}

// model returns a model, which is made when it is first used.
func (n *naive) model(height, i int) *naiveModel {
	m := n.models[[2]int{height, i}]
	if m != nil {
		return m
	}
	m = &naiveModel{}
	switch {
	case height < 0:
		for s := range 35 {
			m.count = append(m.count, uint64(max(1, 14-s)))
		}
	case height == 0:
		m.count = fours(15)
	default:
		m.count = fours(1<<min(4, n.width(height-1)-4*i) - 1)
	}
	m.compute()
	n.models[[2]int{height, i}] = m
	return m
}

// fours returns the counts of a node with so many symbols before it codes one.
func fours(symbols int) (count []uint64) {
	for range symbols {
		count = append(count, 4)
	}
	return count
}

// pass goes on behind a symbol that begins at start and has the probability p.
func (n *naive) pass(start, p uint64) {
	if n.x = p*(n.x/4096) + n.x%4096 - start; n.x >= 65536 {
		return
	}
	if len(n.words) < 2 {
		n.short = true
		n.x = 65536 // it is refused in any case
		return
	}
	n.x = n.x<<16 | uint64(binary.LittleEndian.Uint16(n.words))
	n.words = n.words[2:]
}

func (n *naive) symbol(m *naiveModel) int {
	s := 0
	for n.x%4096 >= m.start(s)+m.p[s] {
		s++
	}
	n.pass(m.start(s), m.p[s])
	m.count[s] += 24
	m.coded++
	if c := m.coded; c <= 256 && c&(c-1) == 0 || c%256 == 0 {
		m.compute()
	}
	return s
}

// gap returns the next gap: left if it leads to the end.
func (n *naive) gap(left int) (gap int, ok bool) {
	smallest := func(s int) (gap, more int) {
		if s < 16 {
			return s, 0
		}
		k := 4 + (s-16)/2
		return 1<<k + (s-16)%2<<(k-1), k - 1
	}
	end, m := 0, n.model(-1, 0)
	for g := 0; g < left; g, _ = smallest(end) {
		end++
	}
	if start := m.start(end); n.x%4096 >= start {
		n.pass(start, 4096-start)
		return left, true
	}
	g, more := smallest(n.symbol(m))
	if more > 0 {
		v := n.x % 4096 >> (12 - more)
		n.pass(v<<(12-more), 1<<(12-more))
		g += int(v)
	}
	return g, g < left
}

func (n *naive) change(input []byte, height, i int) {
	v := n.symbol(n.model(height, i)) + 1
	if height == 0 {
		input[i/2] ^= byte(v << (i % 2 * 4))
		return
	}
	for child := range 4 {
		if v>>child&1 == 1 {
			n.change(input, height-1, 4*i+child)
		}
	}
}

// decode decodes a block of so many frames, or returns nil if it is refused.
func (n *naive) decode(b []byte, mark uint16, frames int) []byte {
	row := n.players * n.size
	rows := make([]byte, frames*row)
	if row == 0 {
		if len(b) != 0 {
			return nil
		}
		return rows
	}
	if len(b) < 4 || frames == 0 || binary.LittleEndian.Uint32(b) < 65536 {
		return nil
	}
	if n.models == nil {
		n.models, n.held = map[[2]int]*naiveModel{}, make([]byte, row)
	}
	top := 1
	for n.width(top) > 1 {
		top++
	}
	n.x, n.words, n.short = uint64(binary.LittleEndian.Uint32(b)), b[4:], false
	for p := range n.players {
		input := bytes.Clone(n.held[p*n.size:][:n.size])
		for f := 0; f < frames; f++ {
			g, ok := n.gap(frames - f)
			if !ok || n.short {
				return nil
			}
			for ; g > 0; f, g = f+1, g-1 {
				copy(rows[f*row+p*n.size:], input)
			}
			if f < frames {
				n.change(input, top, 0)
				copy(rows[f*row+p*n.size:], input)
			}
		}
	}
	if n.short || n.x != 65536+uint64(mark) || len(n.words) != 0 {
		return nil
	}
	n.held = bytes.Clone(rows[len(rows)-row:])
	return rows
}

// alike decodes blocks of a segment both ways, until one is refused, and returns how many were not.
func alike(t *testing.T, s shape, frames int, mark uint16, blocks ...[]byte) (taken int) {
	t.Helper()
	var d coder.Decoder
	d.Init(s.players, s.size)
	n := naive{shape: s}
	for i, b := range blocks {
		want := n.decode(b, mark, frames)
		got := bytes.Repeat([]byte{0x55}, frames*s.players*s.size)
		switch err := d.Decode(got, b, mark); {
		case (err == nil) != (want != nil):
			t.Fatalf("%+v, block %d of %d frames, % x: %v, and taken plainly: %v", s, i, frames, b, err, want != nil)
		case err != nil:
			return taken
		case !bytes.Equal(got, want):
			t.Fatalf("%+v, block %d of %d frames, % x: % x, and plainly % x", s, i, frames, b, got, want)
		}
		taken++
	}
	return taken
}

// Rule: what is decoded, and what is refused, is what the page says, for the blocks of a segment and for damaged ones.
func TestDecodedAsPlainly(t *testing.T) {
	seeds := 90
	if testing.Short() {
		seeds = 45
	}
	refused := 0
	for seed := range uint64(seeds) {
		s, r := manyShapes[seed%uint64(len(manyShapes))], rand.New(rand.NewPCG(seed, 2))
		frames, mark := []int{1, 7, 60, 480, 1000}[r.IntN(5)], uint16(r.Uint32())
		if s.size > 8 {
			frames = min(frames, 60)
		}
		var e coder.Encoder
		e.Init(s.players, s.size)
		var blocks [][]byte
		for range 8 {
			blocks = append(blocks, e.Append(nil, rows(s, r, frames), mark))
		}
		if n := alike(t, s, frames, mark, blocks...); n != len(blocks) {
			t.Fatalf("seed %d: %d of %d blocks are taken", seed, n, len(blocks))
		}
		for range 40 {
			i := r.IntN(len(blocks))
			damaged := append([][]byte(nil), blocks[:i+1]...)
			damaged[i] = damage(blocks[i], r)
			if alike(t, s, frames, mark, damaged...) == i {
				refused++
			}
		}
	}
	if refused == 0 {
		t.Error("no damaged block was refused")
	}
}

// damage returns a block with something else in it.
func damage(b []byte, r *rand.Rand) []byte {
	b = bytes.Clone(b)
	if len(b) == 0 {
		return []byte{1}
	}
	switch r.IntN(4) {
	case 0:
		return b[:r.IntN(len(b))]
	case 1:
		return append(b, byte(r.Uint32()), byte(r.Uint32()))
	case 2:
		for i := r.IntN(len(b)); i < len(b); i++ {
			b[i] = byte(r.Uint32())
		}
	default:
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
	}
	return b
}

// FuzzDecoder: any bytes are decoded, or refused, as the page says.
func FuzzDecoder(f *testing.F) {
	for i, s := range manyShapes {
		var e coder.Encoder
		e.Init(s.players, s.size)
		r := rand.New(rand.NewPCG(uint64(i), 1))
		f.Add(uint8(i), uint8(40), e.Append(nil, rows(s, r, 40), 9), e.Append(nil, rows(s, r, 40), 9))
	}
	f.Fuzz(func(t *testing.T, which, frames uint8, first, second []byte) {
		alike(t, manyShapes[int(which)%len(manyShapes)], int(frames), 9, first, second, first)
	})
}

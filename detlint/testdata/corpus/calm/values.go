package calm

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/tickback/tickback/portable"
	"github.com/tickback/tickback/rollback"
)

//tickback:deterministic
func matrix(s *state) {
	var next [8][8]uint8
	for y := range s.grid {
		for x := range s.grid[y] {
			next[y][x] = s.grid[(y+1)&7][x] + s.grid[y][(x+1)&7]
		}
	}
	s.grid = next
}

//tickback:deterministic
func sortedUnits(s *state) {
	sort.Slice(s.units, func(i, j int) bool {
		a, b := &s.units[i], &s.units[j]
		if a.HP != b.HP {
			return a.HP > b.HP
		}
		return a.ID < b.ID
	})
}

//tickback:deterministic
func strongest(s *state) {
	u := slices.MaxFunc(s.units, func(a, b unit) int { return cmp.Compare(a.HP, b.HP) })
	s.n = u.ID
}

//tickback:deterministic
func unique(s *state) {
	slices.Sort(s.free)
	s.free = slices.Compact(s.free)
}

//tickback:deterministic
func seenBefore(s *state) {
	seen := make(map[int32]struct{}, len(s.free))
	kept := s.free[:0]
	for _, id := range s.free {
		if _, ok := seen[id]; !ok {
			seen[id] = struct{}{}
			kept = append(kept, id)
		}
	}
	s.free = kept
}

//tickback:deterministic
func buffer(s *state) {
	if cap(s.raw) < 64 {
		s.raw = make([]byte, 0, 64)
	}
	s.raw = append(s.raw[:0], byte(s.n))
}

//tickback:deterministic
func cloned(s *state) {
	path := slices.Clone(s.units[0].Path)
	slices.Reverse(path)
	s.units[1].Path = path
}

//tickback:deterministic
func durations(s *state) { s.n = int32(time.Duration(s.frame) * time.Second / 60 / time.Millisecond) }

//tickback:deterministic
func floats(s *state) {
	if s.f > -1000 && s.f < 1000 {
		s.n = int32(math.Floor(s.f))
	}
}

//tickback:deterministic
func floatSums(s *state) { s.f = float64(s.f*0.5) + 1 }

//tickback:deterministic
func floatBits(s *state) { s.l = int64(portable.Float64bits(s.f)) }

//tickback:deterministic
func widths(s *state) { s.l = int64(s.n) * int64(len(s.units)) }

//tickback:deterministic
func indexes(s *state, x, y int) {
	if i := y*8 + x; i >= 0 && i < 64 {
		s.n = int32(s.grid[i/8][i%8])
	}
}

//tickback:deterministic
func linkedList(s *state) {
	depth := int32(0)
	for p := s; p != nil; p = p.parent {
		depth++
	}
	s.n = depth
}

//tickback:deterministic
func samePointer(s *state) { s.n = int32(btoi(s.parent == s)) }

//tickback:deterministic
func identified(s *state) {
	index := map[*unit]int{}
	for i := range s.units {
		index[&s.units[i]] = i
	}
	s.n = int32(index[&s.units[0]])
}

//tickback:deterministic
func orders(s *state, t *rollback.Tick[input]) {
	for p := range t.Players() {
		b := t.Orders(p)
		for len(b) >= 4 {
			s.free = append(s.free, int32(binary.LittleEndian.Uint32(b)))
			b = b[4:]
		}
	}
}

//tickback:deterministic
func ended(s *state, t *rollback.Tick[input]) {
	if s.phase == over {
		t.Finish(uint64(s.n))
	}
}

//tickback:deterministic
func labelled(s *state) {
outer:
	for y := range s.grid {
		for x := range s.grid[y] {
			if s.grid[y][x] == 9 {
				s.n = int32(y*8 + x)
				break outer
			}
		}
	}
}

//tickback:deterministic
func jumps(s *state) {
	n := s.n
again:
	if n > 10 {
		n -= 10
		goto again
	}
	s.n = n
}

//tickback:deterministic
func swapped(s *state) { s.units[0], s.units[1] = s.units[1], s.units[0] }

//tickback:deterministic
func reset(s *state) { *s = state{units: s.units[:0], rand: s.rand} }

//tickback:deterministic
func cleared(s *state) {
	clear(s.alive)
	clear(s.ring[:])
}

package calm

import (
	"container/heap"

	"github.com/tickback/tickback/fixed"
)

type frontier struct {
	at   cell
	cost int32
	seq  uint32
}

type open []frontier

func (o open) Len() int { return len(o) }
func (o open) Less(i, j int) bool {
	if o[i].cost != o[j].cost {
		return o[i].cost < o[j].cost
	}
	return o[i].seq < o[j].seq
}
func (o open) Swap(i, j int) { o[i], o[j] = o[j], o[i] }
func (o *open) Push(x any)   { *o = append(*o, x.(frontier)) }
func (o *open) Pop() any {
	old := *o
	x := old[len(old)-1]
	*o = old[:len(old)-1]
	return x
}

//tickback:deterministic
func path(s *state, from cell) {
	o := &open{{at: from}}
	seen := map[cell]bool{}
	for seq := uint32(1); o.Len() > 0; seq++ {
		f := heap.Pop(o).(frontier)
		if seen[f.at] {
			continue
		}
		seen[f.at] = true
		for _, d := range [...]cell{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			next := cell{f.at.X + d.X, f.at.Y + d.Y}
			if next.X >= 0 && next.Y >= 0 && next.X < 8 && next.Y < 8 && s.grid[next.Y][next.X] == 0 {
				heap.Push(o, frontier{next, f.cost + 1, seq})
			}
		}
	}
	s.n = int32(len(seen))
}

//tickback:deterministic
func flood(s *state) {
	queue := []cell{{}}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		if s.grid[at.Y][at.X] == 0 {
			s.grid[at.Y][at.X] = 1
			queue = append(queue, cell{at.X, (at.Y + 1) & 7})
		}
	}
}

func (v vec) add(w vec) vec { return vec{v.X.Add(w.X), v.Y.Add(w.Y)} }

func (v vec) length() fixed.Num { return fixed.Vec2{X: v.X, Y: v.Y}.Length() }

//tickback:deterministic
func integrate(s *state) {
	for i := range s.units {
		u := &s.units[i]
		u.Pos = u.Pos.add(u.Speed)
		if u.Pos.length() > 100*fixed.One {
			u.Speed = vec{u.Speed.X.Neg(), u.Speed.Y.Neg()}
		}
	}
}

//tickback:deterministic
func nearest(s *state) {
	best, who := fixed.Max, int32(-1)
	for i := range s.units {
		if d := s.units[i].Pos.length(); d < best {
			best, who = d, s.units[i].ID
		}
	}
	s.n = who
}

//tickback:deterministic
func turned(s *state) {
	sin, cos := fixed.SinCos(fixed.FromRatio(int64(s.frame), 60))
	s.units[0].Speed = vec{cos, sin}
}

//tickback:deterministic
func lerped(s *state) {
	s.units[0].Pos.X = fixed.Lerp(s.units[0].Pos.X, s.units[1].Pos.X, fixed.Half)
}

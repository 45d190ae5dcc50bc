// Package calm has steps as games have them, in which nothing is wrong.
package calm

import (
	"bytes"
	"cmp"
	"container/heap"
	"container/list"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

type (
	vec  struct{ X, Y fixed.Num }
	cell struct{ X, Y int16 }
	unit struct {
		ID, HP, Cooldown int32
		Pos, Speed       vec
		Path             []cell
		Target           int32
	}
)

type state struct {
	frame  uint32
	rand   rng.Xorshift128Plus
	units  []unit
	alive  map[int32]*unit
	owners map[cell]int32
	tags   map[string][]string
	free   []int32
	ring   [16]int32
	head   uint32
	score  [4]int32
	text   string
	phase  phase
	raw    []byte
	f      float64
	n      int32
	l      int64
	grid   [8][8]uint8
	parent *state
}

type input struct {
	Move int8
	Fire bool
}

type phase uint8

const (
	waiting phase = iota
	playing
	over
)

//tickback:deterministic
func cooldowns(s *state) {
	for i := range s.units {
		if u := &s.units[i]; u.Cooldown > 0 {
			u.Cooldown--
		}
	}
}

//tickback:deterministic
func moves(s *state, t *rollback.Tick[input]) {
	for p := range t.Players() {
		in := t.Input(p)
		u := &s.units[p]
		u.Pos.X = u.Pos.X.Add(fixed.FromInt(int64(in.Move)).Mul(u.Speed.X))
		if in.Fire && t.Status(p) != rollback.Disconnected {
			s.score[p]++
		}
	}
}

//tickback:deterministic
func machine(s *state) {
	switch s.phase {
	case waiting:
		s.phase = playing
	case playing:
		if s.frame > 60*60 {
			s.phase = over
		}
	case over:
		s.text = "over"
	}
}

//tickback:deterministic
func rolls(s *state) error {
	n, err := s.rand.Bounded(6)
	if err != nil {
		return err
	}
	s.n = int32(n) + 1
	return nil
}

//tickback:deterministic
func shuffles(s *state) error {
	return s.rand.Shuffle(len(s.free), func(i, j int) { s.free[i], s.free[j] = s.free[j], s.free[i] })
}

//tickback:deterministic
func ringBuffer(s *state) {
	s.ring[s.head%uint32(len(s.ring))] = s.n
	s.head++
}

//tickback:deterministic
func freeList(s *state) {
	if n := len(s.free); n > 0 {
		s.n, s.free = s.free[n-1], s.free[:n-1]
	}
	s.free = append(s.free, s.n)
}

//tickback:deterministic
func swapRemove(s *state, i int) {
	last := len(s.units) - 1
	s.units[i] = s.units[last]
	s.units[last] = unit{}
	s.units = s.units[:last]
}

//tickback:deterministic
func insertSorted(s *state, id int32) {
	i, found := slices.BinarySearch(s.free, id)
	if !found {
		s.free = slices.Insert(s.free, i, id)
	}
}

//tickback:deterministic
func dead(s *state) {
	s.units = slices.DeleteFunc(s.units, func(u unit) bool { return u.HP <= 0 })
}

//tickback:deterministic
func eachAliveInOrder(s *state) {
	for _, id := range slices.Sorted(maps.Keys(s.alive)) {
		s.alive[id].HP--
		s.free = append(s.free, id)
	}
}

//tickback:deterministic
func countOwned(s *state) {
	var owned [4]int32
	for _, p := range s.owners {
		owned[p]++
	}
	s.score = owned
}

//tickback:deterministic
func anyAlive(s *state) {
	s.phase = over
	for _, u := range s.alive {
		if u.HP > 0 {
			s.phase = playing
			break
		}
	}
}

//tickback:deterministic
func removeUnowned(s *state) {
	for at, p := range s.owners {
		if p < 0 {
			delete(s.owners, at)
		}
	}
}

//tickback:deterministic
func maximumOfMap(s *state) {
	best := int32(math.MinInt32)
	for _, p := range s.owners {
		best = max(best, p)
	}
	s.n = best
}

//tickback:deterministic
func bitsOfMap(s *state) {
	mask := uint64(0)
	for _, p := range s.owners {
		mask |= 1 << uint(p&63)
	}
	s.n = int32(bits.OnesCount64(mask))
}

//tickback:deterministic
func invertedSorted(s *state) {
	type entry struct {
		at cell
		p  int32
	}
	var all []entry
	for at, p := range s.owners {
		all = append(all, entry{at, p})
	}
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.p, b.p), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
	})
	for i, e := range all {
		s.ring[i%16] = e.p
	}
}

//tickback:deterministic
func sortedLists(s *state) {
	for _, words := range s.tags {
		slices.Sort(words)
	}
}

//tickback:deterministic
func sharedEntry(s *state) {
	for name, words := range s.tags {
		s.tags[name] = append(words, "x")
	}
}

//tickback:deterministic
func grouped(s *state) {
	by := map[int32][]int32{}
	for _, u := range s.units {
		by[u.Target] = append(by[u.Target], u.ID)
	}
	for _, target := range slices.Sorted(maps.Keys(by)) {
		s.n += int32(len(by[target])) * target
	}
}

//tickback:deterministic
func totalOfLists(s *state) {
	n := 0
	for _, words := range s.tags {
		for _, w := range words {
			n += len(w)
		}
	}
	s.n = int32(n)
}

//tickback:deterministic
func copiedMap(s *state) map[int32]int32 {
	out := make(map[int32]int32, len(s.alive))
	for id, u := range s.alive {
		if u.HP > 0 {
			out[id] = u.HP
		}
	}
	return out
}

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

//tickback:deterministic
func hashed(s *state) uint64 {
	var b []byte
	for i := range s.units {
		b = binary.LittleEndian.AppendUint32(b, uint32(s.units[i].HP))
	}
	return canon.HashBytes(b)
}

//tickback:deterministic
func checksum(s *state) { s.n = int32(crc32.ChecksumIEEE(s.raw) & 0xffff) }

//tickback:deterministic
func named(s *state) { s.text = fmt.Sprintf("unit %d of %d: %s", s.n, len(s.units), s.text) }

//tickback:deterministic
func built(s *state) {
	var b strings.Builder
	for i := range s.units {
		b.WriteString(strconv.Itoa(int(s.units[i].ID)))
		b.WriteByte(',')
	}
	s.text = b.String()
}

//tickback:deterministic
func buffered(s *state) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%d", s.n)
	s.raw = append(s.raw[:0], b.Bytes()...)
}

//tickback:deterministic
func words(s *state) {
	for i, w := range strings.FieldsFunc(s.text, unicode.IsSpace) {
		s.ring[i%16] = int32(len(w))
	}
}

//tickback:deterministic
func parsed(s *state) error {
	n, err := strconv.ParseInt(s.text, 10, 32)
	if err != nil {
		return fmt.Errorf("number %q: %w", s.text, err)
	}
	s.n = int32(n)
	return nil
}

var errNone = errors.New("calm: there is none")

//tickback:deterministic
func sentinel(s *state) error {
	if len(s.units) == 0 {
		return errNone
	}
	return nil
}

//tickback:deterministic
func checkedError(s *state) { s.n = int32(btoi(errors.Is(sentinel(s), errNone))) }

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

//tickback:deterministic
func recovered(s *state) {
	defer func() {
		if recover() != nil {
			s.n = -1
		}
	}()
	s.n = s.free[s.n]
}

//tickback:deterministic
func hexed(s *state) { s.text = hex.EncodeToString(s.raw) }

//tickback:deterministic
func bigNumbers(s *state) {
	s.l = new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(s.n&15)), nil).Int64()
}

//tickback:deterministic
func linked(s *state) {
	l := list.New()
	for i := range s.units {
		l.PushBack(s.units[i].ID)
	}
	for e := l.Front(); e != nil; e = e.Next() {
		s.n += e.Value.(int32)
	}
}

func evens(list []int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for _, x := range list {
			if x%2 == 0 && !yield(x) {
				return
			}
		}
	}
}

//tickback:deterministic
func iterated(s *state) {
	for x := range evens(s.free) {
		s.n += x
	}
}

//tickback:deterministic
func collectedIterator(s *state) { s.free = slices.Collect(evens(s.free)) }

//tickback:deterministic
func chunks(s *state) {
	for part := range slices.Chunk(s.free, 4) {
		s.n += part[0]
	}
}

type number interface{ ~int32 | ~int64 }

func sumOf[T number](list []T) (t T) {
	for _, x := range list {
		t += x
	}
	return t
}

//tickback:deterministic
func generic(s *state) { s.n = sumOf(s.free) }

type stack[T any] struct{ items []T }

func (k *stack[T]) push(x T) { k.items = append(k.items, x) }

func (k *stack[T]) pop() (x T, ok bool) {
	if len(k.items) == 0 {
		return x, false
	}
	x, k.items = k.items[len(k.items)-1], k.items[:len(k.items)-1]
	return x, true
}

//tickback:deterministic
func genericStack(s *state) {
	var k stack[int32]
	k.push(s.n)
	if x, ok := k.pop(); ok {
		s.n = x
	}
}

type system interface{ run(s *state) }

type gravity struct{ pull int32 }

func (g gravity) run(s *state) { s.n -= g.pull }

type wind struct{}

func (wind) run(s *state) { s.n++ }

//tickback:deterministic
func systems(s *state) {
	for _, x := range [...]system{gravity{2}, wind{}} {
		x.run(s)
	}
}

var table = [...]func(*state){func(s *state) { s.n++ }, func(s *state) { s.n-- }}

//tickback:deterministic
func dispatched(s *state) { table[s.n&1](s) }

//tickback:deterministic
func closures(s *state) {
	spent := int32(0)
	pay := func(n int32) bool {
		if spent+n > 10 {
			return false
		}
		spent += n
		return true
	}
	for i := range s.units {
		if pay(s.units[i].HP) {
			s.n++
		}
	}
}

//tickback:deterministic
func memoised(s *state) int32 {
	memo := map[int32]int32{}
	var fib func(n int32) int32
	fib = func(n int32) int32 {
		if n < 2 {
			return n
		}
		if m, ok := memo[n]; ok {
			return m
		}
		memo[n] = fib(n-1) + fib(n-2)
		return memo[n]
	}
	return fib(s.n & 31)
}

var costs = map[string]int32{"axe": 3, "bow": 5}

//tickback:deterministic
func priced(s *state) { s.n = costs[s.text] }

var squares = func() (t [16]int32) {
	for i := range t {
		t[i] = int32(i * i)
	}
	return t
}()

//tickback:deterministic
func tabled(s *state) { s.n = squares[s.n&15] }

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
func floatBits(s *state) { s.l = int64(math.Float64bits(s.f)) }

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

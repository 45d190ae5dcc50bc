package programs

// benign is correct code as people write it: nothing may be found in it.
var benign = []flaw{
	{name: "sum over a map", body: `m := map[int32]int32{1: s.N, 2: 4}
sum := int32(0)
for _, v := range m {
	sum += v
}
s.M += sum`},
	{name: "count over a map", body: `m := map[int32]bool{1: true, 2: false}
n := 0
for _, v := range m {
	if v {
		n++
	}
}
s.M += int32(n)`},
	{name: "sorted keys", body: `m := map[string]int32{"a": 1, "b": s.N}
for _, k := range slices.Sorted(maps.Keys(m)) {
	s.M = s.M*3 + m[k]
}`},
	{name: "keys sorted by hand", body: `m := map[string]int32{"a": 1, "b": s.N}
keys := make([]string, 0, len(m))
for k := range m {
	keys = append(keys, k)
}
sort.Strings(keys)
for _, k := range keys {
	s.M = s.M*3 + m[k]
}`},
	{name: "all and any", body: `m := map[int32]int32{1: 2, 2: s.N}
all, some := true, false
for _, v := range m {
	if v < 0 {
		all = false
	}
	if v > 3 {
		some = true
	}
}
if all && some {
	s.M++
}`},
	{name: "largest value", body: `m := map[int32]int32{1: 2, 2: s.N}
top := int32(0)
for _, v := range m {
	top = max(top, v)
}
s.M += top`},
	{name: "entries changed", needs: "own", body: `for _, u := range s.Units {
	u.HP++
	if u.HP > 50 {
		u.HP = 0
	}
}`},
	{name: "entries removed", body: `m := map[int32]int32{1: 2, 2: 3}
for k, v := range m {
	if v == 2 {
		delete(m, k)
	}
}
s.M += int32(len(m))`},
	{name: "map inverted by key", body: `m := map[int32]int32{1: 2, 2: 3}
o := make(map[int32]int32, len(m))
for k, v := range m {
	o[k] = v + 1
}
s.M += o[1]`},
	{name: "contains", body: `m := map[int32]int32{1: 2, 2: 3}
found := false
for _, v := range m {
	if v == 3 {
		found = true
		break
	}
}
if found {
	s.M++
}`},
	{name: "method that adds", needs: "own", decl: `func score$K(u *$U, s *$S) { s.Wide += int64(u.HP) }`, body: `for _, u := range s.Units {
	score$K(u, s)
}`},
	{name: "set of others", body: `m := map[int32]int32{1: 2, 2: 3}
set := map[int32]struct{}{}
for _, v := range m {
	set[v] = struct{}{}
}
s.M += int32(len(set))`},
	{name: "counts by value", body: `m := map[int32]int32{1: 2, 2: 3}
n := map[int32]int{}
for _, v := range m {
	n[v]++
}
s.M += int32(n[3])`},
	{name: "table that nothing changes", decl: `var damage$K = map[string]int32{"sword": 3, "bow": 2}`, body: `s.M += damage$K["bow"]`},
	{name: "table made at the start", decl: `var squares$K = makeSquares$K()

func makeSquares$K() (t [16]int32) {
	for i := range t {
		t[i] = int32(i * i)
	}
	return t
}`, body: `s.M += squares$K[s.M&15]`},
	{name: "table filled in init", decl: `var names$K = map[int32]string{}

func init() {
	for i := range int32(4) {
		names$K[i] = strings.Repeat("x", int(i))
	}
}`, body: `s.M += int32(len(names$K[s.M&3]))`},
	{name: "table registered at the start", decl: `type item$K struct{ cost int32 }

var items$K []item$K

func add$K(cost int32) int {
	items$K = append(items$K, item$K{cost})
	return len(items$K) - 1
}

var sword$K = add$K(4)`, body: `s.M += items$K[sword$K].cost`},
	{name: "constants", decl: `const (
	speed$K = 3
	limit$K = speed$K * 10
)`, body: `s.M = min(s.M+speed$K, limit$K)`},
	{name: "local closure", body: `n := int32(0)
add := func(x int32) { n += x }
add(2)
add(s.M & 3)
s.M += n`},
	{name: "closure that only reads", decl: `func scaled$K(k int32) func(int32) int32 { return func(x int32) int32 { return x * k & 0xff } }

var twice$K = scaled$K(2)`, body: `s.M += twice$K(s.M)`},
	{name: "local map as a cache", body: `known := map[int32]int32{}
var fib func(n int32) int32
fib = func(n int32) int32 {
	if n < 2 {
		return n
	}
	if v, ok := known[n]; ok {
		return v
	}
	v := fib(n-1) + fib(n-2)
	known[n] = v
	return v
}
s.M += fib(9)`},
	{name: "sorted by number", body: `list := []$U{{ID: 2, HP: 1}, {ID: 1, HP: 1}}
slices.SortFunc(list, func(a, b $U) int { return cmp.Compare(a.ID, b.ID) })
s.M += list[0].ID`},
	{name: "sorted stably", body: `list := []$U{{ID: 2, HP: 1}, {ID: 1, HP: 1}}
sort.SliceStable(list, func(i, j int) bool { return list[i].HP < list[j].HP })
s.M += list[0].ID`},
	{name: "sorted with a tie-break", body: `list := []$U{{ID: 2, HP: 1}, {ID: 1, HP: 1}}
slices.SortFunc(list, func(a, b $U) int {
	if c := cmp.Compare(a.HP, b.HP); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
})
s.M += list[0].ID`},
	{name: "sorted numbers", body: `list := []int32{3, 1, s.M & 3}
slices.Sort(list)
i, _ := slices.BinarySearch(list, 1)
s.M += int32(i)`},
	{name: "text", body: `text := strings.ToUpper(fmt.Sprintf("%d-%s", s.N, "a"))
if strings.HasPrefix(text, "1") {
	s.M++
}`},
	{name: "numbers in a text", body: `n, err := strconv.ParseInt(strconv.FormatInt(int64(s.M), 10), 10, 32)
if err == nil {
	s.M += int32(n) & 1
}`},
	{name: "loops over a grid", body: `for y := range 3 {
	for x := range 3 {
		s.M += int32(x * y)
	}
}`},
	{name: "entities of an array", body: `for i := range s.Squad {
	u := &s.Squad[i]
	u.HP = max(0, u.HP-1)
	u.X = u.X.Add(s.Y)
}`},
	{name: "integers of 64 bits", body: `n := int64(s.M) * int64(s.N)
s.Wide += n >> 3`},
	{name: "hash of fixed width", body: `h := uint32(2166136261)
for i := range 4 {
	h = (h ^ uint32(s.M>>(8*i))) * 16777619
}
s.M += int32(h & 0xff)`},
	{name: "generator of the state", body: `if s.Rand.Next()%6 == 0 {
	s.M++
}`},
	{name: "generator made in the step", body: `r := randv2.New(randv2.NewPCG(uint64(s.N), 5))
s.M += int32(r.IntN(6))`},
	{name: "generator of the first kind made in the step", body: `r := rand.New(rand.NewSource(int64(s.N)))
s.M += r.Int31n(6)`},
	{name: "rng made in the step", body: `r := rng.New(uint64(s.N) + 1)
s.M += int32(r.Next() % 6)`},
	{name: "frame as the time", body: `if t.Frame()%60 == 0 {
	s.M++
}`},
	{name: "durations", body: `d := 3 * time.Second
if d > time.Minute {
	s.M++
}`},
	{name: "inputs", body: `for p := range t.Players() {
	if t.Status(p) == rollback.Disconnected {
		continue
	}
	s.M += int32(t.Input(p).Move)
}`},
	{name: "orders read", body: `for _, b := range t.Orders(0) {
	s.M += int32(b)
}`},
	{name: "orders copied", needs: "own", body: `s.Last = append(s.Last[:0], t.Orders(0)...)`},
	{name: "orders parsed", body: `o := t.Orders(0)
if len(o) >= 4 {
	s.M += int32(binary.LittleEndian.Uint32(o) & 0xff)
}`},
	{name: "orders as a text", needs: "own", body: `s.Name = string(bytes.TrimSpace(t.Orders(0)))
if len(s.Name) > 10 { s.Name = "" }`},
	{name: "pool that is reset", decl: `var buffers$K = sync.Pool{New: func() any { return new(bytes.Buffer) }}`, body: `b := buffers$K.Get().(*bytes.Buffer)
b.Reset()
fmt.Fprintf(b, "%d", s.N)
s.M += int32(b.Len())
buffers$K.Put(b)`},
	{name: "excluded for the picture", body: `s.Glow = 8`},
	{name: "excluded written before it is read", body: `s.Glow = s.N & 7
if s.Glow > 3 {
	s.M++
}`},
	{name: "excluded counted down", body: `if s.Glow > 0 {
	s.Glow--
}`},
	{name: "error values", decl: `var errFull$K = errors.New("full")

func put$K(n int32) error {
	if n > 5 {
		return fmt.Errorf("put %d: %w", n, errFull$K)
	}
	return nil
}`, body: `if err := put$K(s.M & 7); errors.Is(err, errFull$K) {
	s.M++
}`},
	{name: "linked list", body: `type node struct {
	v    int32
	next *node
}
var head *node
for i := range int32(4) {
	head = &node{i, head}
}
for n := head; n != nil; n = n.next {
	s.M = s.M*3 + n.v
}
s.M &= 0xff`},
	{name: "container/list of the step", body: `l := list.New()
l.PushBack(s.M & 7)
l.PushFront(int32(2))
for e := l.Front(); e != nil; e = e.Next() {
	s.M += e.Value.(int32)
}`},
	{name: "heap with a tie-break", decl: `type pair$K struct{ cost, id int32 }

type open$K []pair$K

func (h open$K) Len() int { return len(h) }
func (h open$K) Less(i, j int) bool {
	if h[i].cost != h[j].cost {
		return h[i].cost < h[j].cost
	}
	return h[i].id < h[j].id
}
func (h open$K) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *open$K) Push(x any)   { *h = append(*h, x.(pair$K)) }
func (h *open$K) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}`, body: `h := &open$K{}
heap.Push(h, pair$K{3, 1})
heap.Push(h, pair$K{s.M & 7, 2})
s.M += heap.Pop(h).(pair$K).id`},
	{name: "search of a path", body: `type point struct{ x, y int32 }
seen := map[point]bool{{0, 0}: true}
queue := []point{{0, 0}}
for len(queue) > 0 {
	p := queue[0]
	queue = queue[1:]
	for _, d := range [...]point{{1, 0}, {0, 1}} {
		q := point{p.x + d.x, p.y + d.y}
		if q.x < 4 && q.y < 4 && !seen[q] {
			seen[q] = true
			queue = append(queue, q)
		}
	}
}
s.M += int32(len(seen))`},
	{name: "iter.Pull of a list", body: `next, stop := iter.Pull(slices.Values([]int32{1, 2, s.M}))
defer stop()
if x, ok := next(); ok {
	s.M += x
}`},
	{name: "generic helpers", decl: `func filter$K[E any](list []E, keep func(E) bool) (out []E) {
	for _, x := range list {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

func sum$K[V ~int32 | ~int64](list ...V) (n V) {
	for _, x := range list {
		n += x
	}
	return n
}`, body: `s.M += sum$K(filter$K([]int32{1, 2, s.M & 7}, func(x int32) bool { return x > 1 })...)`},
	{name: "fixed numbers", body: `s.X = s.X.Add(s.Y.Mul(fixed.One / 2))
if s.X.Sub(s.Y) > 3 {
	s.X = 0
}
s.Y = s.X / 2`},
	{name: "floats without products", body: `s.F = s.F + s.G
if s.F > 100 {
	s.F = 0
}`},
	{name: "floats with a conversion", body: `s.F = float64(s.G*0.5) + 0.25
s.F = math.Floor(math.Sqrt(s.F))`},
	{name: "bytes into a buffer", body: `var b bytes.Buffer
b.WriteString("x")
b.WriteByte(byte(s.N))
s.M += int32(b.Len())`},
	{name: "JSON of constants", decl: `var level$K = func() (l struct{ W, H int32 }) {
	_ = json.Unmarshal([]byte("{\"W\":3,\"H\":4}"), &l)
	return l
}()`, body: `s.M += level$K.W`},
	{name: "template for drawing", decl: `var page$K = template.Must(template.New("x").Parse("{{.N}} of {{.M}}"))

func Draw$K(w io.Writer, s $S) error { return page$K.Execute(w, s) }`, body: `s.M++`},
	{name: "regular expression", decl: `var word$K = regexp.MustCompile("^[a-z]+$")`, body: `if word$K.MatchString("abc") {
	s.M++
}`},
	{name: "method on a copy", decl: `type view$K struct{ n int32 }

func (v view$K) inc() view$K {
	v.n++
	return v
}

var zero$K view$K`, body: `s.M += zero$K.inc().n`},
	{name: "copy of a table changed", decl: `var base$K = [3]int32{1, 2, 3}`, body: `c := base$K
c[0] += s.M & 1
s.M += c[0]`},
	{name: "clone of a table sorted", decl: `var base$K = []int32{3, 1, 2}`, body: `c := slices.Clone(base$K)
slices.Sort(c)
s.M += c[0]`},
	{name: "interface without state", decl: `type shape$K interface{ Area() int32 }

type box$K struct{ w, h int32 }

func (b box$K) Area() int32 { return b.w * b.h }

var shapes$K = []shape$K{box$K{1, 2}, &box$K{3, 4}}`, body: `for _, x := range shapes$K {
	s.M += x.Area()
}`},
	{name: "systems without state", decl: `type system$K interface{ Run(s *$S) }

type gravity$K struct{ g int32 }

func (x *gravity$K) Run(s *$S) { s.M += x.g }

var systems$K = []system$K{&gravity$K{2}}`, body: `for _, x := range systems$K {
	x.Run(s)
}`},
	{name: "value made and changed", body: `type acc struct{ n int32 }
a := &acc{}
inc := func(x *acc) { x.n++ }
inc(a)
s.M += a.n`},
	{name: "defer and recover", body: `func() {
	defer func() {
		if recover() != nil {
			s.M++
		}
	}()
	if s.M == -7 {
		panic("no")
	}
}()`},
	{name: "labels", body: `outer$K:
for i := range 3 {
	for j := range 3 {
		if i*j == 2 {
			break outer$K
		}
		s.M++
	}
}`},
	{name: "bits", body: `set := uint64(s.M)
for set != 0 {
	i := bits.TrailingZeros64(set)
	set &= set - 1
	s.Wide += int64(i)
}`},
	{name: "unused print helper", decl: `func Debug$K(s *$S) { fmt.Println(s.N, time.Now()) }`, body: `s.M++`},
	{name: "time in the window loop", decl: `var started$K = time.Now()

func Uptime$K() time.Duration { return time.Since(started$K) }`, body: `s.M++`},
	{name: "counter of the interface", decl: `var frames$K int

func Present$K() int {
	frames$K++
	return frames$K
}`, body: `s.M++`},
	{name: "small list of ints", body: `list := []int{3, 4, 5}
n := 0
for i, x := range list {
	n += i * x
}
s.M += int32(n)`},
	{name: "index arithmetic", body: `const w = 8
cells := make([]int32, w*w)
x, y := int(s.M&7), int(s.N&7)
cells[y*w+x]++
s.M += cells[0]`},
	{name: "list grown", needs: "own", body: `if len(s.List) < 20 {
	s.List = append(s.List, $U{ID: int32(len(s.List)), HP: 3})
}
s.List = slices.DeleteFunc(s.List, func(u $U) bool { return u.HP < 0 })`},
	{name: "swap and shrink", needs: "own", body: `if n := len(s.IDs); n > 2 {
	s.IDs[0] = s.IDs[n-1]
	s.IDs = s.IDs[:n-1]
}`},
	{name: "ids from the state", needs: "own", body: `if len(s.Units) < 10 {
	s.N++
	s.Units[s.N] = &$U{ID: s.N, HP: 3}
}`},
	{name: "lookup by number", needs: "own", body: `if u, ok := s.Units[s.N&7]; ok {
	u.HP += 2
}`},
	{name: "units in order", needs: "own", body: `for _, id := range slices.Sorted(maps.Keys(s.Units)) {
	u := s.Units[id]
	s.M = s.M*3 + u.HP
}
s.M &= 0xfff`},
	{name: "best unit with a tie-break", needs: "own", body: `var best *$U
for _, u := range s.Units {
	if best == nil || u.HP > best.HP || u.HP == best.HP && u.ID < best.ID {
		best = u
	}
}
if best != nil {
	s.M += best.ID
}`},
	{name: "event sourcing", decl: `type event$K interface{ apply(s *$S) }

type hit$K struct{ by int32 }

func (h hit$K) apply(s *$S) { s.M += h.by }

type heal$K struct{}

func (heal$K) apply(s *$S) { s.M++ }`, body: `for _, e := range []event$K{hit$K{2}, heal$K{}} {
	e.apply(s)
}`},
}

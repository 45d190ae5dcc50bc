package programs

// flaw is code by which machines diverge. In its code, «a¦b» is a in the program with the flaw and b in its twin.
type flaw struct {
	name  string
	rules string // one of which has to find it
	needs string // "own" if the state has to own memory, "plain" if it must not; benign code needs no more
	shown string // by what a run shows it: see package runs; "" by nothing that is quick
	decl  string
	body  string
}

// What shows a flaw.
const (
	bySync  = "sync"      // a frame that is simulated again comes to something else
	byProc  = "processes" // two processes come to something else
	byWidth = "386"       // so does one for a machine of 32 bits
	byArm   = "arm64"     // so does one for an architecture that fuses
	byJoin  = "join"      // so does who has the encoded state
)

// kept are flaws by which something outlives a step.
var kept = []flaw{
	{"global: counter", "globals", "", bySync, `var hits$K int32`, `«hits$K¦s.M»++
s.N += hits$K`},
	{"global: in a struct", "globals", "", bySync, `var stats$K struct{ hits, misses int32 }`, `«stats$K.hits¦s.M»++
s.N += stats$K.hits`},
	{"global: array", "globals", "", bySync, `var table$K [4]int32`, `«table$K[s.N&3]¦s.Squad[0].HP»++
s.N += table$K[s.M&3]`},
	{"global: map as a cache", "globals", "", bySync, `var cache$K = map[int32]int32{}`, `if v, ok := cache$K[s.M&7]; ok {
	s.N += v
} else {
	«cache$K[s.M&7] = s.N¦s.N++»
}`},
	{"global: list", "globals", "", bySync, `var log$K []int32`, `«log$K = append(log$K, s.N)¦s.M++»
s.N += int32(len(log$K))`},
	{"global: behind a pointer", "globals", "", bySync, `type kept$K struct{ n int32 }

var it$K = &kept$K{}

func (k *kept$K) next(s *$S) int32 {
	«k.n¦s.M»++
	return k.n
}`, `s.N += it$K.next(s)`},
	{"global: behind an interface", "globals", "", bySync, `type source$K interface{ Next(s *$S) int32 }

type counter$K struct{ n int32 }

func (c *counter$K) Next(s *$S) int32 {
	«c.n¦s.M»++
	return c.n
}

var from$K source$K = &counter$K{}`, `s.N += from$K.Next(s)`},
	{"global: by its address", "globals", "", bySync, `var hits$K int32

func bump$K(p *int32) { *p++ }`, `bump$K(«&hits$K¦&s.M»)
s.N += hits$K`},
	{"global: by a returned address", "globals", "", bySync, `var scores$K [3]int32

func score$K(i int32) *int32 { return &scores$K[i] }`, `*«score$K(1)¦&s.M» += 2
s.N += *score$K(1)`},
	{"global: generic counter", "globals", "", bySync, `type tally$K[V ~int32] struct{ v V }

func (c *tally$K[V]) Add(n V) V {
	c.v += n
	return c.v
}

var total$K tally$K[int32]`, `«s.N += total$K.Add(1)¦s.N += total$K.v + 1»`},
	{"global: generic function", "globals", "", bySync, `var total$K int32

func inc$K[V ~int32](p *V) { *p++ }`, `inc$K(«&total$K¦&s.M»)
s.N += total$K`},
	{"global: method of a map", "globals", "", bySync, `type book$K map[int32]int32

func (b book$K) add(k int32) { b[k]++ }

var seen$K = book$K{}`, `«seen$K.add(s.M & 3)¦s.M++»
s.N += seen$K[s.M&3]`},
	{"global: value with a list", "globals", "", bySync, `type grid$K struct{ cells []int32 }

func (g grid$K) set(i, v int32) { g.cells[i] += v }

var grid$Kx = grid$K{make([]int32, 4)}`, `«grid$Kx.set(1, 2)¦s.M += 2»
s.N += grid$Kx.cells[1]`},
	{"global: element by a pointer", "globals", "", bySync, `var slots$K = [2]struct{ n int32 }{}`, `p := &slots$K[1]
s.N += p.n
«p.n¦s.M» += 3`},
	{"global: pointers in a map", "globals", "", bySync, `type player$K struct{ score int32 }

var players$K = map[string]*player$K{"a": {}}`, `if p := players$K["a"]; p != nil {
	«p.score¦s.M»++
	s.N += p.score
}`},
	{"global: list of pointers", "globals", "", bySync, `type player$K struct{ score int32 }

var players$K = []*player$K{{}, {}}`, `for _, p := range players$K {
	«p.score¦s.M»++
	s.N += p.score
}`},
	{"global: previous value", "globals", "", bySync, `var last$K int32`, `s.N += last$K
«last$K¦s.M» = s.N & 0xff`},
	{"global: previous state", "globals", "", bySync, `var before$K $S`, `s.N += before$K.N & 7
«before$K = *s¦s.M++»`},
	{"global: next number", "globals", "", bySync, `var nextID$K int32 = 100

func newID$K(s *$S) int32 {
	«nextID$K¦s.M»++
	return nextID$K
}`, `s.Squad[1].HP = newID$K(s)
s.N += s.Squad[1].HP`},
	{"global: closure in a variable", "globals closure", "", bySync, `var next$K = func() func(s *$S) int32 {
	n := int32(0)
	return func(s *$S) int32 {
		«n¦s.M»++
		return n
	}
}()`, `s.N += next$K(s)`},
	{"global: memo of a function", "globals closure", "", bySync, `func memo$K(f func(int32) int32) func(int32) int32 {
	known := map[int32]int32{}
	return func(n int32) int32 {
		«known[0]++¦n += 0»
		return f(n) + known[0]
	}
}

var square$K = memo$K(func(n int32) int32 { return n * n & 15 })`, `s.N += square$K(s.M & 7)`},
	{"global: function replaced", "globals", "", bySync, `var speed$K = slow$K

func slow$K() int32 { return 1 }

func fast$K() int32 { return 2 }`, `if s.N > 3 {
	«speed$K = fast$K¦s.M++»
}
s.N += speed$K()`},
	{"global: table swapped", "globals", "", bySync, `var order$K = [2]int32{1, 2}`, `«order$K[0], order$K[1] = order$K[1], order$K[0]¦s.M++»
s.N = s.N*3 + order$K[0]`},
	{"global: sorted in place", "globals", "", bySync, `var list$K = []int32{5, 3, 9, 1}`, `s.N += list$K[s.M&3]
«slices.Sort(list$K)¦s.M++»`},
	{"global: shuffled in place", "globals", "", bySync, `var deck$K = []int32{1, 2, 3, 4, 5}

func shuffle$K(s *$S, list []int32) {
	for i := range list {
		j := int(s.Rand.Next() % uint64(len(list)))
		list[i], list[j] = list[j], list[i]
	}
}`, `«shuffle$K(s, deck$K)¦shuffle$K(s, slices.Clone(deck$K))»
s.N = s.N*3 + deck$K[0]`},
	{"global: Builder", "globals", "", bySync, `var text$K strings.Builder`, `«text$K.WriteString("x")¦s.M++»
s.N += int32(text$K.Len())`},
	{"global: Buffer behind a writer", "globals output", "", bySync, `var buf$K bytes.Buffer

var out$K io.Writer = &buf$K`, `«fmt.Fprintf(out$K, "%d", s.N)¦s.M++»
s.N += int32(buf$K.Len())`},
	{"global: container/list", "globals", "", bySync, `var queue$K = list.New()`, `«queue$K.PushBack(s.N)¦s.M++»
s.N += int32(queue$K.Len())`},
	{"global: heap", "globals", "", bySync, `type heap$K []int32

func (h heap$K) Len() int           { return len(h) }
func (h heap$K) Less(i, j int) bool { return h[i] < h[j] }
func (h heap$K) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heap$K) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *heap$K) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}

var open$K heap$K`, `«heap.Push(&open$K, s.N)¦s.M++»
s.N += int32(len(open$K))`},
	{"global: atomic", "globals concurrency", "", bySync, `var shared$K atomic.Int32`, `s.N += «shared$K.Add(1)¦s.M&1»`},
	{"global: sync.Once", "globals concurrency", "", "", `var once$K sync.Once

var base$K int32`, `«once$K.Do(func() { base$K = s.N })¦s.M++»
s.N += base$K`},
	{"global: sync.OnceValue", "globals concurrency", "", "", `var lazy$K = sync.OnceValue(func() int32 { return int32(«os.Getpid()¦7») })`, `s.N += lazy$K()`},
	{"global: generator", "globals random", "", bySync, `var source$K = randv2.New(randv2.NewPCG(1, 2))`, `s.N += int32(«source$K.IntN(6)¦s.Rand.Next()%6»)`},
	{"global: rng", "globals", "", bySync, `var source$K = rng.New(7)`, `s.N += int32(«source$K¦s.Rand».Next() % 6)`},
	{"global: pulled iterator", "globals concurrency", "", bySync, `var next$K, stop$K = iter.Pull(func(yield func(int32) bool) {
	for i := range int32(1000000) {
		if !yield(i) {
			return
		}
	}
})`, `«if x, ok := next$K(); ok { s.N += x }¦s.M++»`},
	{"global: struct with a pointer", "globals", "", bySync, `type inner$K struct{ n int32 }

type outer$K struct{ *inner$K }

var all$K = outer$K{&inner$K{}}`, `«all$K.n¦s.M»++
s.N += all$K.n`},
	{"global: deferred", "globals", "", bySync, `var depth$K int32`, `func() {
	defer func() { «depth$K¦s.M»++ }()
	s.N += depth$K
}()`},
	{"global: two names of one", "globals", "", bySync, `var real$K = new(int32)

var other$K = real$K`, `*«other$K¦&s.M» += 1
s.N += *real$K`},
	{"global: by a getter", "globals", "", bySync, `type settings$K struct{ level int32 }

var current$K = &settings$K{}

func config$K() *settings$K { return current$K }`, `c := config$K()
«c.level¦s.M»++
s.N += c.level`},
	{"global: in a slice of a parameter", "globals", "", bySync, `var rows$K = make([]int32, 3)

func fill$K(to []int32, n int32) {
	for i := range to {
		to[i] += n
	}
}`, `fill$K(«rows$K¦slices.Clone(rows$K)», 1)
s.N += rows$K[1]`},
	{"global: copied into", "globals", "", bySync, `var rows$K = make([]int32, 3)`, `n := copy(«rows$K¦slices.Clone(rows$K)», []int32{s.N & 7, 1})
s.N += rows$K[0] + int32(n)`},
	{"global: cleared map", "globals", "", bySync, `var flags$K = map[int32]bool{1: true}`, `if flags$K[1] {
	s.N += 3
}
«delete(flags$K, 1)¦s.M++»`},
	{"global: maps.Copy", "globals", "", bySync, `var flags$K = map[int32]int32{}`, `maps.Copy(«flags$K¦maps.Clone(flags$K)», map[int32]int32{s.M & 3: 1})
s.N += int32(len(flags$K))`},
	{"global: systems with state", "globals", "", bySync, `type system$K interface{ Run(s *$S) }

type still$K struct{}

func (still$K) Run(s *$S) { s.M++ }

type spawner$K struct{ next int32 }

func (p *spawner$K) Run(s *$S) {
	«p.next¦s.M»++
	s.N += p.next
}

var systems$K = []system$K{&still$K{}, &spawner$K{}}`, `for _, x := range systems$K {
	x.Run(s)
}`},
	{"global: nested systems", "globals", "", bySync, `type part$K interface{ Do(s *$S) }

type group$K struct{ parts []part$K }

func (g *group$K) Do(s *$S) {
	for _, p := range g.parts {
		p.Do(s)
	}
}

type wave$K struct{ n int32 }

func (w *wave$K) Do(s *$S) {
	«w.n¦s.M»++
	s.N += w.n
}

var root$K = &group$K{parts: []part$K{&wave$K{}}}`, `root$K.Do(s)`},
	{"global: cooldowns in a struct of functions", "globals closure", "", bySync, `type skill$K struct {
	name string
	use  func(s *$S)
}

func newSkill$K(name string) skill$K {
	left := int32(3)
	return skill$K{name, func(s *$S) {
		if left > 0 {
			«left¦s.M»--
			s.N += left
		}
	}}
}

var skills$K = []skill$K{newSkill$K("a"), newSkill$K("b")}`, `for _, k := range skills$K {
	k.use(s)
}`},
	{"global: method value", "globals closure", "", bySync, `type dice$K struct{ n int32 }

func (d *dice$K) roll(s *$S) int32 {
	«d.n¦s.M» += 7
	return d.n % 6
}

var roll$K = (&dice$K{}).roll`, `s.N += roll$K(s)`},
	{"global: channel as a queue", "globals concurrency", "", "", `var queue$K = make(chan int32, 100000)`, `«queue$K <- s.N¦s.M++»
s.N++`},
	{"global: sync.Map", "globals concurrency maporder", "", bySync, `var shared$K sync.Map`, `«if _, ok := shared$K.LoadOrStore(s.M&7, 1); ok { s.N++ }¦s.N++»`},
	{"global: state handed over by a setter", "globals", "", bySync, `type game$K struct{ cur *$S }

var now$K game$K

func (g *game$K) set(s *$S) { «g.cur = s¦s.M++» }

func (g *game$K) count() int32 {
	if g.cur == nil {
		return 0
	}
	return g.cur.N & 7
}`, `s.N += now$K.count()
now$K.set(s)`},
	{"global: flag", "environment globals", "", "", `var hard$K = flag.Bool("hard$K", false, "")`, `if «*hard$K¦s.M > 7» {
	s.N++
}`},
	{"global: embedded lock and map", "globals concurrency", "", bySync, `type store$K struct {
	sync.Mutex
	m map[int32]int32
}

func (x *store$K) inc(k int32) int32 {
	x.Lock()
	defer x.Unlock()
	x.m[k]++
	return x.m[k]
}

var store$Kx = &store$K{m: map[int32]int32{}}`, `s.N += «store$Kx.inc(1)¦s.M&1»`},
	{"global: range by pointer over an array", "globals", "", bySync, `var hp$K [3]int32`, `for i := range &hp$K {
	«hp$K¦s.Squad»[i]«¦.HP»++
}
s.N += hp$K[2]`},
	{"global: two dimensions", "globals", "", bySync, `var board$K = [][]int32{{0, 0}, {0, 0}}`, `row := «board$K[1]¦slices.Clone(board$K[1])»
row[0]++
s.N += board$K[1][0]`},
	{"global: slice of the array", "globals", "", bySync, `var ring$K [8]int32`, `part := «ring$K[2:4]¦slices.Clone(ring$K[2:4])»
part[0]++
s.N += ring$K[2]`},
	{"global: through any", "globals", "", bySync, `var box$K any = &struct{ n int32 }{}`, `if p, ok := box$K.(*struct{ n int32 }); ok {
	«p.n¦s.M»++
	s.N += p.n
}`},
	{"global: setter by a function type", "globals", "", bySync, `type setter$K func(p *int32)

var add$K setter$K = func(p *int32) { *p += 2 }

var sum$K int32`, `add$K(«&sum$K¦&s.M»)
s.N += sum$K`},
	{"global: swap of structs", "globals", "", bySync, `var front$K, back$K = &struct{ n int32 }{1}, &struct{ n int32 }{2}`, `«front$K, back$K = back$K, front$K¦s.M++»
s.N = s.N*3 + front$K.n`},

	{"closure: parameter of a maker", "closure globals", "", bySync, `func counting$K(n int32) func(s *$S) {
	return func(s *$S) {
		«n¦s.M»++
		s.N += n
	}
}

var count$K = counting$K(0)`, `count$K(s)`},
	{"closure: list", "closure globals", "", bySync, `func logging$K() func(s *$S) {
	var list []int32
	return func(s *$S) {
		«list = append(list, s.N)¦s.M++»
		s.N += int32(len(list))
	}
}

var log$K = logging$K()`, `log$K(s)`},
	{"closure: map", "closure globals", "", bySync, `func caching$K() func(s *$S) {
	m := map[int32]int32{}
	return func(s *$S) {
		s.N += m[s.M&3]
		«m[s.M&3]¦s.M»++
	}
}

var cached$K = caching$K()`, `cached$K(s)`},
	{"closure: two share a variable", "closure globals", "", bySync, `func pair$K() (set, get func(s *$S)) {
	n := int32(0)
	set = func(s *$S) { «n¦s.M» = s.N & 15 }
	get = func(s *$S) { s.N += n }
	return set, get
}

var set$K, get$K = pair$K()`, `get$K(s)
set$K(s)`},
	{"closure: struct of a maker", "closure globals", "", bySync, `type timer$K struct{ left int32 }

func (x *timer$K) tick(s *$S) bool {
	«x.left¦s.M»--
	return x.left&1 == 0
}

func every$K(n int32) func(s *$S) {
	x := &timer$K{n}
	return func(s *$S) {
		if x.tick(s) {
			s.N += 2
		}
	}
}

var pulse$K = every$K(3)`, `pulse$K(s)`},
	{"closure: closure in a closure", "closure globals", "", bySync, `func deep$K() func(s *$S) func() {
	n := int32(0)
	return func(s *$S) func() {
		return func() {
			«n¦s.M»++
			s.N += n
		}
	}
}

var deep$Kx = deep$K()`, `deep$Kx(s)()`},
	{"closure: interface captured", "closure globals", "", bySync, `type gen$K interface{ Next(s *$S) int32 }

type lcg$K struct{ x int32 }

func (l *lcg$K) Next(s *$S) int32 {
	«l.x = l.x*5 + 3¦s.M++»
	return l.x & 7
}

func using$K(g gen$K) func(s *$S) { return func(s *$S) { s.N += g.Next(s) } }

var used$K = using$K(&lcg$K{1})`, `used$K(s)`},
	{"closure: generator captured", "closure globals random", "", bySync, `func rolling$K(r *randv2.Rand) func(s *$S) {
	return func(s *$S) { s.N += int32(«r.IntN(6)¦s.Rand.Next()%6») }
}

var roll$K = rolling$K(randv2.New(randv2.NewPCG(3, 4)))`, `roll$K(s)`},
	{"closure: iterator that goes on", "closure globals", "", bySync, `func ids$K() iter.Seq[int32] {
	n := int32(0)
	return func(yield func(int32) bool) {
		for i := int32(0); i < 2; i++ {
			«n++¦_ = n»
			if !yield(n + i) {
				return
			}
		}
	}
}

var all$K = ids$K()`, `for x := range all$K {
	s.N += x
}`},
	{"closure: generic memo", "closure globals", "", bySync, `func keep$K[V any](f func() V) func(s *$S) (V, int32) {
	calls := int32(0)
	return func(s *$S) (V, int32) {
		«calls¦s.M»++
		return f(), calls
	}
}

var kept$K = keep$K(func() string { return "x" })`, `_, n := kept$K(s)
s.N += n`},
	{"closure: loop variable", "closure globals", "", bySync, `var each$K = func() (list []func(s *$S)) {
	for i := range int32(3) {
		list = append(list, func(s *$S) {
			«i¦s.M»++
			s.N += i
		})
	}
	return list
}()`, `for _, f := range each$K {
	f(s)
}`},
	{"closure: named result", "closure globals", "", bySync, `func named$K() (n int32, f func(s *$S)) {
	f = func(s *$S) {
		«n¦s.M»++
		s.N += n
	}
	return
}

var _, named$Kx = named$K()`, `named$Kx(s)`},
	{"closure: array", "closure globals", "", bySync, `func ring$K() func(s *$S) int32 {
	var last [4]int32
	at := 0
	return func(s *$S) int32 {
		«last[at&3] = s.N & 3¦s.M++»
		return last[0] + last[1] + int32(at)
	}
}

var ring$Kx = ring$K()`, `s.N += ring$Kx(s)`},
	{"closure: pointer of a caller", "closure globals", "", bySync, `func bind$K(p *int32) func(s *$S) {
	return func(s *$S) {
		*«p¦&s.M» += 1
		s.N += *p
	}
}

var bound$K = func() func(s *$S) {
	n := int32(1)
	return bind$K(&n)
}()`, `bound$K(s)`},
}

// ordered are flaws by which the order of something decides.
var ordered = []flaw{
	{"map: last wins", "maporder", "", bySync, ``, `m := map[int32]int32{1: s.N, 2: 4, 3: 6, 4: 8}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	s.M = k
}
s.N += s.M`},
	{"map: first wins", "maporder", "", bySync, ``, `m := map[int32]int32{1: 2, 2: 4, 3: s.N, 4: 8}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	s.N += k
	break
}`},
	{"map: any of them", "maporder", "", bySync, `func any$K(m map[int32]bool) int32 {
	for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
		return k
	}
	return 0
}`, `s.N += any$K(map[int32]bool{1: true, 5: true, 9: true, 20: true})`},
	{"map: collected", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
var list []int32
for k := range m {
	list = append(list, k)
}
«s.M++¦slices.Sort(list)»
s.N = s.N*3 + list[0]`},
	{"map: folded", "maporder", "", bySync, ``, `m := map[int32]int32{1: 2, 3: 4, 5: 6, 7: 8}
h := int32(17)
for k, v := range m {
	h = «h*31 + k*v¦h + k*v»
}
s.N += h & 0xff`},
	{"map: best without a tie-break", "maporder", "", bySync, ``, `m := map[int32]int32{1: 7, 2: 7, 3: 7, 4: 1}
best, who := int32(-1), int32(0)
for k, v := range m {
	if v > best«¦ || v == best && k < who» {
		best, who = v, k
	}
}
s.N = s.N*3 + who`},
	{"map: floats added", "maporder", "", "", ``, `sum := 0.0
m := map[int32]float64{1: 1e16, 2: 1, 3: -1e16, 4: s.G}
«for _, v := range m { sum += v }¦for _, k := range slices.Sorted(maps.Keys(m)) { sum += m[k] }»
if sum > 2 {
	s.N++
}`},
	{"map: numbers drawn", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 1, 3: 1, 4: 1}
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	m[k] = int32(s.Rand.Next() & 7)
}
s.N = s.N*3 + m[1]`},
	{"map: sum that saturates", "maporder", "", bySync, ``, `m := map[int32]fixed.Num{1: fixed.Max, 2: -fixed.One, 3: fixed.One, 4: -fixed.Max / 2}
sum := fixed.Num(0)
for «_, v := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	sum = sum.Add(«v¦m[k]»)
}
s.Wide += int64(sum) & 0xffff`},
	{"map: early end by a count", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 2, 3: 4, 4: 8, 5: 16}
n := 0
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	if n++; n > 2 {
		break
	}
	s.N += m[k]
}`},
	{"map: numbered", "maporder", "", bySync, ``, `m := map[int32]int32{1: 0, 2: 0, 3: 0, 4: 0}
i := int32(0)
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	m[k] = i
	i++
}
s.N = s.N*5 + m[2]`},
	{"map: text", "maporder", "", bySync, ``, `m := map[string]int32{"a": 1, "b": 2, "c": 3, "d": 4}
text := ""
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	text += k
}
s.N += int32(text[0])`},
	{"map: into a Builder", "maporder", "", bySync, ``, `m := map[string]int32{"a": 1, "b": 2, "c": 3, "d": 4}
var b strings.Builder
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	b.WriteString(k)
}
s.N += int32(b.String()[0])`},
	{"map: maps.Keys", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
list := slices.«Collect¦Sorted»(maps.Keys(m))
s.N = s.N*3 + list[1]`},
	{"map: maps.Values in a loop", "maporder", "", bySync, ``, `m := map[int32]int32{3: 1, 6: 2, 9: 3, 14: 4}
for v := range maps.Values(m) {
	s.M = «s.M*3 + v¦s.M + v»
}
s.N += s.M & 0xff`},
	{"map: generic keys", "maporder", "", bySync, `func keys$K[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	list := make([]K, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	«_ = len(list)¦slices.Sort(list)»
	return list
}`, `list := keys$K(map[int32]bool{3: true, 6: true, 9: true, 14: true})
s.N = s.N*3 + list[0]`},
	{"map: own iterator", "maporder", "", bySync, `type set$K map[int32]bool

func (x set$K) All() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for «k := range x¦_, k := range slices.Sorted(maps.Keys(x))» {
			if !yield(k) {
				return
			}
		}
	}
}`, `for k := range (set$K{3: true, 6: true, 9: true, 14: true}).All() {
	s.M = k
}
s.N += s.M`},
	{"map: callback for each", "maporder", "", bySync, `type set$K struct{ m map[int32]bool }

func (x set$K) each(f func(int32)) {
	for «k := range x.m¦_, k := range slices.Sorted(maps.Keys(x.m))» {
		f(k)
	}
}`, `set$K{map[int32]bool{3: true, 6: true, 9: true, 14: true}}.each(func(k int32) { s.M = k })
s.N += s.M`},
	{"map: sorted with ties", "maporder sorttie", "", bySync, ``, `m := map[int32]int32{3: 1, 6: 1, 9: 1, 14: 1}
list := slices.Collect(maps.Keys(m))
slices.SortFunc(list, func(a, b int32) int { return «cmp.Compare(m[a], m[b])¦cmp.Or(cmp.Compare(m[a], m[b]), cmp.Compare(a, b))» })
s.N = s.N*3 + list[0]`},
	{"map: largest of a list", "maporder", "", bySync, ``, `m := map[int32][]int32{1: {1, 2}, 2: {3, 4}, 3: {5, 6}}
var longest []int32
for «_, l := range m¦_, l := range [][]int32{m[1], m[2]}» {
	if len(l) > len(longest) {
		longest = l
	}
}
s.N = s.N*3 + longest[0]`},
	{"map: entities hurt each other", "maporder", "own", bySync, ``, `for id, u := range s.Units {
	if o := s.Units[id%6+1]; o != nil {
		«o.HP -= u.HP & 3¦s.N += (o.HP + u.HP) & 3»
	}
}
for _, id := range []int32{1, 2, 3} {
	if u := s.Units[id]; u != nil {
		s.N = s.N*7 + u.HP&15
	}
}`},
	{"map: method of an entity appends to the state", "maporder", "own", bySync, `func hurt$K(u *$U, s *$S) {
	u.HP--
	if u.HP&1 == 0 {
		«s.IDs = append(s.IDs[:len(s.IDs):len(s.IDs)], u.ID)¦s.M++»
	}
}`, `if len(s.IDs) > 20 { s.IDs = s.IDs[:0] }
for _, u := range s.Units {
	hurt$K(u, s)
}
if len(s.IDs) > 0 { s.N = s.N*3 + s.IDs[0] }`},
	{"map: first to be removed", "maporder", "own", bySync, ``, `for id, u := range s.Units {
	if u.HP >= 0 && s.N&3 == 1 {
		delete(s.Units, id)
		«break¦continue»
	}
}
s.N += int32(len(s.Units))
for id := range s.Units {
	s.N += id
}`},
	{"map: numbers given to new entities", "maporder", "own", bySync, ``, `next := int32(100)
for _, u := range s.Units {
	«u.Rank = next¦u.Rank = u.ID»
	next++
}
if u := s.Units[2]; u != nil { s.N = s.N*3 + u.Rank }`},
	{"map: nearest", "maporder", "own", bySync, ``, `var near *$U
for _, u := range s.Units {
	if near == nil || u.Rank < near.Rank«¦ || u.Rank == near.Rank && u.ID < near.ID» {
		near = u
	}
}
if near != nil { s.N = s.N*3 + near.ID }`},
	{"map: nested maps", "maporder", "", bySync, ``, `m := map[int32]map[int32]int32{1: {1: 2, 2: 3}, 2: {1: 5, 2: 7}}
h := int32(1)
for _, inner := range m {
	for k, v := range inner {
		h = «h*3 + k*v¦h + k*v»
	}
}
s.N += h & 0xff`},
	{"map: reflect", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
list := «reflect.ValueOf(m).MapKeys()¦[]reflect.Value{reflect.ValueOf(int32(len(m)))}»
s.N += int32(list[0].Int())`},
	{"map: iter.Pull of keys", "maporder", "", bySync, ``, `m := map[int32]bool{3: true, 6: true, 9: true, 14: true}
next, stop := iter.Pull(«maps.Keys(m)¦slices.Values(slices.Sorted(maps.Keys(m)))»)
k, _ := next()
stop()
s.N += k`},
	{"map: decoded JSON", "maporder", "", bySync, ``, `var m map[string]int32
if json.Unmarshal([]byte("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}"), &m) == nil {
	for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
		s.M = int32(k[0])
	}
}
s.N += s.M`},
	{"map: inserted meanwhile", "maporder", "", bySync, ``, `m := map[int32]int32{1: 1, 2: 2, 3: 3, 4: 4}
for «k := range m¦k := range maps.Clone(m)» {
	m[k+10] = 1
}
s.N += int32(len(m))`},
	{"map: positions of a list", "maporder", "own", bySync, ``, `s.List = s.List[:0]
for «_, u := range s.Units¦_, id := range slices.Sorted(maps.Keys(s.Units))» {
	s.List = append(s.List, «*u¦*s.Units[id]»)
}
if len(s.List) > 1 { s.N = s.N*3 + s.List[1].ID }`},
	{"map: filtered into a list", "maporder", "own", bySync, `func alive$K(m map[int32]*$U) (list []*$U) {
	for _, u := range m {
		if u.HP != 12345 {
			list = append(list, u)
		}
	}
	«_ = list¦slices.SortFunc(list, func(a, b *$U) int { return cmp.Compare(a.ID, b.ID) })»
	return list
}`, `if list := alive$K(s.Units); len(list) > 0 { s.N = s.N*3 + list[0].ID }`},
	{"map: returned by a search", "maporder", "own", bySync, `func find$K(s *$S) *$U {
	for «_, u := range s.Units¦_, u := range []*$U{s.Units[1], s.Units[2]}» {
		if u != nil && u.HP != 12345 {
			return u
		}
	}
	return nil
}`, `if u := find$K(s); u != nil { s.N = s.N*3 + u.ID }`},
	{"map: grouped lists", "maporder", "own", bySync, ``, `groups := map[int32][]int32{}
for id, u := range s.Units {
	groups[u.Rank] = append(groups[u.Rank], id)
}
«s.M++¦for _, g := range groups { slices.Sort(g) }»
if g := groups[1]; len(g) > 0 { s.N = s.N*3 + g[0] }`},
	{"map: queue filled", "maporder", "", bySync, ``, `open := map[int32]bool{1: true, 2: true, 3: true, 4: true}
var queue []int32
for k := range open {
	queue = append(queue, k)
}
«s.M++¦slices.Sort(queue)»
for len(queue) > 0 {
	n := queue[0]
	queue = queue[1:]
	s.M = s.M*3 + n
}
s.N += s.M & 0xff`},
	{"map: sync.Map", "maporder concurrency", "", bySync, ``, `m := new(sync.Map)
_ = m
for i := range int32(9) {
	«m.Store(i, i)¦s.M += i»
}
«m.Range(func(k, _ any) bool { s.M = k.(int32); return false })¦s.M++»
s.N += s.M`},
	{"map: struct keys", "maporder", "", bySync, ``, `type cell struct{ x, y int32 }
m := map[cell]int32{{1, 2}: 3, {3, 4}: 5, {5, 6}: 7, {7, 8}: 9}
var at cell
for c, v := range m {
	if v > 1 {
		«at = c¦at.x += c.x»
	}
}
s.N = s.N*3 + at.x`},
	{"map: minimum of floats by key", "maporder", "", bySync, ``, `m := map[int32]float64{1: 0.5, 2: 0.5, 3: 0.5, 4: 2}
who := int32(0)
least := 9.0
for k, d := range m {
	if d < least«¦ || d == least && k < who» {
		least, who = d, k
	}
}
s.N = s.N*3 + who`},
	{"map: budget", "maporder", "", bySync, ``, `m := map[int32]int32{1: 5, 2: 7, 3: 4, 4: 6}
left := int32(10)
for «k := range m¦_, k := range slices.Sorted(maps.Keys(m))» {
	if cost := m[k]; cost <= left {
		left -= cost
		s.N += k
	}
}`},
	{"map: toggled", "maporder", "", bySync, ``, `m := map[int32]bool{1: true, 2: true, 3: false, 4: false}
on := false
n := int32(0)
for _, v := range m {
	if v != on {
		«on = v¦n += 0»
		n++
	}
}
s.N += n`},
	{"map: function called for each", "maporder", "own", bySync, `var draw$K = []func(s *$S, u *$U){func(s *$S, u *$U) { «s.M = s.M*3 + u.ID¦u.HP++» }}`, `for _, u := range s.Units {
	for _, f := range draw$K {
		f(s, u)
	}
}
s.N += s.M & 0xff`},
	{"map: two variables swapped", "maporder", "", bySync, ``, `m := map[int32]int32{1: 5, 2: 7, 3: 4, 4: 6}
first, second := int32(0), int32(0)
for _, v := range m {
	«first, second = v, first¦first, second = first+v, second+v»
}
s.N = s.N*3 + first - second`},

	{"sort: Slice with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
sort.«Slice¦SliceStable»(list, func(i, j int) bool { return list[i].HP < list[j].HP })
s.N = s.N*3 + list[2].ID`},
	{"sort: SortFunc with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.SortFunc(list, func(a, b $U) int { return «cmp.Compare(a.HP, b.HP)¦cmp.Or(cmp.Compare(a.HP, b.HP), cmp.Compare(a.ID, b.ID))» })
s.N = s.N*3 + list[2].ID`},
	{"sort: interface with ties", "sorttie", "", "", `type byHP$K []$U

func (b byHP$K) Len() int           { return len(b) }
func (b byHP$K) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func (b byHP$K) Less(i, j int) bool { return b[i].HP < b[j].HP }`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
sort.«Sort¦Stable»(byHP$K(list))
s.N = s.N*3 + list[2].ID`},
	{"sort: comparison in a variable", "sorttie", "", "", `var byHP$K = func(a, b $U) int { return int(a.HP - b.HP) }`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.«SortFunc¦SortStableFunc»(list, byHP$K)
s.N = s.N*3 + list[2].ID`},
	{"sort: generic helper", "sorttie", "", "", `func by$K[E any, V cmp.Ordered](list []E, key func(E) V) {
	slices.SortFunc(list, func(a, b E) int { return cmp.Compare(key(a), key(b)) })
}`, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
by$K(list, func(u $U) int32 { return u.«HP¦ID» })
s.N = s.N*3 + list[2].ID`},
	{"sort: by distance", "sorttie", "", "", `func dist$K(u $U) int64 { return int64(u.X)*int64(u.X) + int64(u.Y)*int64(u.Y) }`, `list := []$U{{ID: 1, X: 3}, {ID: 2, Y: 3}, {ID: 3, X: -3}}
sort.Slice(list, func(i, j int) bool {
	a, b := dist$K(list[i]), dist$K(list[j])
	«return a < b¦if a != b { return a < b }; return list[i].ID < list[j].ID»
})
s.N = s.N*3 + list[0].ID`},
	{"sort: heap with ties", "sorttie", "", "", `type item$K struct{ at, prio int32 }

type heap$K []item$K

func (h heap$K) Len() int           { return len(h) }
func (h heap$K) Less(i, j int) bool { return h[i].prio < h[j].prio«¦ || h[i].prio == h[j].prio && h[i].at < h[j].at» }
func (h heap$K) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heap$K) Push(x any)        { *h = append(*h, x.(item$K)) }
func (h *heap$K) Pop() any {
	old := *h
	x := old[len(old)-1]
	*h = old[:len(old)-1]
	return x
}`, `h := heap$K{{1, 2}, {2, 2}, {3, 2}}
heap.Init(&h)
heap.Push(&h, item$K{4, 2})
s.N = s.N*3 + heap.Pop(&h).(item$K).at`},
	{"sort: reversed with ties", "sorttie", "", "", ``, `list := []$U{{ID: 1, HP: 3}, {ID: 2, HP: 3}, {ID: 3, HP: 1}, {ID: 4, HP: s.N & 3}}
slices.SortFunc(list, func(a, b $U) int { return cmp.Compare(b.«HP¦ID», a.«HP¦ID») })
s.N = s.N*3 + list[0].ID`},
}

// around are flaws by which something outside of the match decides.
var around = []flaw{
	{"random: Int31n", "random", "", bySync, ``, `s.N += «rand.Int31n(1000)¦int32(s.Rand.Next()%1000)»`},
	{"random: v2", "random", "", bySync, ``, `s.N += «randv2.Int32N(1000)¦int32(s.Rand.Next()%1000)»`},
	{"random: N", "random", "", bySync, ``, `s.N += «randv2.N(int32(1000))¦int32(s.Rand.Next()%1000)»`},
	{"random: Perm", "random", "", bySync, ``, `list := «rand.Perm(9)¦[]int{3, 2, 1}»
s.N = s.N*3 + int32(list[0])`},
	{"random: Shuffle", "random", "", bySync, ``, `list := []int32{1, 2, 3, 4, 5}
swap := func(i, j int) { list[i], list[j] = list[j], list[i] }
«rand.Shuffle(len(list), swap)¦swap(0, 1)»
s.N = s.N*3 + list[0]`},
	{"random: crypto", "random", "", bySync, ``, `var b [2]byte
«_, _ = crand.Read(b[:])¦b[0] = 1»
s.N += int32(b[0])`},
	{"random: as a value", "random", "", bySync, `var roll$K = «rand.Intn¦func(n int) int { return n - 1 }»`, `s.N += int32(roll$K(1000))`},
	{"random: by an interface", "random", "", bySync, `type roller$K interface{ Roll(s *$S) int32 }

type dice$K struct{ sides int32 }

func (d dice$K) Roll(s *$S) int32 { return «rand.Int31n(d.sides)¦int32(s.Rand.Next()) & (d.sides - 1)» }

var roll$K roller$K = dice$K{1024}`, `s.N += roll$K.Roll(s)`},
	{"random: seeded by the clock", "clock random environment", "", bySync, ``, `r := rand.New(rand.NewSource(«time.Now().UnixNano()¦int64(s.M)»))
s.N += r.Int31n(1000)`},
	{"random: nil generator", "random", "", bySync, `func pick$K(f func() uint64) int32 { return int32(f() & 0xfff) }`, `s.N += pick$K(«randv2.Uint64¦s.Rand.Next»)`},
	{"clock: Now", "clock", "", bySync, ``, `s.Wide += «time.Now().UnixNano()¦int64(t.Frame())»`},
	{"clock: Since", "clock", "", bySync, `var start$K = time.«Now()¦Unix(0, 0).UTC()»`, `s.Wide += int64(«time.Since(start$K)¦time.Duration(start$K.Unix())»)`},
	{"clock: injected", "clock", "", bySync, `type clock$K struct{ now func() time.Time }

var clock$Kx = clock$K{now: «time.Now¦func() time.Time { return time.Unix(5, 0).UTC() }»}`, `s.Wide += clock$Kx.now().UnixNano()`},
	{"clock: interface", "clock", "", bySync, `type timer$K interface{ Now() time.Time }

type real$K struct{}

func (real$K) Now() time.Time { return «time.Now()¦time.Unix(7, 0).UTC()» }

func stamp$K(c timer$K) int64 { return c.Now().UnixNano() }`, `s.Wide += stamp$K(real$K{})`},
	{"clock: date", "clock environment", "", "", ``, `if «time.Now().Month()¦time.Month(s.M & 15)» == time.December {
	s.N++
}`},
	{"clock: timer", "clock concurrency", "", "", ``, `«timer := time.NewTimer(1); timer.Stop()¦s.M++»
s.N++`},
	{"clock: sleep", "clock", "", "", ``, `«time.Sleep(1)¦s.M++»
s.N++`},
	{"clock: budget", "clock", "", "", `func late$K(until time.Time) bool { return «time.Now().After(until)¦until.IsZero()» }`, `for range 5 {
	if late$K(time.Unix(int64(s.M), 0).UTC()) {
		break
	}
	s.N++
}`},
	{"clock: context", "clock concurrency environment", "", "", ``, `ctx := context.Background()
«ctx, cancel := context.WithTimeout(ctx, 1)
defer cancel()¦s.M++»
if ctx != nil {
	s.N++
}`},
	{"environment: variable", "environment", "", "", ``, `if «os.Getenv("HARD")¦"x"» != "" {
	s.N += 2
}`},
	{"environment: process", "environment", "", byProc, ``, `s.N += int32(«os.Getpid()¦5»)`},
	{"environment: arguments", "environment", "", "", ``, `s.N += int32(len(«os.Args¦[]string{"x"}»))`},
	{"environment: file", "environment", "", byProc, ``, `b, _ := «os.ReadFile("/proc/self/stat")¦[]byte("x"), error(nil)»
for _, x := range b {
	s.N = s.N*31 + int32(x)
}`},
	{"environment: host", "environment", "", "", ``, `name, _ := «os.Hostname()¦"host", error(nil)»
s.N += int32(len(name))`},
	{"environment: time zone", "environment", "", "", ``, `at := time.Unix(int64(s.N&0xffff), 0)«¦.UTC()»
s.N += int32(at.Hour())`},
	{"environment: directory", "environment", "", "", ``, `list, _ := «filepath.Glob("*.lua")¦[]string{"x"}, error(nil)»
s.N += int32(len(list))`},
	{"environment: loaded in an initialiser", "environment", "", byProc, `var level$K = «os.Getpid()¦4»`, `s.N += int32(level$K)`},
	{"machine: processors", "machine", "", "", ``, `s.N += int32(«runtime.NumCPU()¦4»)`},
	{"machine: GOMAXPROCS", "machine", "", "", ``, `s.N += int32(«runtime.GOMAXPROCS(0)¦4»)`},
	{"machine: goroutines", "machine", "", "", ``, `s.N += int32(«runtime.NumGoroutine()¦1»)`},
	{"machine: memory", "machine", "", bySync, ``, `var m runtime.MemStats
«runtime.ReadMemStats(&m)¦m.Mallocs = 3»
s.Wide += int64(m.Mallocs)`},
	{"machine: architecture", "machine", "", byWidth, ``, `if «runtime.GOARCH¦"amd64"» == "amd64" {
	s.N++
}
s.N++`},
	{"machine: constant of another name", "machine", "", byWidth, `const small$K = «runtime.GOARCH¦"x"» == "386"`, `if small$K {
	s.N++
}
s.N++`},
	{"machine: system in a switch", "machine", "", "", ``, `switch «runtime.GOOS¦"plan9"» {
case "windows":
	s.N += 2
default:
	s.N++
}`},
	{"machine: size of a word", "machine intwidth", "", byWidth, ``, `s.N += int32(«bits.UintSize¦64»)`},
	{"machine: IntSize", "machine intwidth", "", byWidth, ``, `const word = «strconv.IntSize¦64» / 8
s.N += word`},
	{"machine: Sizeof", "machine intwidth address", "", byWidth, ``, `s.N += int32(unsafe.Sizeof(«int(0)¦int32(0)»))`},
	{"machine: version", "machine environment", "", "", ``, `s.N += int32(len(«runtime.Version()¦"go"»))`},
	{"machine: stack", "machine", "", "", ``, `s.N += int32(len(«debug.Stack()¦[]byte{1}»))`},
	{"machine: caller", "machine", "", "", ``, `_, file, _, _ := «runtime.Caller(0)¦0, "x", 0, true»
s.N += int32(len(file))`},
	{"address: %p", "address", "", byProc, ``, `text := fmt.Sprintf("«%p¦%T»", s)
s.N += int32(text[len(text)-3])`},
	{"address: printed pointers", "address", "", byProc, ``, `text := fmt.Sprint([]«*int32{new(int32)}¦int32{4}»)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"address: printed function", "address", "", byProc, ``, `f := func() {}
f()
text := fmt.Sprintf("«%v¦%T»", f)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"address: as a number", "address", "", "", ``, `p := new([64]int64)
s.Wide += int64(«uintptr(unsafe.Pointer(p))>>9¦uintptr(len(p))»)`},
	{"address: reflect", "address", "", "", ``, `p := new([64]int64)
s.Wide += int64(reflect.ValueOf(p).«Pointer()¦Elem().Len()»)`},
	{"address: sorted", "address", "", "", ``, `list := []*int32{new(int32), new(int32)}
slices.SortFunc(list, func(a, b *int32) int {
	return cmp.Compare(«uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))¦*a, *b»)
})
s.N += *list[0]`},
	{"address: struct with a pointer", "address", "", byProc, `type node$K struct {
	v    int32
	next *node$K
}`, `text := fmt.Sprintf("%v", «node$K{1, &node$K{}}¦node$K{1, nil}.v»)
for _, c := range text {
	s.N = s.N*31 + int32(c)
}`},
	{"maphash", "maphash", "", byProc, `var seed$K = maphash.MakeSeed()`, `s.N += int32(«maphash.String(seed$K, "x")¦uint64(s.M)» & 0xfff)`},
	{"maphash: Comparable", "maphash", "", byProc, `var seed$K = maphash.MakeSeed()`, `s.N += int32(«maphash.Comparable(seed$K, s.M)¦uint64(s.M)» & 0xfff)`},
	{"collector: pool", "collector", "", bySync, `var lists$K = sync.Pool{New: func() any { return new([]int32) }}`, `near := lists$K.Get().(*[]int32)
«s.M++¦*near = (*near)[:0]»
*near = append(*near, 1)
s.N += int32(len(*near))
lists$K.Put(near)`},
	{"collector: pool of structs", "collector", "", bySync, `type node$K struct{ n int32 }

var nodes$K = sync.Pool{New: func() any { return new(node$K) }}`, `x := nodes$K.Get().(*node$K)
«s.M++¦*x = node$K{}»
x.n++
s.N += x.n
nodes$K.Put(x)`},
	{"collector: weak", "collector", "", "", `var weak$K = weak.Make(new([64]int64))`, `if «weak$K.Value() == nil¦s.M == 9» {
	s.N++
}`},
	{"collector: finalizer", "collector", "", "", ``, `p := new([8]int64)
«runtime.SetFinalizer(p, func(*[8]int64) {})¦p[0]++»
s.Wide += p[1]`},
	{"collector: cleanup", "collector", "", "", ``, `p := new([8]int64)
«runtime.AddCleanup(p, func(int) {}, 1)¦p[0]++»
s.Wide += p[1]`},
	{"concurrency: first of two", "concurrency", "", "", ``, `«c := make(chan int32, 2)
for i := range int32(2) {
	go func() { c <- i }()
}
s.N += <-c¦s.N++»`},
	{"concurrency: WaitGroup", "concurrency", "", "", ``, `var wg sync.WaitGroup
var parts [4]int32
for i := range parts {
	«wg.Add(1); go func() { defer wg.Done(); parts[i]++ }()¦parts[i]++»
}
«wg.Wait()¦_ = &wg»
s.N += parts[0]`},
	{"concurrency: WaitGroup.Go", "concurrency", "", "", ``, `var wg sync.WaitGroup
sum := int32(0)
work := func() { sum++ }
«wg.Go(work)
wg.Wait()¦work()
_ = &wg»
s.N += sum`},
	{"concurrency: select", "concurrency", "", bySync, ``, `«a, b := make(chan int32, 1), make(chan int32, 1)
a <- 1
b <- 2
select {
case x := <-a:
	s.N += x
case x := <-b:
	s.N += x
}¦s.N++»`},
	{"concurrency: lock", "concurrency globals", "", "", `type safe$K struct {
	mu sync.RWMutex
	n  int32
}

func (x *safe$K) get() int32 {
	«x.mu.RLock(); defer x.mu.RUnlock()¦_ = &x.mu»
	return x.n
}`, `x := &safe$K{n: 2}
s.N += x.get()`},
	{"concurrency: goroutine in a helper", "concurrency", "", "", `func parallel$K(n int, f func(int)) {
	var wg sync.WaitGroup
	for i := range n {
		«wg.Go(func() { f(i) })¦f(i)»
	}
	«wg.Wait()¦_ = &wg»
}`, `parallel$K(3, func(i int) { s.Squad[i].HP++ })
s.N += s.Squad[0].HP`},
	{"output: Println", "output", "", "", ``, `«fmt.Println("hit", s.N)¦s.M++»
s.N++`},
	{"output: log", "output", "", "", ``, `«log.Printf("hit %d", s.N)¦s.M++»
s.N++`},
	{"output: slog", "output", "", "", ``, `«slog.Info("hit", "n", s.N)¦s.M++»
s.N++`},
	{"output: logger in a variable", "output", "", "", `var logger$K = log.New(io.Discard, "", 0)`, `«logger$K.Println(s.N)¦s.M++»
s.N++`},
	{"output: stderr", "output", "", "", ``, `«fmt.Fprintln(os.Stderr, s.N)¦s.M++»
s.N++`},
	{"output: println", "output", "", "", ``, `«println(s.N)¦s.M++»
s.N++`},
	{"output: debug hook", "output", "", "", `var debug$K = func(format string, args ...any) { «log.Printf(format, args...)¦_ = len(args)» }`, `debug$K("%d", s.N)
s.N++`},
	{"recovered: printed", "address environment machine encoding", "own", "", ``, `defer func() {
	if r := recover(); r != nil {
		s.Name = «fmt.Sprint(r)¦"failed"»
	}
}()
s.N += s.IDs[len(s.IDs)-1+int(s.N&1)]`},
	{"recovered: Error", "address environment machine encoding", "own", "", ``, `defer func() {
	if err, ok := recover().(error); ok && err != nil {
		s.Name = «err.Error()¦"failed"»
	}
}()
s.N += s.IDs[len(s.IDs)-1+int(s.N&1)]`},
	{"status: simulated again", "status", "", bySync, ``, `if «t.Resimulating()¦s.M == 77» {
	s.N++
}`},
	{"status: confirmed", "status", "", bySync, ``, `if t.Status(0) == rollback.«Confirmed¦Disconnected» {
	s.N++
}`},
	{"status: in a helper", "status", "", bySync, `func sure$K(t *$T, p rollback.Player) bool { return t.Status(p) != rollback.«Predicted¦Disconnected» }`, `if sure$K(t, 0) {
	s.N++
}`},
	{"status: stored", "status", "", bySync, ``, `st := t.Status(0)
s.M = int32(«st¦len("x")»)
if st == rollback.Disconnected { s.M++ }
s.N += s.M`},
	{"status: switch", "status", "", bySync, ``, `switch t.Status(0) {
case rollback.«Confirmed¦Disconnected»:
	s.N++
default:
	s.N += 2
}`},
	{"status: by an interface", "status", "", bySync, `type peek$K interface{ «Resimulating() bool¦Frame() rollback.Frame» }

func again$K(p any) int32 {
	if x, ok := p.(peek$K); ok && x.«Resimulating()¦Frame() > 3» {
		return 1
	}
	return 0
}`, `s.N += again$K(t)`},
	{"tick: kept", "retain globals", "", "", `var tick$K *$T`, `«tick$K = t¦_ = tick$K»
s.N++`},
	{"orders: kept", "retain", "own", bySync, ``, `«s.Last = t.Orders(0)¦s.Last = append(s.Last[:0], t.Orders(0)...)»
if len(s.Last) > 0 { s.N += int32(s.Last[0]) }`},
	{"orders: part kept", "retain", "own", bySync, ``, `if o := t.Orders(0); len(o) > 2 {
	s.Last = «o[1:3]¦append([]byte(nil), o[1:3]...)»
}`},
	{"orders: kept by a helper", "retain", "own", bySync, `func keep$K(s *$S, b []byte) { s.Last = «b¦slices.Clone(b)» }`, `keep$K(s, t.Orders(0))`},
	{"orders: cut", "retain", "own", bySync, ``, `before, _, _ := bytes.Cut(t.Orders(0), []byte{3})
s.Last = «before¦bytes.Clone(before)»`},
	{"orders: fields", "retain", "own", bySync, ``, `if f := bytes.Fields(t.Orders(0)); len(f) > 0 {
	s.Last = «f[0]¦bytes.Clone(f[0])»
}`},
	{"orders: split", "retain", "own", bySync, ``, `for _, part := range bytes.Split(t.Orders(0), []byte{3}) {
	s.Last = «part¦append([]byte{}, part...)»
}`},
	{"orders: SplitSeq", "retain", "own", bySync, ``, `for part := range bytes.SplitSeq(t.Orders(0), []byte{3}) {
	s.Last = «part¦append([]byte{}, part...)»
}`},
	{"orders: trimmed", "retain", "own", bySync, ``, `s.Last = «bytes.TrimSpace(t.Orders(0))¦bytes.Clone(bytes.TrimSpace(t.Orders(0)))»`},
	{"orders: prefix", "retain", "own", bySync, ``, `rest, _ := bytes.CutPrefix(t.Orders(0), []byte{1})
s.Last = «rest¦bytes.Clone(rest)»`},
	{"orders: unsafe text", "retain address", "own", bySync, ``, `if o := t.Orders(0); len(o) > 0 {
	s.Name = «unsafe.String(&o[0], len(o))¦string(o)»
}`},
	{"orders: buffer", "retain", "own", bySync, ``, `b := bytes.NewBuffer(t.Orders(0))
s.Last = «b.Next(3)¦bytes.Clone(b.Next(3))»`},
	{"orders: in a struct", "retain", "own", bySync, `type order$K struct {
	kind int32
	data []byte
}

func parse$K(b []byte) order$K { return order$K{1, b} }`, `o := parse$K(t.Orders(0))
s.Last = «o.data¦slices.Clone(o.data)»`},
	{"orders: appended to nothing", "retain", "own", bySync, ``, `o := t.Orders(0)
s.Last = append(«o[:0]¦s.Last[:0]», o...)`},
	{"orders: changed", "retain", "", bySync, ``, `o := t.Orders(0)
if len(o) > 0 {
	«o[0]++¦s.M++»
	s.N += int32(o[0])
}`},
	{"orders: sorted", "retain", "", bySync, ``, `o := t.Orders(0)
slices.SortFunc(«o¦slices.Clone(o)», func(a, b byte) int { return int(b) - int(a) })
if len(o) > 0 { s.N += int32(o[0]) }`},
	{"orders: chunks", "retain", "own", bySync, ``, `for c := range slices.Chunk(t.Orders(0), 2) {
	s.Last = «c¦slices.Clone(c)»
}`},
	{"orders: scanner", "retain", "own", bySync, ``, `sc := bufio.NewScanner(bytes.NewReader(t.Orders(0)))
for sc.Scan() {
	s.Last = «sc.Bytes()¦bytes.Clone(sc.Bytes())»
}`},
	{"excluded: decides", "excluded", "plain", byJoin, ``, `if «s.Flash¦s.M» > 2 {
	s.N++
}
s.Flash++`},
	{"excluded: by a method", "excluded", "plain", byJoin, `func ready$K(s *$S) bool { return «s.Flash¦s.M» > 3 }`, `if ready$K(s) {
	s.N += 3
}
s.Flash++`},
	{"excluded: added", "excluded", "plain", byJoin, ``, `s.Flash += 2
s.N += «s.Flash¦s.M»`},
	{"capacity: cap", "capacity", "own", bySync, ``, `s.IDs = append(s.IDs, 1)
if len(s.IDs) > 30 { s.IDs = nil }
s.N += int32(«cap¦len»(s.IDs))`},
	{"capacity: full", "capacity", "own", bySync, ``, `if len(s.IDs) == «cap(s.IDs)¦8» {
	s.N++
}
s.IDs = append(s.IDs, s.N)
if len(s.IDs) > 30 { s.IDs = nil }`},
	{"capacity: append into a part", "capacity", "own", "", ``, `if len(s.IDs) > 3 {
	part := append(s.IDs[:2«¦:2»], 99)
	s.N += part[2] + s.IDs[2]
}
s.IDs = append(s.IDs[:len(s.IDs):len(s.IDs)], s.N)
if len(s.IDs) > 30 { s.IDs = nil }`},
	{"capacity: stale memory", "capacity", "own", bySync, ``, `s.IDs = append(s.IDs[:0], 1, 2, s.N)
old := s.IDs[:2]
s.N += «old[:cap(old)][len(old)]¦old[1]»`},
	{"capacity: Builder", "capacity machine", "own", "", ``, `var b strings.Builder
b.WriteString(s.Name)
b.WriteString("x")
s.N += int32(b.«Cap¦Len»())`},
	{"capacity: Buffer", "capacity machine", "", "", ``, `var b bytes.Buffer
b.WriteString("xyz")
s.N += int32(b.«Available¦Len»())`},
	{"capacity: slices.Grow", "capacity", "", "", ``, `list := slices.Grow([]int32{1, 2}, 5)
s.N += int32(«cap¦len»(list))`},
	{"encoding: native order", "encoding", "", "", ``, `s.N += int32(binary.«NativeEndian¦LittleEndian».Uint32([]byte{1, 2, 3, 4}) & 0xffff)`},
	{"encoding: gob", "encoding", "", "", ``, `var b bytes.Buffer
«_ = gob.NewEncoder(&b).Encode(map[int32]int32{1: 2, 3: 4, 5: 6, 7: 8})¦b.WriteByte(3)»
for _, x := range b.Bytes() {
	s.N = s.N*31 + int32(x)
}`},
}

// numbers are flaws by which numbers differ between machines, or are not what was meant.
var numbers = []flaw{
	{"float: fused", "fusedfloat", "", byArm, ``, `x := s.G + 0.7
x = «x*s.G¦float64(x*s.G)» + 0.3
for range 30 {
	x = «x*0.93¦float64(x*0.93)» + 0.1
}
s.F = x
s.Wide += int64(math.Float64bits(s.F) & 0xff)`},
	{"float: dot product", "fusedfloat", "", byArm, `type vec$K struct{ x, y float64 }

func (a vec$K) dot(b vec$K) float64 { return «a.x*b.x + a.y*b.y¦float64(a.x*b.x) + float64(a.y*b.y)» }`, `v := vec$K{s.G + 0.1, s.G + 0.7}
h := 0.0
for range 20 {
	v.x += 0.37
	h += v.dot(v)
}
s.Wide += int64(math.Float64bits(h) & 0xff)`},
	{"float: += of a product", "fusedfloat", "", byArm, ``, `x := s.G + 0.3
for i := range 20 {
	x += «0.1*float64(i)*x¦float64(0.1*float64(i)*x)»
}
s.Wide += int64(math.Float64bits(x) & 0xff)`},
	{"float: lerp", "fusedfloat", "", byArm, `func lerp$K(a, b, k float64) float64 { return a + «(b-a)*k¦float64((b-a)*k)» }`, `x := s.G + 0.1
for range 20 {
	x = lerp$K(x, 9.7, 0.13)
}
s.Wide += int64(math.Float64bits(x) & 0xff)`},
	{"float: product by a function", "fusedfloat", "", byArm, `func scale$K(a, k float64) float64 { return «a * k¦float64(a * k)» }`, `x := s.G + 0.1
for range 20 {
	x = scale$K(x, 0.77) + 0.31
}
s.Wide += int64(math.Float64bits(x) & 0xff)`},
	{"float: float32", "fusedfloat", "", byArm, ``, `x := float32(s.G) + 0.3
for range 20 {
	x = «x*0.77¦float32(x*0.77)» + 0.31
}
s.Wide += int64(math.Float32bits(x) & 0xff)`},
	{"float: length", "fusedfloat", "", byArm, `type vec$K struct{ X, Y float64 }

func (v vec$K) Len() float64 { return math.Sqrt(«v.X*v.X¦float64(v.X*v.X)» + float64(v.Y*v.Y)) }`, `h := 0.0
for i := range 20 {
	h += vec$K{float64(i) + 0.3, s.G + 0.7}.Len()
}
s.Wide += int64(math.Float64bits(h) & 0xff)`},
	{"float: generic", "fusedfloat", "", byArm, `func mad$K[F ~float32 | ~float64](a, b, c F) F { return «a*b¦F(a*b)» + c }`, `x := s.G + 0.1
for range 20 {
	x = mad$K(x, 0.77, 0.31)
}
s.Wide += int64(math.Float64bits(x) & 0xff)`},
	{"float: complex", "fusedfloat", "", "", ``, `c := complex(s.G+0.3, 0.7)
«c = c * c¦c = c + c»
s.Wide += int64(math.Float64bits(real(c)) & 0xff)`},
	{"float: Sin", "mathfunc", "", "", ``, `s.F = math.«Sin¦Abs»(s.G + 0.3)`},
	{"float: Pow", "mathfunc", "", "", ``, `s.F = «math.Pow(s.G, 1.5)¦math.Sqrt(s.G)»`},
	{"float: Atan2", "mathfunc", "", "", ``, `s.F = «math.Atan2(s.G, 2)¦math.Floor(s.G)»`},
	{"float: Exp as a value", "mathfunc", "", "", `var curve$K = map[string]func(float64) float64{"a": math.«Exp¦Sqrt»}`, `s.F = curve$K["a"](s.G)`},
	{"float: Hypot", "mathfunc", "", "", ``, `s.F = «math.Hypot(s.G, 2)¦math.Max(s.G, 2)»`},
	{"float: does not fit", "floatint", "", byArm, ``, `x := s.F + 1e30
«s.Wide += int64(x)¦if x > -100 && x < 100 { s.Wide += int64(x) }»`},
	{"float: to a byte", "floatint", "", "", ``, `«s.N += int32(uint8(s.F))¦if s.F >= 0 && s.F < 200 { s.N += int32(uint8(s.F)) }»`},
	{"float: rounded to int", "floatint intwidth", "", "", ``, `«s.N += int32(math.Round(s.F))¦s.F = math.Round(s.F)»`},
	{"float: NaN as a key", "nankey", "", "", ``, `m := map[float64]int32{}
«m[s.F/s.G]¦m[2]» = 1
s.N += int32(len(m))`},
	{"float: NaN in a struct key", "nankey", "", "", ``, `type at struct{ x, y float64 }
m := map[at]int32{}
m[at{«s.F / s.G¦1», 1}]++
s.N += int32(len(m))`},
	{"width: product", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.Wide += «int64(n * n)¦int64(n) * int64(n)»`},
	{"width: product shifted", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.N += int32(«n * n >> 8¦int64(n) * int64(n) >> 8»)`},
	{"width: product divided", "intwidth", "", byWidth, ``, `n := int(s.M&0xff)*1000 + 70000
s.N += int32(«n * n / 100¦n / 100»)`},
	{"width: product compared", "intwidth", "", byWidth, ``, `n := int(s.M&0xff) + 70000
if «n*n > 100000¦n > 300» {
	s.N += 3
}
s.N++`},
	{"width: remainder of a hash", "intwidth", "", byWidth, ``, `h := «17¦uint32(17)»
for i := range «10¦uint32(10)» {
	h = h*31 + i + 7
}
s.N += int32(h % 1000)`},
	{"width: FNV in int", "intwidth", "", byWidth, `func hash$K(text string) «uint¦uint64» {
	h := «uint¦uint64»(2166136261)
	for i := range len(text) {
		h ^= «uint¦uint64»(text[i])
		h *= 16777619
	}
	return h
}`, `s.N += int32(hash$K("some text") % 1000)`},
	{"width: shift", "intwidth", "", byWidth, ``, `n := int(s.M&3) + 33
mask := «1¦int64(1)» << n
s.Wide += int64(mask)`},
	{"width: shift in a helper", "intwidth", "", byWidth, `func bit$K(n int) «int¦int64» { return 1 << n }`, `s.Wide += int64(bit$K(40 + int(s.M&3)))`},
	{"width: Atoi", "intwidth", "", byWidth, ``, `if n, err := strconv.«Atoi("3000000000")¦ParseInt("3000000000", 10, 64)»; err == nil {
	s.Wide += int64(n)
}`},
	{"width: ParseInt of the machine", "intwidth machine", "", byWidth, ``, `if n, err := strconv.ParseInt("3000000000", 10, «0¦64»); err == nil {
	s.Wide += n
}`},
	{"width: MaxInt", "intwidth machine", "", byWidth, ``, `s.Wide += math.«MaxInt¦MaxInt32»`},
	{"width: MaxInt as a sentinel", "intwidth machine", "", byWidth, ``, `least := «math.MaxInt¦math.MaxInt32»
if s.M == 12345 {
	least = 1
}
s.Wide += int64(least)`},
	{"width: int of int64", "intwidth", "", byWidth, ``, `wide := int64(s.M&0xff)<<33 + 5
if «int(wide)¦wide» > 100 {
	s.N += 3
}
s.N++`},
	{"width: int of uint32", "intwidth", "", byWidth, ``, `h := uint32(s.M)&0xff + 0xfffffff0 - 0x100
s.N += int32(«int(h)¦h» % 7)`},
	{"width: index by a hash", "intwidth", "", "", `var table$K = [7]int32{1, 2, 3, 4, 5, 6, 7}`, `h := uint32(s.M) * 2654435761
i := «int(h) % 7¦int(h % 7)»
if i >= 0 {
	s.N += table$K[i]
}`},
	{"width: all bits", "intwidth", "", byWidth, ``, `s.Wide += int64(«^uint(0)¦^uint32(0)» >> 1)`},
	{"width: leading zeros", "intwidth", "", byWidth, ``, `s.N += int32(bits.«LeadingZeros(uint(s.M & 0xff))¦LeadingZeros32(uint32(s.M & 0xff))»)`},
	{"width: rotated", "intwidth", "", byWidth, ``, `s.N += int32(bits.«RotateLeft(uint(s.M&0xff)+5, 30)¦RotateLeft32(uint32(s.M&0xff)+5, 30)» & 0xffff)`},
	{"width: sum of squares", "intwidth", "", byWidth, `func dist$K(x, y «int¦int64») «int¦int64» { return x*x + y*y }`, `if d := dist$K(60000, «int¦int64»(s.M&0xff)+60000); d > 50000000 {
	s.N += 3
}
s.N++`},
	{"width: field grows", "intwidth", "own", byWidth, ``, `s.Int = s.Int*«3¦0» + 1
if s.Int%7 == 0 {
	s.N++
}`},
	{"width: field accumulates", "intwidth", "own", byWidth, ``, `«s.Int += s.Int + 7¦s.Wide += s.Wide + 7»
if s.Int%7 == 0 || s.Wide%7 == 0 {
	s.N++
}`},
	{"width: generator in int", "intwidth", "own", byWidth, `func next$K(x «*int¦*uint32») int32 {
	*x = *x*1103515245 + 12345
	return int32(*x>>16) & 0x7fff
}`, `«¦seed := uint32(s.Int)
»s.N += next$K(«&s.Int¦&seed»)`},
	{"width: power", "intwidth", "", byWidth, `func pow$K(b, n «int¦int64») «int¦int64» {
	r := «int¦int64»(1)
	for range n {
		r *= b
	}
	return r
}`, `s.N += int32(pow$K(10, 12) % 1009)`},
	{"width: constant offset basis", "intwidth", "", byWidth, ``, `seed := «uint¦uint64»(s.M & 0xff)
seed = seed*6364136223846793005%1000003 + 1442695
seed *= 1442695041
s.N += int32(seed % 97)`},
	{"width: printed", "intwidth", "", byWidth, ``, `n := int(s.M&0xff) + 70000
text := strconv.Itoa(«n * n¦n + n»)
s.N += int32(len(text))`},
	{"width: durations", "intwidth", "", byWidth, ``, `d := time.Duration(s.M&0xff+5) * time.Hour
s.N += int32(«int(d)¦int64(d)» / 1000 & 0xff)`},
	{"width: uintptr", "intwidth", "", byWidth, ``, `x := «uintptr¦uint64»(s.M&0xff) + 5
x *= 0xfffffff1
x *= 0xfffffff1
s.N += int32(x % 97)`},
	{"width: grid cells", "intwidth", "", byWidth, `type grid$K struct{ w, h «int¦int64» }

func (g grid$K) cells() int64 { return int64(g.w * g.h) }`, `s.Wide += grid$K{w: 70000, h: 70000 + «int¦int64»(s.M&3)}.cells()`},
	{"width: factorial", "intwidth", "", byWidth, `func fact$K(n «int¦int64») «int¦int64» {
	if n <= 1 {
		return 1
	}
	return n * fact$K(n-1)
}`, `s.N += int32(fact$K(15) % 1009)`},
	{"fixed: product", "fixedops", "", "", ``, `s.X = «s.X * s.Y¦s.X.Mul(s.Y)»`},
	{"fixed: quotient", "fixedops", "", "", ``, `s.X = «s.X / (s.Y + 1)¦s.X.Div(s.Y)»`},
	{"fixed: product in a helper", "fixedops", "", "", `func area$K(w, h fixed.Num) fixed.Num { return «w * h¦w.Mul(h)» }`, `s.X = area$K(s.X, s.Y)`},
	{"fixed: assigned product", "fixedops", "", "", ``, `s.X «*= s.Y¦= s.X.Mul(s.Y)»`},
	{"fixed: sum", "fixedwrap", "", "", ``, `s.X = «s.X + s.Y¦s.X.Add(s.Y)»`},
	{"fixed: assigned sum", "fixedwrap", "", "", ``, `s.X «+= s.Y¦= s.X.Add(s.Y)»`},
	{"fixed: difference in a method", "fixedwrap", "", "", `type body$K struct{ x, v fixed.Num }

func (b *body$K) move() { b.x = «b.x - b.v¦b.x.Sub(b.v)» }`, `b := body$K{s.X, s.Y}
b.move()
s.X = b.x`},
}

// flaws are all.
func flaws() (list []flaw) {
	for _, l := range [][]flaw{kept, ordered, around, numbers} {
		list = append(list, l...)
	}
	return list
}

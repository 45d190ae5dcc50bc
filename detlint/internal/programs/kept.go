package programs

// kept has flaws in which something outlives a step.
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

package programs

// patterns are common patterns, made of the other kinds of hops.
var patterns = []hop{
	{"function as an argument", `func With$K(s *$S, t *$T, f func(*$S, *$T)) { f(s, t) }

func Inner$K(s *$S, t *$T) {
	BODY
}`, `$PWith$K(s, t, $PInner$K)`},
	{"middleware", `type mid$K func(next func(*$S, *$T)) func(*$S, *$T)

func chain$K(f func(*$S, *$T), list ...mid$K) func(*$S, *$T) {
	for _, m := range slices.Backward(list) {
		f = m(f)
	}
	return f
}

func limit$K(next func(*$S, *$T)) func(*$S, *$T) {
	return func(s *$S, t *$T) {
		BODY
		next(s, t)
	}
}

var Chained$K = chain$K(func(s *$S, t *$T) { s.M++ }, limit$K)`, `$PChained$K(s, t)`},
	{"composed in a package variable", `func compose$K(list ...func(*$S, *$T)) func(*$S, *$T) {
	return func(s *$S, t *$T) {
		for _, f := range list {
			f(s, t)
		}
	}
}

var All$K = compose$K(one$K, two$K)

func one$K(s *$S, t *$T) { s.M++ }

func two$K(s *$S, t *$T) {
	BODY
}`, `$PAll$K(s, t)`},
	{"commands", `type Command$K interface{ Do(s *$S) }

type Move$K struct{ T *$T }

func (m Move$K) Do(s *$S) {
	t := m.T
	_ = t
	BODY
}

type Stay$K struct{}

func (Stay$K) Do(s *$S) { s.M++ }`, `var queue []$PCommand$K
queue = append(queue, $PStay$K{}, $PMove$K{t})
for len(queue) > 0 {
	c := queue[0]
	queue = queue[1:]
	c.Do(s)
}`},
	{"queue of functions", `func Plan$K(s *$S, t *$T) []func() {
	return []func(){
		func() { s.M++ },
		func() {
			BODY
		},
	}
}`, `for _, f := range $PPlan$K(s, t) { f() }`},
	{"states of a machine", `type Mode$K func(s *$S, t *$T) Mode$K

func Wait$K(s *$S, t *$T) Mode$K {
	if s.M == -5 {
		return nil
	}
	return act$K
}

func act$K(s *$S, t *$T) Mode$K {
	BODY
	return nil
}`, `for m := $PMode$K($PWait$K); m != nil; { m = m(s, t) }`},
	{"bus", `type Event$K struct{ What string }

type bus$K struct{ subs map[string][]func(Event$K, *$S, *$T) }

func (b *bus$K) on(what string, f func(Event$K, *$S, *$T)) {
	if b.subs == nil {
		b.subs = map[string][]func(Event$K, *$S, *$T){}
	}
	b.subs[what] = append(b.subs[what], f)
}

func (b *bus$K) emit(e Event$K, s *$S, t *$T) {
	for _, f := range b.subs[e.What] {
		f(e, s, t)
	}
}

var events$K bus$K

func init() {
	events$K.on("hit", func(e Event$K, s *$S, t *$T) {
		BODY
	})
}

func Emit$K(what string, s *$S, t *$T) { events$K.emit(Event$K{what}, s, t) }`, `$PEmit$K("hit", s, t)`},
	{"interface in a struct", `type runner$K interface{ Run(*$S, *$T) }

type Actor$K struct {
	runner$K
	Name string
}

type fast$K struct{}

func (fast$K) Run(s *$S, t *$T) {
	BODY
}

func NewActor$K() *Actor$K { return &Actor$K{fast$K{}, "a"} }`, `$PNewActor$K().Run(s, t)`},
	{"adapter of functions", `type Runner$K interface{ Run(*$S, *$T) }

type Func$K func(*$S, *$T)

func (f Func$K) Run(s *$S, t *$T) { f(s, t) }

func do$K(s *$S, t *$T) {
	BODY
}

var Runners$K = []Runner$K{Func$K(do$K)}`, `for _, r := range $PRunners$K { r.Run(s, t) }`},
	{"recursion", `func Down$K(depth int, s *$S, t *$T) {
	if depth == 0 {
		BODY
		return
	}
	Down$K(depth-1, s, t)
}`, `$PDown$K(2, s, t)`},
	{"variadic options", `type cfg$K struct{ on func(*$S, *$T) }

type Option$K func(*cfg$K)

func OnTick$K(f func(*$S, *$T)) Option$K { return func(c *cfg$K) { c.on = f } }

func New$K(opts ...Option$K) func(*$S, *$T) {
	var c cfg$K
	for _, o := range opts {
		o(&c)
	}
	return func(s *$S, t *$T) {
		if c.on != nil {
			c.on(s, t)
		}
	}
}

func ticked$K(s *$S, t *$T) {
	BODY
}

var Unit$K = New$K(OnTick$K(ticked$K))`, `$PUnit$K(s, t)`},
	{"context", `type Ctx$K struct {
	S *$S
	T *$T
}

func (c *Ctx$K) Go() {
	s, t := c.S, c.T
	_, _ = s, t
	BODY
}`, `c := $PCtx$K{s, t}
c.Go()`},
	{"interface around the state", `type World$K interface {
	State() *$S
	Tick() *$T
}

type world$K struct {
	s *$S
	t *$T
}

func (w world$K) State() *$S { return w.s }

func (w world$K) Tick() *$T { return w.t }

func Over$K(s *$S, t *$T) World$K { return world$K{s, t} }

func Play$K(w World$K) {
	s, t := w.State(), w.Tick()
	_, _ = s, t
	BODY
}`, `$PPlay$K($POver$K(s, t))`},
	{"handler with a parameter type", `type Handler$K[E any] func(s *$S, t *$T, e E)

type handlers$K[E any] struct{ list []Handler$K[E] }

func (h *handlers$K[E]) add(f Handler$K[E]) *handlers$K[E] {
	h.list = append(h.list, f)
	return h
}

func (h *handlers$K[E]) Run(s *$S, t *$T, e E) {
	for _, f := range h.list {
		f(s, t, e)
	}
}

var Hits$K = new(handlers$K[int32]).add(func(s *$S, t *$T, n int32) {
	BODY
})`, `$PHits$K.Run(s, t, 1)`},
	{"alias of a generic type", `type Act$K[E any] = func(*$S, *$T, E)

func hit$K(s *$S, t *$T, n $i32) {
	BODY
}

var Acts$K = map[string]Act$K[int32]{"hit": hit$K}`, `$PActs$K["hit"](s, t, 4)`},
	{"pointer to a function", `var impl$K = func(s *$S, t *$T) {
	BODY
}

var Ptr$K = &impl$K`, `(*$PPtr$K)(s, t)`},
	{"linked handlers", `type node$K struct {
	run  func(*$S, *$T)
	next *node$K
}

var head$K = &node$K{nil, &node$K{func(s *$S, t *$T) {
	BODY
}, nil}}

func Walk$K(s *$S, t *$T) {
	for n := head$K; n != nil; n = n.next {
		if n.run != nil {
			n.run(s, t)
		}
	}
}`, `$PWalk$K(s, t)`},
	{"chosen by name", `type Bot$K interface{ Play(*$S, *$T) }

type easy$K struct{}

func (easy$K) Play(s *$S, t *$T) { s.M++ }

type hard$K struct{}

func (*hard$K) Play(s *$S, t *$T) {
	BODY
}

func NewBot$K(name string) Bot$K {
	switch name {
	case "easy":
		return easy$K{}
	default:
		return new(hard$K)
	}
}`, `$PNewBot$K("hard").Play(s, t)`},
	{"visitor", `type Visitor$K interface {
	VisitUnit(u *$U)
	VisitState(s *$S)
}

type scan$K struct{ t *$T }

func (v scan$K) VisitUnit(u *$U) { u.HP++ }

func (v scan$K) VisitState(s *$S) {
	t := v.t
	_ = t
	BODY
}

func Accept$K(s *$S, v Visitor$K) { v.VisitState(s) }

func Scan$K(t *$T) Visitor$K { return scan$K{t} }`, `$PAccept$K(s, $PScan$K(t))`},
	{"anonymous struct", `var Rules$K = struct {
	Name  string
	Apply func(*$S, *$T)
}{"r", func(s *$S, t *$T) {
	BODY
}}`, `$PRules$K.Apply(s, t)`},
	{"builder", `type Flow$K struct{ steps []func(*$S, *$T) }

func (f *Flow$K) Then(g func(*$S, *$T)) *Flow$K {
	f.steps = append(f.steps, g)
	return f
}

func (f *Flow$K) Run(s *$S, t *$T) {
	for _, g := range f.steps {
		g(s, t)
	}
}

var Whole$K = (&Flow$K{}).Then(func(s *$S, t *$T) { s.M++ }).Then(second$K)

func second$K(s *$S, t *$T) {
	BODY
}`, `$PWhole$K.Run(s, t)`},
	{"systems with dependencies", `type ISystem$K interface{ Update(*$S, *$T) }

type Scheduler$K struct{ list []ISystem$K }

func NewScheduler$K(list ...ISystem$K) *Scheduler$K { return &Scheduler$K{list: list} }

func (x *Scheduler$K) Update(s *$S, t *$T) {
	for i := 0; i < len(x.list); i++ {
		x.list[i].Update(s, t)
	}
}

type helper$K interface{ help(*$S, *$T) }

type first$K struct{ h helper$K }

func (f *first$K) Update(s *$S, t *$T) { f.h.help(s, t) }

type aid$K struct{ name string }

func (a aid$K) help(s *$S, t *$T) {
	BODY
}

var Schedule$K ISystem$K = NewScheduler$K(&first$K{h: aid$K{"x"}})`, `$PSchedule$K.Update(s, t)`},
	{"generic registry", `type Registry$K[F any] struct{ m map[string]F }

func (r *Registry$K[F]) Get(name string) F { return r.m[name] }

func newRegistry$K[F any](m map[string]F) *Registry$K[F] { return &Registry$K[F]{m} }

var Reg$K = newRegistry$K(map[string]func(*$S, *$T){"x": func(s *$S, t *$T) {
	BODY
}})`, `$PReg$K.Get("x")(s, t)`},
	{"behaviour tree", `type Node$K interface{ Tick(s *$S, t *$T) bool }

type Seq$K []Node$K

func (q Seq$K) Tick(s *$S, t *$T) bool {
	for _, n := range q {
		if !n.Tick(s, t) {
			return false
		}
	}
	return true
}

type Leaf$K func(*$S, *$T) bool

func (l Leaf$K) Tick(s *$S, t *$T) bool { return l(s, t) }

var Tree$K = Seq$K{Leaf$K(func(s *$S, t *$T) bool { return true }), Seq$K{Leaf$K(func(s *$S, t *$T) bool {
	BODY
	return true
})}}`, `$PTree$K.Tick(s, t)`},
	{"printed by String", `type note$K struct {
	s *$S
	t *$T
}

func (n note$K) String() string {
	s, t := n.s, n.t
	_, _ = s, t
	BODY
	return "n"
}

func Note$K(s *$S, t *$T) string { return fmt.Sprint(note$K{s, t}) }`, `if $PNote$K(s, t) == "" { s.M++ }`},
	{"sorted by a type", `type byRank$K struct {
	list []int32
	s    *$S
	t    *$T
}

func (b byRank$K) Len() int { return len(b.list) }

func (b byRank$K) Swap(i, j int) { b.list[i], b.list[j] = b.list[j], b.list[i] }

func (b byRank$K) Less(i, j int) bool {
	s, t := b.s, b.t
	_, _ = s, t
	if i == 0 && j == 0 || b.list[0] == 3 {
		BODY
	}
	return b.list[i] < b.list[j]
}

func Ranked$K(s *$S, t *$T) { sort.Stable(byRank$K{[]int32{3, 1}, s, t}) }`, `$PRanked$K(s, t)`},
	{"component table", `type comp$K struct {
	update func(c *comp$K, s *$S, t *$T)
	n      int32
}

func run$K(c *comp$K, s *$S, t *$T) {
	BODY
}

func Comps$K() []*comp$K { return []*comp$K{{update: run$K}} }

func UpdateAll$K(s *$S, t *$T) {
	for _, c := range Comps$K() {
		c.update(c, s, t)
	}
}`, `$PUpdateAll$K(s, t)`},
}

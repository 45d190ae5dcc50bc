package programs

// hop is one way in which code leads from a place to another one.
type hop struct {
	name string
	decl string // declarations of the package in which the code ends up
	call string // what stands at the place; if BODY is here and not in decl, the code stays in the package of the place
}

// hops are all. In their code, s and t are the state and the tick, BODY is what they lead to, $K a number of the hop, and $P
// stands before what decl declares.
var hops = []hop{
	{"function", `func Do$K(s *$S, t *$T) {
	BODY
}`, `$PDo$K(s, t)`},
	{"function with a result", `func Calc$K(s *$S, t *$T) (n $i32) {
	BODY
	return s.N
}`, `if $PCalc$K(s, t) == 77 { s.M++ }`},
	{"function with an error", `func Try$K(s *$S, t *$T) error {
	if s.N == -99 { return ErrBad$K }
	BODY
	return nil
}

var ErrBad$K = errors.New("bad")`, `if err := $PTry$K(s, t); err != nil { s.M-- }`},
	{"method of a value", `type Mover$K struct{ By $i32 }

func (m Mover$K) Move(s *$S, t *$T) {
	BODY
}`, `$PMover$K{2}.Move(s, t)`},
	{"method of a pointer", `type Mover$K struct{ By $i32 }

func (m *Mover$K) Move(s *$S, t *$T) {
	BODY
}`, `m := &$PMover$K{By: 3}
m.Move(s, t)`},
	{"embedded method", `type Base$K struct{}

func (Base$K) Act(s *$S, t *$T) {
	BODY
}

type Derived$K struct {
	Base$K
	By $i32
}`, `var d $PDerived$K
d.Act(s, t)`},
	{"embedded pointer", `type Base$K struct{ Name string }

func (b *Base$K) Act(s *$S, t *$T) {
	BODY
}

type Derived$K struct{ *Base$K }`, `d := $PDerived$K{&$PBase$K{"a"}}
d.Act(s, t)`},
	{"systems in a package variable", `type System$K interface{ Update(s *$S, t *$T) }

type idle$K struct{}

func (idle$K) Update(s *$S, t *$T) { s.M++ }

type Busy$K struct{ Speed $i32 }

func (b *Busy$K) Update(s *$S, t *$T) {
	BODY
}

var Systems$K = []System$K{idle$K{}, &Busy$K{Speed: 3}}`, `for _, x := range $PSystems$K {
	x.Update(s, t)
}`},
	{"systems in the step", `type System$K interface{ Update(s *$S, t *$T) }

type Idle$K struct{}

func (Idle$K) Update(s *$S, t *$T) { s.M++ }

type Busy$K struct{}

func (Busy$K) Update(s *$S, t *$T) {
	BODY
}`, `for _, x := range [...]$PSystem$K{$PIdle$K{}, $PBusy$K{}} {
	x.Update(s, t)
}`},
	{"interface in a package variable", `type AI$K interface{ Think(*$S, *$T) }

type brain$K struct{}

func (brain$K) Think(s *$S, t *$T) {
	BODY
}

var Mind$K AI$K = brain$K{}`, `$PMind$K.Think(s, t)`},
	{"interface of another spelling", `type AI$K interface{ Think(s *$S, id ID$K, x any) }

type ID$K = int32

type brain$K struct{ t *$T }

func (b brain$K) Think(s *$S, id $i32, x interface{}) {
	t := b.t
	_ = t
	BODY
}

func Minds$K(t *$T) []AI$K { return []AI$K{brain$K{t}} }`, `for i, m := range $PMinds$K(t) { m.Think(s, int32(i), nil) }`},
	{"table of functions", `var Table$K = map[string]func(*$S, *$T){
	"rest": func(s *$S, t *$T) { s.M++ },
	"act":  act$K,
}

func act$K(s *$S, t *$T) {
	BODY
}`, `$PTable$K["act"](s, t)`},
	{"table of literals", `var Table$K = map[int]func(*$S, *$T){
	1: func(s *$S, t *$T) { s.M++ },
	2: func(s *$S, t *$T) {
		BODY
	},
}`, `if f, ok := $PTable$K[2]; ok { f(s, t) }`},
	{"list of functions", `type Handler$K func(s *$S, t *$T)

var List$K = []Handler$K{rest$K, act$K}

func rest$K(s *$S, t *$T) { s.M++ }

func act$K(s *$S, t *$T) {
	BODY
}`, `for _, f := range $PList$K { f(s, t) }`},
	{"array of functions by a kind", `type Kind$K uint8

const (
	Rest$K Kind$K = iota
	Act$K
)

var by$K = [...]func(*$S, *$T){
	Rest$K: func(s *$S, t *$T) { s.M++ },
	Act$K: func(s *$S, t *$T) {
		BODY
	},
}

func (k Kind$K) Apply(s *$S, t *$T) { by$K[k](s, t) }`, `$PAct$K.Apply(s, t)`},
	{"switch by a kind", `type Kind$K int

func (k Kind$K) Apply(s *$S, t *$T) {
	switch k {
	case 1:
		s.M++
	case 2:
		BODY
	}
}`, `$PKind$K(2).Apply(s, t)`},
	{"field of a struct", `type Phase$K struct {
	Name string
	Run  func(s *$S, t *$T)
}

var Physics$K = Phase$K{"physics", func(s *$S, t *$T) {
	BODY
}}`, `$PPhysics$K.Run(s, t)`},
	{"lists of phases in a table", `type phase$K struct {
	name string
	run  []func(s *$S, t *$T)
}

var phases$K = map[string][]phase$K{
	"early": {{"a", []func(s *$S, t *$T){func(s *$S, t *$T) { s.M++ }}}},
	"late": {{name: "b", run: []func(s *$S, t *$T){func(s *$S, t *$T) {
		BODY
	}}}},
}

func Run$K(name string, s *$S, t *$T) {
	for _, p := range phases$K[name] {
		for _, f := range p.run {
			f(s, t)
		}
	}
}`, `$PRun$K("late", s, t)`},
	{"registered in init", `var registry$K = map[string]func(*$S, *$T){}

func Register$K(name string, f func(*$S, *$T)) { registry$K[name] = f }

func init() {
	Register$K("act", func(s *$S, t *$T) {
		BODY
	})
}

func Named$K(name string) func(*$S, *$T) { return registry$K[name] }`, `$PNamed$K("act")(s, t)`},
	{"assigned in init", `var Hook$K func(s *$S, t *$T)

func init() { Hook$K = hooked$K }

func hooked$K(s *$S, t *$T) {
	BODY
}`, `if $PHook$K != nil { $PHook$K(s, t) }`},
	{"systems added in init", `type System$K interface{ Run(*$S, *$T) }

var systems$K []System$K

func init() {
	systems$K = append(systems$K, &worker$K{})
}

type worker$K struct{ n int32 }

func (w *worker$K) Run(s *$S, t *$T) {
	BODY
}

func All$K() []System$K { return systems$K }`, `for _, x := range $PAll$K() { x.Run(s, t) }`},
	{"closure of a maker in a package variable", `func make$K(by $i32) func(s *$S, t *$T) {
	return func(s *$S, t *$T) {
		s.M += by
		BODY
	}
}

var Made$K = make$K(2)`, `$PMade$K(s, t)`},
	{"closure of a maker", `func Make$K(by $i32) func(s *$S, t *$T) {
	return func(s *$S, t *$T) {
		s.M += by
		BODY
	}
}`, `$PMake$K(2)(s, t)`},
	{"several closures of a maker", `func both$K() (first, second func(s *$S, t *$T)) {
	limit := int32(9)
	first = func(s *$S, t *$T) { s.M = min(s.M, limit) }
	second = func(s *$S, t *$T) {
		BODY
	}
	return first, second
}

var First$K, Second$K = both$K()`, `$PFirst$K(s, t)
$PSecond$K(s, t)`},
	{"closure that calls a closure", `func outer$K(s *$S, t *$T) {
	inner := func() {
		BODY
	}
	twice := func() { inner() }
	twice()
}

func Outer$K(s *$S, t *$T) { outer$K(s, t) }`, `$POuter$K(s, t)`},
	{"generic function over a list", `func Each$K[E any](list []E, f func(E)) {
	for _, x := range list {
		f(x)
	}
}`, `$PEach$K([]int32{1}, func(int32) {
	BODY
})`},
	{"generic type", `type Box$K[V any] struct{ V V }

func (b *Box$K[V]) Use(s *$S, t *$T, f func(V)) { f(b.V) }

func Boxed$K(s *$S, t *$T) {
	b := Box$K[string]{"x"}
	b.Use(s, t, func(string) {
		BODY
	})
}`, `$PBoxed$K(s, t)`},
	{"method of a generic type", `type Pool$K[V any] struct{ list []V }

func (p *Pool$K[V]) Step(s *$S, t *$T) {
	BODY
}`, `(&$PPool$K[uint8]{}).Step(s, t)`},
	{"method of a constraint", `type Ticker$K interface{ Tick(*$S, *$T) }

func Run$K[R Ticker$K](r R, s *$S, t *$T) { r.Tick(s, t) }

type Clockwork$K struct{}

func (Clockwork$K) Tick(s *$S, t *$T) {
	BODY
}`, `$PRun$K($PClockwork$K{}, s, t)`},
	{"pointer of a constraint", `type pointer$K[V any] interface {
	*V
	Tick(*$S, *$T)
}

func Fresh$K[V any, P pointer$K[V]](s *$S, t *$T) {
	var v V
	P(&v).Tick(s, t)
}

type Wheel$K struct{ n int32 }

func (w *Wheel$K) Tick(s *$S, t *$T) {
	BODY
}`, `$PFresh$K[$PWheel$K](s, t)`},
	{"method value", `type Hand$K struct{ by int32 }

func (h *Hand$K) Deal(s *$S, t *$T) {
	BODY
}`, `h := &$PHand$K{}
f := h.Deal
f(s, t)`},
	{"method value in a package variable", `type hand$K struct{ by int32 }

func (h hand$K) deal(s *$S, t *$T) {
	BODY
}

var Deal$K = hand$K{3}.deal`, `$PDeal$K(s, t)`},
	{"method expression", `type Hand$K struct{ by int32 }

func (h Hand$K) Deal(s *$S, t *$T) {
	BODY
}`, `f := $PHand$K.Deal
f($PHand$K{}, s, t)`},
	{"method expressions in a table", `type Hand$K struct{ by int32 }

func (h *Hand$K) Deal(s *$S, t *$T) {
	BODY
}

func (h *Hand$K) Fold(s *$S, t *$T) { s.M++ }

var Moves$K = []func(*Hand$K, *$S, *$T){(*Hand$K).Fold, (*Hand$K).Deal}`, `for _, f := range $PMoves$K { f(&$PHand$K{}, s, t) }`},
	{"deferred", `func Later$K(s *$S, t *$T) {
	BODY
}`, `func() {
	defer $PLater$K(s, t)
}()`},
	{"iterator", `func Parts$K(s *$S, t *$T) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		BODY
		yield(1)
	}
}`, `for x := range $PParts$K(s, t) { s.M += x }`},
	{"body of an iteration", `func Three$K(yield func(int) bool) {
	for i := range 3 {
		if !yield(i) {
			return
		}
	}
}`, `for i := range $PThree$K {
	if i == 1 {
		BODY
	}
}`},
	{"method that iterates", `type Grid$K struct{ W, H int }

func (g Grid$K) All() iter.Seq2[int, int] {
	return func(yield func(x, y int) bool) {
		for y := range g.H {
			for x := range g.W {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}`, `for x, y := range ($PGrid$K{2, 2}).All() {
	if x == y && x == 1 {
		BODY
	}
}`},
	{"callback of the library", ``, `_ = slices.IndexFunc([]int32{1, 2}, func(n int32) bool {
	if n == 2 {
		BODY
	}
	return false
})`},
	{"named callback of the library", `type keeper$K struct {
	s *$S
	t *$T
}

func (k *keeper$K) visit(n int32) bool {
	s, t := k.s, k.t
	_, _ = s, t
	BODY
	return true
}

func Visit$K(s *$S, t *$T) {
	k := &keeper$K{s, t}
	_ = slices.ContainsFunc([]int32{1}, k.visit)
}`, `$PVisit$K(s, t)`},
	{"type switch", `type Left$K struct{}

type Right$K struct{}

func (Right$K) Turn(s *$S, t *$T) {
	BODY
}

func Pick$K(n int32) $any {
	if n == -12345 {
		return Left$K{}
	}
	return Right$K{}
}`, `switch x := $PPick$K(s.M).(type) {
case $PLeft$K:
	s.M++
case $PRight$K:
	x.Turn(s, t)
}`},
	{"optional interface", `type Plain$K struct{}

func (p Plain$K) Refresh(s *$S, t *$T) {
	BODY
}

func Update$K(x $any, s *$S, t *$T) {
	if r, ok := x.(interface{ Refresh(*$S, *$T) }); ok {
		r.Refresh(s, t)
	}
}`, `$PUpdate$K($PPlain$K{}, s, t)`},
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

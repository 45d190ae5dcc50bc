package programs

// tables are lists, tables and variables that hold code.
var tables = []hop{
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
	{"registered by a function", `var registry$K = map[string]func(*$S, *$T){}

func register$K(name string, f func(*$S, *$T)) { registry$K[name] = f }

func rules$K() { register$K("act", func(s *$S, t *$T) {
	BODY
}) }

func init() { rules$K() }

func named$K(name string) func(*$S, *$T) { return registry$K[name] }

func Apply$K(name string, s *$S, t *$T) { with$K(named$K(name), s, t) }

func with$K(f func(*$S, *$T), s *$S, t *$T) { f(s, t) }`, `$PApply$K("act", s, t)`},
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
}

package programs

// values are generic code, and functions and methods that are passed as values.
var values = []hop{
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
}

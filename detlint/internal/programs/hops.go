package programs

import "slices"

// hop is one way in which code reaches other code.
type hop struct {
	name string
	decl string // declarations of the package in which the code ends up
	call string // the code at the place; if BODY is here and not in decl, the code stays in the package of the place
}

// hops has all hops. In their code, s and t are the state and the tick, BODY stands for the code that they reach, $K
// for the number of the hop, and $P for the qualifier of what decl declares.
var hops = slices.Concat(calls, tables, values, patterns)

// calls are calls of functions and methods by name.
var calls = []hop{
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
}

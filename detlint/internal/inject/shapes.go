package inject

// Shape is a way in which the place of a fault calls the code of the fault.
type Shape struct {
	Name  string
	Decl  string // declarations, in a file of the same package as the place
	Other string // declarations in another package
	Call  string // statements at the place, which set the variable out
}

// Shapes has all shapes. In their code, BODY stands for the code of the kind, and {other} for the other package. With
// the first two, the code is at the place itself.
var Shapes = []Shape{
	{Name: "direct", Call: "BODY"},
	{Name: "closure", Call: `
		compute := func() (out int64) {
			BODY
			return out
		}
		out = compute()`},
	{Name: "helper", Decl: `func help#() (out int64) {
		BODY
		return out
	}`, Call: `
		out = help#()`},
	{Name: "helper of a helper", Decl: `func outer#(n int64) int64 {
		if n < 0 {
			return n
		}
		return inner#() + n
	}

	func inner#() (out int64) {
		BODY
		return out
	}`, Call: `
		out = outer#(1)`},
	{Name: "another package", Other: `func Help#() (out int64) {
		BODY
		return out
	}`, Call: `
		out = {other}.Help#()`},
	{Name: "interface", Decl: `type source# interface{ get() int64 }

	type bad# struct{}

	func (bad#) get() (out int64) {
		BODY
		return out
	}

	type good# struct{}

	func (good#) get() int64 { return 0 }`, Call: `
		for _, s := range []source#{good#{}, bad#{}} {
			out += s.get()
		}`},
	{Name: "interface in a variable", Decl: `var from# interface{ get() int64 } = bad#{}

	type bad# struct{}

	func (bad#) get() (out int64) {
		BODY
		return out
	}`, Call: `
		out = from#.get()`},
	{Name: "method of another package, embedded", Other: `type Base# struct{ Last int64 }

	func (b *Base#) Next() (out int64) {
		BODY
		return out
	}`, Decl: `type derived# struct{ {other}.Base# }`, Call: `
		d := new(derived#)
		out = d.Next()`},
	{Name: "table of functions", Decl: `var table# = [...]func() int64{bad#, func() int64 { return 0 }}

	func bad#() (out int64) {
		BODY
		return out
	}`, Call: `
		for _, f := range table# {
			out += f()
		}`},
	{Name: "method value", Decl: `type bad# struct{ n int64 }

	func (b *bad#) get() (out int64) {
		BODY
		return out + b.n
	}`, Call: `
		b := &bad#{}
		f := b.get
		out = f()`},
	{Name: "method expression, given to another package", Other: `func Apply#[T any](x T, f func(T) int64) int64 { return f(x) }`, Decl: `type bad# struct{ n int64 }

	func (b bad#) get() (out int64) {
		BODY
		return out + b.n
	}`, Call: `
		out = {other}.Apply#(bad#{}, bad#.get)`},
	{Name: "generic", Decl: `func generic#[T ~int64](n T) T {
		compute := func() (out int64) {
			BODY
			return out
		}
		return n + T(compute())
	}`, Call: `
		out = generic#(out)`},
	{Name: "iterator", Decl: `func each#(yield func(int64) bool) {
		compute := func() (out int64) {
			BODY
			return out
		}
		yield(compute())
	}`, Call: `
		for x := range each# {
			out += x
		}`},
	{Name: "callback of the library", Decl: `func visit#(x int64) bool {
		var out int64
		BODY
		return out > x
	}`, Call: `
		out = int64({slices}.IndexFunc([]int64{1, 2, 4}, visit#))`},
	{Name: "deferred", Decl: `func later#(p *int64) {
		var out int64
		BODY
		*p = out
	}`, Call: `
		func() {
			defer later#(&out)
		}()`},
	{Name: "String method, printed", Decl: `type text# struct{}

	func (text#) String() string {
		var out int64
		BODY
		return {strconv}.FormatInt(out, 10)
	}`, Call: `
		s := {fmt}.Sprint(text#{})
		out = int64(s[len(s)-1])`},
	{Name: "field of a struct", Decl: `type rules# struct{ tax func() int64 }

	func rate#() (out int64) {
		BODY
		return out
	}

	func current#() *rules# { return &rules#{tax: rate#} }`, Call: `
		out = current#().tax()`},
	{Name: "type switch", Decl: `type left# struct{}

	func (left#) turn() int64 { return 1 }

	type right# struct{}

	func (right#) turn() (out int64) {
		BODY
		return out
	}

	func pick#(n int64) any {
		if n > 1000 {
			return left#{}
		}
		return right#{}
	}`, Call: `
		switch x := pick#(out).(type) {
		case left#:
			out = x.turn()
		case interface{ turn() int64 }:
			out = x.turn()
		}`},
}

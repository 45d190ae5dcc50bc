package typekey

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

const source = `package p

type (
	Named     struct{ a int }
	Alias     = Named
	List[T any]    = []T
	Pair[K, V any] struct { k K; v V }
	Same      = Pair[byte, Alias]
	Reader    interface { Read(b []byte) (int, error) }
	Embedding interface { Reader; Close() error }
)

// What is on one line is one type, each on another line is another.
var (
	a0, a1, a2 = new(Named), new(Alias), (*Alias)(nil)
	b0, b1, b2 = []byte{}, []uint8{}, List[byte]{}
	c0, c1 = []rune{}, []int32{}
	d0, d1 = []any{}, []interface{}{}
	e0, e1 = Pair[uint8, Named]{}, Same{}
	f0, f1 = func(x Alias, more ...byte) any { return nil }, func(Named, ...uint8) (y interface{}) { return nil }
	g0 = func(Named, []byte) any { return nil }
	h0, h1 = (*Embedding)(nil), (*Embedding)(nil)
	i0, i1 = (*interface { Close() error; Read([]uint8) (int, error) })(nil), (*interface { Reader; Close() error })(nil)
	j0, j1 = struct{ X Alias }{}, struct{ X Named }{}
	k0 = struct{ Named }{}
	l0 = struct{ X Named "tag" }{}
	m0 = (chan<- (chan byte))(nil)
	n0 = (chan (<-chan byte))(nil)
	o0 = (chan<- chan byte)(nil)
	p0 = map[Alias][3]int{}
	q0 = map[Alias][4]int{}
)

func one() any { type Named struct{}; x := Named{}; return x }
func two() any { type Named struct{}; y := Named{}; return y }
`

// Rule: two types have the same key exactly if they are identical by the rules of the language.
func TestNamesAreEqualIfTypesAreIdentical(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("example.com/p", fset, []*ast.File{f}, info); err != nil {
		t.Fatal(err)
	}
	var vars []*types.Var
	for _, o := range info.Defs {
		if v, ok := o.(*types.Var); ok && !v.IsField() {
			vars = append(vars, v)
		}
	}
	same, differ := 0, 0
	for _, a := range vars {
		for _, b := range vars {
			got, want := Of(fset, a.Type()) == Of(fset, b.Type()), types.Identical(a.Type(), b.Type())
			if got != want {
				t.Errorf("%s and %s: identical is %t; %q, %q", a.Name(), b.Name(), want, Of(fset, a.Type()), Of(fset, b.Type()))
			}
			if a != b && want {
				same++
			} else if !want {
				differ++
			}
		}
	}
	if same < 20 || differ < 200 {
		t.Errorf("%d pairs are the same, %d differ: the test has lost its subject", same, differ)
	}
}

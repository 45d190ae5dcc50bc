package facts

import (
	"go/token"

	"github.com/tickback/tickback/detlint/internal/flow"
	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
)

// Package is what is stored about a package.
type Package struct {
	reach.Package
	Ignores []report.Ignore
	Module  string   // its module
	Source  Source   // for a package with generic functions: where its source is
	Said    []string // keys of findings that were reported when the package was examined
}

// Source says where the source of a package is: packages that instantiate its generic functions have to read it
// again. The types of what it imports are in the set.
type Source struct {
	Files     []string // empty: nothing in it is generic
	GoVersion string
	Imports   []string // paths of packages
}

// Encode returns the bytes of a package, which are deterministic.
func Encode(p *Package) []byte {
	c := coder{number: map[string]uint64{}}
	c.whole(p)
	return c.b
}

// Decode reads the bytes that Encode returned.
func Decode(b []byte) (*Package, error) {
	c := coder{reading: true, b: b}
	p := &Package{}
	c.whole(p)
	if c.err == nil && len(c.b) > 0 {
		c.fail()
	}
	if c.err != nil {
		return nil, c.err
	}
	return p, nil
}

func (c *coder) whole(p *Package) {
	c.text(&p.Path)
	c.text(&p.Module)
	table(c, &p.Funcs, c.function)
	table(c, &p.Types, func(m *[]reach.Method) {
		list(c, m, func(m *reach.Method) { c.text(&m.Key); c.text(&m.ID) })
	})
	table(c, &p.Structs, func(s *reach.Struct) { c.text(&s.Name); c.texts(&s.Fields) })
	list(c, &p.Roots, c.root)
	table(c, &p.Writes, func(at *token.Position) { c.position(at) })
	c.texts(&p.Makes)
	list(c, &p.Takes, c.taken)
	list(c, &p.Moves, func(x *reach.Move) { c.text(&x.Signature); c.text(&x.From); c.text(&x.To) })
	c.texts(&p.Lent)
	table(c, &p.Foreign, c.bool)
	list(c, &p.Outside, c.finding)
	list(c, &p.Ignores, func(i *report.Ignore) {
		c.position(&i.At)
		c.int(&i.Line)
		c.int(&i.Last)
		c.texts(&i.Rules)
		c.text(&i.Reason)
	})
	c.texts(&p.Source.Files)
	c.text(&p.Source.GoVersion)
	c.texts(&p.Source.Imports)
	c.texts(&p.Said)
}

func (c *coder) function(p **reach.Func) {
	if c.reading {
		*p = &reach.Func{}
	}
	f := *p
	c.text(&f.ID)
	c.text(&f.Name)
	c.position(&f.At)
	list(c, &f.Findings, c.finding)
	list(c, &f.Calls, c.call)
	c.texts(&f.Makes)
	list(c, &f.Takes, c.taken)
	list(c, &f.Loads, func(x *reach.Load) { c.text(&x.What); c.text(&x.Place) })
	table(c, &f.Fields.Read, c.texts)
	table(c, &f.Fields.Written, c.texts)
	table(c, &f.Fields.Lent, c.texts)
	table(c, &f.Fields.Through, c.texts)
	c.bool(&f.Fields.All)
	c.traits(&f.Traits)
}

func (c *coder) traits(t *flow.Traits) {
	for _, bits := range []*uint64{&t.Writes, &t.Keeps, &t.Returns, &t.FreeWrites, &t.ReturnsFree, &t.Prints, &t.Products, &t.Sums} {
		c.uint(bits)
	}
	c.texts(&t.Globals)
	c.texts(&t.ReturnsGlobals)
	for _, b := range []*bool{&t.Effects, &t.Dynamic} {
		c.bool(b)
	}
}

func (c *coder) finding(f *reach.Finding) {
	c.text(&f.Rule)
	c.text(&f.Message)
	c.position(&f.At)
	list(c, &f.Edits, func(e *reach.Edit) { c.text(&e.File); c.int(&e.Start); c.int(&e.End); c.text(&e.Text) })
	c.bool(&f.Caution)
	c.text(&f.Global)
	c.text(&f.Through)
	c.text(&f.Parent)
	c.text(&f.Value)
	c.texts(&f.Roles)
	c.bool(&f.Plain)
	c.bool(&f.Own)
	c.bool(&f.Build)
	c.text(&f.Fix)
}

func (c *coder) call(x *reach.Call) {
	kind := uint64(x.Kind)
	c.uint(&kind)
	if kind > uint64(reach.Dynamic) {
		c.fail()
	}
	x.Kind = reach.Kind(kind)
	c.text(&x.Target)
	c.texts(&x.Needs)
	c.bool(&x.Yields)
	c.bool(&x.Library)
	c.position(&x.At)
}

func (c *coder) taken(t *reach.Taken) {
	c.text(&t.ID)
	c.text(&t.Signature)
	c.text(&t.By)
	c.text(&t.Place)
}

func (c *coder) root(r *reach.Root) {
	c.text(&r.Group)
	c.text(&r.Role)
	c.text(&r.Game)
	c.text(&r.State)
	c.call(&r.Call)
	c.texts(&r.Types)
	floats := uint64(r.Floats)
	c.uint(&floats)
	if floats > uint64(reach.Strict) {
		c.fail()
	}
	r.Floats = reach.Floats(floats)
}

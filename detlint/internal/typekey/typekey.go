// Package typekey names types and functions. Two types have the same name if and only if they are identical by the
// rules of the language, however the source spells them, and whatever compiles them. Names can be stored, and
// compared with those of other packages.
//
// Type parameters have the names that their functions give them.
//
// The names that package types prints do not have this property: they keep aliases, distinguish byte from uint8, and
// are equal for two types that functions of a package declare under the same name.
package typekey

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Of returns the name of a type.
func Of(fset *token.FileSet, t types.Type) string {
	n := namer{fset: fset}
	n.write(t)
	return n.String()
}

// Signature returns the name of the type of a function value; of a method without its receiver.
func Signature(fset *token.FileSet, sig *types.Signature) string {
	n := namer{fset: fset}
	n.WriteString("func")
	n.signature(sig)
	return n.String()
}

// LocalMark precedes the text that distinguishes instances whose types have the same name in different functions.
const LocalMark = "‹"

// Func returns the full name of a function, which distinguishes instances for different types.
func Func(fn *ssa.Function) string {
	if p := fn.Parent(); p != nil {
		return Func(p) + strings.TrimPrefix(fn.Name(), p.Name())
	}
	name := fn.String()
	var local []string
	for _, t := range arguments(fn) {
		n := namer{fset: fn.Prog.Fset}
		if n.write(t); n.local {
			local = append(local, n.String())
		}
	}
	if local != nil {
		name += LocalMark + strings.Join(local, ",")
	}
	return name
}

// arguments returns the types for which a function is an instance, and that of its receiver.
func arguments(fn *ssa.Function) []types.Type {
	list := fn.TypeArgs()
	if r := fn.Signature.Recv(); r != nil {
		list = append(slices.Clip(list), r.Type())
	}
	if len(fn.FreeVars) == 1 && strings.HasPrefix(fn.Synthetic, "bound method wrapper") {
		list = append(slices.Clip(list), fn.FreeVars[0].Type())
	}
	return list
}

// namer writes the name of a type.
type namer struct {
	strings.Builder
	fset  *token.FileSet
	local bool // the name contains a type that a function declares
}

func (n *namer) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			n.WriteString("unsafe.Pointer")
			return
		}
		n.WriteString(types.Typ[t.Kind()].Name()) // uint8 for a byte
	case *types.Named:
		n.named(t)
	case *types.TypeParam:
		n.WriteString(t.Obj().Name())
	case *types.Pointer:
		n.WriteByte('*')
		n.write(t.Elem())
	case *types.Slice:
		n.WriteString("[]")
		n.write(t.Elem())
	case *types.Array:
		fmt.Fprintf(n, "[%d]", t.Len())
		n.write(t.Elem())
	case *types.Map:
		n.WriteString("map[")
		n.write(t.Key())
		n.WriteByte(']')
		n.write(t.Elem())
	case *types.Chan:
		n.WriteString([...]string{types.SendRecv: "chan(", types.SendOnly: "chan<-(", types.RecvOnly: "<-chan("}[t.Dir()])
		n.write(t.Elem())
		n.WriteByte(')')
	case *types.Signature:
		n.WriteString("func")
		n.signature(t)
	case *types.Struct:
		n.structure(t)
	case *types.Interface:
		n.iface(t)
	case *types.Tuple:
		n.tuple(t, false)
	case *types.Union:
		n.union(t)
	default: // only in package ssa, such as that of a range
		n.WriteString(t.String())
	}
}

func (n *namer) named(t *types.Named) {
	obj := t.Obj()
	if p := obj.Pkg(); p != nil {
		n.WriteString(p.Path() + ".")
		n.WriteString(obj.Name())
		if obj.Parent() != p.Scope() { // declared in a function, which may have several of that name
			at := n.fset.Position(obj.Pos())
			fmt.Fprintf(n, "·%d:%d", at.Line, at.Column)
			n.local = true
		}
	} else {
		n.WriteString(obj.Name()) // error, comparable
	}
	n.list(t.TypeArgs())
}

func (n *namer) list(args *types.TypeList) {
	if args.Len() == 0 {
		return
	}
	n.WriteByte('[')
	for i := range args.Len() {
		if i > 0 {
			n.WriteByte(',')
		}
		n.write(args.At(i))
	}
	n.WriteByte(']')
}

func (n *namer) signature(s *types.Signature) {
	n.tuple(s.Params(), s.Variadic())
	n.tuple(s.Results(), false)
}

func (n *namer) tuple(t *types.Tuple, variadic bool) {
	n.WriteByte('(')
	for i := range t.Len() {
		if i > 0 {
			n.WriteByte(',')
		}
		v := t.At(i).Type()
		if s, ok := v.Underlying().(*types.Slice); ok && variadic && i == t.Len()-1 {
			n.WriteString("...")
			v = s.Elem()
		}
		n.write(v)
	}
	n.WriteByte(')')
}

// member returns the name of a field or a method: for an unexported one, it includes that of its package.
func member(o types.Object) string { return o.Id() }

func (n *namer) structure(t *types.Struct) {
	n.WriteString("struct{")
	for i := range t.NumFields() {
		f := t.Field(i)
		if f.Embedded() {
			n.WriteByte('^')
		}
		n.WriteString(member(f) + " ")
		n.write(f.Type())
		if tag := t.Tag(i); tag != "" {
			fmt.Fprintf(n, " %q", tag)
		}
		n.WriteByte(';')
	}
	n.WriteByte('}')
}

func (n *namer) iface(t *types.Interface) {
	methods := make([]*types.Func, t.NumMethods()) // including those of embedded interfaces
	for i := range methods {
		methods[i] = t.Method(i)
	}
	slices.SortFunc(methods, func(a, b *types.Func) int { return strings.Compare(member(a), member(b)) })
	n.WriteString("interface{")
	for _, m := range methods {
		n.WriteString(member(m))
		n.signature(m.Signature())
		n.WriteByte(';')
	}
	if t.IsComparable() && !t.IsMethodSet() {
		n.WriteString("comparable;")
	}
	for i := range t.NumEmbeddeds() {
		if e := t.EmbeddedType(i); !types.IsInterface(e) || !methodsOnly(e) {
			n.write(e)
			n.WriteByte(';')
		}
	}
	n.WriteByte('}')
}

// methodsOnly reports whether an interface only has methods, including those of embedded interfaces.
func methodsOnly(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.IsMethodSet()
}

func (n *namer) union(t *types.Union) {
	for i := range t.Len() {
		if i > 0 {
			n.WriteByte('|')
		}
		if t.Term(i).Tilde() {
			n.WriteByte('~')
		}
		n.write(t.Term(i).Type())
	}
}

package canon

import "reflect"

// form is the structure of a node.
type form uint8

const (
	formScalar form = iota
	formArray
	formStruct
)

// node is a checked type, as a tree of arrays and structs with scalars as leaves. Blank and excluded fields are left
// out. Nodes are immutable once built and shared between equal types.
type node struct {
	typ      reflect.Type
	form     form
	size     uintptr // bytes in memory, gaps included
	enc      uintptr // bytes in the encoding
	width    uintptr // for a scalar: how many bytes are swapped together; half the size of a complex number
	stringer bool    // for a scalar: whether its type has a String method of its own
	elem     *node   // the element of an array
	count    uintptr // the number of elements of an array
	fields   []field // the fields of a struct, in declaration order
	spans    []op    // the wide program of this node, to compare with
}

// field is a field that is part of the canonical form.
type field struct {
	name string
	mem  uintptr // offset in the memory of the struct
	enc  uintptr // offset in the encoding of the struct
	node *node
}

// tree builds nodes, one per distinct type.
type tree map[reflect.Type]*node

// node returns the node of t, which [check] must have accepted.
func (tr tree) node(t reflect.Type) *node {
	if n, ok := tr[t]; ok {
		return n
	}
	n := &node{typ: t, size: t.Size()}
	switch t.Kind() {
	case reflect.Struct:
		tr.structure(n)
	case reflect.Array:
		n.form = formArray
		n.elem, n.count = tr.node(t.Elem()), uintptr(t.Len())
		n.enc = n.elem.enc * n.count
	default:
		n.form, n.enc, n.width = formScalar, n.size, n.size
		n.stringer = t.Implements(stringerType)
		if k := t.Kind(); k == reflect.Complex64 || k == reflect.Complex128 {
			n.width /= 2
		}
	}
	n.spans = compile(n, true)
	tr[t] = n
	return n
}

func (tr tree) structure(n *node) {
	n.form = formStruct
	for i := range n.typ.NumField() {
		f := n.typ.Field(i)
		if role, _ := roleOf(f); role != roleField {
			continue
		}
		child := tr.node(f.Type)
		n.fields = append(n.fields, field{name: f.Name, mem: f.Offset, enc: n.enc, node: child})
		n.enc += child.enc
	}
}

// contiguous reports whether the memory of n is its wide encoding: no gaps.
func (n *node) contiguous() bool {
	return len(n.spans) == 1 && n.spans[0].body == nil && n.spans[0].n == n.size
}

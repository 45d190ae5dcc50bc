package canon

import (
	"strconv"
	"unsafe"
)

// AppendText appends s as text, one scalar a line in declaration order:
//
//	P[1].Vy: 460
//	Grid[0:1024]: 0
//
// Neighbours in an array of scalars that have the same bits share a line, as elements [from:to]. A scalar whose type
// has a String method (on the value) is shown as its result. A NaN whose bits differ from that of [math.NaN] is
// followed by its bits, since a plan distinguishes them. It is meant for people and tools that compare lines; the text
// of a String method is not part of any hash.
func (p *Plan[T]) AppendText(b []byte, s *T) []byte {
	t := texter{out: b}
	t.node(p.layout.root, unsafe.Pointer(s))
	return t.out
}

type texter struct {
	out  []byte
	path []byte
}

func (t *texter) node(n *node, p unsafe.Pointer) {
	if n.enc == 0 {
		return
	}
	mark := len(t.path)
	switch {
	case n.form == formScalar:
		t.leaf(n, p)
	case n.form == formStruct:
		for _, f := range n.fields {
			t.path = appendField(t.path, f.name)
			t.node(f.node, at(p, f.mem))
			t.path = t.path[:mark]
		}
	case n.elem.form == formScalar:
		t.runs(n, p)
	default:
		for i := range n.count {
			t.path = appendIndex(t.path, i)
			t.node(n.elem, at(p, i*n.elem.size))
			t.path = t.path[:mark]
		}
	}
}

// runs writes an array of scalars, with equal neighbours on one line.
func (t *texter) runs(n *node, p unsafe.Pointer) {
	mark, elem := len(t.path), n.elem
	for from, to := uintptr(0), uintptr(0); from < n.count; from = to {
		first := at(p, from*elem.size)
		for to++; to < n.count && equal(first, at(p, to*elem.size), elem.spans); to++ {
		}
		t.path = appendRange(t.path, from, to)
		t.leaf(elem, first)
		t.path = t.path[:mark]
	}
}

// appendRange appends elements [from:to] to a path, or a single index if there is only one.
func appendRange(path []byte, from, to uintptr) []byte {
	if to == from+1 {
		return appendIndex(path, from)
	}
	path = append(path, '[')
	path = strconv.AppendUint(path, uint64(from), 10)
	path = append(path, ':')
	path = strconv.AppendUint(path, uint64(to), 10)
	return append(path, ']')
}

func (t *texter) leaf(n *node, p unsafe.Pointer) {
	t.out = append(t.out, label(t.path)...)
	t.out = append(t.out, ": "...)
	t.out = appendScalar(t.out, n.value(p), n.stringer)
	t.out = append(t.out, '\n')
}

package canon

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"
)

// Difference is one leaf that differs between two states.
type Difference struct {
	Path string // such as P[1].Vy; empty if the state itself is a scalar
	A, B string // the two values; never the same text
}

// String returns `P[1].Vy: 460 != 500`.
func (d Difference) String() string {
	return label(d.Path) + ": " + d.A + " != " + d.B
}

// Report says how two states differ. The zero Report says that they do not.
type Report struct {
	Differences []Difference // the first ones, in declaration order
	Total       int          // how many there are; Differences may be cut short
}

// String returns one difference a line, and how many are not listed.
func (r Report) String() string {
	if r.Total == 0 {
		return "no difference"
	}
	var b strings.Builder
	for _, d := range r.Differences {
		b.WriteString(d.String() + "\n")
	}
	switch more := r.Total - len(r.Differences); {
	case more == r.Total:
		fmt.Fprintf(&b, "%d differences\n", more)
	case more > 0:
		fmt.Fprintf(&b, "and %d more\n", more)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Diff lists the scalars in which a and b differ, at most max of them (none if max is negative), and counts all. The
// report is empty exactly if [Plan.Equal] holds. Equal parts are skipped by comparing memory, so the cost is that of
// Equal plus the text of what is listed.
func (p *Plan[T]) Diff(a, b *T, max int) Report {
	d := differ{max: max}
	d.node(p.layout.root, unsafe.Pointer(a), unsafe.Pointer(b))
	return d.report
}

type differ struct {
	max    int
	path   []byte
	report Report
}

// diffBlock is how many bytes are compared at once before their parts are compared: few enough that a block that
// differs is still in the cache for the second look, and enough that the comparison runs at full speed.
const diffBlock = 4096

// node reports the differences of two values.
func (d *differ) node(n *node, a, b unsafe.Pointer) {
	// A larger value is not compared as a whole, since its parts will be.
	if n.enc == 0 || n.size <= diffBlock && equal(a, b, n.spans) {
		return
	}
	switch n.form {
	case formScalar:
		d.leaf(n, a, b)
	case formStruct:
		for _, f := range n.fields {
			mark := len(d.path)
			d.path = appendField(d.path, f.name)
			d.node(f.node, at(a, f.mem), at(b, f.mem))
			d.path = d.path[:mark]
		}
	case formArray:
		d.array(n, a, b)
	}
}

func (d *differ) array(n *node, a, b unsafe.Pointer) {
	// An element without gaps is a run of bytes; others repeat their body.
	elem := op{width: n.elem.size}
	if !n.elem.contiguous() {
		elem = op{srcStep: n.elem.size, body: n.elem.spans}
	}
	block := max(1, diffBlock/n.elem.size)
	for from := uintptr(0); from < n.count; from += block {
		size := min(block, n.count-from)
		off := from * n.elem.size
		if size > 1 && equalN(at(a, off), at(b, off), &elem, size) {
			continue
		}
		for i := from; i < from+size; i++ {
			mark := len(d.path)
			d.path = appendIndex(d.path, i)
			d.node(n.elem, at(a, i*n.elem.size), at(b, i*n.elem.size))
			d.path = d.path[:mark]
		}
	}
}

func (d *differ) leaf(n *node, a, b unsafe.Pointer) {
	d.report.Total++
	if len(d.report.Differences) >= d.max {
		return
	}
	textA, textB := leafPair(n.value(a), n.value(b), n.stringer)
	d.report.Differences = append(d.report.Differences, Difference{string(d.path), textA, textB})
}

// value returns a scalar in place as a reflect.Value, unexported or not.
//
//detlint:ignore unproved it is only read
func (n *node) value(p unsafe.Pointer) reflect.Value { return reflect.NewAt(n.typ, p).Elem() }

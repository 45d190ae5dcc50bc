package canon

import "reflect"

// deltaFan is how many parts share one mask of changes.
const deltaFan = 16

// deltaMemory remembers earlier parts of a delta, so that similar ones take fewer bits: for the number of a scalar, how
// wide its last difference was; for the number of a group, its last mask. The zero value remembers nothing.
type deltaMemory struct {
	widths [256]uint8
	masks  [256]uint16
}

// deltaNode is a scalar, or parts in order: the fields of a struct, the elements of an array, or
// the two numbers of a complex one. Parts without an encoding are left out.
type deltaNode struct {
	off    uintptr // the offset of a field from the start of its struct
	number uint8   // the number of a scalar, or of the lowest groups of parts; the elements of an array share it

	bits  uint    // the number of bits of a scalar, 1 for a bool; 0 for parts
	width uintptr // the width of a scalar, in bytes
	spans []op    // what to compare in a field with parts

	count  uintptr // the number of parts
	levels uintptr // the number of levels of groups of parts
	fields []deltaNode
	elem   *deltaNode // the element of an array
	step   uintptr    // the distance from element to element
	run    op         // what to compare in elements
}

// deltaRoot returns the tree of the type, which is made when it is first needed.
func (l *layout) deltaRoot() *deltaNode {
	l.deltaOnce.Do(func() {
		var c deltaCounter
		n := c.node(l.root, 0)
		l.delta = &n
	})
	return l.delta
}

// deltaCounter assigns numbers in the order of declaration, modulo 256: a collision only costs bits.
type deltaCounter uint8

func (c *deltaCounter) take(n uintptr) uint8 {
	number := uint8(*c)
	*c += deltaCounter(n)
	return number
}

func (c *deltaCounter) node(n *node, off uintptr) deltaNode {
	d := deltaNode{off: off, spans: n.spans}
	switch {
	case n.enc == 0: // there are no parts
	case n.form == formScalar && n.width < n.size:
		d.fields = make([]deltaNode, 2)
		d.parts(c, 2)
		for i := range d.fields {
			d.fields[i] = deltaNode{off: uintptr(i) * n.width, number: c.take(1), bits: uint(n.width) * 8, width: n.width}
		}
	case n.form == formScalar:
		d.number, d.bits, d.width = c.take(1), uint(n.width)*8, n.width
		if n.typ.Kind() == reflect.Bool {
			d.bits = 1
		}
	case n.form == formStruct:
		var with []field
		for _, f := range n.fields {
			if f.node.enc > 0 {
				with = append(with, f)
			}
		}
		d.parts(c, uintptr(len(with)))
		for _, f := range with {
			d.fields = append(d.fields, c.node(f.node, f.mem))
		}
	default:
		d.parts(c, n.count)
		elem := c.node(n.elem, 0)
		d.elem, d.step = &elem, n.elem.size
		d.run = op{srcStep: n.elem.size, body: n.elem.spans}
		if n.elem.contiguous() {
			d.run = op{width: n.elem.size}
		}
	}
	return d
}

// parts sets how many parts there are, and numbers their groups.
func (d *deltaNode) parts(c *deltaCounter, n uintptr) {
	d.count, d.levels = n, 1
	for most := uintptr(deltaFan); most < n; most *= deltaFan {
		d.levels++
	}
	d.number = c.take(d.levels)
}

// part returns a part, and its offset.
func (d *deltaNode) part(i uintptr) (part *deltaNode, off uintptr) {
	if d.elem != nil {
		return d.elem, i * d.step
	}
	return &d.fields[i], d.fields[i].off
}

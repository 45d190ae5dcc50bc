package canon

import "reflect"

// A program says how to move a value between its memory and its encoding. It is a list of ops in declaration order.
// Runs of adjacent scalars are one op, and an array whose elements have gaps is one op with a body, so the length of a
// program depends on the number of gaps in the type and not on its size.

// op is either a run of n scalars of width bytes (body is nil), or the body
// repeated for n elements.
type op struct {
	src, dst uintptr // where the op starts on either side, from the start of the enclosing body
	n        uintptr // scalars of a run, elements of a repeat
	width    uintptr // bytes of a scalar of a run
	srcStep  uintptr // distance between two elements of a repeat, on either side
	dstStep  uintptr
	body     []op
}

// unit returns the number of bytes of one scalar or element on the dst side.
func (o *op) unit() uintptr {
	if o.body == nil {
		return o.width
	}
	return o.dstStep
}

// smallBody returns the body of a repeat if that is a single short run of
// bytes: the common shape of an array of padded structs.
func (o *op) smallBody() (*op, bool) {
	only := &o.body[0]
	return only, len(o.body) == 1 && only.body == nil && only.width == 1 && only.n <= smallRun
}

// compile builds the program that encodes a value of type n.
//
// Wide programs treat every scalar as bytes, so that neighbours of different
// widths join into one run. They encode on little-endian machines and compare
// on all. Narrow programs keep the widths, which byte swapping needs.
func compile(n *node, wide bool) []op {
	c := compiler{wide: wide}
	c.add(n, 0, 0)
	return c.ops
}

type compiler struct {
	wide bool
	ops  []op
}

func (c *compiler) add(n *node, src, dst uintptr) {
	switch n.form {
	case formScalar:
		if c.wide {
			c.run(src, dst, 1, n.size)
			return
		}
		c.run(src, dst, n.width, n.size/n.width)
	case formStruct:
		for _, f := range n.fields {
			c.add(f.node, src+f.mem, dst+f.enc)
		}
	case formArray:
		c.array(n, src, dst)
	}
}

// run appends a run, and joins it to the previous one if they touch.
func (c *compiler) run(src, dst, width, n uintptr) {
	if len(c.ops) > 0 {
		last := &c.ops[len(c.ops)-1]
		if last.body == nil && last.width == width && last.src+last.n*width == src {
			last.n += n
			return
		}
	}
	c.ops = append(c.ops, op{src: src, dst: dst, width: width, n: n})
}

// maxUnrolled is the number of runs up to which an array of elements with gaps is unrolled: a loop costs more than a
// few runs, which may even join their neighbours.
const maxUnrolled = 16

func (c *compiler) array(n *node, src, dst uintptr) {
	body := compile(n.elem, c.wide)
	if n.count == 0 || len(body) == 0 {
		return
	}
	only := &body[0]
	switch {
	case n.count*uintptr(len(body)) <= maxUnrolled && only.body == nil:
		for i := range n.count {
			c.add(n.elem, src+i*n.elem.size, dst+i*n.elem.enc)
		}
	case len(body) == 1 && only.body == nil && only.n*only.width == n.elem.size:
		// No gaps: the array is as contiguous as its elements.
		c.run(src, dst, only.width, only.n*n.count)
	case len(body) == 1 && only.body != nil && only.n*only.srcStep == n.elem.size:
		// An array of arrays is a longer array.
		flat := *only
		flat.src, flat.dst, flat.n = src, dst, only.n*n.count
		c.ops = append(c.ops, flat)
	default:
		c.ops = append(c.ops, op{
			src: src, dst: dst, n: n.count,
			srcStep: n.elem.size, dstStep: n.elem.enc, body: body,
		})
	}
}

// selection builds programs for only some of the scalars. Both sides of its ops are offsets on one side: in memory, or
// in the encoding.
type selection struct {
	memory bool
	wanted func(reflect.Kind) bool
}

func (s selection) compile(n *node) []op {
	var c compiler
	s.add(&c, n, 0)
	return c.ops
}

// place returns the offset of a field in its struct.
func (s selection) place(f *field) uintptr {
	if s.memory {
		return f.mem
	}
	return f.enc
}

// step returns the distance between the elements of an array.
func (s selection) step(n *node) uintptr {
	if s.memory {
		return n.elem.size
	}
	return n.elem.enc
}

func (s selection) add(c *compiler, n *node, off uintptr) {
	switch n.form {
	case formScalar:
		if s.wanted(n.typ.Kind()) {
			c.run(off, off, n.width, n.size/n.width)
		}
	case formStruct:
		for i := range n.fields {
			s.add(c, n.fields[i].node, off+s.place(&n.fields[i]))
		}
	case formArray:
		body, step := s.compile(n.elem), s.step(n)
		switch {
		case n.count == 0 || len(body) == 0:
		case len(body) == 1 && body[0].body == nil && body[0].n*body[0].width == step:
			c.run(off, off, body[0].width, body[0].n*n.count)
		default:
			c.ops = append(c.ops, op{src: off, dst: off, n: n.count, srcStep: step, dstStep: step, body: body})
		}
	}
}

// reversed exchanges the two sides of a program: the decoding program is the
// encoding one read backwards.
func reversed(ops []op) []op {
	out := make([]op, len(ops))
	for i, o := range ops {
		o.src, o.dst = o.dst, o.src
		o.srcStep, o.dstStep = o.dstStep, o.srcStep
		if o.body != nil {
			o.body = reversed(o.body)
		}
		out[i] = o
	}
	return out
}

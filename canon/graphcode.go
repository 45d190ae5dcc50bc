package canon

import (
	"reflect"
	"time"
)

// code is what a saver does with a value of a shape, as lists in the order of its memory. In a list, an array is one
// entry that repeats a body, unless its elements join into one run.
type code struct {
	follow  []ref     // what a walk does
	hidden  []ref     // what a walk does after everything that is compared
	form    []piece   // what is compared
	words   []span    // the words that are pointers
	runs    []span    // the bytes that are saved, if not all are
	resets  []resetAt // what is made zero or empty
	partial bool      // not all bytes are saved
	dense   bool      // all bytes are compared, as they are
	flat    bool      // it has no references that are followed
}

// followKind is what a walk does with a reference.
type followKind uint8

const (
	followPointer followKind = iota
	followSlice
	followMap
	followIface
	followKeep   // a pointer that is kept, not followed
	followRefuse // memory that must be zero
	followRepeat
)

type ref struct {
	kind   followKind
	off    uintptr
	shape  *shape  // the shape of the reference itself
	n      uintptr // the number of repeats
	stride uintptr
	body   []ref
}

// piece is a part of what is compared.
type piece struct {
	kind   shapeKind // shapeNumber, shapeString, shapeTime or of a reference; shapeArray repeats the body
	off    uintptr
	n      uintptr // the number of numbers, or of repeats
	width  uintptr // the width of a number; 1 for any numbers that need no conversion
	wide   bool    // a number of platform-dependent width, which differs from that of the form
	signed bool
	float  uintptr // how many bytes a float of the piece has, or 0
	stride uintptr
	shape  *shape // the shape of a reference
	body   []piece
}

// span is one of three things, repeated n times: a byte, a word, or the body.
type span struct {
	off, n, stride uintptr
	body           []span
}

type resetAt struct {
	off    uintptr
	shape  *shape
	n      uintptr
	stride uintptr
	body   []resetAt
}

// mode is how a value is treated because of where it is.
type mode uint8

const (
	modeCompared mode = iota
	modeHidden
	modeOpaque
)

// few is the length up to which arrays are split into their elements.
const few = 4

// compile makes the code of a shape.
func (sh *shape) compile() {
	sh.emit(&sh.code, 0, modeCompared)
	c := &sh.code
	if !c.partial {
		c.runs = nil
	}
	end := uintptr(0)
	for _, p := range c.form {
		if p.kind != shapeNumber || p.width != 1 || p.off != end {
			break
		}
		end += p.n
	}
	c.dense = !c.partial && sh.size > 0 && end == sh.size
	c.flat = len(c.hidden) == 0
	for _, r := range c.follow {
		c.flat = c.flat && isFlat(r)
	}
}

// isFlat reports whether there is nothing to follow, and nothing that could be refused.
func isFlat(r ref) bool {
	if r.kind != followRepeat {
		return r.kind == followKeep
	}
	for _, b := range r.body {
		if !isFlat(b) {
			return false
		}
	}
	return true
}

func (sh *shape) emit(c *code, off uintptr, m mode) {
	switch sh.kind {
	case shapeNumber:
		c.number(sh, off, m)
	case shapeString, shapePointer, shapeSlice, shapeMap, shapeIface:
		c.reference(sh, off, m)
	case shapeTime:
		loc, _ := reflect.TypeFor[time.Time]().FieldByName("loc")
		c.follow = append(c.follow, ref{kind: followKeep, off: off + loc.Offset})
		c.words = addSpan(c.words, off+loc.Offset, 1, ptrSize)
		c.runs = addSpan(c.runs, off, sh.size, 1)
		if m == modeCompared {
			c.form = append(c.form, piece{kind: shapeTime, off: off})
		}
	case shapeRefused:
		c.refused(sh, off, m)
	case shapeOpaque:
		sh.elem.emit(c, off, modeOpaque)
	case shapeLeft:
		c.partial = true
	case shapeReset, shapePool:
		c.partial, c.resets = true, append(c.resets, resetAt{off: off, shape: sh})
	case shapeStruct:
		for _, f := range sh.fields {
			inner := m
			if f.hidden && m == modeCompared {
				inner = modeHidden
			}
			f.shape.emit(c, off+f.off, inner)
		}
	case shapeArray:
		sh.emitArray(c, off, m)
	}
}

func (c *code) number(sh *shape, off uintptr, m mode) {
	c.runs = addSpan(c.runs, off, sh.size, 1)
	if m != modeCompared {
		return
	}
	p := numberPiece(sh)
	p.off = off
	if littleEndian && !p.wide {
		p.n, p.width = sh.size, 1
	}
	if n := len(c.form); n > 0 && !p.wide {
		last := &c.form[n-1]
		if last.kind == shapeNumber && !last.wide && last.width == p.width && last.float == p.float && last.off+last.n*last.width == off {
			last.n += p.n
			return
		}
	}
	c.form = append(c.form, p)
}

// numberPiece returns the piece of numbers of a shape, at offset 0.
func numberPiece(sh *shape) piece {
	k := sh.typ.Kind()
	p := piece{kind: shapeNumber, n: sh.size / sh.width, width: sh.width}
	p.wide = sh.width != 8 && (k == reflect.Int || k == reflect.Uint || k == reflect.Uintptr)
	p.signed = k == reflect.Int
	if reflect.Float32 <= k && k <= reflect.Complex128 {
		p.float = sh.width
	}
	return p
}

func (c *code) reference(sh *shape, off uintptr, m mode) {
	kind, word := followKeep, off
	switch sh.kind {
	case shapePointer:
		kind = followPointer
	case shapeSlice:
		kind = followSlice
	case shapeMap:
		kind = followMap
	case shapeIface:
		kind, word = followIface, off+ptrSize
	}
	r := ref{kind: kind, off: off, shape: sh}
	if m == modeOpaque || kind == followKeep {
		r = ref{kind: followKeep, off: word}
	}
	if m == modeHidden && r.kind != followKeep {
		c.hidden = append(c.hidden, r)
	} else {
		c.follow = append(c.follow, r)
	}
	c.words = addSpan(c.words, word, 1, ptrSize)
	c.runs = addSpan(c.runs, off, sh.size, 1)
	if m == modeCompared {
		c.form = append(c.form, piece{kind: sh.kind, off: off, shape: sh})
	}
}

func (c *code) refused(sh *shape, off uintptr, m mode) {
	pointer := sh.typ.Kind() != reflect.Uintptr && sh.typ.Kind() != reflect.Struct
	if m != modeOpaque {
		// Values that are not compared are only refused for the captured variables of a function.
		if m == modeCompared || pointer {
			c.follow = append(c.follow, ref{kind: followRefuse, off: off, shape: sh})
		}
	} else if pointer {
		c.follow = append(c.follow, ref{kind: followKeep, off: off})
	}
	if sh.typ.Kind() == reflect.Struct {
		c.partial = true
		return
	}
	if pointer {
		c.words = addSpan(c.words, off, 1, ptrSize)
	}
	c.runs = addSpan(c.runs, off, sh.size, 1)
}

func (sh *shape) emitArray(c *code, off uintptr, m mode) {
	if sh.count == 0 || sh.size == 0 && sh.elem.kind != shapeArray && sh.elem.kind != shapeStruct {
		return
	}
	step, n := sh.elem.size, sh.count
	if n <= few {
		for i := range n {
			sh.elem.emit(c, off+i*step, m)
		}
		return
	}
	var e code
	sh.elem.emit(&e, 0, m)
	if len(e.follow) > 0 {
		c.follow = append(c.follow, ref{kind: followRepeat, off: off, n: n, stride: step, body: e.follow})
	}
	if len(e.hidden) > 0 {
		c.hidden = append(c.hidden, ref{kind: followRepeat, off: off, n: n, stride: step, body: e.hidden})
	}
	if len(e.resets) > 0 {
		c.resets = append(c.resets, resetAt{off: off, n: n, stride: step, body: e.resets})
	}
	c.words, c.runs, c.partial = repeatSpan(c.words, off, n, step, ptrSize, e.words), repeatSpan(c.runs, off, n, step, 1, e.runs), c.partial || e.partial
	if len(e.form) == 0 {
		return
	}
	one := e.form[0]
	if len(e.form) == 1 && one.kind == shapeNumber && !one.wide && one.off == 0 && one.n*one.width == step {
		one.off, one.n = off, one.n*n
		c.form = append(c.form, one)
		return
	}
	c.form = append(c.form, piece{kind: shapeArray, off: off, n: n, stride: step, body: e.form})
}

// addSpan adds n units of a given size to spans, and joins them with the last span if that ends there.
func addSpan(spans []span, off, n, unit uintptr) []span {
	if k := len(spans); k > 0 && spans[k-1].body == nil && spans[k-1].off+spans[k-1].n*unit == off {
		spans[k-1].n += n
		return spans
	}
	return append(spans, span{off: off, n: n})
}

// repeatSpan adds the spans of n elements.
func repeatSpan(spans []span, off, n, step, unit uintptr, elem []span) []span {
	switch {
	case len(elem) == 0:
		return spans
	case len(elem) == 1 && elem[0].body == nil && elem[0].off == 0 && elem[0].n*unit == step:
		return addSpan(spans, off, n*elem[0].n, unit)
	}
	return append(spans, span{off: off, n: n, stride: step, body: elem})
}

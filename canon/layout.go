package canon

import (
	"fmt"
	"reflect"
	"sync"
)

// Option changes what [PlanFor] accepts. Options combine with |, or as further
// arguments.
type Option uint8

// AllowFloats allows float32, float64, complex64 and complex128 fields. They are encoded and compared by their bits: 0
// and -0 differ, and a NaN equals itself; see [Plan.OneNaN]. Whether two machines compute the same bits is then the
// game's concern: Go may fuse x*y+z on some architectures and not on others.
const AllowFloats Option = 1

// layout is what a Plan knows about its type; it is immutable and shared by
// all plans of that type.
type layout struct {
	root *node
	enc  []op // memory to encoding
	dec  []op // encoding to memory
	// bools finds the bool bytes of an encoding.
	bools []op
	// floats finds the floats of a value in memory.
	floats []op
	// whole is the single run of bytes that is the encoding, if it is one.
	whole *op
	// word is the length of that run if memory and encoding are one small number that may have any value, as the inputs of
	// most games are.
	word uintptr

	delta     *deltaNode // once it is needed
	deltaOnce sync.Once
}

// newLayout checks t and compiles it. The form does not depend on native: it
// only says whether memory may be copied as it is.
func newLayout(t reflect.Type, opt Option, native bool) (*layout, error) {
	if opt&^AllowFloats != 0 {
		return nil, fmt.Errorf("canon: unknown option %#x; use canon.AllowFloats or none", uint8(opt))
	}
	if err := check(t, opt); err != nil {
		return nil, err
	}
	l := &layout{root: tree{}.node(t)}
	l.enc = compile(l.root, native)
	l.dec = reversed(l.enc)
	l.bools = compileBools(l.root)
	if opt&AllowFloats != 0 {
		l.floats = compileFloats(l.root)
	}
	if len(l.enc) == 1 && l.enc[0].body == nil && l.enc[0].width == 1 {
		l.whole = &l.enc[0]
		if n := l.whole.n; l.whole.src == 0 && len(l.bools) == 0 && (n == 1 || n == 2 || n == 4 || n == 8) {
			l.word = n
		}
	}
	return l, nil
}

type layoutKey struct {
	typ reflect.Type
	opt Option
}

// layouts holds every layout that was built, by layoutKey. Programs have few state types, so entries are never removed.
var layouts sync.Map

// layoutOf returns the layout of t, and builds it once.
func layoutOf(t reflect.Type, opt Option) (*layout, error) {
	key := layoutKey{t, opt}
	//detlint:ignore concurrency it remembers what a type is like, which anybody finds out alike
	if l, ok := layouts.Load(key); ok {
		return l.(*layout), nil
	}
	l, err := newLayout(t, opt, littleEndian)
	if err != nil {
		return nil, err
	}
	//detlint:ignore concurrency it remembers what a type is like, which anybody finds out alike
	shared, _ := layouts.LoadOrStore(key, l)
	return shared.(*layout), nil
}

// dense reports whether the memory of a value is its encoding, and any bytes are valid. Then an array of values is an
// array of encodings.
func (l *layout) dense() bool {
	return l.whole != nil && l.whole.src == 0 && l.whole.n == l.root.size && len(l.bools) == 0
}

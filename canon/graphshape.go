//detlint:ignore address,unproved the layout of each type comes from the compiler
package canon

import (
	"reflect"
	"strings"
	"time"
	"unsafe"

	"github.com/zeebo/xxh3"
)

// shapeKind is what a saver does with a value.
type shapeKind uint8

const (
	shapeNumber  shapeKind = iota // compared by its bits
	shapeString                   // compared by its bytes, which never change
	shapePointer                  // followed
	shapeSlice                    // followed
	shapeMap                      // followed
	shapeIface                    // followed
	shapeStruct                   // its fields
	shapeArray                    // its elements
	shapeTime                     // a time.Time
	shapeRefused                  // must be zero
	shapeOpaque                   // its bits
	shapeLeft                     // left as it is
	shapeReset                    // made zero
	shapePool                     // made empty
	shapeEntries                  // what a map holds
)

// shape is how a saver treats a type. It is immutable once it is compiled, except for overlap.
type shape struct {
	typ    reflect.Type
	kind   shapeKind
	direct bool // an interface holds the value itself instead of its address
	width  uintptr
	size   uintptr
	name   uint64 // a hash of the name of the type
	count  uintptr
	elem   *shape // the shape behind a pointer, slice or array, or of the entries of a map; nil if that is not followed
	key    *shape // the shape of a map's keys
	// entries is the shape of what a map holds.
	entries *shape
	fields  []member

	code
	// overlap says that regions of the shape may overlap others, if it is not 0. It is accessed atomically, since types
	// that are met later may cause it.
	overlap uint32
}

// member is a field of a struct.
type member struct {
	name   string
	off    uintptr
	shape  *shape
	hidden bool // it is not compared
}

const ptrSize = unsafe.Sizeof(uintptr(0))

// shapeOf returns the shape of a type, and makes it once, together with all shapes that it contains or refers to.
func (s *saver) shapeOf(t reflect.Type) *shape {
	s.mu.Lock() //detlint:ignore concurrency it remembers what types are like, which anybody finds out alike
	defer s.mu.Unlock()
	if sh := s.shapes[t]; sh != nil {
		return sh
	}
	sh := s.build(t, true)
	for _, f := range s.fresh {
		f.compile()
	}
	s.fresh = s.fresh[:0]
	s.findOverlaps()
	return sh
}

// build makes the shape of a type. Types behind references that are not followed are not examined.
func (s *saver) build(t reflect.Type, follow bool) *shape {
	known := s.shapes
	if !follow {
		known = s.shallow
	}
	if sh := known[t]; sh != nil {
		return sh
	}
	name := t.String()
	if t.PkgPath() != "" {
		name = t.PkgPath() + "." + t.Name()
	}
	sh := &shape{typ: t, size: t.Size(), name: xxh3.HashString(name), direct: isDirect(t)}
	known[t] = sh
	s.fresh = append(s.fresh, sh)
	switch treat := s.treatmentOf(t); {
	case !follow:
		s.buildKind(sh, false)
	case treat == treatOpaque:
		s.buildOpaque(sh)
	case treat == treatLeave:
		sh.kind = shapeLeft
	case treat == treatReset:
		sh.kind = shapeReset
	case treat == treatUncompared:
		s.buildKind(sh, true)
		inner := *sh
		*sh = shape{typ: t, size: sh.size, name: sh.name, direct: sh.direct, kind: shapeStruct}
		sh.fields = []member{{shape: s.also(&inner), hidden: true}}
	case treat == treatNumber && t.Kind() == reflect.Uintptr:
		sh.kind, sh.width = shapeNumber, sh.size
	default:
		s.buildKind(sh, true)
	}
	return sh
}

// also returns a second shape for the type of sh, which has been compiled already.
func (s *saver) also(sh *shape) *shape {
	c := &shape{
		typ: sh.typ, kind: sh.kind, direct: sh.direct, width: sh.width, size: sh.size, name: sh.name,
		count: sh.count, elem: sh.elem, entries: sh.entries, fields: sh.fields,
	}
	s.fresh = append(s.fresh, c)
	return c
}

// treatmentOf returns how to treat a type: as the options say, or according to what is known about the type.
func (s *saver) treatmentOf(t reflect.Type) treatment {
	if treat := s.options.ofType(t); treat != treatSave {
		return treat
	}
	switch {
	case t.Kind() == reflect.Func && s.options.functions:
		return treatOpaque
	case t.PkgPath() == "sync" && strings.Contains(" Mutex RWMutex WaitGroup Cond ", " "+t.Name()+" "):
		return treatLeave
	case t.Kind() == reflect.Pointer && isImmutable(t.Elem()):
		return treatOpaque
	}
	return treatSave
}

// isImmutable reports whether values of a type never change, and may lie in memory that cannot be written.
func isImmutable(t reflect.Type) bool {
	return t == reflect.TypeFor[time.Location]() || t.PkgPath() == "reflect" || t.PkgPath() == "internal/abi"
}

// buildOpaque makes a shape of bits that are not followed.
func (s *saver) buildOpaque(sh *shape) {
	sh.kind, sh.elem = shapeOpaque, s.build(sh.typ, false)
}

func (s *saver) buildKind(sh *shape, follow bool) {
	lead := func(t reflect.Type) *shape {
		if !follow {
			return nil
		}
		return s.build(t, true)
	}
	switch t := sh.typ; t.Kind() {
	case reflect.Struct:
		s.buildStruct(sh, follow)
	case reflect.Array:
		sh.kind, sh.count, sh.elem = shapeArray, uintptr(t.Len()), s.build(t.Elem(), follow)
	case reflect.Pointer:
		sh.kind, sh.elem = shapePointer, lead(t.Elem())
		s.targets.pointers[t.Elem()] = true
	case reflect.Slice:
		sh.kind, sh.elem = shapeSlice, lead(t.Elem())
		s.targets.slices[t.Elem()] = true
	case reflect.Map:
		sh.kind = shapeMap
		if follow {
			sh.entries = &shape{typ: t, kind: shapeEntries, name: sh.name + 1, elem: lead(t.Elem()), key: lead(t.Key())}
		}
	case reflect.Interface:
		sh.kind, s.open = shapeIface, s.open || follow
	case reflect.String:
		sh.kind = shapeString
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		sh.kind = shapeRefused
	case reflect.Complex64, reflect.Complex128:
		sh.kind, sh.width = shapeNumber, sh.size/2
	default:
		sh.kind, sh.width = shapeNumber, sh.size
	}
}

func (s *saver) buildStruct(sh *shape, follow bool) {
	t := sh.typ
	switch {
	case t == reflect.TypeFor[time.Time]():
		sh.kind = shapeTime
		return
	case t.PkgPath() == "sync" && t.Name() == "Pool" && follow:
		sh.kind = shapePool
		return
	case t.PkgPath() == "sync" && t.Name() == "Map" && follow:
		sh.kind = shapeRefused
		return
	}
	sh.kind = shapeStruct
	if target, at, ok := atomicPointer(t); ok && follow {
		pointer := &shape{typ: reflect.PointerTo(target), kind: shapePointer, size: ptrSize, direct: true, elem: s.build(target, true)}
		sh.fields = []member{{name: "v", off: at, shape: pointer}}
		s.targets.pointers[target] = true
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		m := member{name: f.Name, off: f.Offset}
		treat := treatSave
		if follow {
			treat = s.options.ofField(t, f.Name)
			if role, _ := roleOf(f); treat == treatSave && role != roleField {
				treat = treatOpaque
			}
		}
		switch treat {
		case treatLeave:
			m.shape = s.also(&shape{typ: f.Type, kind: shapeLeft, size: f.Type.Size()})
		case treatReset:
			m.shape = s.also(&shape{typ: f.Type, kind: shapeReset, size: f.Type.Size()})
		case treatOpaque:
			m.shape = &shape{typ: f.Type, size: f.Type.Size()}
			s.buildOpaque(m.shape)
			m.shape = s.also(m.shape)
		case treatNumber:
			if f.Type.Kind() == reflect.Uintptr {
				m.shape = s.also(&shape{typ: f.Type, kind: shapeNumber, width: f.Type.Size(), size: f.Type.Size()})
				break
			}
			fallthrough
		default:
			m.shape, m.hidden = s.build(f.Type, follow), treat == treatUncompared
		}
		sh.fields = append(sh.fields, m)
	}
}

// atomicPointer returns what an atomic.Pointer points to, and the offset of the pointer in it.
func atomicPointer(t reflect.Type) (target reflect.Type, at uintptr, ok bool) {
	if t.PkgPath() != "sync/atomic" || !strings.HasPrefix(t.Name(), "Pointer[") {
		return nil, 0, false
	}
	v, ok := t.FieldByName("v")
	if first := t.Field(0).Type; ok && first.Kind() == reflect.Array && first.Elem().Kind() == reflect.Pointer {
		return first.Elem().Elem(), v.Offset, true
	}
	return nil, 0, false
}

// isDirect reports whether an interface stores a value of the type itself in its data word, in which it stores an
// address for other types. Then that word is nil for the zero value.
func isDirect(t reflect.Type) bool {
	if t.Kind() == reflect.Interface {
		return false
	}
	zero := reflect.Zero(t).Interface()
	return (*[2]unsafe.Pointer)(unsafe.Pointer(&zero))[1] == nil
}

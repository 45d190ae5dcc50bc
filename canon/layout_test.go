package canon

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// layoutsOf compiles a type in two ways: for little-endian memory, if this machine's is, and scalar by scalar, as
// big-endian machines need it.
func layoutsOf(t rapid.TB, typ reflect.Type) map[string]*layout {
	t.Helper()
	all := map[string]*layout{}
	for name, native := range map[string]bool{"native": littleEndian, "by scalar": false} {
		l, err := newLayout(typ, AllowFloats, native)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = l
	}
	return all
}

// Rule: for every plain type and any memory, the encoding is that of the definition, its hash is the XXH3 of the
// encoding, and decoding gives the value back.
func TestEveryTypeEncodesByTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 4)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "memory"), 0))
		v := randomValue(typ, rng)
		want := referenceEncode(nil, v)
		for name, l := range layoutsOf(t, typ) {
			if got := l.encode(pointerTo(v)); !bytes.Equal(got, want) {
				t.Fatalf("%v %s: encoded %x, want %x", typ, name, got, want)
			}
			if got := l.hash(pointerTo(v)); got != xxh3.Hash(want) {
				t.Fatalf("%v %s: hash %x of %x", typ, name, got, want)
			}
			if err := l.validate(want); err != nil {
				t.Fatalf("%v %s: %v", typ, name, err)
			}
			back := randomValue(typ, rng)
			move(pointerTo(back), unsafe.Pointer(unsafe.SliceData(want)), l.dec)
			if got := referenceEncode(nil, back); !bytes.Equal(got, want) {
				t.Fatalf("%v %s: decoded to %x, want %x", typ, name, got, want)
			}
			if !equal(pointerTo(v), pointerTo(back), l.root.spans) {
				t.Fatalf("%v %s: decoded value is not equal", typ, name)
			}
		}
	})
}

// Control: the comparison with the definition notices a program that reads a wrong byte, and one that reads too few.
func TestDefinitionNoticesWrongPrograms(t *testing.T) {
	type state struct {
		A uint8
		B uint32
	}
	v := randomValue(reflect.TypeFor[state](), rand.New(rand.NewPCG(3, 3)))
	want := referenceEncode(nil, v)
	for name, spoil := range map[string]func(ops []op){
		"wrong byte": func(ops []op) { ops[1].src-- },
		"too little": func(ops []op) { ops[1].n = 3 },
	} {
		l := layoutsOf(t, v.Type())["native"]
		l.enc = compile(l.root, true)
		spoil(l.enc)
		if bytes.Equal(l.encode(pointerTo(v)), want) {
			t.Errorf("%s went unnoticed", name)
		}
	}
}

// Rule: a byte of memory counts exactly if it is not in a gap. Every byte of the value is changed in turn.
func TestExactlyTheGapsDoNotCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 3)
		v := randomValue(typ, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "memory"), 0)))
		for name, l := range layoutsOf(t, typ) {
			covered := gapBytes(typ)
			mem := bytesAt(pointerTo(v), typ.Size())
			was, copied := l.hash(pointerTo(v)), reflect.New(typ).Elem()
			copied.Set(v)
			copy(bytesAt(pointerTo(copied), typ.Size()), mem)
			for i := range mem {
				mem[i] ^= 1
				same := l.hash(pointerTo(v)) == was
				if same != equal(pointerTo(v), pointerTo(copied), l.root.spans) {
					t.Fatalf("%v %s: byte %d: hash and equality disagree", typ, name, i)
				}
				if same != covered[i] {
					t.Fatalf("%v %s: byte %d is a gap: %v, hash unchanged: %v", typ, name, i, covered[i], same)
				}
				mem[i] ^= 1
			}
		}
	})
}

// gapBytes marks the bytes in gaps, found field by field: those that are not part of any field that counts.
func gapBytes(typ reflect.Type) []bool {
	marks := make([]bool, typ.Size())
	var mark func(t reflect.Type, base uintptr)
	mark = func(t reflect.Type, base uintptr) {
		switch t.Kind() {
		case reflect.Array:
			for i := range t.Len() {
				mark(t.Elem(), base+uintptr(i)*t.Elem().Size())
			}
		case reflect.Struct:
			used := make([]bool, t.Size())
			for i := range t.NumField() {
				f := t.Field(i)
				if role, _ := roleOf(f); role != roleField {
					continue
				}
				for j := range f.Type.Size() {
					used[f.Offset+j] = true
				}
				mark(f.Type, base+f.Offset)
			}
			for i, u := range used {
				if !u {
					marks[base+uintptr(i)] = true
				}
			}
		}
	}
	mark(typ, 0)
	return marks
}

// Rule: the gaps reported add up to the memory that is not encoded.
func TestGapsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 4)
		l := layoutsOf(t, typ)["native"]
		var g gapFinder
		g.walk(typ, "", 0, 1)
		total := 0
		for _, gap := range g.gaps {
			total += gap.Bytes * gap.Count
		}
		if want := int(typ.Size() - l.root.enc); total != want {
			t.Fatalf("%v: gaps of %d bytes, want %d: %v", typ, total, want, g.gaps)
		}
	})
}

// Rule: hashing in parts gives the hash of the whole, for every size around the limits of the buffers and of XXH3's
// blocks.
func TestStreamedHashIsTheHashOfTheEncoding(t *testing.T) {
	padded := reflect.TypeFor[struct {
		A uint32
		B uint8
	}]()
	rng := rand.New(rand.NewPCG(7, 7))
	for _, around := range []int{0, 16, 128, 240, smallBuffer, 1024, 1088, largeBuffer, 2 * largeBuffer, 3*largeBuffer + 64} {
		for n := max(0, around-6); n <= around+6; n++ {
			typ := reflect.StructOf([]reflect.StructField{
				{Name: "Pad", Type: padded},
				{Name: "Tail", Type: reflect.ArrayOf(n, reflect.TypeFor[uint8]())},
				{Name: "Many", Type: reflect.ArrayOf(n/5, padded)},
			})
			v := randomValue(typ, rng)
			for name, l := range layoutsOf(t, typ) {
				want := xxh3.Hash(l.encode(pointerTo(v)))
				if got := l.hash(pointerTo(v)); got != want {
					t.Errorf("%d bytes %s: %x, want %x", n, name, got, want)
				}
				if got := l.hashStream(pointerTo(v)); got != want {
					t.Errorf("%d bytes %s: streamed %x, want %x", n, name, got, want)
				}
			}
		}
	}
}

// Rule: an element larger than the buffer is hashed in parts.
func TestStreamTakesLargeElementsApart(t *testing.T) {
	type big struct {
		A [3000]uint16
		B uint8
		C [2 * largeBuffer]uint8
		D uint64
	}
	typ := reflect.TypeFor[[3]big]()
	v := randomValue(typ, rand.New(rand.NewPCG(1, 2)))
	for name, l := range layoutsOf(t, typ) {
		if got, want := l.hash(pointerTo(v)), xxh3.Hash(referenceEncode(nil, v)); got != want {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
	}
}

// Rule: the length of a program depends on the gaps of a type, not on its size.
func TestLargeTypesCompileToShortPrograms(t *testing.T) {
	type padded struct {
		A uint64
		B uint8
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[[1 << 20]byte](),
		reflect.TypeFor[[65536]padded](),
		reflect.TypeFor[[256][256]padded](),
		reflect.TypeFor[[65536]struct{ A, B bool }](),
	} {
		for name, l := range layoutsOf(t, typ) {
			if n := countOps(l.enc) + countOps(l.bools); n > 4 {
				t.Errorf("%v %s: %d ops", typ, name, n)
			}
		}
	}
}

func countOps(ops []op) int {
	n := len(ops)
	for _, o := range ops {
		n += countOps(o.body)
	}
	return n
}

// Rule: a layout is built once per type and options.
func TestLayoutsAreShared(t *testing.T) {
	a, _ := PlanFor[[3]uint8]()
	b, _ := PlanFor[[3]uint8]()
	c, _ := PlanFor[[3]uint8](AllowFloats)
	if a.layout != b.layout || a.layout == c.layout {
		t.Error("want one layout per type and options")
	}
	if _, err := PlanFor[uint8](Option(64)); err == nil {
		t.Error("an unknown option was accepted")
	}
}

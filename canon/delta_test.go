package canon

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// near changes some of the scalars of a value, most of them by a little.
func near(v reflect.Value, rng *rand.Rand, oneIn int) {
	switch v.Kind() {
	case reflect.Array:
		for i := range v.Len() {
			near(v.Index(i), rng, oneIn)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			near(v.Field(i), rng, oneIn)
		}
	default:
		if rng.IntN(oneIn) != 0 {
			return
		}
		mem := bytesAt(v.Addr().UnsafePointer(), v.Type().Size())
		switch {
		case v.Kind() == reflect.Bool:
			mem[0] ^= 1
		case rng.IntN(4) == 0:
			garbage(v, rng)
		default:
			mem[rng.IntN(len(mem))] += byte(rng.IntN(9)) - 4
		}
	}
}

// Rule: a delta and its base give the value, for the memory layout of any machine, whatever follows the delta, and
// however much differs. The page says the same about its bits.
func TestADeltaGivesTheValue(t *testing.T) {
	var kinds [4]int
	rapid.Check(t, func(t *rapid.T) {
		typ := drawType(t, 3)
		if rapid.IntRange(0, 3).Draw(t, "wide") == 0 {
			typ = reflect.ArrayOf(rapid.IntRange(1, 600).Draw(t, "count"), drawType(t, 1))
		}
		l, err := newLayout(typ, AllowFloats, littleEndian && rapid.Bool().Draw(t, "native"))
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		base := randomValue(typ, rng)
		v := reflect.New(typ).Elem()
		v.Set(base)
		near(v, rng, 1<<rapid.IntRange(0, 6).Draw(t, "one in"))
		before, after := l.encode(pointerTo(base)), l.encode(pointerTo(v))

		delta := l.appendDelta([]byte("x"), pointerTo(base), pointerTo(v))[1:]
		switch same := bytes.Equal(before, after); {
		case same && !bytes.Equal(delta, []byte{0}):
			t.Fatalf("nothing differs, and the delta is %x", delta)
		case len(delta) > 1+4*int(l.root.enc): // 7 + 3 bits and masks, for a number of 8
			t.Fatalf("%d bytes for a value of %d", len(delta), l.root.enc)
		case same:
			kinds[0]++
		case len(delta) > len(after)/2:
			kinds[1]++
		default:
			kinds[2]++
		}
		got := reflect.New(typ).Elem()
		got.Set(base)
		n, err := l.applyDelta(pointerTo(got), append(bytes.Clone(delta), 0xFF))
		if err != nil || n != len(delta) {
			t.Fatalf("%v: %d bytes of %d, %v", typ, n, len(delta), err)
		}
		if !bytes.Equal(l.encode(pointerTo(got)), after) {
			t.Fatalf("%v: another value", typ)
		}
		byPage := bytes.Clone(before)
		if n, err := pageApply(typ, byPage, delta); err != nil || n != len(delta) || !bytes.Equal(byPage, after) {
			t.Fatalf("%v: by the page, %d bytes of %d, %v", typ, n, len(delta), err)
		}
		for cut := range delta {
			if n, err := l.applyDelta(pointerTo(got), delta[:cut]); err == nil && n > cut {
				t.Fatalf("%d bytes of %d are read", n, cut)
			}
		}
	})
	t.Logf("%d equal, %d large, %d small", kinds[0], kinds[1], kinds[2])
}

// withGaps has gaps, which must stay as they are.
type withGaps struct {
	A     uint8
	Local uint64 `canon:"-"`
	_     [3]byte
	B     int64
	Many  [20]struct {
		On bool
		V  uint16
	}
}

// Rule: excluded fields keep their values, and do not count.
func TestADeltaLeavesGapsAlone(t *testing.T) {
	p := planFor[withGaps](t)
	base := withGaps{A: 1, Local: 2, B: 3}
	v := base
	v.Local = 99
	if delta := p.AppendDelta(nil, &base, &v); !bytes.Equal(delta, []byte{0}) {
		t.Errorf("an excluded field is in the delta: %x", delta)
	}
	v.B, v.Many[17].On, v.Many[3].V = -1, true, 60000
	delta := p.AppendDelta(nil, &base, &v)
	if n, err := p.ApplyDelta(&base, delta); err != nil || n != len(delta) || base.Local != 2 {
		t.Fatalf("%d, %v: %+v", n, err, base)
	}
	if !p.Equal(&base, &v) {
		t.Errorf("%v", p.Diff(&base, &v, 10))
	}
}

// Rule: AppendDelta writes into the room that b has, or grows b, and writes nothing else.
func TestADeltaIsAppended(t *testing.T) {
	p, base, v := planFor[world](t), aWorld(), aWorld()
	v.P[1].X++
	delta := p.AppendDelta(nil, base, v)
	room := bytes.Repeat([]byte{0xAA}, 40)
	got := p.AppendDelta(room[:4:30], base, v)
	if &got[0] != &room[0] || !bytes.Equal(got[4:], delta) || !bytes.Equal(room[30:], bytes.Repeat([]byte{0xAA}, 10)) {
		t.Errorf("%x", room)
	}
}

// Rule: bytes that AppendDelta does not write are refused, with the type, the bit and the problem, and change nothing.
func TestWhatIsNoDeltaIsRefused(t *testing.T) {
	type two [2]uint8
	refused(t, two{}, "", 0, deltaShort)
	refused(t, two{}, "0 1", 1, deltaPadding)
	refused(t, two{}, "0 0000001", 1, deltaPadding)
	refused(t, struct{}{}, "1", 1, deltaNothing)
	refused(t, [5]struct{ _ uint8 }{}, "1", 1, deltaNothing)
	refused(t, two{}, "1 11 111 00", 6, deltaShort)
	refused(t, two{}, "1 11 000 0 1", 7, deltaPadding)
	refused(t, [2]two{}, "1 11 11 000", 8, deltaShort)
	// In an array, the second number has the width of the first, and its code.
	refused(t, two{}, "1 11 111 0000000 101 1", 16, deltaWidth)      // 8 bits and one more
	refused(t, two{}, "1 11 000 100", 9, deltaWidth)                 // 1 bit and one less
	refused(t, two{}, "1 11 000 1111111 0 0000000", 6, deltaWidth)   // the code is too long
	accepted(t, two{}, "1 11 111 0000000 0 0000001", 3)              // 8 bits both times
	refused(t, [4]two{}, "1 1100 11 000 0 0 11", 14, deltaAgain)     // the mask of the second pair is that of the first
	accepted(t, [4]two{{1, 1}, {1, 1}}, "1 1100 11 000 0 1 0 0", 2)  // which one bit tells
	accepted(t, [4]two{{1, 1}, {1, 1}}, "1 1100 11 000 0 0 0 0", 2)  // it has another one: only the last
	accepted(t, [4]two{{1, 1}, {1, 1}}, "1 1100 11 000 0 0 10 0", 2) // or the first
}

// bitsOf turns bits in the order of the stream into bytes.
func bitsOf(s string) (b []byte) {
	n := 0
	for _, c := range s {
		if c == ' ' {
			continue
		}
		if n%8 == 0 {
			b = append(b, 0)
		}
		b[n/8] |= byte(c-'0') << (n % 8)
		n++
	}
	return b
}

func refused[T comparable](t *testing.T, v T, delta string, bit int, problem string) {
	t.Helper()
	p, was := planFor[T](t), v
	n, err := p.ApplyDelta(&v, bitsOf(delta))
	var e *DeltaError
	if !errors.As(err, &e) || n != 0 || e.Problem != problem || bit != 0 && e.Bit != bit || e.Type != reflect.TypeFor[T]() || v != was {
		t.Errorf("%q of %T: %d, %v, want %s at bit %d", delta, v, n, err, problem, bit)
	}
}

func accepted[T comparable](t *testing.T, v T, delta string, want int) {
	t.Helper()
	p := planFor[T](t)
	was := v
	if n, err := p.ApplyDelta(&v, bitsOf(delta)); err != nil || n != want || v == was {
		t.Errorf("%q: %d, %v", delta, n, err)
	} else if again := p.AppendDelta(nil, &was, &v); !bytes.Equal(again, bitsOf(delta)) {
		t.Errorf("%q becomes %x", delta, again)
	}
}

// An error says what to check.
func TestADeltaErrorSaysWhereItIs(t *testing.T) {
	_, err := planFor[fuzzState](t).ApplyDelta(new(fuzzState), nil)
	if want := "canon: bit 0 of the delta of canon.fuzzState: it ends too soon; the data are corrupt, or of another type"; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}

// A delta allocates nothing.
func TestADeltaAllocatesNothing(t *testing.T) {
	p, base, v := planFor[world](t), aWorld(), aWorld()
	b := p.AppendDelta(nil, base, v)
	b = append(b, make([]byte, 200)...)
	if n := testing.AllocsPerRun(1000, func() {
		v.P[1].X++
		v.Grid[v.P[1].X%64] ^= 3
		b = p.AppendDelta(b[:0], base, v)
		if _, err := p.ApplyDelta(base, b); err != nil || !p.Equal(base, v) {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Rule: a delta that ApplyDelta accepts is the one that AppendDelta writes for the two values, and the page's reader
// accepts it with the same result; one that it refuses changes nothing, and the page's reader refuses it too. Nothing
// panics.
func FuzzDelta(f *testing.F) {
	p := planFor[fuzzDelta](f)
	var base, v fuzzDelta
	f.Add([]byte{}, uint64(0))
	f.Add([]byte{0, 1, 2}, uint64(1))
	f.Add(bytes.Repeat([]byte{0xFF}, 90), uint64(2))
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		v = base
		near(reflect.ValueOf(&v).Elem(), rng, 1<<seed)
		f.Add(p.AppendDelta(nil, &base, &v), seed)
	}
	f.Fuzz(func(t *testing.T, b []byte, seed uint64) {
		base := randomValue(reflect.TypeFor[fuzzDelta](), rand.New(rand.NewPCG(seed, 2))).Interface().(fuzzDelta)
		v := base
		n, err := p.ApplyDelta(&v, b)
		encoding := p.Append(nil, &base)
		pageN, pageErr := pageApply(reflect.TypeFor[fuzzDelta](), encoding, b)
		if n != pageN || (err == nil) != (pageErr == nil) {
			t.Fatalf("%d, %v; by the page %d, %v", n, err, pageN, pageErr)
		}
		if err != nil {
			if !p.Equal(&v, &base) || v.Local != base.Local {
				t.Fatalf("refused with %q, and changed", err)
			}
			return
		}
		if again := p.AppendDelta(nil, &base, &v); !bytes.Equal(again, b[:n]) {
			t.Fatalf("accepted %x, written as %x", b[:n], again)
		}
		if !bytes.Equal(p.Append(nil, &v), encoding) {
			t.Fatal("by the page it is another value")
		}
	})
}

// fuzzDelta has everything that the format distinguishes: groups of groups, bools, numbers of every width, floats with
// small differences, one part, no parts.
type fuzzDelta struct {
	On    bool
	Units [3]struct {
		X, Y int64
		K    uint16
		Bits [2]bool
		V    int32
	}
	Cells [40]uint8
	One   [1]struct{ Only int16 }
	None  [0]uint8
	Local int `canon:"-"`
	Tail  int8
}

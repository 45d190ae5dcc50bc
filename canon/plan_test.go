package canon

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"
	"unsafe"
)

// Rule: an encoding decodes to an equal value with the same hash; excluded fields keep their values.
func TestDecodeGivesTheValueBack(t *testing.T) {
	p, w := planFor[world](t), aWorld()
	b := p.Append([]byte("before"), w)
	if len(b) != len("before")+p.Size() || string(b[:6]) != "before" {
		t.Fatalf("appended %d bytes after %q", len(b)-6, b[:6])
	}
	back := world{Shake: 99}
	if err := p.Decode(&back, b[6:]); err != nil {
		t.Fatal(err)
	}
	if !p.Equal(w, &back) || p.Hash(w) != p.Hash(&back) {
		t.Errorf("decoded value differs: %v", p.Diff(w, &back, 10))
	}
	if back.Shake != 99 {
		t.Errorf("excluded field became %d", back.Shake)
	}
}

// Rule: Append writes into the room that b has, and nothing beyond it.
func TestAppendStaysInItsRoom(t *testing.T) {
	p, w := planFor[world](t), aWorld()
	room := bytes.Repeat([]byte{0xAA}, p.Size()+8)
	got := p.Append(room[:4:p.Size()+4], w)
	if &got[0] != &room[0] {
		t.Error("Append moved although there was room")
	}
	if !bytes.Equal(room[:4], []byte{0xAA, 0xAA, 0xAA, 0xAA}) || !bytes.Equal(room[p.Size()+4:], room[:4]) {
		t.Error("Append wrote outside its part")
	}
}

// Rule: only an encoding of exactly the right length is accepted, and after any error the state is as before.
func TestDecodeRejectsOtherLengths(t *testing.T) {
	p, w := planFor[world](t), aWorld()
	b := append(p.Append(nil, w), 0)
	for n := range len(b) + 1 {
		var s world
		err := p.Decode(&s, b[:n])
		if n == p.Size() {
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		var le *LengthError
		if !errors.As(err, &le) || le.Got != n || le.Want != p.Size() {
			t.Errorf("%d bytes: %v", n, err)
		}
		if s != (world{}) {
			t.Errorf("%d bytes: state was written", n)
		}
	}
}

// Rule: a bool that is neither 0 nor 1 is refused with its path, before anything is written.
func TestDecodeRejectsBadBools(t *testing.T) {
	type state struct {
		Empty [0]uint64
		A     uint32
		On    [3]struct {
			None struct{}
			N    uint16
			B    [2]bool
		}
	}
	p := planFor[state](t)
	good := p.Append(nil, &state{A: 5})
	for off, path := range map[int]string{6: "On[0].B[0]", 11: "On[1].B[1]", 15: "On[2].B[1]"} {
		b := bytes.Clone(good)
		b[off] = 2
		s := state{A: 9}
		err := p.Decode(&s, b)
		var be *BoolError
		if !errors.As(err, &be) || be.Path != path || be.Offset != off || be.Value != 2 {
			t.Errorf("byte %d: %v", off, err)
		}
		if s != (state{A: 9}) {
			t.Errorf("byte %d: state was written", off)
		}
	}
}

// Rule: floats are compared by their bits.
func TestFloatsCompareByBits(t *testing.T) {
	p := planFor[float64](t, AllowFloats)
	zero, minus := 0.0, 0.0
	*(*uint64)(unsafe.Pointer(&minus)) = 1 << 63
	if p.Equal(&zero, &minus) || p.Hash(&zero) == p.Hash(&minus) {
		t.Error("0 and -0 are equal")
	}
	nan := zero / zero
	if same := nan; !p.Equal(&nan, &same) {
		t.Error("a NaN does not equal itself")
	}
}

// Rule: a type without any canonical bytes works too.
func TestEmptyStatesWork(t *testing.T) {
	p := planFor[struct {
		_ [0]func()
		A uint32 `canon:"-"`
	}](t)
	a, b := struct {
		_ [0]func()
		A uint32 `canon:"-"`
	}{A: 1}, struct {
		_ [0]func()
		A uint32 `canon:"-"`
	}{A: 2}
	if p.Size() != 0 || !p.Equal(&a, &b) || p.Hash(&a) != p.Hash(&b) || p.Diff(&a, &b, 1).Total != 0 {
		t.Error("excluded fields count")
	}
	if err := p.Decode(&a, nil); err != nil || len(p.Append(nil, &a)) != 0 {
		t.Error("want an empty encoding")
	}
}

// Rule: hashing, encoding into a buffer with room, decoding and comparing do
// not allocate, whichever path the size selects.
func TestHotPathsDoNotAllocate(t *testing.T) {
	t.Run("small", func(t *testing.T) { noAllocs[fighter](t) })
	t.Run("medium", func(t *testing.T) { noAllocs[[100]fighter](t) })
	t.Run("large", func(t *testing.T) { noAllocs[[1000]fighter](t) })
	t.Run("gapless", func(t *testing.T) { noAllocs[[4000]uint32](t) })
}

func noAllocs[T any](t *testing.T) {
	p := planFor[T](t)
	buf := make([]byte, 0, p.Size())
	var sum uint64
	allocs := testing.AllocsPerRun(20, func() {
		var a, b T // on the stack, if the methods allow that
		sum += p.Hash(&a)
		buf = p.Append(buf[:0], &a)
		if p.Decode(&b, buf) != nil || !p.Equal(&a, &b) {
			sum++
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations per run", allocs)
	}
}

// Rule: several goroutines can use one plan.
func TestPlansAreSafeForConcurrentUse(t *testing.T) {
	w := aWorld()
	want := planFor[world](t).Hash(w)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			p, err := PlanFor[world]()
			if err != nil {
				t.Error(err)
				return
			}
			for range 200 {
				var s world
				if err := p.Decode(&s, p.Append(nil, w)); err != nil {
					t.Error(err)
				}
				if p.Hash(&s) != want || !p.Equal(&s, w) {
					t.Error("concurrent use disagrees")
				}
			}
		})
	}
	wg.Wait()
}

// DecodeAll is Decode of each value, for types that are copied and for others.
func TestDecodeAllIsDecodeOfEach(t *testing.T) {
	type pair struct{ A, B uint16 }
	checkDecodeAll(t, []uint16{1, 2, 0xFFFF})
	checkDecodeAll(t, []pair{{1, 2}, {3, 4}})
	checkDecodeAll(t, []bool{true, false})
	checkDecodeAll(t, []fighter{aWorld().P[0], aWorld().P[1]})
	checkDecodeAll(t, []struct{}{{}, {}})
	var values [2]bool
	var bad *BoolError
	if err := planFor[bool](t).DecodeAll(values[:], []byte{1, 2}); !errors.As(err, &bad) {
		t.Errorf("a bool of 2 is %v", err)
	}
}

func checkDecodeAll[T comparable](t *testing.T, values []T) {
	t.Helper()
	p := planFor[T](t)
	var b []byte
	for i := range values {
		b = p.Append(b, &values[i])
	}
	got := make([]T, len(values))
	if err := p.DecodeAll(got, b); err != nil || !slices.Equal(got, values) {
		t.Errorf("%v became %v: %v", values, got, err)
	}
	var length *LengthError
	for _, wrong := range [][]byte{append(b[:len(b):len(b)], 0), append(b[:len(b):len(b)], b...)} {
		if len(wrong) != len(b) && !errors.As(p.DecodeAll(got, wrong), &length) {
			t.Errorf("%d bytes are %d values of %T", len(wrong), len(got), values[0])
		}
	}
	if err := p.DecodeAll(nil, nil); err != nil {
		t.Error(err)
	}
}

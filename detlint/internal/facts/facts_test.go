package facts

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/tickback/tickback/detlint/internal/reach"
	"github.com/tickback/tickback/detlint/internal/report"
)

// fill sets every field of a value by reflection, so that a field the coder forgets is missing after a round trip.
func fill(v reflect.Value, r *rand.Rand) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("text ", r.IntN(40)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(r.IntN(1000)))
	case reflect.Uint8:
		v.SetUint(uint64(r.IntN(3)))
	case reflect.Uint64:
		v.SetUint(r.Uint64())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), r)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), r)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+r.IntN(3), 4))
		for i := range v.Len() {
			fill(v.Index(i), r)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range 1 + r.IntN(3) {
			k, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			fill(k, r)
			fill(x, r)
			v.SetMapIndex(k, x)
		}
	default:
		panic(v.Type())
	}
}

func random(seed uint64) *Package {
	p := &Package{}
	fill(reflect.ValueOf(p).Elem(), rand.New(rand.NewPCG(seed, 1)))
	return p
}

// Rule: what is read is what was written, in every field, and the same package always has the same bytes.
func TestAPackageComesBackWhole(t *testing.T) {
	for seed := range uint64(50) {
		p := random(seed)
		b := Encode(p)
		got, err := Decode(b)
		if err != nil || !reflect.DeepEqual(got, p) {
			t.Fatalf("seed %d: %v\n%+v\nwant\n%+v", seed, err, got, p)
		}
		if !bytes.Equal(b, Encode(got)) || !bytes.Equal(b, Encode(random(seed))) {
			t.Fatalf("seed %d: the bytes differ", seed)
		}
	}
}

// Rule: damaged bytes are an error; they never make the reader allocate much or panic.
func TestDamagedBytesAreRefused(t *testing.T) {
	b := Encode(random(7))
	for n := range b {
		if _, err := Decode(b[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("the first %d of %d bytes: %v", n, len(b), err)
		}
	}
	if _, err := Decode(append(bytes.Clone(b), 0)); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
	var s Set
	s.Add(random(7))
	whole := s.Append(nil)
	for n := 1; n < len(whole); n++ {
		var got Set
		if err := got.Merge(whole[:n]); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("the first %d of %d bytes of a set: %v", n, len(whole), err)
		}
	}
}

// Rule: a set holds everything that was merged into it, in the same bytes whatever the order; what is in two sets has
// the same source.
func TestSetsAreMerged(t *testing.T) {
	sets := make([][]byte, 3)
	for i := range sets {
		var s Set
		for j := range 2 {
			p := &Package{Package: reach.Package{Path: fmt.Sprint("p", i+j)}}
			id := fmt.Sprintf("p%d.F", i+j)
			p.Funcs = map[string]*reach.Func{id: {ID: id}}
			p.Ignores = []report.Ignore{{At: token.Position{Line: i + j}}}
			s.Add(p)
		}
		s.AddTypes(fmt.Sprint("types", i), []byte{1, 2, byte(i)})
		sets[i] = s.Append(nil)
	}
	var first []byte
	for _, order := range [][]int{{0, 1, 2}, {2, 0, 1}, {1, 1, 2, 0}} {
		var s Set
		for _, i := range order {
			if err := s.Merge(sets[i]); err != nil {
				t.Fatal(err)
			}
		}
		b := s.Append(nil)
		if first == nil {
			first = b
		}
		if !bytes.Equal(b, first) || len(s.All()) != 4 || s.Func("p3.F") == nil || s.Func("p4.F") != nil || s.Package("p9") != nil {
			t.Errorf("order %v: %d packages", order, len(s.All()))
		}
		if got := s.Types("types2"); !bytes.Equal(got, []byte{1, 2, 2}) || s.Types("types3") != nil || s.Err() != nil {
			t.Errorf("order %v: types %v, %v", order, got, s.Err())
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(&Package{Package: reach.Package{Path: "p", Funcs: map[string]*reach.Func{"p.F": {ID: "p.F", Makes: []string{"p.T"}}}}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Decode(b)
		if err != nil {
			return
		}
		if q, err := Decode(Encode(p)); err != nil || !reflect.DeepEqual(p, q) {
			t.Errorf("%v: %+v, want %+v", err, q, p)
		}
	})
}

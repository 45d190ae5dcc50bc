package canon

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/zeebo/xxh3"
)

type listNode struct {
	V    int32
	next *listNode
}

func listOf(n int) *listNode {
	var head *listNode
	for i := range n {
		head = &listNode{V: int32(i), next: head}
	}
	return head
}

func encodeAny(t testing.TB, v any) string {
	t.Helper()
	b, err := AppendAny(nil, v)
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	if h, err := HashAny(v); err != nil || h != xxh3.Hash(b) {
		t.Fatalf("%T: hash %x, %v; want %x", v, h, err, xxh3.Hash(b))
	}
	return string(b)
}

// Rule: the encoding is the documented one, byte for byte.
func TestAnyEncodesAsDocumented(t *testing.T) {
	type T struct {
		N    int
		S    string
		b    []uint16
		M    map[string]uint8
		P, Q *uint8
		I    any
		Skip func() `canon:"-"`
		_    int32
	}
	shared := uint8(9)
	v := T{-1, "ab", []uint16{0x102}, map[string]uint8{"y": 2, "x": 1}, &shared, &shared, uint8(3), func() {}, 0}
	want := strings.Join([]string{
		"01", "0700000000000000", hex.EncodeToString([]byte("canon.T")),
		"ffffffffffffffff",         // N
		"0200000000000000", "6162", // S
		"0100000000000000", "0201", // b
		"0100000000000000",                     // M is target 1
		"0200000000000000", "0200000000000000", // P and Q are target 2
		"01", "0500000000000000", hex.EncodeToString([]byte("uint8")), "03", // I
		"0200000000000000",             // target 1: two entries
		"0100000000000000", "78", "01", // "x": 1
		"0100000000000000", "79", "02", // "y": 2
		"09", // target 2
	}, "")
	if got := hex.EncodeToString([]byte(encodeAny(t, v))); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Rule: values that differ in any way that counts have different encodings.
func TestAnyTellsDifferentValuesApart(t *testing.T) {
	one, two := uint8(1), uint8(1)
	type pair struct{ A, B *uint8 }
	type named int32
	loop := &listNode{V: 1}
	loop.next = loop
	straight := &listNode{V: 1, next: &listNode{V: 1}}
	straight.next.next = straight.next
	values := []any{
		nil, 0, int32(0), named(0), uint8(0), "", "a", false, true,
		[]string{"ab", "c"},
		[]string{"a", "bc"},
		[]string{"abc"},
		[]string{},
		pair{},
		pair{&one, nil},
		pair{nil, &one},
		pair{&one, &one},
		pair{&one, &two},
		[0]int{},
		struct{ A [0]string }{},
		loop, straight, listOf(1), listOf(2), (*listNode)(nil),
		map[string]int{"a": 1},
		map[string]int{"b": 1},
		map[string]int{"a": 1, "b": 1},
		map[string]int{},
		map[int]int{1: 2},
		map[int]int{2: 1},
		[]any{1, nil},
		[]any{nil, 1},
		[]any{int8(1), nil},
		any([]any{[]any{}}),
		[]any{[]any{}, []any{}},
		0.0, math.Copysign(0, -1), float32(0), complex(0, 1), complex(1, 0),
		[2]uint8{1},
		[3]uint8{1},
		[]uint8{1, 0},
		(*struct{})(nil), &struct{}{},
		map[float64]int{1: 1},
		map[any]int{1: 1},
		map[any]int{int8(1): 1},
		map[bool]int{true: 1},
	}
	seen := map[string]int{}
	for i, v := range values {
		e := encodeAny(t, v)
		if text, err := AppendTextAny(nil, v); err != nil {
			t.Errorf("text of %#v: %q, %v", v, text, err)
		}
		if j, ok := seen[e]; ok {
			t.Errorf("%#v and %#v have the same encoding", values[j], v)
		}
		seen[e] = i
		for j, w := range values {
			r, err := DiffAny(v, w, 1)
			if err != nil || (r.Total == 0) != (i == j) {
				t.Errorf("diff of %#v and %#v: %v, %v", v, w, r, err)
			}
		}
	}
}

// Rule: a struct and its first field have the same address but are two targets; that one lies in the other does not
// count.
func TestAnyTakesPointersIntoStructsAsTargetsOfTheirOwn(t *testing.T) {
	type inner struct{ A, B uint8 }
	type outer struct {
		P *inner
		Q *uint8
	}
	s, other := inner{1, 2}, inner{1, 2}
	if encodeAny(t, outer{&s, &s.A}) != encodeAny(t, outer{&s, &other.A}) {
		t.Error("the first field was taken for its struct")
	}
	if r, err := DiffAny(outer{&s, &s.A}, outer{&s, &other.A}, 1); err != nil || r.Total != 0 {
		t.Error(r, err)
	}
}

// Rule: nil and empty slices and maps are the same; so are values that differ
// in excluded fields, capacity, or addresses only.
func TestAnyIgnoresWhatDoesNotCount(t *testing.T) {
	type T struct {
		S []int
		M map[string]int
		X int `canon:"-"`
	}
	a, b := any(T{}), any(T{make([]int, 0, 5), map[string]int{}, 5})
	if encodeAny(t, a) != encodeAny(t, b) {
		t.Error("nil and empty differ")
	}
	if one, two := listOf(3), listOf(3); encodeAny(t, one) != encodeAny(t, two) {
		t.Error("equal graphs differ")
	}
	if r, err := DiffAny(a, b, 1); r.Total != 0 || err != nil {
		t.Error(r, err)
	}
}

// Rule: map order never reaches the encoding.
func TestAnySortsMaps(t *testing.T) {
	m := map[any]int{}
	for i := range 40 {
		m[i], m[string(rune('a'+i))], m[[2]int8{int8(i)}], m[float64(i)] = i, i, i, i
	}
	want := encodeAny(t, m)
	for range 20 {
		again := map[any]int{}
		for k, v := range m {
			again[k] = v
		}
		if encodeAny(t, again) != want {
			t.Fatal("the order of a map reached its encoding")
		}
	}
}

// Rule: references may chain without bound; nothing recurses along them.
func TestAnyWalksLongLists(t *testing.T) {
	n := 300_000
	if testing.Short() {
		n = 50_000
	}
	a, b := listOf(n), listOf(n)
	h, err := HashAny(a)
	if err != nil {
		t.Fatal(err)
	}
	last := b
	for last.next != nil {
		last = last.next
	}
	last.V = -7
	if g, err := HashAny(b); err != nil || g == h {
		t.Errorf("the last node does not count: %v", err)
	}
	r, err := DiffAny(a, b, 5)
	if err != nil || r.Total != 1 || !strings.HasSuffix(r.String(), "V: 0 != -7") || len(r.String()) > 200 {
		t.Errorf("got %v, %v", r, err)
	}
	if _, err := AppendTextAny(nil, listOf(1000)); err != nil {
		t.Error(err)
	}
}

// keyed is an entity of a world that refers to its world: the map is reachable from its own key.
type keyed struct {
	ID    int
	World *keyedWorld
}

type keyedWorld struct {
	Health map[*keyed]int
	Rivals map[*keyed]map[*keyed]int
}

func newKeyedWorld(ids ...int) *keyedWorld {
	w := &keyedWorld{Health: map[*keyed]int{}, Rivals: map[*keyed]map[*keyed]int{}}
	for _, id := range ids {
		e := &keyed{ID: id, World: w}
		w.Health[e] = 100 + id
		w.Rivals[e] = map[*keyed]int{e: id}
	}
	return w
}

// Rule: keys from which their own map is reachable are ordered like any others.
func TestAnyOrdersKeysThatReachTheirMap(t *testing.T) {
	want := encodeAny(t, newKeyedWorld(1, 2, 3))
	for range 20 {
		if encodeAny(t, newKeyedWorld(3, 1, 2)) != want {
			t.Fatal("the order of entities reached the encoding")
		}
	}
	other := newKeyedWorld(1, 2, 3)
	for e := range other.Health {
		if e.ID == 3 {
			other.Health[e]--
		}
	}
	r, err := DiffAny(newKeyedWorld(1, 2, 3), other, 5)
	if err != nil || r.Total != 1 || !strings.HasSuffix(r.String(), ": 103 != 102") {
		t.Errorf("got %v, %v", r, err)
	}
}

type selfSlice []selfSlice

// Rule: a value without a canonical form gives a typed error that names the place; all three walkers agree, and nothing
// panics.
func TestAnyRefusesByPath(t *testing.T) {
	self := selfSlice{nil}
	self[0] = self
	var selfAny any
	selfAny = &selfAny
	boxes := []any{nil}
	boxes[0] = boxes
	x, y := 1, 1
	for _, c := range []struct {
		v    any
		path string
		err  error
	}{
		{struct{ f func() }{func() {}}, "f", ErrUnsupported},
		{[]any{1, make(chan int)}, "[1].(chan int)", ErrUnsupported},
		{map[string]unsafe.Pointer{"a": unsafe.Pointer(&x)}, `["a"]`, ErrUnsupported},
		{map[any]int{make(chan int): 1}, `[chan int].(chan int)`, ErrUnsupported},
		{struct{ M map[struct{ C any }]int }{map[struct{ C any }]int{{make(chan int)}: 1}}, `M[{chan int}].C.(chan int)`, ErrUnsupported},
		{struct {
			A struct {
				B int `canon:"x"`
			}
		}{}, "A.B", ErrUnsupported},
		{struct{ M map[float64]int }{map[float64]int{math.NaN(): 1, math.NaN(): 2}}, "M", ErrAmbiguousKey},
		{struct{ M map[*int]int }{map[*int]int{&x: 1, &y: 2}}, "M", ErrAmbiguousKey},
		{newKeyedWorld(1, 2, 2), "Health", ErrAmbiguousKey},
		{self, "[0][0][0]", ErrTooDeep},
		{boxes, "[0].([]interface {})[0]", ErrTooDeep},
	} {
		_, hashErr := HashAny(c.v)
		_, textErr := AppendTextAny(nil, c.v)
		_, diffErr := DiffAny(c.v, c.v, 1)
		for name, err := range map[string]error{"hash": hashErr, "text": textErr, "diff": diffErr} {
			var we *WalkError
			if !errors.As(err, &we) || !errors.Is(err, c.err) || !strings.HasPrefix(we.Path, c.path) || len(err.Error()) > 2000 {
				t.Errorf("%s of %T: %v", name, c.v, err)
			}
		}
	}
	// An interface that holds its own address is a cycle of references.
	if _, err := HashAny(selfAny); err != nil {
		t.Error(err)
	}
}

// Rule: a small graph whose walk would double sixty times is refused quickly, by all walkers alike.
func TestAnyRefusesWalksWithoutEnd(t *testing.T) {
	defer func(was int) { walkLimit = was }(walkLimit)
	walkLimit = 10_000
	for _, leaf := range []any{1, make([]byte, 1000), make([]int32, 50), "text", map[float64]int{1: 1}} {
		v := leaf
		for range 60 {
			v = []any{v, v}
		}
		_, hashErr := HashAny(v)
		_, textErr := AppendTextAny(nil, v)
		_, diffErr := DiffAny(v, v, 1)
		_, keyErr := HashAny(map[*any]int{&v: 1})
		for name, err := range map[string]error{"hash": hashErr, "text": textErr, "diff": diffErr, "key": keyErr} {
			if !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s of %T: %v", name, leaf, err)
			}
		}
	}
	if _, err := HashAny(make([]int32, walkLimit-1)); err != nil {
		t.Error("a value within the bound: ", err)
	}
}

// Rule: slices of types without size may have any length and cost nothing.
func TestAnyDoesNotLoopOverNothing(t *testing.T) {
	huge := make([]struct{}, math.MaxInt)
	if encodeAny(t, huge) == encodeAny(t, huge[:1]) {
		t.Error("the length does not count")
	}
	if _, err := AppendTextAny(nil, huge); err != nil {
		t.Error(err)
	}
	if r, err := DiffAny(huge, huge[1:], 3); err != nil || r.Total != 1 {
		t.Error(r, err)
	}
}

// Rule: an error leaves the caller's buffer as it was.
func TestAnyErrorsKeepTheBuffer(t *testing.T) {
	bad := []any{1, func() {}}
	if b, err := AppendAny([]byte("ab"), bad); err == nil || string(b) != "ab" {
		t.Errorf("got %q, %v", b, err)
	}
	if b, err := AppendTextAny([]byte("ab"), bad); err == nil || string(b) != "ab" {
		t.Errorf("got %q, %v", b, err)
	}
}

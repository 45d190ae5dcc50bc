package canon_test

import (
	"container/list"
	"errors"
	"math"
	"math/big"
	oldrand "math/rand"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/tickback/tickback/canon"
)

// refusal returns the error with which a value is refused.
func refusal[T any](t *testing.T, s *T, opts ...canon.SaverOption) *canon.WalkError {
	t.Helper()
	var m canon.Memento[T]
	v := saverOf[T](t, opts...)
	err := v.Save(s, &m)
	var w *canon.WalkError
	if !errors.As(err, &w) {
		t.Fatalf("the error is %v", err)
	}
	if m.Err() != err || m.Hash() != 0 || !errors.Is(v.Restore(s, &m), canon.ErrForeign) || v.Equal(s, &m) {
		t.Errorf("after %v the memento holds something", err)
	}
	return w
}

// Rule: a value that cannot be saved is refused, with its path and its kind; nil and 0 are accepted.
func TestWhatCannotBeSavedIsRefusedByPath(t *testing.T) {
	type body struct {
		callback func(int)
		done     chan bool
		raw      unsafe.Pointer
		address  uintptr
	}
	type space struct {
		bodies []*body
		byName map[string]any
		array  [9]struct{ hook func() }
		any    any
		seen   sync.Map
	}
	type world struct{ space *space }
	made := func(change func(s *space)) *world {
		s := &space{bodies: []*body{{}, {}, {}, {}}, byName: map[string]any{"a": 1, "b": &body{}}}
		change(s)
		return &world{s}
	}
	for want, change := range map[string]func(s *space){
		"space.bodies[3].callback: unsupported: func(int): the captured variables": func(s *space) { s.bodies[3].callback = func(int) {} },
		"space.bodies[0].done: unsupported: chan bool":                             func(s *space) { s.bodies[0].done = make(chan bool) },
		"space.bodies[1].raw: unsupported: unsafe.Pointer":                         func(s *space) { s.bodies[1].raw = unsafe.Pointer(s) },
		"space.bodies[2].address: unsupported: uintptr may be an address":          func(s *space) { s.bodies[2].address = 1 },
		`space.byName["b"].(*canon_test.body).callback: unsupported`:               func(s *space) { s.byName["b"].(*body).callback = func(int) {} },
		`space.byName["c"].(func()): unsupported: func()`:                          func(s *space) { s.byName["c"] = func() {} },
		"space.array[8].hook: unsupported: func()":                                 func(s *space) { s.array[8].hook = func() {} },
		"space.any.([]interface {})[1].(chan int): unsupported: chan int":          func(s *space) { s.any = []any{1, make(chan int)} },
	} {
		if got := refusal(t, made(change), canon.Leave("space.seen")).Error(); !strings.Contains(got, want) || !strings.Contains(got, "Leave") {
			t.Errorf("%s, want %s", got, want)
		}
	}
	v := saverOf[world](t, canon.Leave("space.seen"))
	var m canon.Memento[world]
	save(t, v, made(func(*space) {}), &m)
	if w := refusal(t, &struct{ m *sync.Map }{new(sync.Map)}); w.Path != "m" || w.What != "sync.Map" {
		t.Errorf("%+v", w)
	}
}

// Rule: a path through many pointers begins with the number of one of them.
func TestLongPathsAreCut(t *testing.T) {
	type node struct {
		next *node
		stop func()
	}
	first := &node{}
	last := first
	for range 100 {
		last.next = &node{}
		last = last.next
	}
	last.stop = func() {}
	if got := refusal(t, first).Path; !strings.HasPrefix(got, "#") || !strings.HasSuffix(got, ".next.stop") || len(got) > 120 {
		t.Errorf("the path is %q", got)
	}
}

// Rule: each option does what it says.
func TestOptionsOfSavers(t *testing.T) {
	type texture struct{ pixels []byte }
	type number uintptr
	type cache struct {
		sums map[int]int
		free []*int
	}
	type world struct {
		window *texture
		asset  *texture
		table  map[string]*int
		sums   map[int]int
		cache  cache
		id     number
		hook   func() int
		note   *texture `canon:"-"`
		x      int
		_      int
	}
	one, other := 1, 2
	made := func() *world {
		return &world{
			window: &texture{[]byte{1}}, asset: &texture{[]byte{1}}, table: map[string]*int{"a": &one}, sums: map[int]int{1: 1},
			cache: cache{sums: map[int]int{2: 2}, free: []*int{&one}}, id: 7, hook: func() int { return 1 }, note: &texture{[]byte{1}}, x: 1,
		}
	}
	opts := []canon.SaverOption{
		canon.Leave("world.window", "left"), canon.Leave("canon_test.world.cache"), canon.Opaque("world.asset"), canon.Uncompared("canon_test.world.table"),
		canon.Reset("world.sums"), canon.Numbers("number"), canon.Functions(),
	}
	if _, err := canon.SaverFor[struct{ x, y int }](opts...); !errors.Is(err, canon.ErrUnknown) || !strings.Contains(err.Error(), "world.window") {
		t.Errorf("unknown names: %v", err)
	}
	opts[0] = canon.Leave("world.window")
	v := saverOf[world](t, opts...)
	w := made()
	before := *w
	var m canon.Memento[world]
	save(t, v, w, &m)
	hash := m.Hash()

	w.window, w.asset, w.note, w.cache, w.hook = &texture{}, &texture{}, nil, cache{}, nil
	asset, window := before.asset, w.window
	asset.pixels[0] = 9
	*w.table["a"], w.table["b"], w.sums[2], w.id, w.x = 9, &other, 2, 8, 9
	sums := w.sums
	restore(t, v, w, &m)
	switch {
	case w.window != window || w.cache.sums != nil:
		t.Error("Leave: it was touched")
	case w.asset != asset || asset.pixels[0] != 9 || w.note != before.note:
		t.Error("Opaque: it did not come back, or was followed")
	case len(w.table) != 1 || *w.table["a"] != 1:
		t.Error("Uncompared: it did not come back")
	case w.sums == nil || len(w.sums) != 0 || len(sums) != 0:
		t.Error("Reset: it is not empty")
	case w.id != 7 || w.x != 1 || w.hook() != 1:
		t.Error("something did not come back")
	}
	w.table["c"], w.sums[5], w.asset, w.note, w.hook = &other, 5, nil, nil, nil
	if !v.Equal(w, &m) || hashOf(t, v, w) != hash {
		t.Error("what is not compared is")
	}
	w.id++
	if v.Equal(w, &m) || hashOf(t, v, w) == hash {
		t.Error("a number is not compared")
	}
	if _, err := canon.SaverFor[world](canon.Leave("world.windw")); !errors.Is(err, canon.ErrUnknown) {
		t.Errorf("a field that is not there: %v", err)
	}
	if _, err := canon.SaverFor[struct{ a any }](canon.Leave("world.windw")); err != nil {
		t.Errorf("a type that may stand in an interface: %v", err)
	}
}

// Rule: all values of a type can be left out, made opaque, not compared or reset, also in arrays, in maps and behind
// pointers, and generic types are named without type arguments.
func TestOptionsForTypes(t *testing.T) {
	type w struct {
		one   gSet[int]
		many  [9]gSet[string]
		bytes map[int]gSet[int8]
		at    *gSet[int]
		any   any
	}
	for name, opt := range map[string]canon.SaverOption{
		"leave": canon.Leave("gSet"), "opaque": canon.Opaque("canon_test.gSet"), "uncompared": canon.Uncompared("gSet"), "reset": canon.Reset("gSet"),
	} {
		v := saverOf[w](t, opt)
		s := &w{bytes: map[int]gSet[int8]{1: {n: 5}}, at: &gSet[int]{n: 1}, any: gSet[int]{n: 3}}
		s.one.n, s.many[7].n = 1, 2
		var m canon.Memento[w]
		save(t, v, s, &m)
		hash := m.Hash()
		s.one.n, s.many[7].n, s.at.n, s.any = 7, 7, 7, gSet[int]{n: 7}
		if hashOf(t, v, s) != hash || !v.Equal(s, &m) {
			t.Errorf("%s: it counts", name)
		}
		restore(t, v, s, &m)
		want := map[string][3]int{"leave": {7, 7, 7}, "opaque": {1, 2, 1}, "uncompared": {1, 2, 1}, "reset": {}}[name]
		if got := [3]int{s.one.n, s.many[7].n, s.at.n}; got != want || s.any.(gSet[int]).n != 3 {
			t.Errorf("%s: %v and %v, want %v", name, got, s.any, want)
		}
	}
}

type gSet[T comparable] struct {
	n int
	_ map[T]bool
}

// Rule: locks are left alone, a sync.Once is part of the state, and pools are emptied, since they may hold objects that
// the restored state uses.
func TestLocksAndPools(t *testing.T) {
	type object struct{ n int }
	type world struct {
		mu    sync.Mutex
		rw    *sync.RWMutex
		once  sync.Once
		pool  sync.Pool
		count atomic.Int64
		flag  atomic.Pointer[object]
		value atomic.Value
		used  []*object
	}
	w := &world{rw: new(sync.RWMutex)}
	w.pool.New = func() any { return new(object) }
	v := saverOf[world](t)
	var m canon.Memento[world]
	first := &object{1}
	w.used = append(w.used, first)
	w.flag.Store(first)
	w.value.Store("a")
	save(t, v, w, &m)
	hash := m.Hash()
	w.mu.Lock()
	w.rw.RLock()
	w.once.Do(func() {})
	w.count.Add(5)
	w.flag.Store(&object{2})
	w.value.Store("b")
	if r := hashOf(t, v, w); r == hash {
		t.Error("nothing counts")
	}
	for range 100 {
		w.pool.Put(w.used[0]) // what was used is free
	}
	restore(t, v, w, &m)
	if w.mu.TryLock() || w.rw.TryLock() {
		t.Error("a lock was opened")
	}
	done := false
	w.once.Do(func() { done = true })
	if !done || w.count.Load() != 0 || w.flag.Load() != first || w.value.Load() != "a" {
		t.Error("something did not come back")
	}
	for range 200 {
		if w.pool.Get().(*object) == first {
			t.Fatal("the pool hands out what is used")
		}
	}
}

// Rule: the elements between the length and the capacity of a slice are restored only with Capacity. Code that extends
// a slice to find them again needs that.
func TestSlicesAreSavedToTheirLength(t *testing.T) {
	for _, whole := range []bool{false, true} {
		var opts []canon.SaverOption
		if whole {
			opts = append(opts, canon.Capacity())
		}
		type world struct{ free []*int }
		v := saverOf[world](t, opts...)
		n := 5
		w := &world{free: []*int{new(int), &n}}
		w.free = w.free[:1]
		var m canon.Memento[world]
		save(t, v, w, &m)
		hash := m.Hash()
		n = 6
		w.free = append(w.free, new(int))
		restore(t, v, w, &m)
		if len(w.free) != 1 || cap(w.free) != 2 || m.Hash() != hash || hashOf(t, v, w) != hash {
			t.Fatal("the slice did not come back")
		}
		again := w.free[:2]
		if back := again[1] == &n && n == 5; back != whole {
			t.Errorf("with Capacity %v: it came back: %v", whole, back)
		}
	}
}

// Rule: slices that share an array share it after Restore, too, and append writes to the same place as before.
func TestSharedArraysStayShared(t *testing.T) {
	type world struct{ a, b, c []int }
	array := make([]int, 4, 8)
	w := &world{a: array[:2], b: array[1:4], c: array[3:8]}
	v := saverOf[world](t)
	var m, o canon.Memento[world]
	save(t, v, w, &m)
	w.a = append(w.a, 7, 8, 9)
	if w.b[1] != 7 || w.c[1] != 9 {
		t.Fatal("they did not share")
	}
	restore(t, v, w, &m)
	if w.b[1] != 0 || w.c[1] != 0 || len(w.a) != 2 {
		t.Error("they did not come back")
	}
	w.a = append(w.a, 1)
	if w.b[1] != 1 {
		t.Error("they do not share any more")
	}
	restore(t, v, w, &m)
	copies := &world{a: make([]int, 2), b: make([]int, 3), c: make([]int, 5)}
	save(t, v, copies, &o)
	r := v.Diff(&m, &o, 5)
	if m.Equal(&o) || m.Hash() == o.Hash() || r.Total != 1 || r.Differences[0].Path == "" || !strings.Contains(r.String(), "part of a") {
		t.Errorf("copies are the same: %v", r)
	}
}

// Rule: pointers to fields and elements are part of the state, in whatever order they are met.
func TestPointersIntoOthers(t *testing.T) {
	type thing struct {
		x, y int32
		tags [3]string
	}
	type world struct {
		early *int32 // met before the value that it points into
		tag   *string
		list  []thing
		elem  *thing
		only  *thing
		late  *int32
	}
	made := func(shared bool) *world {
		w := &world{list: make([]thing, 3), only: &thing{}}
		w.early, w.tag, w.elem, w.late = new(int32), new(string), new(thing), new(int32)
		if shared {
			w.early, w.tag, w.elem, w.late = &w.list[1].y, &w.only.tags[2], &w.list[2], &w.only.x
		}
		return w
	}
	v := saverOf[world](t)
	var m, o canon.Memento[world]
	w := made(true)
	save(t, v, w, &m)
	*w.early, *w.tag, w.elem.x, *w.late = 1, "t", 2, 3
	restore(t, v, w, &m)
	if w.list[1].y != 0 || w.only.tags[2] != "" || w.list[2].x != 0 || w.only.x != 0 {
		t.Error("they did not come back")
	}
	*w.early, *w.tag, w.elem.x, *w.late = 1, "t", 2, 3
	if w.list[1].y != 1 || w.only.tags[2] != "t" || w.list[2].x != 2 || w.only.x != 3 {
		t.Error("they point elsewhere")
	}
	restore(t, v, w, &m)
	other := made(true)
	save(t, v, other, &o)
	if !m.Equal(&o) || m.Hash() != o.Hash() || v.Diff(&m, &o, 1).Total != 0 {
		t.Error("the same elsewhere differs")
	}
	other.early = &other.list[1].x // another field with the same content
	save(t, v, other, &o)
	if r := v.Diff(&m, &o, 1); m.Equal(&o) || m.Hash() == o.Hash() || r.Total != 1 || !strings.HasPrefix(r.String(), "early: part of list[1]") {
		t.Errorf("another field: %v", r)
	}
	save(t, v, made(false), &o)
	if r := v.Diff(&m, &o, 1); m.Equal(&o) || m.Hash() == o.Hash() || r.Total != 1 {
		t.Errorf("copies: %v", r)
	}
}

// Rule: a map stays the same map, whatever its content, and its order does not count.
func TestMapsComeBack(t *testing.T) {
	type key struct {
		f float64
		s string
		a [2]any
	}
	type world struct {
		m, same map[string][]int
		none    map[string][]int
		empty   map[int]int
		floats  map[float64]int
		keys    map[key]string
		any     map[any]int
		deep    map[int]map[int]*int
		sets    map[struct{}]int
		big     map[int][100]int
		time    map[time.Time]bool
	}
	now := time.Unix(5, 7)
	made := func() *world {
		w := &world{
			m: map[string][]int{"a": {1}, "b": nil, "": {}}, empty: map[int]int{}, floats: map[float64]int{0: 1, -1: 2, math.NaN(): 3, math.Inf(1): 4},
			keys: map[key]string{{f: 1, s: "x"}: "p", {f: 1, s: "xy", a: [2]any{1, "z"}}: "q", {a: [2]any{uint8(1), nil}}: ""},
			any:  map[any]int{1: 1, "1": 2, int8(1): 3, 1.5: 4, [1]int{1}: 5, true: 6}, deep: map[int]map[int]*int{1: {2: new(int)}, -1: {}},
			sets: map[struct{}]int{{}: 1}, big: map[int][100]int{1: {5: 6}, -7: {1: 1}}, time: map[time.Time]bool{now: true, now.Add(1): false},
		}
		w.same = w.m
		return w
	}
	v := saverOf[world](t)
	w := made()
	var m, o canon.Memento[world]
	save(t, v, w, &m)
	hash := m.Hash()
	held, inner, n := w.m, w.deep[1], w.deep[1][2]
	for range 20 {
		w.m["c"], w.same, w.none, w.empty[1] = []int{1}, nil, map[string][]int{"x": nil}, 1
		delete(w.m, "a")
		w.floats[math.NaN()], w.floats[5] = 1, 1
		w.keys[key{s: "new"}], w.any["new"], w.big[9] = "", 1, [100]int{}
		w.deep[1][2], w.deep[1][3], w.deep[2] = nil, new(int), nil
		clear(w.sets)
		clear(w.time)
		*n = 7
		restore(t, v, w, &m)
		if w.m == nil || w.none != nil || w.empty == nil || len(w.empty) != 0 || len(w.floats) != 4 || w.deep[1][2] != n || *n != 0 || w.big[1][5] != 6 || len(w.sets) != 1 {
			t.Fatal("something did not come back")
		}
		held["probe"] = nil
		inner[9] = n
		if _, ok := w.same["probe"]; !ok || w.deep[1][9] != n {
			t.Fatal("it is another map")
		}
		delete(held, "probe")
		delete(inner, 9)
		if hashOf(t, v, w) != hash || !v.Equal(w, &m) {
			t.Fatal("the hash did not come back")
		}
		other := made()
		save(t, v, other, &o)
		if !m.Equal(&o) || o.Hash() != hash {
			t.Fatalf("the order counts: %v", v.Diff(&m, &o, 5))
		}
	}
	other := made()
	other.m["a"][0], other.any["1"], other.deep[5] = 2, 7, nil
	delete(other.keys, key{f: 1, s: "x"})
	save(t, v, other, &o)
	got := v.Diff(&m, &o, 9).String()
	for _, want := range []string{`any[string("1")]: 2 != 7`, `m["a"][0]: 1 != 2`, "deep[5]: (missing) != map", `: "p" != (missing)`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Rule: if one map, or one struct, is reached under two types, that is part of the state, in whatever order they are met, also
// in an interface: a write through one is visible through the other. Equal states have the same hash, however the map is
// reached.
func TestOneMapUnderTwoTypes(t *testing.T) {
	type stock map[string]*int
	type prices map[string]*int
	type point struct{ x int }
	type spot point
	type world struct {
		a  stock
		b  prices
		in any
		p  *point
		q  *spot
	}
	v := saverOf[world](t)
	shared := func() *world {
		m, p := stock{"x": new(int)}, &point{1}
		return &world{a: m, b: prices(m), in: map[string]*int(m), p: p, q: (*spot)(p)}
	}
	var m, o canon.Memento[world]
	w := shared()
	save(t, v, w, &m)
	save(t, v, shared(), &o)
	if !m.Equal(&o) || m.Hash() != o.Hash() {
		t.Fatalf("two that are the same: %v", v.Diff(&m, &o, 3))
	}
	for _, c := range []struct {
		want string
		part func(w *world)
	}{
		{"b: the same map as a != memory of its own", func(w *world) { w.b = prices{"x": w.a["x"]} }},
		{"b: the same map as a != memory of its own", func(w *world) { w.a = stock{"x": w.a["x"]} }},
		{"in.(map[string]*int): the same map as a != ", func(w *world) { w.in = map[string]*int{"x": w.a["x"]} }},
		{"q: part of p", func(w *world) { w.q = &spot{1} }},
	} {
		other := shared()
		c.part(other)
		save(t, v, other, &o)
		if r := v.Diff(&m, &o, 3); m.Equal(&o) || m.Hash() == o.Hash() || r.Total == 0 || !strings.Contains(r.String(), c.want) {
			t.Errorf("%s: equal %v, the same hash %v, %v", c.want, m.Equal(&o), m.Hash() == o.Hash(), r)
		}
	}
	w.b["y"], w.q.x = nil, 5
	delete(w.a, "x")
	restore(t, v, w, &m)
	if w.b["z"] = new(int); len(w.a) != 2 || len(w.in.(map[string]*int)) != 2 || w.p.x != 1 || w.a["x"] == nil {
		t.Errorf("after Restore: %+v", w)
	}
}

// Rule: keys that are pointers are ordered by where else they are met, otherwise by their targets; two keys that cannot be
// distinguished are refused.
func TestKeysThatArePointers(t *testing.T) {
	type thing struct {
		id   int
		next *thing
	}
	type world struct {
		weight map[*thing]int
		list   []*thing
		mixed  map[any]*thing
	}
	made := func(order []int) *world {
		w := &world{weight: map[*thing]int{}, mixed: map[any]*thing{}}
		things := make([]*thing, 9)
		for _, i := range order { // at addresses in any order
			things[i] = &thing{}
		}
		for i, th := range things {
			if i < 6 {
				w.list = append(w.list, th) // without a difference
			} else {
				th.id = i
			}
			th.next = things[(i+1)%len(things)]
			w.weight[th], w.mixed[th] = i, th
		}
		w.mixed["x"] = things[0]
		return w
	}
	v := saverOf[world](t)
	var m, o canon.Memento[world]
	save(t, v, made([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}), &m)
	for seed := range uint64(20) {
		save(t, v, made(rand.New(rand.NewPCG(seed, 1)).Perm(9)), &o)
		if !m.Equal(&o) || m.Hash() != o.Hash() {
			t.Fatalf("the addresses count: %v", v.Diff(&m, &o, 4))
		}
	}
	w := refusal(t, &struct{ set map[*thing]bool }{map[*thing]bool{{id: 1}: true, {id: 1}: false}})
	if !errors.Is(w, canon.ErrAmbiguousKey) || w.Path != "set" {
		t.Errorf("%v", w)
	}
	type hidden struct{ set map[*thing]bool }
	h := &hidden{map[*thing]bool{{id: 1}: true, {id: 1}: false}}
	hv := saverOf[hidden](t, canon.Uncompared("hidden.set"))
	var hm canon.Memento[hidden]
	save(t, hv, h, &hm)
	clear(h.set)
	if restore(t, hv, h, &hm); len(h.set) != 2 {
		t.Error("it did not come back")
	}
}

// Rule: floats are compared by their bits, nil differs from empty, and two interfaces with the same content are the same.
func TestWhatCounts(t *testing.T) {
	type world struct {
		f     float64
		g     float32
		c     complex64
		s     []int
		p     *int
		m     map[int]int
		a, b  any
		t     time.Time
		z     *struct{}
		zs    []struct{}
		i     int
		names [6]string
	}
	v := saverOf[world](t)
	base := func() *world {
		n := 1
		return &world{s: []int{1}, p: &n, m: map[int]int{}, a: [2]string{"a"}, b: [2]string{"a"}, t: time.Unix(1, 0).UTC()}
	}
	var m, o canon.Memento[world]
	save(t, v, base(), &m)
	for name, c := range map[string]struct {
		change func(w *world)
		want   string
	}{
		"-0":            {func(w *world) { w.f = math.Copysign(0, -1) }, "f: 0 != -0"},
		"NaN":           {func(w *world) { w.f = math.NaN() }, "f: 0 != NaN"},
		"float32":       {func(w *world) { w.g = 1 }, "g: 0 != 1"},
		"complex":       {func(w *world) { w.c = 1i }, "c: (0+0i) != (0+1i)"},
		"empty slice":   {func(w *world) { w.s = w.s[:0] }, "s: length 1 != length 0"},
		"nil slice":     {func(w *world) { w.s = nil }, "s: length 1 != nil"},
		"nil pointer":   {func(w *world) { w.p = nil }, "p: *int != nil"},
		"content":       {func(w *world) { *w.p = 2 }, "p: 1 != 2"},
		"nil map":       {func(w *world) { w.m = nil }, "m: map[int]int != nil"},
		"nil interface": {func(w *world) { w.a = nil }, "a: [2]string != nil"},
		"another type":  {func(w *world) { w.a = 1 }, "a: [2]string != int"},
		"in a box":      {func(w *world) { w.a = [2]string{"b"} }, `a.([2]string)[0]: "a" != "b"`},
		"instant":       {func(w *world) { w.t = time.Unix(1, 1).UTC() }, "t: 1970"},
		"location":      {func(w *world) { w.t = w.t.In(time.FixedZone("X", 0)) }, "t: 1970"},
		"zero size":     {func(w *world) { w.z = &struct{}{} }, "z: *struct {} != nil"},
		"of no size":    {func(w *world) { w.zs = make([]struct{}, 1<<30) }, "zs: nil != length 1073741824"},
		"int":           {func(w *world) { w.i = -1 }, "i: 0 != -1"},
		"string":        {func(w *world) { w.names[5] = "n" }, `names[5]: "" != "n"`},
	} {
		w := base()
		save(t, v, w, &o)
		if !m.Equal(&o) || m.Hash() != o.Hash() {
			t.Fatal("the same differs")
		}
		c.change(w)
		save(t, v, w, &o)
		r := v.Diff(&m, &o, 5)
		if name == "zero size" {
			r = v.Diff(&o, &m, 5)
		}
		if m.Equal(&o) || m.Hash() == o.Hash() || r.Total != 1 || !strings.HasPrefix(r.String(), c.want) {
			t.Errorf("%s: %v, want %s", name, r, c.want)
		}
	}
	w := base()
	w.b = w.a // one box
	save(t, v, w, &o)
	if !m.Equal(&o) || m.Hash() != o.Hash() {
		t.Error("which box a value is in counts")
	}
}

// Rule: types of the standard library are restored.
func TestTypesOfTheLibraryComeBack(t *testing.T) {
	type world struct {
		text   *strings.Builder
		list   *list.List
		large  *big.Int
		random *oldrand.Rand
		pcg    *rand.Rand
		typ    reflect.Type
		at     time.Time
		zone   *time.Location
	}
	w := &world{
		text: &strings.Builder{}, list: list.New(), large: big.NewInt(7), random: oldrand.New(oldrand.NewSource(1)), pcg: rand.New(rand.NewPCG(1, 2)),
		typ: reflect.TypeFor[int](), at: time.Now(), zone: time.UTC,
	}
	w.text.WriteString("start")
	w.list.PushBack(1)
	v := saverOf[world](t)
	var m canon.Memento[world]
	save(t, v, w, &m)
	hash, draws := m.Hash(), [2]uint64{}
	for round := range 3 {
		got := [2]uint64{w.random.Uint64(), w.pcg.Uint64()}
		if round > 0 && got != draws {
			t.Fatal("other random numbers are drawn")
		}
		draws = got
		w.text.WriteString(" and more, so that it grows")
		w.list.PushFront(2)
		w.list.Remove(w.list.Back())
		w.large.Exp(w.large, big.NewInt(100), nil)
		w.typ, w.at, w.zone = reflect.TypeFor[string](), time.Time{}, nil
		restore(t, v, w, &m)
		if w.text.String() != "start" || w.list.Len() != 1 || w.list.Front().Value != 1 || w.large.Int64() != 7 || w.typ != reflect.TypeFor[int]() || w.at.IsZero() || w.zone != time.UTC {
			t.Fatal("something did not come back")
		}
		if hashOf(t, v, w) != hash {
			t.Fatal("the hash did not come back")
		}
	}
}

// Rule: nothing recurses along references: lists and nested interfaces may be as long as memory allows.
func TestLongListsNeedNoStack(t *testing.T) {
	type node struct {
		v    int
		next *node
	}
	type world struct {
		list  *node
		boxes any
		loop  []any
	}
	n := 1_000_000
	if testing.Short() {
		n = 200_000
	}
	w := &world{loop: make([]any, 1)}
	w.loop[0] = w.loop // a slice in itself
	for i := range n {
		w.list = &node{i, w.list}
	}
	for i := range n / 10 {
		w.boxes = struct {
			v    int
			next any
		}{i, w.boxes}
	}
	v := saverOf[world](t)
	var m canon.Memento[world]
	save(t, v, w, &m)
	hash := m.Hash()
	for l := w.list; l != nil; l = l.next {
		l.v++
	}
	w.boxes = nil
	restore(t, v, w, &m)
	if w.list.v != n-1 || hashOf(t, v, w) != hash || !v.Equal(w, &m) {
		t.Error("it did not come back")
	}
}

// Rule: a memento can only be restored to the value that was saved, by the saver that made it; a forgotten one holds nothing.
func TestForeignMementosAreRefused(t *testing.T) {
	type world struct{ n int }
	v, other := saverOf[world](t), saverOf[world](t)
	a, b := &world{1}, &world{1}
	var m, zero canon.Memento[world]
	if !errors.Is(v.Restore(a, &m), canon.ErrForeign) || v.Equal(a, &m) || m.Hash() != 0 || !m.Equal(&zero) {
		t.Error("an empty one holds something")
	}
	save(t, v, a, &m)
	if r := v.Diff(&m, &zero, 1); r.Total != 1 || m.Equal(&zero) || zero.Equal(&m) {
		t.Errorf("an empty one is the same: %v", r)
	}
	if !v.Equal(b, &m) || m.Size() == 0 {
		t.Error("an equal value is none")
	}
	for name, err := range map[string]error{"value": v.Restore(b, &m), "saver": other.Restore(a, &m)} {
		if !errors.Is(err, canon.ErrForeign) || m.Err() == nil {
			t.Errorf("another %s: %v", name, err)
		}
	}
	a.n = 2
	if restore(t, v, a, &m); a.n != 1 || m.Err() != nil {
		t.Error("it did not come back")
	}
	m.Forget()
	if !errors.Is(v.Restore(a, &m), canon.ErrForeign) || m.Size() != 0 {
		t.Error("it was not forgotten")
	}
}

// Rule: a memento keeps alive what it has saved, and nothing else.
func TestMementosKeepAlive(t *testing.T) {
	type node struct {
		text string
		next *node
		any  any
		_    [64]int
	}
	v := saverOf[node](t)
	s := &node{}
	var m canon.Memento[node]
	var freed atomic.Int32
	grow := func(n int) {
		s.next = nil
		for i := range n {
			s.next = &node{text: strconv.Itoa(i), next: s.next, any: [3]int{i}}
			runtime.AddCleanup(s.next, func(int) { freed.Add(1) }, 0)
		}
	}
	collect := func() {
		for range 5 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	grow(50)
	save(t, v, s, &m)
	s.next = nil
	collect()
	if freed.Load() != 0 {
		t.Fatal("something was freed")
	}
	restore(t, v, s, &m)
	for i, n := 49, s.next; n != nil; i, n = i-1, n.next {
		if n.text != strconv.Itoa(i) || n.any != [3]int{i} {
			t.Fatal("something was overwritten")
		}
	}
	s.next = nil
	save(t, v, s, &m)
	for range 10_000 { // cleanups run when they like
		if collect(); freed.Load() >= 49 { // the walker may still refer to the last one
			return
		}
	}
	t.Errorf("only %d of 50 were freed", freed.Load())
}

// Rule: several goroutines can use one saver, and the garbage collector may run at any time.
func TestSaversAreSharedByGoroutines(t *testing.T) {
	v := saverOf[gWorld](t)
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	var all sync.WaitGroup
	for g := range uint64(4) {
		all.Go(func() {
			rng, w := rand.New(rand.NewPCG(g, 5)), drawWorld(g, 20)
			var m [2]canon.Memento[gWorld]
			var want [2]uint64
			for round := range 60 {
				i := round % 2
				if v.Save(w, &m[i]) != nil {
					t.Error("it cannot be saved")
				}
				want[i] = m[i].Hash()
				churn(rng, w, 20)
				if round > 2 {
					if h, err := v.Hash(w); v.Restore(w, &m[1-i]) != nil || err != nil || h == 0 {
						t.Error("it cannot be restored")
					}
					if h, _ := v.Hash(w); h != want[1-i] {
						t.Error("another hash came back")
					}
				}
			}
		})
	}
	all.Wait()
	close(stop)
}

// Rule: nothing is allocated once states no longer grow.
func TestStableStatesAllocateNothing(t *testing.T) {
	w := drawWorld(7, 30)
	v := saverOf[gWorld](t)
	var m, o canon.Memento[gWorld]
	save(t, v, w, &o)
	change := func() { w.all[3].pos.x++; w.all[5].id++; w.all[6].name = "b" }
	for name, f := range map[string]func(){
		"Save":         func() { change(); _ = v.Save(w, &m) },
		"Restore":      func() { change(); _ = v.Restore(w, &o) },
		"Hash":         func() { change(); kept, _ = v.Hash(w) },
		"Memento.Hash": func() { _ = v.Save(w, &m); kept = m.Hash() },
		"Equal":        func() { change(); _ = v.Equal(w, &o) },
	} {
		for range 3 {
			f()
		}
		if n := testing.AllocsPerRun(20, f); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

var kept uint64

// Rule: the hash is the same on every machine, and in every version.
func TestHashesOfGraphsAreFrozen(t *testing.T) {
	type node struct {
		id    int
		u     uint
		f     float32
		on    bool
		next  *node
		kids  []*node
		names map[string]int16
		any   [5]any
		at    time.Time
		x     *int
		long  [7]struct {
			a int8
			b int64
		}
	}
	n := &node{id: -3, u: 5, f: 1.5, on: true, names: map[string]int16{"b": 2, "a": -1}, any: [5]any{1, "x", nil, &node{}, [2]int{7, -8}}, at: time.Unix(3, 4).UTC()}
	n.next, n.kids, n.x = n, []*node{n, nil}, &n.id
	n.long[4].a, n.long[6].b = -4, 1<<40
	const want = 0x6023f67bbdaceb61
	if got := hashOf(t, saverOf[node](t), n); got != want {
		t.Errorf("the hash is %#x, not %#x", got, uint64(want))
	}
}

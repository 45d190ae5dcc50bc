package canon_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/tickback/tickback/canon"
)

// must returns a value that was made without an error.
func must[T any](t testing.TB) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func saverOf[T any](t testing.TB, opts ...canon.SaverOption) *canon.Saver[T] {
	t.Helper()
	return must[*canon.Saver[T]](t)(canon.SaverFor[T](opts...))
}

func save[T any](t testing.TB, v *canon.Saver[T], s *T, m *canon.Memento[T]) {
	t.Helper()
	if err := v.Save(s, m); err != nil {
		t.Fatal(err)
	}
}

func restore[T any](t testing.TB, v *canon.Saver[T], s *T, m *canon.Memento[T]) {
	t.Helper()
	if err := v.Restore(s, m); err != nil {
		t.Fatal(err)
	}
}

func hashOf[T any](t testing.TB, v *canon.Saver[T], s *T) uint64 {
	t.Helper()
	return must[uint64](t)(v.Hash(s))
}

type gNode struct {
	id    int
	name  string
	next  *gNode
	kids  []*gNode
	any   any
	table map[string]*gNode
	nums  map[int32]float64
	pair  [2]*gNode
	pos   gVec
	posAt *gVec
	data  []byte
	same  []byte
	set   map[*gNode]bool
	vecs  []gVec
	boxed gBox
}

type gVec struct{ x, y float64 }

type gShape interface{ area() float64 }

type gBox struct {
	of    *gNode
	small uint8
	shape gShape
}

func (b gBox) area() float64   { return float64(b.small) }
func (v *gVec) area() float64  { return v.x * v.y }
func (v gNamed) area() float64 { return float64(len(v)) }

type gNamed string

type gWorld struct {
	root  *gNode
	all   []*gNode
	count int
}

// drawWorld makes a random graph; the same seed makes an equal one elsewhere in memory.
func drawWorld(seed uint64, n int) *gWorld {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := &gWorld{count: n}
	for i := range n {
		w.all = append(w.all, &gNode{id: i})
	}
	for range 3 {
		for _, node := range w.all {
			mutate(rng, w, node)
		}
	}
	w.root = w.all[0]
	return w
}

// mutate changes a random node, in place or with new memory.
func mutate(rng *rand.Rand, w *gWorld, n *gNode) {
	pick := func() *gNode {
		if rng.IntN(5) == 0 {
			return nil
		}
		return w.all[rng.IntN(len(w.all))]
	}
	switch rng.IntN(22) {
	case 0:
		n.name += string(rune('a' + rng.IntN(26)))
	case 1:
		n.next = pick()
	case 2:
		n.kids = append(n.kids, pick())
	case 3:
		n.kids = n.kids[:rng.IntN(len(n.kids)+1)]
	case 4:
		n.any = []any{
			nil, rng.IntN(1000), "text", n.pos, &gVec{1, rng.Float64()}, pick(),
			[]int{1, rng.IntN(3)},
			map[string]int{"a": rng.IntN(9)},
			gBox{of: pick(), small: 3},
			[1]*gNode{pick()},
			struct{}{},
			true, 7.5,
			[]any{pick(), 1, any(gBox{shape: gNamed("x")})},
			uint8(200), (*gNode)(nil),
		}[rng.IntN(16)]
	case 5:
		if n.table == nil {
			n.table = map[string]*gNode{}
		}
		n.table[string(rune('a'+rng.IntN(26)))] = pick()
	case 6:
		clear(n.table)
	case 7:
		if n.nums == nil {
			n.nums = map[int32]float64{}
		}
		n.nums[int32(rng.IntN(40)-20)] = rng.Float64()
	case 8:
		n.pair[rng.IntN(2)] = pick()
	case 9:
		n.pos.x = []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), rng.Float64()}[rng.IntN(5)]
	case 10:
		if p := pick(); p != nil {
			n.posAt = &p.pos // into the middle of another node
		}
	case 11:
		n.data = append(n.data, byte(rng.IntN(256)))
	case 12:
		if len(n.data) > 0 {
			from := rng.IntN(len(n.data))
			n.same = n.data[from : from+rng.IntN(len(n.data)-from+1)]
		}
	case 13:
		if n.set == nil {
			n.set = map[*gNode]bool{}
		}
		if p := pick(); p != nil {
			n.set[p] = rng.IntN(2) == 0
		}
	case 14:
		n.vecs = append(n.vecs, gVec{rng.Float64(), 2})
	case 15:
		if len(n.vecs) > 0 {
			n.posAt = &n.vecs[rng.IntN(len(n.vecs))] // an element of a slice that is also referenced as a whole
		}
	case 16:
		n.boxed = gBox{of: pick(), small: uint8(rng.IntN(3)), shape: []gShape{nil, &gVec{2, 3}, gBox{small: 9}, gNamed("shape"), &n.pos}[rng.IntN(5)]}
	case 17:
		if len(n.same) > 0 {
			n.same[0]++
		}
	case 18:
		if n.posAt != nil {
			n.posAt.y++
		}
	case 19:
		fresh := &gNode{id: w.count}
		w.count++
		w.all[rng.IntN(len(w.all))] = fresh
	case 20:
		w.all = append(w.all, &gNode{id: w.count, next: n})
		w.count++
	case 21:
		if n.nums != nil {
			delete(n.nums, int32(rng.IntN(40)-20))
		}
	}
}

func churn(rng *rand.Rand, w *gWorld, times int) {
	for range times {
		mutate(rng, w, w.all[rng.IntN(len(w.all))])
	}
}

// copied is the naive model: a copy of a graph with new objects, in which the same things are shared. (Memory that
// overlaps becomes separate.)
func copied(v any) any {
	seen := map[[2]any]reflect.Value{}
	in := reflect.ValueOf(v)
	out := reflect.New(in.Type()).Elem()
	src := reflect.New(in.Type()).Elem()
	src.Set(in)
	copyValue(out, src, seen)
	return out.Interface()
}

func copyValue(dst, src reflect.Value, seen map[[2]any]reflect.Value) {
	switch src.Kind() {
	case reflect.Pointer:
		if src.IsNil() {
			return
		}
		key := [2]any{src.Pointer(), src.Type()}
		if was, ok := seen[key]; ok {
			dst.Set(was)
			return
		}
		fresh := reflect.New(src.Type().Elem())
		seen[key] = fresh
		dst.Set(fresh)
		copyValue(fresh.Elem(), src.Elem(), seen)
	case reflect.Struct:
		for i := range src.NumField() {
			copyValue(open(dst.Field(i)), open(src.Field(i)), seen)
		}
	case reflect.Array:
		for i := range src.Len() {
			copyValue(dst.Index(i), src.Index(i), seen)
		}
	case reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			copyValue(dst.Index(i), src.Index(i), seen)
		}
	case reflect.Map:
		if src.IsNil() {
			return
		}
		key := [2]any{src.Pointer(), src.Type()}
		if was, ok := seen[key]; ok {
			dst.Set(was)
			return
		}
		fresh := reflect.MakeMap(src.Type())
		seen[key] = fresh
		dst.Set(fresh)
		for it := src.MapRange(); it.Next(); {
			k, e := reflect.New(src.Type().Key()).Elem(), reflect.New(src.Type().Elem()).Elem()
			copyValue(k, held(it.Key()), seen)
			copyValue(e, held(it.Value()), seen)
			fresh.SetMapIndex(k, e)
		}
	case reflect.Interface:
		if src.IsNil() {
			return
		}
		inner := reflect.New(src.Elem().Type()).Elem()
		copyValue(inner, held(src.Elem()), seen)
		dst.Set(inner)
	default:
		dst.Set(src)
	}
}

// open removes the mark of an unexported field.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// held is a value that is addressable.
func held(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// sameAs fails unless two values are the same for the walkers, which do not depend on savers.
func sameAs(t *testing.T, what string, got, want any) {
	t.Helper()
	r, err := canon.DiffAny(want, got, 5)
	if err != nil {
		t.Fatal(err)
	}
	if r.Total > 0 {
		t.Fatalf("%s:\n%v", what, r)
	}
}

// Rule: whatever a game does to a graph after a save, Restore brings back what a copy of everything has, in the same
// memory, and with the same hash.
func TestRandomGraphsComeBack(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 60
	}
	v := saverOf[gWorld](t)
	var m [3]canon.Memento[gWorld] // used again by every graph
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 2))
		w := drawWorld(seed, 1+rng.IntN(12))
		var want [3]any
		var hash [3]uint64
		var first [3]*gNode
		for i := range m {
			want[i], first[i] = copied(*w), w.all[0]
			save(t, v, w, &m[i])
			if hash[i] = m[i].Hash(); hash[i] != hashOf(t, v, w) || !v.Equal(w, &m[i]) {
				t.Fatalf("seed %d: a state that was just saved is another one", seed)
			}
			churn(rng, w, 40)
		}
		for _, i := range []int{2, 0, 1, 1, 2, 0} {
			restore(t, v, w, &m[i])
			sameAs(t, "restored", *w, want[i])
			if w.all[0] != first[i] {
				t.Fatalf("seed %d: it came back elsewhere", seed)
			}
			if hashOf(t, v, w) != hash[i] || !v.Equal(w, &m[i]) {
				t.Fatalf("seed %d: the hash did not come back", seed)
			}
			churn(rng, w, 30)
		}
	}
}

// Rule: the same graph elsewhere in memory has the same hash, and is equal; one with a difference does not, and Diff
// names the difference.
func TestHashesDependOnTheGraphAlone(t *testing.T) {
	v, differ := saverOf[gWorld](t), 0
	for seed := range uint64(200) {
		a, b := drawWorld(seed, 8), drawWorld(seed, 8)
		var ma, mb canon.Memento[gWorld]
		save(t, v, a, &ma)
		save(t, v, b, &mb)
		if r := v.Diff(&ma, &mb, 3); ma.Hash() != mb.Hash() || !ma.Equal(&mb) || !v.Equal(a, &mb) || r.Total != 0 {
			t.Fatalf("seed %d: two that are the same differ: %v", seed, r)
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		churn(rng, b, 1+rng.IntN(4))
		save(t, v, b, &mb)
		r := v.Diff(&ma, &mb, 3)
		same := r.Total == 0
		if same != ma.Equal(&mb) || same != (ma.Hash() == mb.Hash()) || same != v.Equal(a, &mb) {
			t.Fatalf("seed %d: Diff %v, Equal %v, hashes %x and %x", seed, r, ma.Equal(&mb), ma.Hash(), mb.Hash())
		}
		if slow, err := canon.DiffAny(*a, *b, 3); err != nil || slow.Total > 0 && same {
			t.Fatalf("seed %d: the walkers find %v, %v", seed, slow, err)
		}
		if !same {
			differ++
		}
	}
	if differ < 50 {
		t.Errorf("only %d pairs differed", differ)
	}
}

// Rule: a save into a memento that holds an earlier state of the same graph gives what one into a new memento gives,
// however little or much has changed: in numbers, in what refers to what, in objects.
func TestSavesIntoAnOlderState(t *testing.T) {
	seeds := uint64(150)
	if testing.Short() {
		seeds = 9
	}
	v := saverOf[gWorld](t, graphTypes)
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 5))
		w := drawWorld(seed, 1+rng.IntN(12))
		if seed%3 > 0 {
			for _, n := range w.all {
				n.set = nil // maps with pointers as keys are walked each time
			}
		}
		o := originOf(t, v, w)
		var old [2]canon.Memento[gWorld]
		for round := range 60 {
			times := []int{0, 1, 1, 2, 5, 20}[rng.IntN(6)]
			if seed%3 == 0 {
				churn(rng, w, times)
			} else {
				for range times {
					n := w.all[rng.IntN(len(w.all))]
					mutate(rng, w, n)
					n.set = nil
				}
			}
			m := &old[round%2]
			if round%7 == 6 {
				_ = m.Equal(&old[1-round%2]) // which finds where memory overlaps
				restore(t, v, w, m)
			}
			var fresh canon.Memento[gWorld]
			save(t, v, w, &fresh)
			save(t, v, w, m)
			if r := v.Diff(m, &fresh, 3); m.Hash() != fresh.Hash() || !m.Equal(&fresh) || r.Total > 0 {
				t.Fatalf("seed %d, round %d: it is another state:\n%v", seed, round, r)
			}
			if a, b := must[[]byte](t)(o.MarshalSaved(nil, m)), must[[]byte](t)(o.MarshalSaved(nil, &fresh)); !bytes.Equal(a, b) {
				t.Fatalf("seed %d, round %d: it has another encoding", seed, round)
			}
			if round%10 == 9 {
				want := copied(*w)
				churn(rng, w, 30)
				runtime.GC() // only the memento keeps what was dropped
				restore(t, v, w, m)
				sameAs(t, "restored", *w, want)
				if hashOf(t, v, w) != fresh.Hash() {
					t.Fatalf("seed %d, round %d: the hash did not come back", seed, round)
				}
			}
		}
	}
}

package canon_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback/canon"
)

// graphTypes is what interfaces of random graphs hold.
var graphTypes = canon.Encoded(0, "", gVec{}, (*gVec)(nil), (*gNode)(nil), []int{}, map[string]int{}, gBox{}, [1]*gNode{}, struct{}{}, true, 0.5,
	[]any{}, gNamed(""), uint8(0), []*gNode{}, map[*gNode]int{}, [2]int{}, float32(0), []gVec{}, &[]int{}, int32(0), map[string]*gNode{}, []byte{})

func originOf[T any](t testing.TB, v *canon.Saver[T], s *T) *canon.Origin[T] {
	t.Helper()
	return must[*canon.Origin[T]](t)(v.Origin(s))
}

// Rule: a state that was encoded on one machine and decoded on another is the same there, in what it holds and in what it
// shares: so both go on alike, whatever happens, and encode alike.
func TestEncodedGraphsGoOnElsewhere(t *testing.T) {
	seeds := uint64(400)
	if testing.Short() {
		seeds = 50
	}
	v, there := saverOf[gWorld](t, graphTypes), saverOf[gWorld](t, graphTypes)
	for seed := range seeds {
		n := 1 + int(seed%12)
		a, b := drawWorld(seed, n), drawWorld(seed, n)
		from, to := originOf(t, v, a), originOf(t, there, b)
		churn(rand.New(rand.NewPCG(seed, 3)), b, int(seed%40))
		for round := range uint64(3) {
			churn(rand.New(rand.NewPCG(seed, 4+round)), a, 30)
			encoded := must[[]byte](t)(from.Marshal([]byte("before"), a))
			var m canon.Memento[gWorld]
			save(t, v, a, &m)
			if saved := must[[]byte](t)(from.MarshalSaved([]byte("before"), &m)); !bytes.Equal(saved, encoded) {
				t.Fatalf("seed %d: a saved state has another encoding than a live one", seed)
			}
			encoded = bytes.TrimPrefix(encoded, []byte("before"))
			if err := to.Unmarshal(b, encoded); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			sameAs(t, "decoded", *b, *a)
			if hashOf(t, v, a) != hashOf(t, there, b) {
				t.Fatalf("seed %d: it has another hash elsewhere", seed)
			}
			if again := must[[]byte](t)(to.Marshal(nil, b)); !bytes.Equal(again, encoded) {
				t.Fatalf("seed %d: it has another encoding elsewhere", seed)
			}
			for i, w := range []*gWorld{a, b} {
				churn(rand.New(rand.NewPCG(seed, 8+round)), w, 60)
				if i == 1 && hashOf(t, v, a) != hashOf(t, there, b) {
					t.Fatalf("seed %d: it goes on in another way elsewhere", seed)
				}
			}
		}
	}
}

// The following types are those of a game that was not written for this: a picture that is painted, a table, callbacks.
type (
	oGame struct {
		front, back *oPicture
		chips       []*oChip
		spare       *oChip
		log         *oLog
		draw        func() int
		any         any
		at          time.Time
		size        int
		seen        map[any]int
		shared      map[string]int
		alias       oTable
		kind        *oKind
		lock        sync.Mutex
		pool        sync.Pool
	}
	oTable   map[string]int
	oPicture struct{ dots [4]byte }
	oLog     struct{ lines int }
	oKind    struct{ name string }
	oChip    struct {
		value int
		log   *oLog
		asset []byte
		hook  func() int
	}
)

var (
	placed   = oKind{"placed by the linker"}
	oOptions = []canon.SaverOption{
		canon.Encoded(oChip{}, [2]any{}), canon.Leave("oLog", "oChip.log", "oGame.log"), canon.Functions(),
		canon.Opaque("oGame.front", "oGame.back", "oChip.asset"),
	}
)

func newGame() *oGame {
	g := &oGame{front: &oPicture{[4]byte{1}}, back: &oPicture{[4]byte{2}}, log: &oLog{3}, seen: map[any]int{}}
	g.lock.Lock()
	g.pool.Put(g.log)
	g.lock.Unlock()
	size := 1
	g.draw = func() int { return size }
	for i := range 3 {
		g.chips = append(g.chips, &oChip{value: i, log: g.log, asset: []byte{byte(i)}, hook: g.draw})
	}
	return g
}

// travel encodes a changed game, and decodes it in another one.
func travel(t *testing.T, change func(g *oGame), opts ...canon.SaverOption) (*oGame, error) {
	t.Helper()
	v := saverOf[oGame](t, append(opts, oOptions...)...)
	a, b := newGame(), newGame()
	from, to := originOf(t, v, a), originOf(t, v, b)
	change(a)
	encoded, err := from.Marshal(nil, a)
	if err != nil {
		return nil, err
	}
	if err := to.Unmarshal(b, encoded); err != nil {
		t.Fatalf("what was encoded is refused: %v", err)
	}
	if hashOf(t, v, a) != hashOf(t, v, b) {
		t.Error("it has another hash elsewhere")
	}
	return b, nil
}

// Rule: an object that both machines have from the start keeps what is left out of states, and references that are not
// followed lead to the same thing of the other machine.
func TestWhatBelongsToAMachineStaysThere(t *testing.T) {
	var before [3]*oPicture
	g, err := travel(t, func(g *oGame) {
		before[0], before[1] = g.front, g.back
		g.front, g.back = g.back, g.front
		g.chips[0], g.chips[2], g.chips[1] = g.chips[2], g.chips[0], nil
		g.spare = &oChip{value: 9, asset: g.chips[0].asset, hook: g.draw} // a new one, which shares what others have
		g.any = g.chips[0]
		g.size = 12
	})
	if err != nil {
		t.Fatal(err)
	}
	c := g.chips[0]
	if c.value != 2 || c.log != g.log || c.log.lines != 3 || g.front.dots[0] != 2 || g.back.dots[0] != 1 || c.log == nil || c.asset[0] != 2 || c.hook() != 1 || g.chips[1] != nil || g.any != c || g.size != 12 {
		t.Errorf("%+v with %+v", g, c)
	}
	if s := g.spare; s.value != 9 || &s.asset[0] != &c.asset[0] || s.hook() != 1 || s.log != nil {
		t.Errorf("the new one is %+v", s)
	}
	fresh := newGame()
	v := saverOf[oGame](t, oOptions...)
	o := originOf(t, v, fresh)
	front, back := fresh.front, fresh.back
	fresh.front, fresh.back = back, front
	encoded := must[[]byte](t)(o.Marshal(nil, fresh))
	fresh.front, fresh.back = front, front
	if err := o.Unmarshal(fresh, encoded); err != nil || fresh.front != back || fresh.back != front {
		t.Errorf("%v, and the pictures are mixed up", err)
	}
}

// Rule: what cannot be the same elsewhere is refused, with a type and a field.
func TestWhatCannotBeEncodedIsRefused(t *testing.T) {
	for want, change := range map[string]func(g *oGame){
		"": func(g *oGame) { g.any, g.spare, g.seen["a"], g.at = oChip{value: 1}, &oChip{}, 2, time.Unix(1, 2) },
		"canon_test.oChip.log: unsupported: it is left out":                       func(g *oGame) { g.spare = &oChip{log: g.log} },
		"canon_test.oChip.hook: unsupported: an opaque reference":                 func(g *oGame) { g.spare = &oChip{hook: func() int { return g.size }} },
		"canon_test.oChip.asset: unsupported: an opaque reference":                func(g *oGame) { g.chips[0].asset = []byte{1} },
		"canon_test.oGame.front: unsupported: an opaque reference":                func(g *oGame) { g.front = &oPicture{} },
		"canon_test.oGame.at: unsupported: a time in the location there":          func(g *oGame) { g.at = time.Unix(1, 2).In(time.FixedZone("there", 60)) },
		"[3]int: unsupported: another machine does not know that interfaces":      func(g *oGame) { g.any = [3]int{} },
		"canon_test.oKind: unsupported: an object of a package variable":          func(g *oGame) { g.kind = &placed },
		"map[string]int: unsupported: a map that is reached as another type, too": func(g *oGame) { g.shared = map[string]int{}; g.alias = g.shared },
		"a [2]interface {} in the key of a map":                                   func(g *oGame) { g.seen[[2]any{1, 2}] = 1 },
	} {
		_, err := travel(t, change)
		var w *canon.WalkError
		if want == "" && err == nil {
			continue
		}
		if !errors.As(err, &w) || !errors.Is(err, canon.ErrUnsupported) || !strings.Contains(err.Error(), want) || want == "" {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	g := newGame()
	for want, opts := range map[string][]canon.SaverOption{
		"give the option Encoded":                  oOptions[1:],
		"oGame.size: unsupported: uncompared data": append([]canon.SaverOption{canon.Uncompared("oGame.size")}, oOptions...),
	} {
		if _, err := saverOf[oGame](t, opts...).Origin(g); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
}

// Rule: an origin is for one value, and its encodings for machines with the same origin.
func TestOriginsMustBeTheSame(t *testing.T) {
	v := saverOf[oGame](t, oOptions...)
	a, b := newGame(), newGame()
	b.size = 1
	from, to := originOf(t, v, a), originOf(t, v, b)
	encoded := must[[]byte](t)(from.Marshal(nil, a))
	if err := to.Unmarshal(b, encoded); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("a state of another match: %v", err)
	}
	if err := from.Unmarshal(b, encoded); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("another value: %v", err)
	}
	if _, err := from.Marshal(nil, b); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("another value: %v", err)
	}
	var m canon.Memento[oGame]
	save(t, v, b, &m)
	if _, err := from.MarshalSaved(nil, &m); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("a memento of another value: %v", err)
	}
}

// Rule: slices that share an array do so elsewhere, up to their capacities, whether a write goes through them now or
// grows them into each other later.
func TestArraysAreSharedElsewhere(t *testing.T) {
	type state struct {
		all, low, high, none []int
		one                  *int
		pair                 struct{ in [4]int }
		part                 []int
		inner                *[4]int
	}
	v := saverOf[state](t, canon.Encoded())
	a, b := &state{}, &state{}
	from, to := originOf(t, v, a), originOf(t, v, b)
	a.all = make([]int, 8, 20)
	a.low, a.high, a.none, a.one = a.all[:3:5], a.all[3:12], a.all[6:6:9], &a.all[2]
	a.part, a.inner = a.pair.in[1:3], &a.pair.in
	if err := to.Unmarshal(b, must[[]byte](t)(from.Marshal(nil, a))); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*state{a, b} {
		s.low = append(s.low, 1)     // over high
		*s.one = 2                   // in all and low
		s.none = append(s.none, 3)   // in all
		s.part = append(s.part, 4)   // in pair
		s.inner[0] = 5               // in pair
		s.high = append(s.high, 6)   // beyond all
		s.all = append(s.all, 7)     // over what high has there
		s.low = append(s.low, 8, 9)  // past its capacity, so elsewhere
		s.low[0], s.part[0] = 10, 11 // not in all
	}
	sameAs(t, "gone on", *b, *a)
	if hashOf(t, v, a) != hashOf(t, v, b) || cap(a.all) != cap(b.all) || cap(b.none) != 3 {
		t.Error("memory is shared in another way elsewhere")
	}
}

// Rule: a saver that saves slices up to their capacities encodes what is there as well.
func TestTailsAreEncoded(t *testing.T) {
	type state struct{ free []*int }
	v := saverOf[state](t, canon.Encoded(), canon.Capacity())
	a, b := &state{}, &state{}
	from, to := originOf(t, v, a), originOf(t, v, b)
	x := 5
	a.free = []*int{&x, &x}[:0]
	if err := to.Unmarshal(b, must[[]byte](t)(from.Marshal(nil, a))); err != nil {
		t.Fatal(err)
	}
	if got := b.free[:2]; got[0] == nil || *got[0] != 5 || got[0] != got[1] {
		t.Errorf("beyond the length are %v", got)
	}
}

// Rule: the bytes are the same on every machine, and in every version.
func TestEncodingsOfGraphsAreFrozen(t *testing.T) {
	type node struct {
		id    int
		f     float32
		on    bool
		name  string
		next  *node
		kids  []*node
		names map[string]int16
		any   any
		at    time.Time
		x     *int
	}
	s := &node{}
	v := saverOf[node](t, canon.Encoded([2]int{}))
	o := originOf(t, v, s)
	s.id, s.f, s.on, s.name, s.names, s.any, s.at = -3, float32(math.NaN()), true, "nm", map[string]int16{"b": 2, "a": -1}, [2]int{7, -8}, time.Unix(3, 4).UTC()
	s.next, s.kids = s, append(make([]*node, 0, 3), s, nil)
	s.kids[1] = &node{x: &s.id, next: s}
	const want = "01c65847c11cfa2046030005030107000001050000000001fdffffffffffffff0000c07f01026e6d0200000202030100020202160700000000000000f8ffffffffffffff030000000000000004000000000000050100020200000203000102020161ffff016202000000030001000000000000000000000000000002000000000000096e88f1ffffff0000000000020001010000010001010001fdffffffffffffff"
	if got := fmt.Sprintf("%x", must[[]byte](t)(o.Marshal(nil, s))); got != want {
		t.Errorf("the encoding is\n%s, not\n%s", got, want)
	}
}

// Rule: a state whose objects take more than anybody would decode is refused where it is encoded.
func TestStatesThatNobodyDecodesAreNotEncoded(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes 300 MiB")
	}
	type state struct{ list []byte }
	v, s := saverOf[state](t, canon.Encoded()), &state{}
	o := originOf(t, v, s)
	s.list = make([]byte, 0, 300<<20)
	if _, err := o.Marshal(nil, s); !errors.Is(err, canon.ErrTooLarge) {
		t.Errorf("the error is %v", err)
	}
	s.list = make([]byte, 0, 200<<20)
	if err := o.Unmarshal(s, must[[]byte](t)(o.Marshal(nil, s))); err != nil || cap(s.list) != 200<<20 {
		t.Errorf("less than the limit: %v", err)
	}
}

// hostile decodes bytes, and fails unless they are refused as they should be, with the state as it was, or make a state.
func hostile(t *testing.T, v *canon.Saver[gWorld], o *canon.Origin[gWorld], w *gWorld, b []byte) bool {
	t.Helper()
	var before canon.Memento[gWorld]
	save(t, v, w, &before)
	if err := o.Unmarshal(w, b); err != nil {
		if !errors.Is(err, canon.ErrEncoding) && !errors.Is(err, canon.ErrForeign) {
			t.Fatalf("the error is %v", err)
		}
		if !v.Equal(w, &before) {
			t.Fatalf("after %v the state is another one", err)
		}
		return false
	}
	_, _ = v.Hash(w)
	restore(t, v, w, &before)
	return true
}

// Rule: no bytes do anything but make a state or be refused.
func TestDamagedEncodingsAreRefused(t *testing.T) {
	v := saverOf[gWorld](t, graphTypes)
	a, b := drawWorld(5, 4), drawWorld(5, 4)
	from, to := originOf(t, v, a), originOf(t, v, b)
	churn(rand.New(rand.NewPCG(1, 1)), a, 60)
	good := must[[]byte](t)(from.Marshal(nil, a))
	accepted := 0
	for i := range good {
		if hostile(t, v, to, b, good[:i]) {
			t.Fatalf("its first %d bytes are a state", i)
		}
		for _, x := range []byte{1, 2, 0x40, 0x80, 0xff} {
			bad := bytes.Clone(good)
			if bad[i] ^= x; hostile(t, v, to, b, bad) {
				accepted++ // another number, say
			}
		}
	}
	if hostile(t, v, to, b, append(bytes.Clone(good), 0)) {
		t.Error("a byte more is a state")
	}
	if accepted == 0 || accepted == 5*len(good) {
		t.Errorf("%d of %d changes make a state", accepted, 5*len(good))
	}
	runtime.GC() // looks at all that was decoded
	if !hostile(t, v, to, b, good) {
		t.Error("what is not damaged is refused")
	}
}

func FuzzOrigin(f *testing.F) {
	v := saverOf[gWorld](f, graphTypes)
	for seed := range uint64(12) {
		a := drawWorld(5, 3)
		o := originOf(f, v, a)
		churn(rand.New(rand.NewPCG(seed, 1)), a, 10*int(seed))
		f.Add(must[[]byte](f)(o.Marshal(nil, a)))
	}
	w := drawWorld(5, 3)
	o := originOf(f, v, w)
	f.Fuzz(func(t *testing.T, b []byte) { hostile(t, v, o, w, b) })
}

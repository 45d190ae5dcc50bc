package world

import (
	"bytes"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
)

// Rule: an encoding that is truncated anywhere, or changed, gives a typed error or a state that encodes to the same
// bytes; never a panic.
func TestHostileEncodings(t *testing.T) {
	w, _ := filled(t, 40)
	good := Save(w).Append(nil)
	decode := func(b []byte) bool {
		s, err := Decode[sample](b)
		if err == nil {
			if string(s.Append(nil)) != string(b) {
				t.Fatal("an encoding that is accepted is not the one of its state")
			}
			return true
		}
		var typed *DecodeError
		if !errors.As(err, &typed) {
			t.Fatalf("%T: %v", err, err)
		}
		return false
	}
	step := 1
	if testing.Short() {
		step = 97
	}
	for n := 0; n < len(good); n += step {
		if decode(good[:n]) {
			t.Fatalf("the first %d bytes of %d are accepted", n, len(good))
		}
	}
	if !decode(good) || decode(append(good[:len(good):len(good)], 0)) {
		t.Error("a good encoding is refused, or one with a byte more is accepted")
	}
	r := random(t)
	for range 50_000 / step {
		b := append([]byte(nil), good...)
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		decode(b)
	}
}

// Rule: a state has one encoding, so a page without content is refused where it is written out.
func TestAPageOfZerosIsRefused(t *testing.T) {
	w := newSample(t)
	Update(w, func(w *sample) {
		w.spawn(t, 1, func(e Entity, _ int) { w.Units.Pos.Set(e, vec{X: 0x1122334455667788}) })
	})
	b := Save(w).Append(nil)
	at := bytes.Index(b, []byte{0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11})
	if at < 0 {
		t.Fatal("the value is not in the encoding")
	}
	clear(b[at : at+8])
	if _, err := Decode[sample](b); !errors.Is(err, errZero) {
		t.Errorf("the error is %v", err)
	}
}

// Rule: a world has at most MaxTables tables.
func TestTooManyTablesAreRefused(t *testing.T) {
	type three struct{ A, B, C shots }
	type nine struct{ A, B, C three }
	type most struct {
		A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z, AA, AB nine
		AC                                                                                   three
	}
	if _, err := New[most](); err != nil {
		t.Errorf("%d tables: %v", MaxTables, err)
	}
	if _, err := New[struct {
		Most most
		More shots
	}](); err == nil || !strings.Contains(err.Error(), "more than 255 tables") {
		t.Errorf("one more: %v", err)
	}
}

// Rule: no memory is allocated that the length of an encoding does not justify.
func TestShortEncodingsTakeLittleMemory(t *testing.T) {
	w := newSample(t)
	b := storeOf(w).append(nil)[:9]
	for _, head := range [][]byte{{0x80, 0x80, 0x04}, {0xff, 0xff, 0x03}, {0xff, 0xff, 0xff, 0xff, 0x0f}} {
		hostile := append(append([]byte(nil), b...), head...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		const times = 100
		for range times {
			if Load(w, hostile) == nil {
				t.Fatal("it is accepted")
			}
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > times*4096 {
			t.Errorf("%x: %d bytes are allocated", head, (after.TotalAlloc-before.TotalAlloc)/times)
		}
	}
}

// Rule: a state of a world with other parts is refused, even if it has the same number of bytes.
func TestAnotherLayoutIsRefused(t *testing.T) {
	type a struct{ X One[int32] }
	type b struct{ X One[uint32] }
	type c struct{ Y One[int32] }
	w, err := New[a]()
	if err != nil {
		t.Fatal(err)
	}
	encoded := Save(w).Append(nil)
	if _, err := Decode[a](encoded); err != nil {
		t.Error(err)
	}
	for _, err := range []error{second(Decode[b](encoded)), second(Decode[c](encoded))} {
		if !errors.Is(err, errLayout) || !strings.Contains(err.Error(), "byte 9 of the encoding of world.") {
			t.Error(err)
		}
	}
}

func second[A any](_ A, err error) error { return err }

// Rule: a delta has only what differs, and gives the state when applied to its base; with another base it is refused.
func TestDeltas(t *testing.T) {
	w, list := filled(t, 2000)
	base := Save(w)
	Update(w, func(w *sample) {
		w.Units.Health.Set(list[1500], 3)
		w.Walls.Set(2, 2, 7)
	})
	s := Save(w)
	d := s.AppendDelta(nil, base)
	if len(d) > 100 {
		t.Errorf("two changes take %d bytes", len(d))
	}
	got, err := ApplyDelta[sample](base, d)
	if err != nil || got.Hash() != s.Hash() || !got.Equal(s) {
		t.Fatal("a delta leads elsewhere", err)
	}
	if _, err := ApplyDelta[sample](s, d); !errors.Is(err, errBase) {
		t.Error(err)
	}
	Update(w, func(w *sample) {
		w.Walls.Resize(300, 200)
		for _, e := range list[3:] {
			if w.Units.Kill(e) != nil {
				t.Error(e)
			}
		}
		w.spawn(t, 4000, nil)
		for i := range int32(700) {
			w.Scores.Put(i, 1)
		}
	})
	big := Save(w)
	for _, pair := range [][2]*Snapshot{{base, big}, {big, base}, {s, s}} {
		got, err := ApplyDelta[sample](pair[0], pair[1].AppendDelta(nil, pair[0]))
		if err != nil || !got.Equal(pair[1]) {
			t.Error("a delta leads elsewhere", err)
		}
	}
	for n := range d {
		if _, err := ApplyDelta[sample](base, d[:n]); err == nil {
			t.Errorf("the first %d bytes of a delta are accepted", n)
		}
	}
}

// Rule: a state may be decoded into the memory of an earlier one: nothing of that remains.
func TestAStateIsDecodedIntoUsedMemory(t *testing.T) {
	full, _ := filled(t, 1200)
	Update(full, func(w *sample) {
		w.Rules.Set(rules{Seed: 9})
		w.Scores.Put(0, 7)
		w.Marks.Add(0)
		w.Walls.Set(0, 0, 3)
	})
	few := newSample(t)
	Update(few, func(w *sample) {
		w.spawn(t, 1, nil)
		w.Scores.Put(0, 0)
	})
	encoded, want := Save(few).Append(nil), Hash(few)
	for i, w := range []*sample{full, newSample(t)} {
		for range 3 {
			Save(w).Release() // to be used again
			ok(t, Load(w, encoded))
			if Hash(w) != want || Diff(Save(w), Save(few), 9).Total != 0 {
				t.Fatalf("world %d has %v", i, Diff(Save(w), Save(few), 9))
			}
		}
	}
}

// Rule: a number has one encoding. One with more bytes than necessary, and a truncated one, are refused with that
// reason.
func TestANumberHasOneEncoding(t *testing.T) {
	w := newSample(t)
	begin := storeOf(w).append(nil)[:9]
	for _, c := range []struct {
		number string
		want   error
	}{{"\x80\x00", errNumber}, {"\x81\x80\x00", errNumber}, {"\x80", errShort}, {"", errShort}} {
		if err := Load(w, append(begin[:9:9], c.number...)); !errors.Is(err, c.want) {
			t.Errorf("%x: %v, want %v", c.number, err, c.want)
		}
	}
}

// Rule: after an error, all that is read is zero, and the first error remains.
func TestAfterAnErrorZerosAreRead(t *testing.T) {
	r := reader{b: []byte{7, 7, 7, 7, 7, 7, 7, 7, 7}, whole: 9}
	r.fail(errLayout)
	if u, f, b, some := r.uvarint(), r.fixed(), r.byte(), r.take(1); u != 0 || f != 0 || b != 0 || some != nil {
		t.Errorf("%d, %d, %d and %v are read", u, f, b, some)
	}
	for _, short := range []string{"", "\x80", "\x80\x00"} {
		r := reader{b: []byte(short), whole: len(short)}
		if got := r.uvarint(); got != 0 || r.err == nil {
			t.Errorf("of %x it reads %d: %v", short, got, r.err)
		}
	}
	if r.fail(errShort); !errors.Is(r.err, errLayout) || len(r.b) != 9 {
		t.Errorf("%v, with %d bytes left", r.err, len(r.b))
	}
}

// Rule: what has no world as its type is not decoded.
func TestDecodeNeedsAWorld(t *testing.T) {
	var check *canon.CheckError
	if s, err := Decode[struct{ Health int32 }](nil); s != nil || !errors.As(err, &check) || check.Problems[0].Path != "Health" {
		t.Errorf("%v, %v", s, err)
	}
}

// Rule: a state that is decoded into the memory of one that was hashed has its own hash.
func TestUsedMemoryHasNoHash(t *testing.T) {
	w, list := filled(t, 40)
	base := Save(w)
	Update(w, func(w *sample) { w.Units.Health.Set(list[3], 1) })
	s := Save(w)
	delta, want := s.AppendDelta(nil, base), s.Hash()
	for i := range int32(3) {
		Update(w, func(w *sample) { w.Units.Health.Set(list[5], i) })
		used := Save(w)
		used.Hash()
		used.Release()
		got, err := ApplyDelta[sample](base, delta)
		if err != nil || got != used || got.Hash() != want {
			t.Fatalf("the memory is used again: %v; %v", got == used, err)
		}
	}
}

// Rule: a delta does not allocate memory that its length does not justify, either: it may only add as much to a table
// or a map as its bytes can describe.
func TestShortDeltasTakeLittleMemory(t *testing.T) {
	w, _ := filled(t, 600)
	base := Save(w)
	begin := base.AppendDelta(nil, base)[:17] // its version, and what it contains
	for _, head := range [][]byte{{0x80, 0x80, 0x04}, {0xff, 0xff, 0x03}, {0xff, 0xff, 0xff, 0xff, 0x0f}} {
		if _, err := ApplyDelta[sample](base, append(append(begin[:17:17], head...), make([]byte, 10)...)); !errors.Is(err, errShort) {
			t.Errorf("%x: %v", head, err)
		}
	}
}

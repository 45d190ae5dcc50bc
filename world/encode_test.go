package world

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// Rule: an encoding that is cut off anywhere, or in which something is changed, gives a typed error
// or a state that encodes to the same bytes; never a panic.
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

// Rule: no memory is taken that the length of an encoding does not justify.
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

// Rule: a state of a world with other parts is refused, also if it has as many bytes.
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

// Rule: a delta has only what differs, and leads from its base to the state; from another one it is
// refused.
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

// Rule: what a state is decoded into may be memory that another one had: nothing of that is left.
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

// Rule: a number has one encoding. One in more bytes than it needs, and one that is cut off, are refused as such.
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

// Rule: a state that is made in the memory of one that was hashed has a hash of its own.
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

// Rule: a delta takes no memory that its length does not justify, either: of a table or a map it may add what its bytes
// can be about.
func TestShortDeltasTakeLittleMemory(t *testing.T) {
	w, _ := filled(t, 600)
	base := Save(w)
	begin := base.AppendDelta(nil, base)[:17] // its version, and what it is of
	for _, head := range [][]byte{{0x80, 0x80, 0x04}, {0xff, 0xff, 0x03}, {0xff, 0xff, 0xff, 0xff, 0x0f}} {
		if _, err := ApplyDelta[sample](base, append(append(begin[:17:17], head...), make([]byte, 10)...)); !errors.Is(err, errShort) {
			t.Errorf("%x: %v", head, err)
		}
	}
}

package robots_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rollback"
)

// at returns a world as a script leads to it.
func at(t testing.TB, s script, end rollback.Frame) *robots.World {
	b := sandbox(t, robots.Game(uint64(s)), 4, 0)
	run(t, b, 4, s, 0, end)
	return b.Live()
}

// Two states have the same Hash exactly if a walk of all that they lead to finds no
// difference, whatever memory they are in.
func TestHashAndAWalkAgree(t *testing.T) {
	g := robots.Game(1)
	b := sandbox(t, g, 3, 4)
	hashes, walks := map[uint64]uint64{}, map[uint64]uint64{}
	see := func(w *robots.World) {
		h := g.Hash(w)
		walk, err := canon.HashAny(w)
		must(t, err)
		if other, seen := hashes[h]; seen && other != walk {
			t.Errorf("frame %d: two states with hash %x", w.Frame, h)
		}
		if other, seen := walks[walk]; seen && other != h {
			t.Errorf("frame %d: one state with two hashes", w.Frame)
		}
		hashes[h], walks[walk] = walk, h
	}
	elsewhere := at(t, 9, 100) // with other things in its memory
	end := frames(t)
	for f := range end {
		run(t, b, 3, 1, f, f+1)
		see(b.Live())
		encoded, err := b.Marshal(nil)
		must(t, err)
		must(t, g.Unmarshal(elsewhere, encoded))
		see(elsewhere)
		if f%4 == 3 { // a wrong prediction, taken back
			must(t, b.Save(int(f/4)%4))
			run(t, b, 3, 2, f+1, f+6)
			see(b.Live())
			must(t, b.Restore(int(f/4)%4))
			see(b.Live())
		}
	}
	if len(hashes) < int(end) {
		t.Errorf("only %d states", len(hashes))
	}
}

// A slot neither changes when the game goes on, nor when what it was restored to does.
func TestSlotsShareNothing(t *testing.T) {
	g := robots.Game(1)
	w := at(t, 1, 150)
	var slot robots.Snapshot
	g.Save(w, &slot)
	before, err := canon.HashAny(&slot)
	must(t, err)
	b := sandbox(t, g, 4, 1)
	for range 3 {
		g.Restore(b.Live(), &slot)
		run(t, b, 4, 3, 150, 250)
	}
	after, err := canon.HashAny(&slot)
	must(t, err)
	want(t, "a walk of the slot", after, before)
}

// What is saved, restored, compared, hashed or encoded over what was there before
// takes no new memory.
func TestCapabilitiesDoNotAllocate(t *testing.T) {
	g := robots.Game(1)
	w, encoded := at(t, 1, 200), make([]byte, 0, robots.MaxEncoded)
	var slot robots.Snapshot
	for name, do := range map[string]func(){
		"Save":      func() { g.Save(w, &slot) },
		"Restore":   func() { g.Restore(w, &slot) },
		"Hash":      func() { g.Hash(w) },
		"Equal":     func() { g.Equal(w, &slot) },
		"Marshal":   func() { encoded, _ = g.Marshal(encoded[:0], w) },
		"Unmarshal": func() { must(t, g.Unmarshal(w, encoded)) },
	} {
		g.Save(w, &slot)
		encoded, _ = g.Marshal(encoded[:0], w)
		want(t, name+": allocations", testing.AllocsPerRun(100, do), 0)
	}
}

// Every bit of an encoding matters: what decodes, encodes to the same bytes again, so
// that no two encodings are one state. All cuts of an encoding are refused.
func TestEncodingsAreCanonical(t *testing.T) {
	g := robots.Game(1)
	w := at(t, 1, 60)
	encoded, err := g.Marshal(nil, w)
	must(t, err)
	if len(encoded) > robots.MaxEncoded {
		t.Errorf("%d bytes, more than %d", len(encoded), robots.MaxEncoded)
	}
	step := 1
	if testing.Short() {
		step = 23
	}
	for n := 0; n < len(encoded); n += step {
		refused(t, g, w, encoded[:n])
		for _, bit := range []byte{1, 0x80} {
			changed := bytes.Clone(encoded)
			changed[n] ^= bit
			checkDecode(t, g, w, changed)
		}
	}
	refused(t, g, w, append(bytes.Clone(encoded), 0))
}

// refused fails unless bytes are a DecodeError, and the world stays as it was.
func refused(t testing.TB, g game, w *robots.World, encoded []byte) {
	t.Helper()
	before := g.Hash(w)
	var d *robots.DecodeError
	if err := g.Unmarshal(w, encoded); !errors.As(err, &d) {
		t.Errorf("%d bytes: %v", len(encoded), err)
	}
	want(t, "hash after an error", g.Hash(w), before)
}

// checkDecode decodes bytes that may be anything, and plays on with what comes out.
func checkDecode(t testing.TB, g game, w *robots.World, encoded []byte) {
	t.Helper()
	b := sandbox(t, g, 4, 0)
	if g.Unmarshal(b.Live(), encoded) != nil {
		refused(t, g, w, encoded)
		return
	}
	again, err := b.Marshal(nil)
	must(t, err)
	if !bytes.Equal(again, encoded) {
		t.Error("an encoding that is not canonical is accepted")
	}
	run(t, b, 4, 1, 0, 40)
}

// FuzzUnmarshal decodes states with edits: an offset and a value, in three bytes, which
// keeps the fuzzer's inputs short, and a cut.
func FuzzUnmarshal(f *testing.F) {
	g := robots.Game(1)
	var bases [][]byte
	for i, end := range []rollback.Frame{0, 1, 10, 60, 100} {
		encoded, err := g.Marshal(nil, at(f, 1, end))
		must(f, err)
		bases = append(bases, encoded)
		f.Add(uint8(i), []byte{0, 1, 7, 0, 33, 0xFF}, uint16(len(encoded)))
	}
	w := at(f, 1, 30)
	f.Fuzz(func(t *testing.T, base uint8, edits []byte, cut uint16) {
		encoded := bytes.Clone(bases[int(base)%len(bases)])
		for ; len(edits) >= 3; edits = edits[3:] {
			encoded[(int(edits[0])<<8+int(edits[1]))%len(encoded)] = edits[2]
		}
		checkDecode(t, g, w, encoded[:min(int(cut), len(encoded))])
	})
}

// The links that would lead out of bounds, or around for ever, are refused.
func TestHostileLinks(t *testing.T) {
	g := robots.Game(1)
	w := at(t, 1, 100)
	var good robots.Snapshot
	g.Save(w, &good)
	for name, harm := range map[string]func(s *robots.Snapshot){
		"first":             func(s *robots.Snapshot) { s.First = 4 },
		"no first":          func(s *robots.Snapshot) { s.First = -1 },
		"a ring too short":  func(s *robots.Snapshot) { s.Robots[s.First].Next = s.First },
		"a ring that leads": func(s *robots.Snapshot) { s.Robots[(s.First+1)%4].Next = (s.First + 1) % 4 },
		"no next":           func(s *robots.Snapshot) { s.Robots[1].Next = -1 },
		"target":            func(s *robots.Snapshot) { s.Robots[1].Target = 4 },
		"last":              func(s *robots.Snapshot) { s.Robots[1].Last = int8(len(s.Bullets)) },
		"player":            func(s *robots.Snapshot) { s.Robots[1].Player = 0 },
		"cell":              func(s *robots.Snapshot) { s.Robots[1].At = robots.Size * robots.Size },
		"direction":         func(s *robots.Snapshot) { s.Robots[1].Dir = 4 },
		"health":            func(s *robots.Snapshot) { s.Robots[1].Hp = -1 },
		"program counter":   func(s *robots.Snapshot) { s.Robots[1].VM.PC = uint16(len(s.Robots[1].VM.Program)) + 1 },
		"fault":             func(s *robots.Snapshot) { s.Robots[1].VM.Fault = 200 },
		"stack":             func(s *robots.Snapshot) { s.Robots[1].VM.Stack = make([]int32, robots.MaxStack+1) },
		"heap":              func(s *robots.Snapshot) { s.Robots[1].VM.Heap = make([]int32, robots.MaxHeap+1) },
		"program":           func(s *robots.Snapshot) { s.Robots[1].VM.Program = make([]byte, robots.MaxProgram+1) },
		"bullet's owner": func(s *robots.Snapshot) {
			s.Bullets = append(s.Bullets, robots.BulletImage{Shot: robots.Shot{Life: 1}, By: 4})
		},
		"bullet's life": func(s *robots.Snapshot) { s.Bullets = append(s.Bullets, robots.BulletImage{}) },
		"mine's owner":  func(s *robots.Snapshot) { s.Mines[3] = robots.MineImage{By: 4} },
		"mine's cell":   func(s *robots.Snapshot) { s.Mines[robots.Size*robots.Size] = robots.MineImage{} },
		"winner":        func(s *robots.Snapshot) { s.Winner = robots.MaxPlayers + 1 },
	} {
		bad := g.Describe(w).(*robots.Snapshot)
		harm(bad)
		t.Run(name, func(t *testing.T) { refused(t, g, w, robots.Encode(bad)) })
	}
	must(t, g.Unmarshal(w, robots.Encode(&good)))
}

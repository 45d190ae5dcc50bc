package world

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"testing"
)

// victim is a peer that receives states and deltas from the network: a world in use, and a snapshot of it.
type victim struct {
	*testing.T
	w       *sample
	base    *Snapshot
	encoded []byte
	hash    uint64
}

func newVictim(t testing.TB) *victim {
	w, _ := filled(t, 20)
	v := &victim{w: w, base: Save(w)}
	v.encoded, v.hash = v.base.Append(nil), v.base.Hash()
	return v
}

// untouched fails unless the world and its snapshot are unchanged.
func (v *victim) untouched() {
	v.Helper()
	s := Save(v.w)
	defer s.Release()
	if Hash(v.w) != v.hash || !bytes.Equal(s.Append(nil), v.encoded) || !bytes.Equal(v.base.Append(nil), v.encoded) {
		v.Fatal("the live state has changed")
	}
}

// Decoding may allocate this much in addition: the parts of a snapshot, and for a delta the page list of the largest
// grid.
const (
	slack     = 64 << 10
	emptyGrid = MaxSide * MaxSide / Rows * 8
)

// frugal fails if a call allocates more than the given number of bytes justifies.
func (v *victim) frugal(n, besides int, call func()) {
	v.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > uint64(n*(Amplification+2)+besides) {
		v.Fatalf("%d bytes have taken %d of memory", n, took)
	}
}

// refused fails unless an error is one that names the problem.
func (v *victim) refused(err error, n int) {
	v.Helper()
	var typed *DecodeError
	if !errors.As(err, &typed) || typed.Offset < 0 || typed.Offset > n {
		v.Fatalf("%T: %v", err, err)
	}
	v.untouched()
}

// state decodes bytes as a state, and reports whether it was accepted.
func (v *victim) state(b []byte) bool {
	var err error
	v.frugal(len(b), slack, func() { err = Load(v.w, b) })
	if err != nil {
		v.refused(err, len(b))
		return false
	}
	s := Save(v.w)
	defer s.Release()
	if !bytes.Equal(s.Append(nil), b) {
		v.Fatal("a state that is accepted has another encoding")
	}
	// Other peers remember nothing of this, and get the same result; also in the frames that follow.
	d, err := Decode[sample](b)
	if err != nil || d.Hash() != Hash(v.w) || !d.Equal(s) {
		v.Fatal("two peers make different states of it", err)
	}
	other := newSample(v.T)
	Restore(other, d)
	Diff(d, v.base, 5)
	for range 3 {
		Update(v.w, stepOfSample)
		Update(other, stepOfSample)
	}
	if Hash(v.w) != Hash(other) {
		v.Fatal("two peers go on differently")
	}
	d.Release()
	Restore(v.w, v.base)
	v.untouched()
	return true
}

// delta decodes bytes as a delta, and reports whether it was accepted.
func (v *victim) delta(b []byte) bool {
	var s *Snapshot
	var err error
	v.frugal(len(b), slack+emptyGrid, func() { s, err = ApplyDelta[sample](v.base, b) })
	if err != nil {
		v.refused(err, len(b))
		return false
	}
	defer s.Release()
	if !bytes.Equal(s.AppendDelta(nil, v.base), b) {
		v.Fatal("what a delta leads to has another delta")
	}
	if d, err := Decode[sample](s.Append(nil)); err != nil || d.Hash() != s.Hash() || !d.Equal(s) {
		v.Fatal("what a delta leads to cannot be encoded", err)
	}
	v.untouched()
	return true
}

// originals are some valid encodings and deltas.
func (v *victim) originals(t testing.TB) (list [][]byte) {
	list = append(list, v.encoded, v.base.AppendDelta(nil, v.base))
	for _, change := range []func(w *sample){
		Clear[sample],
		func(w *sample) {
			w.Units.Health.Set(w.Units.At(3), -7)
			w.Units.Target.Put(w.Units.At(5), w.Units.At(6))
			if w.Units.Kill(w.Units.At(8)) != nil {
				t.Error("it does not die")
			}
			w.Walls.Set(1, 1, 9)
		},
		func(w *sample) {
			w.spawn(t, 400, func(e Entity, i int) { w.Units.Order.Put(e, order{Kind: uint8(i)}) })
			w.spawnShots(t, 3)
			w.Walls.Resize(17, 50)
			w.Walls.Set(16, 49, 3)
			for k := range int32(300) {
				w.Scores.Put(k*k, 1)
			}
			w.Marks.Drop(0)
		},
	} {
		Update(v.w, change)
		s := Save(v.w)
		list = append(list, s.Append(nil), s.AppendDelta(nil, v.base))
		s.Release()
		Restore(v.w, v.base)
	}
	return list
}

// FuzzDecode: any bytes are refused with a typed error, and the live state is unchanged; or they are the one encoding
// of a state, or the one delta to it, and give the same on all peers.
func FuzzDecode(f *testing.F) {
	v := newVictim(f)
	for _, b := range v.originals(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v := *v
		v.T = t
		v.state(b)
		v.delta(b)
	})
}

// edit is a change of an encoding, made from 6 bytes of a fuzzer.
type edit struct {
	what  uint8
	at    int
	value uint16
}

const editSize = 6

func (e edit) apply(b []byte) []byte {
	if len(b) == 0 {
		return b
	}
	at := e.at % len(b)
	some := min(int(e.value), len(b)-at)
	switch e.what % 8 {
	case 0, 1:
		b[at] = uint8(e.value)
	case 2:
		b[at] ^= 1 << (e.value % 8)
	case 3:
		b = slices.Insert(b, at, slices.Repeat([]byte{uint8(e.value)}, int(e.value>>8))...)
	case 4:
		b = slices.Delete(b, at, at+some)
	case 5:
		b = b[:at]
	case 6:
		b = append(b, b[at:at+some]...)
	case 7:
		b = binary.AppendUvarint(b[:at:at], uint64(e.value)<<(e.what/8))
	}
	return b
}

// edited makes hostile bytes from an original: a few edits reach deep into the decoder, where few mutations of whole
// encodings do.
func edited(originals [][]byte, script []byte) []byte {
	if len(script) == 0 {
		return nil
	}
	b := slices.Clone(originals[int(script[0])%len(originals)])
	for script = script[1:]; len(script) >= editSize && len(b) < 1<<20; script = script[editSize:] {
		at := int(script[1])<<16 | int(script[2])<<8 | int(script[3])
		b = edit{script[0], at, binary.LittleEndian.Uint16(script[4:])}.apply(b)
	}
	return b
}

// FuzzEdits is FuzzDecode for encodings that are almost right.
func FuzzEdits(f *testing.F) {
	v := newVictim(f)
	originals := v.originals(f)
	for i := range originals {
		f.Add([]byte{byte(i)})
		for what := range byte(8) {
			f.Add([]byte{byte(i), what, 0, 0, 9 + what, 3, 0, what, 0, 16, 7, 200, what})
		}
	}
	f.Fuzz(func(t *testing.T, script []byte) {
		v := *v
		v.T = t
		b := edited(originals, script)
		v.state(b)
		v.delta(b)
	})
}

// The negative control: originals and some of their edits are accepted, others are refused.
func TestEditsReachTheDecoder(t *testing.T) {
	v := newVictim(t)
	v.T = t
	originals := v.originals(t)
	for i, b := range originals {
		if state, delta := v.state(b), v.delta(b); state == delta || delta != (i%2 == 1) {
			t.Errorf("original %d is taken for a state: %v, for a delta: %v", i, state, delta)
		}
	}
	r, accepted := random(t), [2]int{}
	const scripts = 200
	for range scripts {
		script := []byte{byte(r.UintN(256)), byte(r.UintN(3)), 0, byte(r.UintN(256)), byte(r.UintN(256)), byte(r.UintN(256)), 0}
		b := edited(originals, script)
		if v.state(b) {
			accepted[0]++
		}
		if v.delta(b) {
			accepted[1]++
		}
	}
	if t.Logf("of %d edits %d are states, and %d deltas", scripts, accepted[0], accepted[1]); accepted[0] < scripts/10 || accepted[0] > scripts*9/10 || accepted[1] == 0 {
		t.Error("hardly any are, or almost all")
	}
}

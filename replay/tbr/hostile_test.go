package tbr_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// small is a recording with a bit of everything, which begins late.
func small(t testing.TB) (file []byte, frames []*agreed.Frame) {
	t.Helper()
	m := newMatch(agreed.Shape{Players: 3, InputSize: 1, MaxOrders: 6}, 3, 141)
	frames = m.frames(141)[60:]
	h := tbr.Header{Game: "small", Shape: m.shape, TickRate: 1, HashEvery: 3, Data: []byte("data"), State0: 5}
	h.Info = tbr.Info{Build: "b", Recorder: "me", First: 60, Meta: []tbr.Field{{Key: "k", Value: "v"}}}
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range frames {
		write(t, w, f)
		if i == 20 {
			if err := w.Optional(tbr.KindStats, []byte("statistics")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(tbr.End{Reason: "done", Hashed: true, Hash: hashOf(141)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), frames
}

// checked reads all of a file in every way, and returns the problems found. Data
// that is read without an error must be what was written.
func checked(t *testing.T, file []byte, frames []*agreed.Frame) error {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		typed(t, err)
		return err
	}
	if _, closed := r.End(); closed != (r.Damage() == nil) {
		t.Errorf("closed %t, but the damage is %v", closed, r.Damage())
	}
	for _, from := range []uint32{60, 64, 100, 139} {
		prefix(t, r, frames, from)
	}
	want := uint32(63)
	for h, err := range r.Hashes(0) {
		if err != nil {
			typed(t, err)
			break
		}
		if h.State != want || !h.Matches(hashOf(want)) {
			t.Fatalf("%+v, want state %d", h, want)
		}
		want += 3
	}
	for f := range r.Keyframes() {
		if frame, state, err := r.Keyframe(f); err != nil {
			typed(t, err)
		} else if frame != f || !bytes.Equal(state, stateOf(frame)) {
			t.Fatalf("the keyframe of frame %d is one of %d: %q", f, frame, state)
		}
	}
	err = r.Check()
	if err != nil {
		typed(t, err)
	}
	return err
}

func typed(t *testing.T, err error) {
	t.Helper()
	var e *tbr.Error
	if !errors.As(err, &e) || e.Reason == nil || e.Error() == "" {
		t.Fatalf("an error without a type: %v", err)
	}
}

// prefix reads frames up to the first error.
func prefix(t *testing.T, r *tbr.Reader, frames []*agreed.Frame, from uint32) {
	t.Helper()
	c, err := r.Frames(from)
	for err == nil {
		var f *agreed.Frame
		if f, err = c.Next(); err == nil && !same(f, frames[f.Number-60]) {
			t.Fatalf("from %d: frame %+v, want %+v", from, f, frames[f.Number-60])
		}
	}
	if err != io.EOF {
		typed(t, err)
	}
}

func TestASmallRecordingIsWhole(t *testing.T) {
	file, frames := small(t)
	if err := checked(t, file, frames); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(file))
}

// Every single flipped bit is noticed, and data that is still read is right.
func TestEveryFlippedBitIsNoticed(t *testing.T) {
	file, frames := small(t)
	step := 1
	if testing.Short() {
		step = 31
	}
	for bit := 0; bit < 8*len(file); bit += step {
		damaged := bytes.Clone(file)
		damaged[bit/8] ^= 1 << (bit % 8)
		if err := checked(t, damaged, frames); err == nil {
			t.Fatalf("bit %d of byte %d is not noticed", bit%8, bit/8)
		}
	}
}

// A file that is cut anywhere is reported as such, and has everything written up to
// there.
func TestACutFileHasWhatWasWrittenByThen(t *testing.T) {
	file, frames := small(t)
	most, step := uint32(60), 1
	if testing.Short() {
		step = 5
	}
	for i := range len(file) / step {
		n := len(file) - 1 - (len(file)/step-1-i)*step // up to the last byte but one
		if checked(t, file[:n], frames) == nil {
			t.Fatalf("%d bytes of %d are whole", n, len(file))
		}
		r, err := tbr.Open(bytes.NewReader(file[:n]), int64(n))
		if err != nil {
			if !errors.Is(err, tbr.ErrCut) || most > 60 {
				t.Fatalf("%d bytes of %d: %v", n, len(file), err)
			}
			continue
		}
		if r.Next() < most {
			t.Fatalf("%d bytes have frames up to %d, fewer bytes had %d", n, r.Next(), most)
		}
		most = r.Next()
		c, err := r.Frames(60)
		for ; err == nil; _, err = c.Run(1000) {
		}
		if err != io.EOF {
			t.Fatalf("%d bytes of %d: %v", n, len(file), err)
		}
	}
	if most != 141 {
		t.Errorf("the last byte brings frames from %d on", most)
	}
}

// An index that lies is noticed by Check, and never causes wrong frames to be read.
func TestAnIndexThatLiesIsNoticed(t *testing.T) {
	file, frames := small(t)
	lies := [][]byte{
		tbr.Reindex(file, func(_ []int64, k []bool, _ *tbr.End) { k[0] = false }),
		tbr.Reindex(file, func(_ []int64, k []bool, _ *tbr.End) { k[2] = !k[2] }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next-- }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next -= 8 }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next = 128 }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next = 100 }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next = 64 }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next = 60 }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Next++ }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Digest[3]++ }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Result++ }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Finished = false }),
		tbr.Reindex(file, func(_ []int64, _ []bool, e *tbr.End) { e.Hash++ }),
	}
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			for _, at := range []int64{0, c.Offset - 1, c.Offset, c.Offset + 1} {
				lies = append(lies, tbr.Reindex(file, func(o []int64, _ []bool, _ *tbr.End) {
					if o[i] == at {
						o[i]++
					} else {
						o[i] = at
					}
				}))
			}
		}
	}
	for i, lie := range lies {
		if err := checked(t, lie, frames); err == nil {
			t.Errorf("lie %d is not noticed", i)
		}
	}
	truth := tbr.Reindex(file, func([]int64, []bool, *tbr.End) {})
	if !bytes.Equal(truth, file) {
		t.Error("the truth is told differently")
	}
}

// The negative control of the tests above: a chunk with another payload and a right
// checksum is read, and only the digest shows it.
func TestTheDigestTellsAChunkFromAnother(t *testing.T) {
	file, _ := small(t)
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != tbr.KindHashes {
			continue
		}
		payload, err := open(t, file).Payload(c)
		if err != nil {
			t.Fatal(err)
		}
		other := bytes.Clone(payload)
		other[0]++
		r := open(t, tbr.Replace(file, c, c.Flags, other))
		if err := r.Check(); !errors.Is(err, tbr.ErrDigest) {
			t.Errorf("another hash: %v", err)
		}
		return
	}
	t.Error("no hashes")
}

// An optional chunk of an unknown kind is skipped, a required one refused by name.
func TestUnknownChunks(t *testing.T) {
	file, frames := small(t)
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind != tbr.KindStats {
			continue
		}
		c.Kind = tbr.Kind{'N', 'E', 'W', '1'}
		if err := checked(t, tbr.Replace(file, c, 0, []byte("statistics")), frames); err != nil {
			t.Errorf("optional: %v", err)
		}
		err := checked(t, tbr.Replace(file, c, tbr.Required, []byte("statistics")), frames)
		var e *tbr.Error
		if !errors.As(err, &e) || e.Reason != tbr.ErrRequired || e.Kind != c.Kind {
			t.Errorf("required: %v", err)
		}
		return
	}
	t.Error("no statistics")
}

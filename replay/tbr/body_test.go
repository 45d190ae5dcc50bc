package tbr_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
)

// body returns the chunks of the body of a file, from a frame on.
func body(t *testing.T, file []byte, from uint32) (chunks [][]byte) {
	t.Helper()
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Flags&tbr.Body != 0 && c.Frame >= from {
			chunks = append(chunks, file[c.Offset:c.End()])
		}
	}
	return chunks
}

// Peers of a match write the same body, whatever else their files contain.
func TestPeersWriteTheSameBody(t *testing.T) {
	for seed, s := range shapes {
		frames := newMatch(s, uint64(seed), 300).frames(300)
		h := tbr.Header{Shape: s, TickRate: 2, HashEvery: 3}
		one := record(t, h, frames)

		h.Info = tbr.Info{Build: "other", Recorder: "a spectator", Created: 99, Meta: []tbr.Field{{Key: "k"}}}
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, h)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range frames {
			write(t, w, f)
			if i%30 == 0 {
				if err := w.Optional(tbr.KindEffects, []byte("some")); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(tbr.End{Reason: "the disk is full"}); err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(body(t, one, 0), body(t, b.Bytes(), 0), bytes.Equal) {
			t.Errorf("shape %d: the bodies differ", seed)
		}
		endOne, _ := open(t, one).End()
		if endTwo, _ := open(t, b.Bytes()).End(); endOne.Digest != endTwo.Digest || endTwo.Digest == [32]byte{} {
			t.Errorf("shape %d: the digests differ", seed)
		}
		for _, first := range []uint32{1, 100, 128, 200} {
			h.First = first
			late := record(t, h, frames[first:])
			from := (first + 127) / 128 * 128
			want := body(t, one, from)
			if got := body(t, late, from); len(want) == 0 || !slices.EqualFunc(got, want, bytes.Equal) {
				t.Errorf("shape %d: from frame %d on, the body of a file that begins with %d differs", seed, from, first)
			}
		}
	}
}

// The negative control of the test above.
func TestAnotherMatchHasAnotherBody(t *testing.T) {
	s := shapes[1]
	h := tbr.Header{Shape: s, TickRate: 2}
	frames := newMatch(s, 1, 0).frames(300)
	one := record(t, h, frames)
	frames[290].Inputs[0] ^= 1
	other := record(t, h, frames)
	a, b := body(t, one, 0), body(t, other, 0)
	if last := len(a) - 1; bytes.Equal(a[last], b[last]) || !bytes.Equal(a[last-1], b[last-1]) {
		t.Error("an input of the last block does not change the last chunk, or changes more")
	}
}

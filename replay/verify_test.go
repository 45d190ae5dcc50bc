package replay_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

func verify(t testing.TB, b []byte, g replay.Game, o replay.VerifyOptions) *replay.Verification {
	t.Helper()
	v, err := replay.Verify(t.Context(), open(t, b), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Rule: a build verifies its own recordings: all frames, all hashes, all keyframes,
// with any number of workers, whatever the game can do.
func TestWhatWasRecordedIsVerified(t *testing.T) {
	m := worldMatch(5000)
	late := worldMatch(3000)
	late.header.First = 1111
	alone := func(g *rollback.OwnMemory[heap, world, keys]) { g.New = nil }
	for name, c := range map[string]struct {
		m       match
		game    replay.Game
		workers int
		want    replay.Verification
	}{
		"a plain game":        {m, m.game, 1, replay.Verification{Workers: 1, Hashes: 500 + 1, Keyframes: 7}},
		"on many processors":  {m, m.game, 3, replay.Verification{Workers: 3, Hashes: 500 + 1, Keyframes: 7}},
		"its own memory":      {m, heapGame(nil, nil), 2, replay.Verification{Workers: 2, Hashes: 500 + 1, Keyframes: 7}},
		"one at a time":       {m, heapGame(nil, alone), 4, replay.Verification{Workers: 1, Hashes: 500 + 1, Keyframes: 7}},
		"that cannot marshal": {m, heapGame(nil, noMarshal), 4, replay.Verification{Workers: 1, Hashes: 500 + 1}},
		"from the middle on":  {late, late.game, 2, replay.Verification{Workers: 2, Hashes: 300 + 1, Keyframes: 5}},
	} {
		heard := uint32(0)
		v := verify(t, record(t, c.m), c.game, replay.VerifyOptions{Workers: c.workers, Progress: func(n uint32) { heard = n }})
		c.want.First, c.want.Next = c.m.header.First, c.m.header.First+c.m.frames
		c.want.Frames, c.want.Checked = c.m.frames, c.want.Next
		c.want.Last, c.want.LastKnown = v.Last, true
		if *v != c.want || !v.OK() || heard != c.m.frames {
			t.Errorf("%s: %+v, want %+v; heard of %d frames", name, *v, c.want, heard)
		}
	}
}

func noMarshal(g *rollback.OwnMemory[heap, world, keys]) { g.Marshal, g.Unmarshal = nil, nil }

// Rule: a build that steps differently in one frame is detected at the next hash, or
// at the frame itself if every state was hashed; and the fields are named at the next
// keyframe, if they still differ.
func TestAnotherBuildIsFoundOut(t *testing.T) {
	for _, workers := range []int{1, 3} {
		for _, fault := range []uint32{0, 9, 10, 639, 640, 2222, 4999} {
			for _, every := range []int{1, 10} {
				m := worldMatch(5000)
				m.header.HashEvery = every
				file := record(t, m)
				other := worldGame(wrong(stepWorld, fault, func(w *world) { w.Score[1] += 1000 }))
				v := verify(t, file, other, replay.VerifyOptions{Workers: workers})
				if v.OK() || v.Mismatch == nil || v.Unverified() {
					t.Fatalf("fault in frame %d, a hash every %d: %+v", fault, every, v)
				}
				x, e := v.Mismatch, uint32(every)
				if x.Good != fault/e*e || x.State != fault/e*e+e || x.Recorded.State != x.State || x.Recorded.Matches(x.Computed) {
					t.Errorf("fault in frame %d, a hash every %d: %+v", fault, every, x)
				}
				if frame, exact := x.Exact(); exact != (every == 1) || exact && frame != fault {
					t.Errorf("fault in frame %d, a hash every %d: frame %d, exact %v", fault, every, frame, exact)
				}
				if boundary := (fault/640 + 1) * 640; boundary > 4999 {
					continue // the last part has no keyframe at its end
				} else if x.FieldsAt != boundary || x.Fields.Total != 1 || x.Fields.Differences[0].Path != "Score[1]" {
					t.Errorf("fault in frame %d, a hash every %d: at %d, %v", fault, every, x.FieldsAt, x.Fields)
				}
			}
		}
	}
}

// A recording without hashes and keyframes is unverified, never OK. One with only
// keyframes is proved up to the last of them.
func TestNothingToCompareIsNotOK(t *testing.T) {
	m := worldMatch(500)
	m.header.HashEvery = 0
	if v := verify(t, record(t, m), m.game, replay.VerifyOptions{}); v.OK() || !v.Unverified() || v.Mismatch != nil || v.Frames != 500 || v.Checked != 0 {
		t.Errorf("%+v", v)
	}
	m.frames = 1000
	file := record(t, m)
	if v := verify(t, file, m.game, replay.VerifyOptions{}); !v.OK() || v.Checked != 640 || v.Keyframes != 1 || v.Frames != 1000 {
		t.Errorf("%+v", v)
	}
	other := worldGame(wrong(stepWorld, 630, func(w *world) { w.Score[0]++ }))
	v := verify(t, file, other, replay.VerifyOptions{})
	if v.OK() || v.Mismatch == nil || v.Mismatch.State != 640 || v.Mismatch.Good != 0 {
		t.Fatalf("%+v", v)
	}
}

// State 0 is compared, too, but proves nothing about the frames.
func TestAnotherState0IsFoundOut(t *testing.T) {
	m := worldMatch(50)
	m.header.HashEvery = 0
	m.header.State0 = worldPlan.Hash(&world{Sum: m.header.Seed})
	file := record(t, m)
	if v := verify(t, file, m.game, replay.VerifyOptions{}); v.OK() || !v.Unverified() || v.Mismatch != nil {
		t.Errorf("%+v", v)
	}
	m.header.State0++
	if v := verify(t, record(t, m), m.game, replay.VerifyOptions{}); v.OK() || v.Mismatch == nil || v.Mismatch.State != 0 {
		t.Errorf("%+v", v)
	}
}

// A recording that breaks off is verified up to there, and is not OK.
func TestACutRecordingIsVerifiedAsFarAsItGoes(t *testing.T) {
	m := worldMatch(2000)
	m.cut = true
	v := verify(t, record(t, m), m.game, replay.VerifyOptions{})
	if v.OK() || v.Damage == nil || v.Mismatch != nil || v.Frames != 2000 || v.Hashes != 200 || v.Checked != 2000 {
		t.Errorf("%+v", v)
	}
}

// Rule: whatever byte of a recording is changed, and wherever it is cut off, it is
// never OK with other frames or another end than the complete one; and nothing panics.
func TestDamageIsNeverOK(t *testing.T) {
	m := worldMatch(700)
	file := record(t, m)
	whole := verify(t, file, m.game, replay.VerifyOptions{})
	if !whole.OK() {
		t.Fatalf("%+v", whole)
	}
	check := func(b []byte, what string, at int) {
		r, err := openQuietly(b)
		if err != nil {
			return
		}
		v, err := replay.Verify(t.Context(), r, m.game, replay.VerifyOptions{Workers: 1})
		if err == nil && v.OK() && (v.Last != whole.Last || v.Frames != whole.Frames) {
			t.Errorf("%s at byte %d: OK with %d frames", what, at, v.Frames)
		}
		if err == nil && v.OK() && what == "cut" {
			t.Errorf("OK, although cut at byte %d", at)
		}
	}
	step := 1
	if testing.Short() {
		step = 29
	}
	for i := 0; i < len(file); i += step {
		b := append([]byte(nil), file...)
		b[i] ^= 1 << (i % 8)
		check(b, "flipped", i)
		check(file[:i], "cut", i)
	}
}

// Problems that are not the recording's fault are errors: another game, a match that
// the game refuses, a panic, an interrupt.
func TestVerifyRefuses(t *testing.T) {
	m := worldMatch(100)
	file := record(t, m)
	var other *replay.GameError
	if _, err := replay.Verify(t.Context(), open(t, file), duelGame(nil), replay.VerifyOptions{}); !errors.As(err, &other) || other.Want != "duel" {
		t.Errorf("another game: %v", err)
	}
	var panicked *replay.PanicError
	crash := worldGame(wrong(stepWorld, 50, func(*world) { panic("out of fuel") }))
	if _, err := replay.Verify(t.Context(), open(t, file), crash, replay.VerifyOptions{}); !errors.As(err, &panicked) || panicked.Value != "out of fuel" || !strings.HasPrefix(err.Error(), "frame 50: ") {
		t.Errorf("a panic: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := replay.Verify(ctx, open(t, file), m.game, replay.VerifyOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt: %v", err)
	}
	m.header.Seed = 13
	m.game = duelGame(nil) // does not ask
	bad := worldMatch(0)
	bad.header.Seed = 14
	b := record(t, bad)
	h := open(t, b).Header()
	h.Seed = 13
	if _, err := worldGame(nil).Sim(h); err == nil {
		t.Error("a seed that the game refuses")
	}
	late := worldMatch(10)
	late.header.First = 5
	if _, err := replay.Verify(t.Context(), open(t, record(t, late)), heapGame(nil, noMarshal), replay.VerifyOptions{}); err == nil {
		t.Error("from the middle on, and states cannot be read")
	}
}

// Frames that no match reaches are refused, and only end the verification.
func TestFramesBeyondTheLast(t *testing.T) {
	for _, first := range []uint32{1<<32 - 1<<16 - 50, 1<<32 - 200} {
		var b bytes.Buffer
		h := worldMatch(0).header
		h.First, h.HashEvery = first, 0
		w := must(tbr.NewWriter(&b, h))
		if err := w.Keyframe(worldPlan.Append(nil, new(world))); err != nil {
			t.Fatal(err)
		}
		for n := range uint32(100) {
			if err := w.Frame(&agreed.Frame{Number: first + n, Inputs: make([]byte, 6)}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(tbr.End{}); err != nil {
			t.Fatal(err)
		}
		if v := verify(t, b.Bytes(), worldGame(nil), replay.VerifyOptions{}); v.OK() || !errors.Is(v.Damage, rollback.ErrFrames) {
			t.Errorf("from frame %d on: %+v", first, v)
		}
	}
}

// Rule: a caller can get the simulation of the last state, once, with the state of its
// type; not if the result of the match differs.
func TestTheLastStateIsShown(t *testing.T) {
	m := worldMatch(2000)
	file := record(t, m)
	sums, calls := [2]uint64{}, 0
	for i, g := range []replay.Game{m.game, worldGame(wrong(stepWorld, 1999, func(w *world) { w.Sum++ }))} {
		v := verify(t, file, g, replay.VerifyOptions{Workers: 2, Last: func(s replay.Sim) {
			calls++
			state, ok := replay.StateOf[world](s)
			if _, other := replay.StateOf[heap](s); !ok || other || s.State() != 2000 {
				t.Errorf("state %d, of its type %t, of another %t", s.State(), ok, other)
			}
			sums[i] = worldPlan.Hash(state)
		}})
		if v.OK() != (i == 0) || i == 0 && sums[0] != v.Last {
			t.Errorf("%+v, %#x", v, sums)
		}
	}
	if calls != 1 || sums[1] != 0 {
		t.Errorf("%d calls, %#x", calls, sums)
	}
}

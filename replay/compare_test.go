package replay_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/wire/agreed"
)

func compare(t *testing.T, a, b []byte) *replay.Comparison {
	t.Helper()
	c, err := replay.Compare(t.Context(), open(t, a), open(t, b))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// altered returns a match that is played differently in one frame.
func altered(m match, frame uint32, alter func(f *agreed.Frame)) match {
	play := m.play
	m.play = func(r *rand.Rand, f *agreed.Frame) {
		play(r, f)
		if f.Number == frame {
			// What follows must not depend on it.
			f.Inputs, f.Orders = append([]byte(nil), f.Inputs...), append([][]byte(nil), f.Orders...)
			alter(f)
		}
	}
	return m
}

// Rule: for two recordings of one match, the first frame that is not the same is
// named, with what differs and for which player.
func TestTheFirstDifferenceIsNamed(t *testing.T) {
	m := worldMatch(1500)
	file := record(t, m)
	for _, frame := range []uint32{0, 79, 80, 700, 1499} {
		for what, c := range map[string]struct {
			player int
			alter  func(f *agreed.Frame)
		}{
			"inputs":   {1, func(f *agreed.Frame) { f.Inputs[2] ^= 64 }},
			"statuses": {2, func(f *agreed.Frame) { f.Gone ^= 4 }},
			"orders":   {0, func(f *agreed.Frame) { f.Orders = [][]byte{[]byte("another"), ordersOf(f, 1), ordersOf(f, 2)} }},
		} {
			got := compare(t, file, record(t, altered(m, frame, c.alter)))
			if got.Same() || got.Frame == nil || got.Frame.Number != frame || got.Frame.What != what || got.Frame.Player != c.player {
				t.Errorf("%s of frame %d: %+v", what, frame, got.Frame)
			}
			if got.Frame.A.Number != frame || string(got.Frame.A.Inputs) == string(got.Frame.B.Inputs) == (what == "inputs") {
				t.Errorf("%s of frame %d: the frames are %v and %v", what, frame, got.Frame.A, got.Frame.B)
			}
			if away := got.Frame.A.Gone>>c.player&1 != 0; what != "statuses" && !away && frame < 1490 && got.Hash == nil {
				t.Errorf("%s of frame %d: the hashes are the same", what, frame)
			}
		}
	}
}

func ordersOf(f *agreed.Frame, p int) []byte {
	if p < len(f.Orders) {
		return f.Orders[p]
	}
	return nil
}

// The same match recorded by two builds has the same frames, and different hashes
// after the fault.
func TestHashesOfTwoBuildsAreCompared(t *testing.T) {
	m := worldMatch(1500)
	file := record(t, m)
	m.game = worldGame(wrong(stepWorld, 777, func(w *world) { w.Score[0]++ }))
	c := compare(t, file, record(t, m))
	if c.Same() || c.Frame != nil || c.Hash == nil || c.Hash.Good != 770 || c.Hash.State != 780 || c.Hashes != 78 {
		t.Errorf("%+v, %+v", c, c.Hash)
	}
}

// For recordings that begin and end at different frames, the common part is compared;
// what they say about themselves does not count, and what they say about the match
// does.
func TestWhatBothHaveIsCompared(t *testing.T) {
	m := worldMatch(1500)
	file := record(t, m)
	late := worldMatch(900)
	late.header.First, late.header.Recorder, late.header.Created = 333, "a spectator", 99
	c := compare(t, file, record(t, late))
	if !c.Same() || c.SameBody || c.From != 333 || c.To != 1233 || c.Hashes != 90 {
		t.Errorf("%+v", c)
	}
	again := worldMatch(1500)
	again.header.Build = "another"
	if c := compare(t, file, record(t, again)); !c.Same() || !c.SameBody {
		t.Errorf("%+v", c)
	}
	again.header.Seed = 8
	if c := compare(t, file, record(t, again)); c.Same() || len(c.Header) != 1 || c.Header[0] != "seed: 7 != 8" {
		t.Errorf("%+v", c)
	}
	if _, err := replay.Compare(t.Context(), open(t, file), open(t, record(t, duelMatch(10)))); err == nil {
		t.Error("two games have frames to compare")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := replay.Compare(ctx, open(t, file), open(t, record(t, late))); !errors.Is(err, context.Canceled) && err != nil {
		t.Error(err)
	}
}

package theatre_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// made is a recording of some frames in which nobody does anything.
func made(t *testing.T, change func(h *tbr.Header), frames int) []byte {
	t.Helper()
	h := tbr.Header{Game: duel.ID, TickRate: 60, Seed: 1, KeyframeEvery: tbr.NoKeyframes, Shape: agreed.Shape{Players: 2, InputSize: 2}}
	change(&h)
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, h)
	if err != nil {
		t.Fatal(err)
	}
	f := agreed.Frame{Inputs: make([]byte, h.Shape.Players*h.Shape.InputSize)}
	for range frames {
		if err := w.Frame(&f); err != nil {
			t.Fatal(err)
		}
		f.Number++
	}
	if err := w.Close(tbr.End{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file that cannot be played is refused, with an error that names the file and the reason.
func TestWhatCannotBePlayedIsRefused(t *testing.T) {
	same := func(*tbr.Header) {}
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"nothing":    {nil, theatre.ErrEmpty},
		"large":      {make([]byte, theatre.MaxFile+1), theatre.ErrTooLarge},
		"text":       {[]byte("this is a text, and nothing else"), tbr.ErrMagic},
		"begun":      {[]byte("\x89TBR"), tbr.ErrCut},
		"no frames":  {made(t, same, 0), theatre.ErrNothing},
		"game":       {made(t, func(h *tbr.Header) { h.Game = "chess" }, 9), theatre.ErrGame},
		"players":    {made(t, func(h *tbr.Header) { h.Shape.Players = 3 }, 9), theatre.ErrShape},
		"inputs":     {made(t, func(h *tbr.Header) { h.Shape.InputSize = 3 }, 9), theatre.ErrShape},
		"rate":       {made(t, func(h *tbr.Header) { h.TickRate = 30 }, 9), theatre.ErrShape},
		"RPLK":       {[]byte("RPLK"), rplk.ErrShortHeader},
		"RPLK seed":  {append([]byte("RPLK\x01\x00\x20\x00"), make([]byte, 24)...), rplk.ErrSeed},
		"only begun": {made(t, same, 9)[:60], tbr.ErrCut},
	} {
		o := theatre.Open(name, c.b)
		finish(t, o.Task)
		_, err := o.File()
		var wrong *theatre.OpenError
		if !errors.Is(err, c.want) || !errors.As(err, &wrong) || wrong.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	o := theatre.Open("seed", made(t, func(h *tbr.Header) { h.Seed = 0 }, 9))
	if finish(t, o.Task); o.Err() == nil {
		t.Error("a duel with seed 0 is played")
	}
	if f := open(t, made(t, same, 9)); f.Frames() != 9 || f.Damage != nil {
		t.Errorf("%d frames, %v", f.Frames(), f.Damage)
	}
}

// The sizes of inputs are those of the games.
func TestInputsAreThoseOfTheGames(t *testing.T) {
	d, err := canon.PlanFor[duel.Input]()
	if err != nil {
		t.Fatal(err)
	}
	a, err := canon.PlanFor[arena.Input]()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b    []byte
		size int
	}{{duelFile(t, 90, tickback.RecordOptions{}), d.Size()}, {arenaFile(t, 90, tickback.RecordOptions{}), a.Size()}} {
		if f := open(t, c.b); f.Header().Shape.InputSize != c.size {
			t.Errorf("%d bytes, want %d", f.Header().Shape.InputSize, c.size)
		}
	}
}

// A converted RPLK v1 recording has the original frames.
func TestRPLKIsTranslated(t *testing.T) {
	b := read(t, "brawl-a.rplk")
	src, err := rplk.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	frames := make([]rplk.Inputs, 5000)
	if n, err := src.Read(frames); n != 5000 || err != nil {
		t.Fatal(n, err)
	}
	f := open(t, b)
	if !f.Classic || f.Damage != nil || f.Frames() != 5000 || f.Header().Seed != 7 {
		t.Fatalf("%d frames, seed %d, %v", f.Frames(), f.Header().Seed, f.Damage)
	}
	c, err := f.Reader.Frames(0)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range frames {
		got, err := c.Next()
		if err != nil || !bytes.Equal(got.Inputs, []byte{byte(in[0]), byte(in[0] >> 8), byte(in[1]), byte(in[1] >> 8)}) {
			t.Fatalf("frame %d: %v, %v", i, got, err)
		}
	}
	if _, original := f.Original(); !bytes.Equal(original, b) {
		t.Error("the file is not what it was")
	}
	b[100] ^= 1
	if f := open(t, b); f.Damage == nil || f.Frames() == 0 {
		t.Errorf("one that is damaged: %v, %d frames", f.Damage, f.Frames())
	}
}

package tbr_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/rate"
)

// ntsc is 60.0988 frames a second.
var ntsc = rate.Rate{Frames: 39375000, Seconds: 655171}

// A recording keeps a rate that is no integer, exactly. Its blocks are those of the integer next to it, and so a reader
// that shares no code with this one finds the same frames.
func TestARateThatIsNoIntegerComesBack(t *testing.T) {
	shape := agreed.Shape{Players: 2, InputSize: 1}
	for _, r := range []rate.Rate{ntsc, {Frames: 3, Seconds: 2}, {Frames: 2001, Seconds: 4}, {Frames: math.MaxUint32, Seconds: math.MaxUint32 - 1}} {
		h := tbr.Header{Game: "console", Shape: shape, TickRate: r.Nearest(), Rate: r, HashEvery: 3}
		frames := newMatch(shape, 1, 0).frames(1000)
		file := record(t, h, frames)
		reader := open(t, file)
		if got := reader.Header(); got.Rate != r || got.TickRate != r.Nearest() || got.BlockFrames() != 8*r.Nearest() {
			t.Errorf("%v came back as %v, about %d", r, got.Rate, got.TickRate)
		}
		readBack(t, reader, frames, 0)
		if n := readNaively(file); n.header.Rate != r || n.header.TickRate != r.Nearest() || len(n.frames) != len(frames) {
			t.Errorf("by the page, %v is %v, about %d, with %d frames", r, n.header.Rate, n.header.TickRate, len(n.frames))
		}
	}
}

// A rate with a denominator of 0, or out of range, or that has a shorter form, is refused when it is read.
func TestHostileRatesAreRefused(t *testing.T) {
	shape := agreed.Shape{Players: 1}
	good := []byte{0, 0x98, 0xA1, 0xE3, 0x12, 0xC3, 0xFE, 0x27} // 0, then ntsc
	file := record(t, tbr.Header{Shape: shape, TickRate: 60, Rate: ntsc}, nil)
	game := chunksOf(file)[0]
	payload := file[game.payload : game.end-4]
	at := bytes.Index(payload, good)
	if at < 0 {
		t.Fatalf("% x does not have % x", payload, good)
	}
	read := func(number ...byte) error {
		changed := append(append(bytes.Clone(payload[:at]), number...), payload[at+len(good):]...)
		all := append(tbr.Rechunk(file[:game.kind:game.kind], tbr.KindGame, file[game.flags], changed), file[game.end:]...)
		_, err := tbr.Open(bytes.NewReader(all), int64(len(all)))
		return err
	}
	if err := read(good...); err != nil {
		t.Fatal(err)
	}
	for _, number := range [][]byte{
		{0},
		{0, 0, 0},
		{0, 60, 0},
		{0, 0, 60},
		{0, 60, 1},
		{0, 121, 2, 0},
		{0, 120, 2},
		{0, 1, 2},
		{0, 0xD1, 0x0F, 2},                   // 2001 in 2 seconds
		{0, 0x80, 0x80, 0x80, 0x80, 0x10, 2}, // 2^32
		{0, 3, 0x80, 0x80, 0x80, 0x80, 0x10}, // in 2^32 seconds
		{0, 0x83, 0, 2},                      // not the shortest form of a varint
		{0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F}, // 1 in another form
	} {
		if err := read(number...); !errors.Is(err, tbr.ErrRange) {
			t.Errorf("% x: %v", number, err)
		}
	}
}

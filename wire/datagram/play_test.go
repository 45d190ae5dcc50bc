package datagram

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func drawShape(t *rapid.T) Shape {
	n := rapid.IntRange(1, MaxPlayers-1).Draw(t, "senders")
	return Shape{Sender: n, Receiver: rapid.IntRange(1, MaxPlayers-n).Draw(t, "receivers")}
}

// drawHeader draws a header that an honest sender may write.
func drawHeader(t *rapid.T, s Shape) *Header {
	h := &Header{
		Sequence: rapid.Uint16().Draw(t, "sequence"), Match: rapid.ByteMax(3).Draw(t, "match"),
		HasPlay: rapid.Bool().Draw(t, "play"), HasSample: rapid.Bool().Draw(t, "sample"), HasControl: rapid.Bool().Draw(t, "control"),
	}
	if h.HasSample {
		h.Sample = Sample{rapid.Uint16().Draw(t, "echo"), rapid.Byte().Draw(t, "hold"), rapid.Int32().Draw(t, "lag")}
	}
	if !h.HasPlay {
		if h.Watch = rapid.Bool().Draw(t, "watch"); h.Watch {
			h.Match, h.HasBody = 0, rapid.Bool().Draw(t, "body")
		}
		return h
	}
	h.HasOrders = rapid.Bool().Draw(t, "orders")
	frame := rapid.OneOf(rapid.Uint32Range(0, 1000), rapid.Uint32())
	least := uint32(1<<32 - 1)
	for i := range s.Sender {
		h.Play.Ends[i] = frame.Draw(t, "end")
		h.Play.Counts[i] = rapid.Uint32Range(0, min(h.Play.Ends[i], HistoryFrames-1)).Draw(t, "count")
		least = min(least, h.Play.Ends[i])
	}
	for i := range s.Receiver {
		h.Play.Acks[i] = frame.Draw(t, "ack")
		least = min(least, h.Play.Acks[i])
	}
	h.Play.Confirmed = rapid.OneOf(rapid.Just(least), rapid.Uint32Range(0, least)).Draw(t, "confirmed")
	return h
}

// A header is read back, and the bytes after it are unchanged.
func TestHeadersComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t)
		h := drawHeader(t, s)
		b := h.Append([]byte("before"), s)[6:]
		near := h.Play.Ends[0] + uint32(rapid.Int32Range(-1<<15+1, 1<<15).Draw(t, "near"))
		var got Header
		rest, err := got.Consume(append(bytes.Clone(b), "after"...), s, near)
		if err != nil || string(rest) != "after" {
			t.Fatalf("%v, %q is left", err, rest)
		}
		if d := cmp.Diff(h, &got); d != "" {
			t.Fatal(d)
		}
		for n := range b {
			var short Header
			if _, err := short.Consume(b[:n], s, near); err == nil {
				t.Fatalf("%d of %d bytes are a header", n, len(b))
			}
		}
	})
}

// If Confirmed is more than the ends and acks say, it is not sent: the reader takes the minimum of these, which is
// safe.
func TestConfirmedIsNeverOverstated(t *testing.T) {
	s := Shape{2, 1}
	h := Header{HasPlay: true, Play: Play{Ends: [MaxPlayers]uint32{50, 40}, Acks: [MaxPlayers]uint32{60}, Confirmed: 45}}
	var got Header
	if _, err := got.Consume(h.Append(nil, s), s, 50); err != nil || got.Play.Confirmed != 40 {
		t.Errorf("confirmed is %d, %v", got.Play.Confirmed, err)
	}
}

// sameAsAny compares reading the header for one player on each side with reading one of any shape.
func sameAsAny(t interface{ Fatalf(string, ...any) }, b []byte, near uint32) {
	s := Shape{1, 1}
	var got Header
	rest, err := got.Consume(b, s, near)
	if len(b) < fixedHeader || b[0]&(session|hasPlay) != session|hasPlay {
		return
	}
	var want Play
	wantRest, wantErr := want.consume(b[fixedHeader:], s, near, b[0]&hasBehind != 0)
	if wantErr == nil && b[0]&hasSample != 0 {
		wantRest, wantErr = new(Sample).consume(wantRest)
	}
	if err != wantErr || err == nil && (got.Play != want || !bytes.Equal(rest, wantRest)) {
		t.Fatalf("% x is read as %+v, % x, %v; as of any shape, %+v, % x, %v", b, got.Play, rest, err, want, wantRest, wantErr)
	}
}

// The usual header, for one player on each side and with small numbers, is read and written by a fast path, with the
// same result as any other.
func TestUsualHeadersAreLikeAnyOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes")
		b = append([]byte{session | hasPlay | rapid.Byte().Draw(t, "first")&^watch, 0, 0}, b...)
		sameAsAny(t, b, rapid.OneOf(rapid.Uint32Range(0, 200), rapid.Uint32()).Draw(t, "near"))

		s := Shape{1, 1}
		h := Header{HasPlay: true}
		p := &h.Play
		p.Ends[0] = rapid.OneOf(rapid.Uint32Range(0, 200), rapid.Uint32()).Draw(t, "end")
		p.Counts[0] = rapid.Uint32Range(0, 200).Draw(t, "count")
		p.Acks[0] = p.Ends[0] + uint32(rapid.Int32Range(-100, 100).Draw(t, "ack"))
		p.Confirmed = min(p.Ends[0], p.Acks[0]) - rapid.Uint32Range(0, 1).Draw(t, "behind")
		got, want := h.Append(nil, s)[fixedHeader:], p.append(nil, s, p.behind(s))
		if !bytes.Equal(got, want) {
			t.Fatalf("%+v is written as % x; as of any shape, % x", p, got, want)
		}
	})
}

func TestFrozenHeaders(t *testing.T) {
	sample := Sample{Echo: 0x11, Hold: 0x22, Lag: -3}
	for _, c := range []struct {
		name string
		s    Shape
		h    Header
		want string
	}{
		{"nothing", Shape{1, 1}, Header{Sequence: 0x0201, Match: 7}, "830102"},
		{"control", Shape{1, 1}, Header{Sequence: 5, HasControl: true}, "900500"},
		{"sample", Shape{1, 1}, Header{Match: 1, HasSample: true, Sample: sample}, "a10000" + "11002205"},
		{
			"two players",
			Shape{1, 1},
			Header{Match: 1, HasPlay: true, Play: Play{Ends: [MaxPlayers]uint32{0x1234A}, Counts: [MaxPlayers]uint32{8}, Acks: [MaxPlayers]uint32{0x12348}, Confirmed: 0x12348}},
			"c10000" + "4a23" + "08" + "03",
		},
		{
			"behind, orders",
			Shape{1, 1},
			Header{HasPlay: true, HasOrders: true, Play: Play{Ends: [MaxPlayers]uint32{10}, Acks: [MaxPlayers]uint32{200}, Confirmed: 7}},
			"cc0000" + "0a00" + "00" + "fc02" + "03",
		},
		{
			"two on one sofa",
			Shape{2, 1},
			Header{HasPlay: true, HasSample: true, Sample: sample, Play: Play{Ends: [MaxPlayers]uint32{100, 98}, Counts: [MaxPlayers]uint32{3, 300}, Acks: [MaxPlayers]uint32{101}, Confirmed: 98}},
			"e00000" + "6400" + "03" + "03ac02" + "02" + "11002205",
		},
		{
			"against three",
			Shape{2, 3},
			Header{Match: 2, HasPlay: true, HasControl: true, HasSample: true, Sample: sample, Play: Play{Ends: [MaxPlayers]uint32{100, 103}, Counts: [MaxPlayers]uint32{1, 2}, Acks: [MaxPlayers]uint32{99, 101, 90}, Confirmed: 88}},
			"fa0000" + "6400" + "01" + "0602" + "01" + "04" + "11" + "02" + "11002205",
		},
	} {
		if got := hex.EncodeToString(c.h.Append(nil, c.s)); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

// A header that no honest sender writes is refused.
func TestHeadersThatCannotBeAreRefused(t *testing.T) {
	s := Shape{1, 1}
	for _, c := range []struct {
		name, bytes string
		want        error
	}{
		{"no session datagram", "410000", ErrKind},
		{"behind without positions", "880000", ErrKind},
		{"orders without positions", "840000", ErrKind},
		{"more inputs than frames", "c00000" + "0a00" + "0b" + "00", ErrRange},
		{"more inputs than anybody holds", "c00000" + "e803" + "8004" + "00", ErrRange},
		{"behind by nothing", "c80000" + "0a00" + "00" + "00" + "00", ErrRange},
		{"confirmed below nothing", "c80000" + "0a00" + "00" + "00" + "0b", ErrRange},
		{"a long zero", "c00000" + "0a00" + "8000" + "00", ErrVarint},
		{"a long lag", "a00000" + "000000" + "8000", ErrVarint},
	} {
		b, _ := hex.DecodeString(c.bytes)
		var h Header
		if _, err := h.Consume(b, s, 100); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, not %v", c.name, err, c.want)
		}
	}
}

// Each bit of the first byte has the meaning in docs/reference/wire.md.
func TestOnlySessionDatagramsHaveTheTopBit(t *testing.T) {
	for first := range 256 {
		if got := IsSession([]byte{byte(first)}); got != (first >= 0x80) {
			t.Errorf("%#x: %v", first, got)
		}
	}
	if IsSession(nil) {
		t.Error("nothing is a session datagram")
	}
	b := (&Header{}).Append(nil, Shape{1, 1})
	MarkControl(b)
	if b[0] != 0x90 {
		t.Errorf("the first byte is %#x", b[0])
	}
}

// The full number of a datagram is derived from its low bits, like that of a frame.
func TestSequenceIsTheNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.OneOf(rapid.Uint64Range(1<<15, 1<<18), rapid.Uint64Range(1<<15, 1<<62)).Draw(t, "near")
		want := near + uint64(rapid.Int64Range(-1<<15, 1<<15-1).Draw(t, "off"))
		b := (&Header{Sequence: uint16(want)}).Append(nil, Shape{1, 1})
		if got, ok := SequenceOf(b, near); !ok || got != want {
			t.Fatalf("%d near %d is %d, %v", want, near, got, ok)
		}
	})
	// Below 0 there is no number, and none that could overflow a window.
	low := (&Header{Sequence: 0xFFFF}).Append(nil, Shape{1, 1})
	for near, want := range map[uint64]bool{0: false, 1<<15 - 2: false, 1 << 15: true, 1<<63 - 1: true, 1 << 63: true, 1<<63 + 1<<16: false} {
		if n, ok := SequenceOf(low, near); ok != want {
			t.Errorf("0xFFFF near %d is %d, %v", near, n, ok)
		}
	}
	for n := range fixedHeader {
		if _, ok := SequenceOf(make([]byte, n), 0); ok {
			t.Errorf("%d bytes have a number", n)
		}
	}
}

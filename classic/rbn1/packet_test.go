package rbn1_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tickback/tickback/classic/rbn1"
)

// The packets of the format's description and of our own: these bytes never
// change.
var frozen = []struct {
	name    string
	header  rbn1.Header
	buttons []uint16
	hex     string
}{
	{
		"the known answer",
		rbn1.Header{StartFrame: 1, AckFrame: 2},
		[]uint16{0x0003},
		"52424e31 01 00 01000000 01 02000000 0300",
	},
	{
		"nothing acknowledged, with a checksum",
		rbn1.Header{
			StartFrame: 0x01020304, AckFrame: rbn1.NoFrame,
			HasChecksum: true, ChecksumFrame: 0x0a0b0c0d, Checksum: 0x41b73db7,
		},
		[]uint16{1, 0x8002, 0xffff},
		"52424e31 01 01 04030201 03 ffffffff 0d0c0b0a b73db741 0100 0280 ffff",
	},
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFrozenBytes(t *testing.T) {
	for _, c := range frozen {
		t.Run(c.name, func(t *testing.T) {
			want := unhex(t, c.hex)
			got, err := rbn1.Append(nil, c.header, c.buttons)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("Append = %x, %v; want %x", got, err, want)
			}
			packet, err := rbn1.Decode(want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(rbn1.Packet{Header: c.header, Buttons: c.buttons}, packet); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// drawPacket is any packet that can be encoded.
func drawPacket(t *rapid.T) rbn1.Packet {
	p := rbn1.Packet{Buttons: rapid.SliceOfN(rapid.Uint16(), 1, rbn1.MaxInputs).Draw(t, "buttons")}
	p.StartFrame = rapid.Uint32().Draw(t, "start")
	p.AckFrame = rapid.Uint32().Draw(t, "ack")
	if p.HasChecksum = rapid.Bool().Draw(t, "has checksum"); p.HasChecksum {
		p.ChecksumFrame = rapid.Uint32().Draw(t, "checksum frame")
		p.Checksum = rapid.Uint32().Draw(t, "checksum")
	}
	return p
}

// What is encoded is decoded again, by every way in and out.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawPacket(t)
		prefix := []byte("kept")
		b, err := rbn1.Append(prefix, want.Header, want.Buttons)
		if err != nil || !bytes.HasPrefix(b, prefix) {
			t.Fatal(b, err)
		}
		b = b[len(prefix):]

		var fixed [rbn1.MaxSize]byte
		n, err := rbn1.Encode(fixed[:], want.Header, want.Buttons)
		if err != nil || !bytes.Equal(fixed[:n], b) {
			t.Fatalf("Encode = %x, %v; Append gave %x", fixed[:n], err, b)
		}
		got, err := rbn1.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		var inputs [rbn1.MaxInputs]uint16
		h, count, err := rbn1.DecodeInto(inputs[:], b)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, rbn1.Packet{Header: h, Buttons: inputs[:count]}); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A packet cut at any length, and one with a byte too many, is rejected.
func TestEveryTruncationIsRejected(t *testing.T) {
	for _, c := range frozen {
		whole := unhex(t, c.hex)
		for n := range whole {
			want := rbn1.ErrLength
			if n < 15 {
				want = rbn1.ErrShort
			}
			if _, err := rbn1.Decode(whole[:n]); !errors.Is(err, want) {
				t.Errorf("%s, %d bytes: %v, want %v", c.name, n, err, want)
			}
		}
		if _, err := rbn1.Decode(append(whole, 0)); !errors.Is(err, rbn1.ErrLength) {
			t.Errorf("%s, a byte too many: %v", c.name, err)
		}
	}
}

// Each reason has its error, and where several apply the first in the order of
// the format is given: the cases spoil one more field each, from last to first.
func TestReasonsInTheOrderOfTheFormat(t *testing.T) {
	b := append(unhex(t, frozen[1].hex), 0)
	steps := []struct {
		want  error
		spoil func()
		text  string
	}{
		{rbn1.ErrLength, func() {}, "rbn1: length does not match flags and count: 30, want 29"},
		{rbn1.ErrCount, func() { b[10] = 33 }, "rbn1: input count outside 1 to 32: 33"},
		{rbn1.ErrCount, func() { b[10] = 0 }, "rbn1: input count outside 1 to 32: 0"},
		{rbn1.ErrFlags, func() { b[5] |= 0x80 }, "rbn1: reserved flag bits set: 0x81, want 0x1"},
		{rbn1.ErrVersion, func() { b[4] = 2 }, "rbn1: unsupported version: 0x2, want 0x1"},
		{rbn1.ErrMagic, func() { b[3] = '2' }, `rbn1: not an RBN1 packet: it begins with "RBN2"`},
		{rbn1.ErrShort, func() { b = b[:14] }, "rbn1: shorter than a packet's fixed part: 14, want 15"},
	}
	for _, s := range steps {
		s.spoil()
		packet, err := rbn1.Decode(b)
		if !errors.Is(err, s.want) || err.Error() != s.text || packet.Buttons != nil {
			t.Errorf("got %v, want %v", err, s.text)
		}
		var rejected *rbn1.Error
		if !errors.As(err, &rejected) {
			t.Errorf("%v is no *rbn1.Error", err)
		}
	}
}

func TestEncodeRejectsBadCounts(t *testing.T) {
	for _, count := range []int{0, rbn1.MaxInputs + 1} {
		buttons := make([]uint16, count)
		if b, err := rbn1.Append([]byte("x"), rbn1.Header{}, buttons); !errors.Is(err, rbn1.ErrCount) || string(b) != "x" {
			t.Errorf("Append of %d inputs: %q, %v", count, b, err)
		}
		if n, err := rbn1.Encode(nil, rbn1.Header{}, buttons); !errors.Is(err, rbn1.ErrCount) || n != 0 {
			t.Errorf("Encode of %d inputs: %d, %v", count, n, err)
		}
	}
}

// Memory that is too short is an error, and stays as it was.
func TestShortDestinations(t *testing.T) {
	h, buttons := frozen[1].header, frozen[1].buttons
	whole := unhex(t, frozen[1].hex)
	for n := range whole {
		dst := make([]byte, n)
		if _, err := rbn1.Encode(dst, h, buttons); !errors.Is(err, rbn1.ErrDestination) || !bytes.Equal(dst, make([]byte, n)) {
			t.Errorf("Encode into %d bytes: %v, %x", n, err, dst)
		}
	}
	for n := range buttons {
		dst := make([]uint16, n)
		if _, _, err := rbn1.DecodeInto(dst, whole); !errors.Is(err, rbn1.ErrDestination) {
			t.Errorf("DecodeInto %d inputs: %v", n, err)
		}
	}
}

func TestHotPathsAllocateNothing(t *testing.T) {
	h, buttons := frozen[1].header, frozen[1].buttons
	var packet [rbn1.MaxSize]byte
	var inputs [rbn1.MaxInputs]uint16
	allocs := testing.AllocsPerRun(100, func() {
		n, _ := rbn1.Encode(packet[:], h, buttons)
		if _, _, err := rbn1.DecodeInto(inputs[:], packet[:n]); err != nil {
			t.Fatal(err)
		}
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

// FuzzDecode: any bytes are either rejected for a known reason or are exactly
// the encoding of what they decode to.
func FuzzDecode(f *testing.F) {
	for _, c := range frozen {
		f.Add(unhex(f, c.hex))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		packet, err := rbn1.Decode(src)
		var inputs [rbn1.MaxInputs]uint16
		h, count, errInto := rbn1.DecodeInto(inputs[:], src)
		if (err == nil) != (errInto == nil) {
			t.Fatalf("Decode: %v; DecodeInto: %v", err, errInto)
		}
		if err != nil {
			var rejected *rbn1.Error
			if !errors.As(err, &rejected) || rejected.Error() == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if diff := cmp.Diff(packet, rbn1.Packet{Header: h, Buttons: inputs[:count]}); diff != "" {
			t.Fatal(diff)
		}
		again, err := rbn1.Append(nil, packet.Header, packet.Buttons)
		if err != nil || !bytes.Equal(again, src) {
			t.Fatalf("%x decodes to %+v, which encodes to %x, %v", src, packet, again, err)
		}
	})
}

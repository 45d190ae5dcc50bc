package rplk_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tickback/tickback/classic/rplk"
)

// small is a recording whose bytes are known.
var small = rplk.Recording{
	Seed:   0x01020304,
	Frames: []rplk.Inputs{{0x0001, 0x8002}, {0xffff, 0x0000}, {0x0d0c, 0x0b0a}},
}

const smallHex = "52504c4b 01 00 2000 04030201 00000000 03000000 4d0b9e19 0000000000000000" +
	"0100 0280 ffff 0000 0c0d 0a0b"

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFrozenBytes(t *testing.T) {
	want := unhex(t, smallHex)
	got, err := rplk.Append(nil, small)
	if err != nil || !bytes.Equal(got, want) {
		t.Fatalf("Append = %x, %v; want %x", got, err, want)
	}
	again, err := rplk.Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(small, again); diff != "" {
		t.Error(diff)
	}
}

// Recordings made by an independent program are read, and written again to the
// same bytes.
func TestFrozenRecordings(t *testing.T) {
	for _, c := range []struct {
		file   string
		seed   uint32
		frames int
	}{{"brawl-a", 7, 5000}, {"empty", 3, 0}} {
		b, err := os.ReadFile("../../testdata/" + c.file + ".rplk")
		if err != nil {
			t.Fatal(err)
		}
		r, err := rplk.Decode(b)
		if err != nil || r.Seed != c.seed || len(r.Frames) != c.frames {
			t.Errorf("%s: seed %d, %d frames, %v", c.file, r.Seed, len(r.Frames), err)
		}
		if again, err := rplk.Append(nil, r); err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s is written differently: %v", c.file, err)
		}
	}
}

// decodeBoth decodes by bytes and by stream, which must agree.
func decodeBoth(t testing.TB, b []byte) (rplk.Recording, error) {
	t.Helper()
	whole, err := rplk.Decode(b)
	stream, errStream := rplk.ReadAll(bytes.NewReader(b))
	if (err == nil) != (errStream == nil) || err != nil && errors.Unwrap(err) != errors.Unwrap(errStream) {
		t.Fatalf("Decode: %v; ReadAll: %v", err, errStream)
	}
	if err == nil && !cmp.Equal(whole, stream) {
		t.Fatal(cmp.Diff(whole, stream))
	}
	return whole, err
}

// A recording cut at any length, and one with a byte too many, is rejected.
func TestEveryTruncationIsRejected(t *testing.T) {
	whole := unhex(t, smallHex)
	for n := range whole {
		want := rplk.ErrLength
		if n < rplk.HeaderSize {
			want = rplk.ErrShortHeader
		}
		if _, err := decodeBoth(t, whole[:n]); !errors.Is(err, want) {
			t.Errorf("%d bytes: %v, want %v", n, err, want)
		}
	}
	if _, err := decodeBoth(t, append(whole, 0)); !errors.Is(err, rplk.ErrLength) {
		t.Errorf("a byte too many: %v", err)
	}
}

// Every single bit that flips is noticed, but for those of the seed: that is
// another recording.
func TestEveryFlippedBitIsRejected(t *testing.T) {
	whole := unhex(t, smallHex)
	for bit := range 8 * len(whole) {
		damaged := bytes.Clone(whole)
		damaged[bit/8] ^= 1 << (bit % 8)
		_, err := decodeBoth(t, damaged)
		if inSeed := bit/8 >= 8 && bit/8 < 12; (err == nil) != inSeed {
			t.Errorf("bit %d of byte %d: %v", bit%8, bit/8, err)
		}
	}
}

func TestReasons(t *testing.T) {
	put := func(at int, values ...byte) func([]byte) []byte {
		return func(b []byte) []byte { copy(b[at:], values); return b }
	}
	for _, c := range []struct {
		spoil func([]byte) []byte
		want  error
		text  string
	}{
		{func(b []byte) []byte { return b[:31] }, rplk.ErrShortHeader, "rplk: the header is cut short: 31 bytes of 32"},
		{put(0, 'R', 'I', 'F', 'F'), rplk.ErrMagic, `rplk: not an RPLK recording: it begins with "RIFF"`},
		{put(4, 2), rplk.ErrVersion, "rplk: unsupported version: 2, want 1"},
		{put(5, 0x10), rplk.ErrFlags, "rplk: unknown flags: 0x10, want 0x0"},
		{put(6, 33), rplk.ErrHeaderSize, "rplk: wrong header size: 33, want 32"},
		{put(8, 0, 0, 0, 0), rplk.ErrSeed, "rplk: the seed is 0"},
		{put(12, 9), rplk.ErrStartFrame, "rplk: the recording does not start at frame 0: 9, want 0"},
		{put(31, 1), rplk.ErrReserved, "rplk: reserved bytes are not 0: 0x100000000000000, want 0x0"},
		{put(16, 2), rplk.ErrLength, "rplk: length does not match the frame count: data after the end of its 40 bytes"},
		{put(16, 4), rplk.ErrLength, "rplk: length does not match the frame count: 44 bytes of 48"},
		{put(20, 0), rplk.ErrChecksum, "rplk: damaged payload: its CRC-32 does not match: 0x199e0b4d, want 0x199e0b00"},
	} {
		_, err := decodeBoth(t, c.spoil(unhex(t, smallHex)))
		if !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("got  %v\nwant %v", err, c.text)
		}
		var rejected *rplk.Error
		if !errors.As(err, &rejected) {
			t.Errorf("%v is no *rplk.Error", err)
		}
	}
}

// FuzzDecode: any bytes are either rejected for a known reason, alike by bytes
// and by stream, or are exactly the encoding of what they decode to.
func FuzzDecode(f *testing.F) {
	f.Add(unhex(f, smallHex))
	f.Add(unhex(f, smallHex)[:rplk.HeaderSize])
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := decodeBoth(t, src)
		if err != nil {
			var rejected *rplk.Error
			if !errors.As(err, &rejected) || rejected.Error() == "" {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if again, err := rplk.Append(nil, r); err != nil || !bytes.Equal(again, src) {
			t.Fatalf("%x decodes to %+v, which encodes to %x, %v", src, r, again, err)
		}
	})
}

// FuzzPayload gives the fuzzer a valid header, so that it reaches the payload.
func FuzzPayload(f *testing.F) {
	f.Add(uint32(1), []byte{1, 2, 3, 4, 5, 6, 7, 8})
	f.Add(uint32(2), []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, count uint32, payload []byte) {
		header, err := rplk.AppendHeader(nil, rplk.Header{Seed: 1, Frames: count})
		if err != nil {
			t.Fatal(err)
		}
		if r, err := decodeBoth(t, append(header, payload...)); err == nil && len(r.Frames) != len(payload)/rplk.FrameSize {
			t.Fatalf("%d frames from %d bytes", len(r.Frames), len(payload))
		}
	})
}

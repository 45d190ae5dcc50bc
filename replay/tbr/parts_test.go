package tbr

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"testing"

	"github.com/tickback/tickback/wire/agreed"
)

// An output has the digest of the chunks of the body alone, an index entry for the first chunk of each segment, and
// writes nothing after its end.
func TestAnOutput(t *testing.T) {
	var file bytes.Buffer
	o := newOutput(&file)
	o.chunk(KindGame, Required|Body, []byte("game"))
	o.chunk(KindInfo, Required, []byte("info"))
	o.block(false) // the first block begins a segment, wherever it is
	lead := o.at()
	o.inBlock(KindKeyframe, Required, []byte("state"))
	o.inBlock(KindFrames, Required|Body, []byte("frames"))
	if err := o.flush(); err != nil {
		t.Fatal(err)
	}
	o.block(false)
	o.inBlock(KindFrames, Required, []byte("more"))
	o.block(true)
	next := o.at()
	o.inBlock(KindFrames, Required, []byte("more"))
	if want := []entry{makeEntry(lead, true), makeEntry(next, false)}; len(o.index.entries) != 2 || o.index.entries[0] != want[0] || o.index.entries[1] != want[1] {
		t.Errorf("the index is %v, want %v", o.index.entries, want)
	}
	body := sha256.Sum256(appendChunk(appendChunk(nil, KindGame, Required|Body, []byte("game")), KindFrames, Required|Body, []byte("frames")))
	var e End
	h := Header{Shape: agreed.Shape{Players: 2}}
	if err := o.end(&e, &h); err != nil || e.Digest != body || o.offset != uint64(file.Len()) {
		t.Errorf("%v; the digest is %x, want %x; %d of %d bytes", err, e.Digest, body, o.offset, file.Len())
	}
	if !errors.Is(o.err, ErrClosed) {
		t.Errorf("after the end: %v", o.err)
	}
}

type short struct{}

func (short) Write(b []byte) (int, error) { return len(b) - 1, nil }

// A write that is too short is an error, and stays one.
func TestAShortWriteIsAnError(t *testing.T) {
	o := newOutput(short{})
	if err := o.flush(); err != io.ErrShortWrite || o.err != err {
		t.Errorf("%v, and %v is kept", err, o.err)
	}
}

// The state of each segment is wanted, once, and that of the first frame. It is kept until it is taken, unless it is
// large: in segment m, more than 1 KiB, times two for each time that 2 divides m.
func TestWhichStatesBecomeKeyframes(t *testing.T) {
	k, p := keyframeWriter{first: 150, segment: 100}, packer{}
	for next, want := range map[uint32]bool{0: false, 150: true, 151: false, 200: true, 250: false, 300: true} {
		if got := k.wants(next); got != want {
			t.Errorf("frame %d: %v", next, got)
		}
	}
	noise := make([]byte, 1<<12)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	for _, c := range []struct {
		next  uint32
		size  int
		flags Flags
	}{
		{150, 4096, Required}, // the first one is always written, and is not in the body unless it leads a segment
		{200, 2048, Required | Body}, {200, 2049, 0}, {300, 1024, Required | Body}, {300, 1025, 0}, {400, 4096, Required | Body},
	} {
		k.asked = 0
		k.give(c.next, noise[:c.size], &p)
		if k.none() || k.wants(c.next) {
			t.Errorf("frame %d is wanted again", c.next)
		}
		payload, flags := k.take()
		if flags != c.flags || flags != 0 && (len(payload) != 4+c.size || !bytes.Equal(payload[4:], noise[:c.size])) {
			t.Errorf("frame %d, %d bytes: flags %v with %d bytes, want %v", c.next, c.size, flags, len(payload), c.flags)
		}
		if _, again := k.take(); again != 0 {
			t.Error("it is taken twice")
		}
	}
}

// Orders of frames without any are nothing, and a block begins to count anew.
func TestOrdersAreCollected(t *testing.T) {
	w := ordersWriter{shape: agreed.Shape{Players: 2, MaxOrders: 9}}
	w.begin()
	w.add(0, nil)
	w.add(1, [][]byte{nil, nil})
	if b := w.take(); len(b) != 0 {
		t.Errorf("nothing is %x", b)
	}
	w.add(3, [][]byte{nil, []byte("a")})
	w.add(5, [][]byte{[]byte("b"), nil})
	first := append([]byte(nil), w.take()...)
	w.begin()
	w.add(3, [][]byte{nil, []byte("a")})
	if second := w.take(); !bytes.HasPrefix(first, second) || first[0] != 3 || first[len(second)] != 2 {
		t.Errorf("%x, and in the next block %x", first, second)
	}
}

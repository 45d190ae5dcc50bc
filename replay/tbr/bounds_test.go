package tbr_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// allocated returns how many bytes a function allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// bomb is a small compressed state that would unpack to far more than is allowed.
func bomb(t *testing.T) []byte {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll(make([]byte, 4*tbr.MaxState), nil)
}

// first returns the first chunk of a kind.
func first(t *testing.T, file []byte, k tbr.Kind) tbr.Chunk {
	for c, err := range open(t, file).Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Kind == k {
			return c
		}
	}
	t.Fatalf("no %s", k)
	return tbr.Chunk{}
}

// However much data is compressed into a chunk, a reader stops where no writer
// would continue.
func TestWhatIsCompressedIsBounded(t *testing.T) {
	file, _ := small(t)
	b, c := bomb(t), first(t, file, tbr.KindOrders)
	orders := tbr.Replace(file, c, c.Flags|0x10, b)
	n := allocated(func() {
		r := open(t, orders[:len(orders)-1])
		cursor, err := r.Frames(60)
		for err == nil {
			_, err = cursor.Run(math.MaxInt32)
		}
		if !errors.Is(err, tbr.ErrRange) {
			t.Errorf("orders: %v", err)
		}
	})
	if n > 16<<20 {
		t.Errorf("orders of %d bytes when not compressed allocate %d", 4*tbr.MaxState, n)
	}
	c = first(t, file, tbr.KindKeyframe)
	keyframe := tbr.Replace(file, c, c.Flags|0x10, append(binary.LittleEndian.AppendUint32(nil, 60), b...))
	n = allocated(func() {
		if _, _, err := open(t, keyframe[:len(keyframe)-1]).Keyframe(60); !errors.Is(err, tbr.ErrRange) {
			t.Errorf("keyframe: %v", err)
		}
	})
	if n > 8*tbr.MaxState {
		t.Errorf("a state of %d bytes when not compressed allocates %d", 4*tbr.MaxState, n)
	}
}

// huge is a file of a terabyte that begins with some bytes and has no more.
type huge []byte

func (h huge) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(h)) {
		clear(b)
		return len(b), nil
	}
	n := copy(b, h[at:])
	clear(b[n:])
	return len(b), nil
}

// A length that the file seems to have room for is not trusted before there is a
// reason to read that much.
func TestLengthsAreBounded(t *testing.T) {
	file, _ := small(t)
	stats := first(t, file, tbr.KindStats)
	header := append(bytes.Clone(file[:stats.Offset]), "INFOx"...)
	long := binary.AppendUvarint(header[:len(header)-1], tbr.MaxChunk)
	for name, f := range map[string][]byte{
		"a header": append(append(bytes.Clone(file[:8]), "GAME\x03"...), 0xFF, 0xFF, 0xFF, 0x1F),
		"a chunk":  long,
		"nothing":  file[:stats.Offset],
	} {
		n := allocated(func() {
			r, err := tbr.Open(huge(f), 1<<40)
			if err != nil {
				typed(t, err)
				return
			}
			c, err := r.Frames(r.First())
			for err == nil {
				_, err = c.Run(math.MaxInt32)
			}
			if err != io.EOF {
				typed(t, err)
			}
		})
		if n > 1<<20 {
			t.Errorf("%s: %d bytes are allocated", name, n)
		}
	}
}

// Opening a recording of any length reads little of it, and takes little memory.
func TestOpeningReadsLittle(t *testing.T) {
	s := agreed.Shape{Players: 2, InputSize: 2}
	h := tbr.Header{Shape: s, TickRate: 1, HashEvery: 1}
	file := record(t, h, newMatch(s, 1, 0).frames(64*450)) // as many segments as in eight hours
	read := &counted{r: bytes.NewReader(file)}
	n := allocated(func() {
		r, err := tbr.Open(read, int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		if c, err := r.Frames(20_000); err != nil {
			t.Fatal(err)
		} else if _, err := c.Next(); err != nil {
			t.Fatal(err)
		}
	})
	if read.bytes > 32<<10 || n > 128<<10 {
		t.Errorf("opening and a seek read %d bytes of %d and allocate %d", read.bytes, len(file), n)
	}
}

// counted counts what is read.
type counted struct {
	r     io.ReaderAt
	bytes int
}

func (c *counted) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.r.ReadAt(b, at)
	c.bytes += n
	return n, err
}

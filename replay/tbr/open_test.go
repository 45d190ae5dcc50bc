package tbr_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

// Rule: the header is two chunks of its own kinds, in order, each with its checksum, and of at
// most a megabyte.
func TestTheHeaderIsTwoChunks(t *testing.T) {
	file, _ := small(t)
	list := chunksOf(file)
	game, info := list[0], list[1]
	refuses := func(name string, file []byte, reason error, words string) {
		t.Helper()
		_, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
		if !errors.Is(err, reason) || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	renamed := func(s span) []byte {
		out := tbr.Rechunk(slices.Clone(file[:s.kind]), tbr.KindStats, file[s.flags], file[s.payload:s.end-4])
		return append(out, file[s.end:]...)
	}
	refuses("another chunk first", renamed(game), tbr.ErrOrder, "want GAME")
	refuses("another chunk second", renamed(info), tbr.ErrOrder, "want INFO")
	refuses("the second one first", slices.Concat(file[:game.kind], file[info.kind:info.end], file[game.kind:]), tbr.ErrOrder, "want GAME")
	refuses("no second one", file[:game.end], tbr.ErrCut, "there is no chunk INFO")
	for _, s := range []span{game, info} {
		damaged := bytes.Clone(file)
		damaged[s.payload] ^= 0x20
		refuses("a damaged one", damaged, tbr.ErrChecksum, "")
	}
	for _, more := range []int{0, 1} {
		large := tbr.Rechunk(file[:8:8], tbr.KindGame, file[game.flags], make([]byte, 1<<20+more))
		_, err := tbr.Open(bytes.NewReader(large), int64(len(large)))
		if !errors.Is(err, tbr.ErrRange) || strings.Contains(err.Error(), "more than") != (more > 0) {
			t.Errorf("a megabyte and %d: %v", more, err)
		}
	}
}

// guarded is a file that must not be read beyond a size.
type guarded struct {
	t    *testing.T
	file []byte
	size int64
}

func (g guarded) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(b)) > g.size {
		g.t.Errorf("%d bytes are read at byte %d of %d", len(b), at, g.size)
	}
	return bytes.NewReader(g.file).ReadAt(b, at)
}

// Rule: nothing is read beyond the given size.
func TestNothingIsReadBeyondTheSize(t *testing.T) {
	file, _ := small(t)
	step := 1
	if testing.Short() {
		step = 7
	}
	for size := 0; size < len(file); size += step {
		r, err := tbr.Open(guarded{t, file, int64(size)}, int64(size))
		if err == nil {
			err = r.Check()
		}
		if err == nil {
			t.Fatalf("%d bytes of %d are whole", size, len(file))
		}
	}
}

// bodyOf returns a closed file up to its end.
func bodyOf(file []byte) []byte {
	list := chunksOf(file)
	return file[:list[len(list)-2].kind]
}

// Rule: the end and the index are chunks of their own kinds, one directly after the other; otherwise the
// recording counts as not closed.
func TestTheEndAndTheIndexAreTheLastChunks(t *testing.T) {
	file, _ := small(t)
	body := bodyOf(file)
	if !bytes.Equal(tbr.Rebuild(file, body, tbr.KindEnd, nil), file) {
		t.Fatal("the same body comes to another file")
	}
	trailer := func(at int) []byte {
		b := binary.LittleEndian.AppendUint64(nil, uint64(at))
		return append(binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))), "tbr!"...)
	}
	for name, built := range map[string][]byte{
		"another chunk than the end":           tbr.Rebuild(file, body, tbr.KindStats, nil),
		"a chunk between":                      tbr.Rebuild(file, body, tbr.KindEnd, tbr.Rechunk(nil, tbr.KindStats, 0, []byte("x"))),
		"an index that is no chunk of its own": append(bytes.Clone(body), trailer(len(body)-1)...),
		"an index behind the trailer":          append(bytes.Clone(body), trailer(len(body)+1)...),
		"an index within the header":           append(bytes.Clone(body), trailer(20)...),
		"nothing but a trailer":                append(bytes.Clone(file[:chunksOf(file)[1].end]), trailer(20)...),
	} {
		r := open(t, built)
		if _, closed := r.End(); closed || !errors.Is(r.Damage(), tbr.ErrIndex) && !errors.Is(r.Damage(), tbr.ErrChecksum) && !errors.Is(r.Damage(), tbr.ErrCut) {
			t.Errorf("%s: closed %v, %v", name, closed, r.Damage())
		}
		if name == "nothing but a trailer" && !errors.Is(r.Damage(), tbr.ErrIndex) {
			t.Errorf("%s: %v", name, r.Damage())
		}
	}
}

// Rule: for a recording that was not closed, the error says how far it can be read, and how much that is.
func TestARecordingThatWasNotClosedSaysHowMuchThereIs(t *testing.T) {
	file, _ := small(t)
	r := open(t, file[:len(bodyOf(file))])
	if text := r.Damage().Error(); !strings.Contains(text, "81 frames from 60 on") {
		t.Errorf("%s", text)
	}
}

// Rule: bytes after the end of a recording are distinguished from a recording that was not closed, and the error
// gives their number; an incomplete end does not count as one.
func TestBytesBehindTheEndAreNamed(t *testing.T) {
	file, _ := small(t)
	for _, n := range []int{1, 15, 16, 17, 1000} {
		r := open(t, append(bytes.Clone(file), make([]byte, n)...))
		err := r.Damage()
		if want := fmt.Sprintf("%d bytes; it can be read", n); !errors.Is(err, tbr.ErrAppended) || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes behind the end: %v", n, err)
		}
	}
	for cut := len(bodyOf(file)); cut < len(file); cut++ {
		if r := open(t, file[:cut]); !errors.Is(r.Damage(), tbr.ErrOpen) {
			t.Errorf("%d of %d bytes: %v", cut, len(file), r.Damage())
		}
	}
	broken := append(bytes.Clone(file), "x"...)
	broken[len(file)-1] ^= 1
	if r := open(t, broken); !errors.Is(r.Damage(), tbr.ErrOpen) {
		t.Errorf("behind a trailer that is none: %v", r.Damage())
	}
}

// Rule: a recording that was not closed has at most 2^20 segments, too.
func TestSegmentsAreBounded(t *testing.T) {
	file, _ := small(t)
	r := open(t, file[:len(bodyOf(file))]) // the frames 60 to 140 are in three segments
	if err := tbr.Overfill(r, 3); err != nil {
		t.Errorf("as many as there may be: %v", err)
	}
	if err := tbr.Overfill(r, 2); !errors.Is(err, tbr.ErrRange) {
		t.Errorf("one more: %v", err)
	}
}

// Rule: the error about frames after the end of the match names the last one.
func TestFramesBehindTheEndNameTheLastOne(t *testing.T) {
	file, _ := small(t)
	list := chunksOf(file)
	last := list[len(list)-4] // then its hashes, the end and the index
	built := tbr.Rebuild(file, slices.Concat(bodyOf(file), file[last.kind:last.end]), tbr.KindEnd, nil)
	if err := open(t, built).Check(); !errors.Is(err, tbr.ErrOrder) || !strings.Contains(err.Error(), "frames after the last one, 140") {
		t.Error(err)
	}
}

// Rule: a chunk that is longer than the rest of the file is truncated; the error gives both lengths.
func TestAChunkThatIsLongerThanTheBodySaysSo(t *testing.T) {
	file, _ := small(t)
	body := slices.Concat(bodyOf(file), []byte("STAT\x00\x60")) // of 96 bytes
	built := tbr.Rebuild(file, body, tbr.KindEnd, nil)
	var err error
	for _, e := range open(t, built).Chunks() {
		err = e
	}
	if !errors.Is(err, tbr.ErrCut) || !strings.Contains(err.Error(), "106 bytes, but 6 are left") {
		t.Error(err)
	}
}

// Rule: a recording can have frames up to the last complete block below 2^32, and no later ones.
func TestTheLastFramesThatThereCanBe(t *testing.T) {
	const firstFrame = 1<<32 - 128
	for _, frames := range []uint32{64, 65} {
		h := tbr.Header{Shape: agreed.Shape{Players: 1}, TickRate: 8, Info: tbr.Info{First: firstFrame}}
		var b bytes.Buffer
		w, err := tbr.NewWriter(&b, h)
		if err == nil {
			err = w.Keyframe([]byte("a state"))
		}
		for f := uint32(firstFrame); err == nil && f < firstFrame+frames; f++ {
			err = w.Frame(&agreed.Frame{Number: f})
		}
		if err == nil {
			err = w.Close(tbr.End{})
		}
		if err != nil {
			t.Fatal(err)
		}
		err = open(t, b.Bytes()).Check()
		if frames == 64 && err != nil || frames > 64 && !errors.Is(err, tbr.ErrRange) {
			t.Errorf("%d frames: %v", frames, err)
		}
	}
}

// Rule: a failed read is reported, wherever the chunks are in the data that is read at a time.
func TestAReadThatFailsIsToldWhereverChunksLie(t *testing.T) {
	file, _ := small(t)
	header, _, chunks := unclosed(t, file)
	last := len(chunks) - 2 // a block that is short, and then its hashes
	for pad := range 32 {
		before := slices.Concat(header, bytes.Join(chunks[:last], nil))
		filler := tbr.Rechunk(nil, tbr.KindStats, 0, make([]byte, 4<<10-pad-len(before)))
		built := slices.Concat(before, filler, bytes.Join(chunks[last:], nil))
		for n := 0; ; n++ {
			source := &failsOnce{built, n}
			r, err := tbr.Open(source, int64(len(built)))
			if err == nil {
				err = r.CheckChunks()
			}
			if source.reads >= 0 {
				break // there are not so many reads
			}
			if !errors.Is(err, errDisk) {
				t.Fatalf("read %d of a file with a filler of %d bytes: %v", n, len(filler), err)
			}
		}
	}
}

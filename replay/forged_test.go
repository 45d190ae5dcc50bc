package replay_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// piece is a chunk of a file that is split into chunks.
type piece struct {
	kind    string
	flags   byte
	payload []byte
}

// pieces splits a closed file into its chunks, without the trailer.
func pieces(t testing.TB, file []byte) (list []piece) {
	t.Helper()
	for at := 8; at < len(file)-16; {
		size, n := binary.Uvarint(file[at+5:])
		payload := file[at+5+n:][:size]
		list = append(list, piece{string(file[at : at+4]), file[at+4], bytes.Clone(payload)})
		at += 5 + n + int(size) + 4
	}
	return list
}

// assemble makes a file from pieces, with matching checksums, index and trailer. The
// segments of the index are found in the same way as by a reader without an index: a
// segment begins with the pieces that begin does not refuse.
func assemble(list []piece, begins func(i int) bool) []byte {
	sum := crc32.MakeTable(crc32.Castagnoli)
	out := []byte("\x89TBR\r\n\x1a\x01")
	var index []byte
	end, last, segments := 0, uint64(0), 0
	for i, p := range list {
		if p.kind == "INDX" {
			p.payload = append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(end)), uint64(segments)), index...)
		}
		at := len(out)
		switch {
		case p.kind == "ENDS":
			end = at
		case begins(i):
			key := uint64(0)
			if p.kind == "KEYF" {
				key = 1
			}
			index = binary.AppendUvarint(index, (uint64(at)-last)<<1|key)
			last = uint64(at)
			segments++
		}
		out = append(append(out, p.kind...), p.flags)
		out = append(binary.AppendUvarint(out, uint64(len(p.payload))), p.payload...)
		out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[at:], sum))
		if p.kind == "INDX" {
			start := len(out)
			out = binary.LittleEndian.AppendUint64(out, uint64(at))
			out = binary.LittleEndian.AppendUint32(out, crc32.Checksum(out[start:], sum))
			out = append(out, "tbr!"...)
		}
	}
	return out
}

// segmentsOf says which pieces begin a segment of a file from frame 0 on: a keyframe, or
// what comes first.
func segmentsOf(list []piece) func(i int) bool {
	first := -1
	return func(i int) bool {
		switch list[i].kind {
		case "KEYF":
			return true
		case "ORDR", "FRMS":
			if first < 0 || first == i {
				first = i
				return true
			}
		}
		return false
	}
}

func TestPiecesMakeTheSameFile(t *testing.T) {
	file := record(t, worldMatch(2000))
	list := pieces(t, file)
	if !bytes.Equal(assemble(list, segmentsOf(list)), file) {
		t.Fatal("another file")
	}
}

// Rule: a file whose checksums are all right, but in which any part of the body differs
// from what was written, is not OK.
func TestForgedChunksAreNotOK(t *testing.T) {
	m := worldMatch(2000)
	file := record(t, m)
	r := rand.New(rand.NewPCG(5, 5))
	for n := range 400 {
		list := pieces(t, file)
		i := r.IntN(len(list) - 1)
		p := &list[i]
		if p.flags&2 == 0 || len(p.payload) == 0 {
			continue
		}
		p.payload[r.IntN(len(p.payload))] ^= 1 << r.IntN(8)
		forged := assemble(list, segmentsOf(list))
		f, err := openQuietly(forged)
		if err != nil {
			continue
		}
		v, err := replay.Verify(t.Context(), f, m.game, replay.VerifyOptions{Workers: 1 + n%3})
		if err == nil && v.OK() {
			t.Fatalf("forgery %d: a bit of %s, chunk %d, is another one, and it is OK", n, p.kind, i)
		}
	}
}

// Chunks that are not needed for the simulation are part of the file, too.
func TestADamagedOptionalChunkIsNotOK(t *testing.T) {
	m := worldMatch(100)
	whole := record(t, m)
	list := pieces(t, whole)
	list = append(list[:2:2], append([]piece{{"STAT", 0, []byte("statistics")}}, list[2:]...)...)
	file := assemble(list, segmentsOf(list))
	if v := verify(t, file, m.game, replay.VerifyOptions{}); !v.OK() {
		t.Fatalf("%+v", v)
	}
	file[bytes.Index(file, []byte("statistics"))] ^= 1
	if v := verify(t, file, m.game, replay.VerifyOptions{}); v.OK() || v.Damage == nil || v.Checked != 100 {
		t.Errorf("a bit of the statistics is another one: %+v", v)
	}
	if c, err := replay.Compare(t.Context(), open(t, file), open(t, whole)); err != nil || c.Same() {
		t.Errorf("%+v, %v", c, err)
	}
}

// Recordings that claim the same digest are still compared.
func TestTheSameDigestIsNoProof(t *testing.T) {
	m := worldMatch(2000)
	file := record(t, m)
	other := m
	other.seed++
	list, theirs := pieces(t, file), pieces(t, record(t, other))
	for i, p := range list {
		if p.kind == "ENDS" {
			theirs[len(theirs)-2] = list[i]
		}
	}
	forged := assemble(theirs, segmentsOf(theirs))
	c, err := replay.Compare(t.Context(), open(t, file), open(t, forged))
	if err != nil || c.SameBody || c.Same() || c.Frame == nil {
		t.Errorf("%+v, %v", c, err)
	}
}

// ending is the game, which is over at a score.
func ending(limit int32) replay.Game {
	return worldGame(func(w *world, t *rollback.Tick[keys]) {
		stepWorld(w, t)
		if w.Score[0] >= limit {
			t.Finish(uint64(w.Score[1]))
		}
	})
}

// Rule: a recording contains the result that finished the match, and that is compared.
func TestAnotherFinishIsNotOK(t *testing.T) {
	m := worldMatch(500)
	m.game = ending(50)
	m.header.HashEvery = 7
	finished := uint32(0)
	play := m.play
	sim := must(m.game.Sim(&m.header))
	if err := sim.Init(); err != nil {
		t.Fatal(err)
	}
	m.play = func(r *rand.Rand, f *agreed.Frame) {
		play(r, f)
		if f.Number != sim.State() { // the second time, the frame is known
			f.Finished, f.Result = f.Number == finished, 0
			return
		}
		if err := sim.Step(f); err != nil {
			t.Fatal(err)
		}
	}
	record(t, m)
	var result uint64
	var over bool
	if finished, result, over = sim.Result(); !over {
		t.Fatal("the match does not end")
	}
	m.frames = finished + 1
	for name, c := range map[string]struct {
		finish bool
		result uint64
		ok     bool
	}{"as it was": {true, result, true}, "another result": {true, result + 1, false}, "no finish": {false, 0, false}} {
		again := m
		again.play = func(r *rand.Rand, f *agreed.Frame) {
			play(r, f)
			f.Finished, f.Result = c.finish && f.Number == finished, c.result
		}
		v := verify(t, record(t, again), m.game, replay.VerifyOptions{})
		if v.OK() != c.ok || !c.ok && (v.Mismatch == nil || !strings.Contains(v.Mismatch.Ended, "finished")) {
			t.Errorf("%s: %+v", name, v)
		}
		if c.ok { // and an end that says something else
			list := pieces(t, record(t, again))
			list[len(list)-2].payload[6]++ // of the result
			if v := verify(t, assemble(list, segmentsOf(list)), m.game, replay.VerifyOptions{}); v.OK() || v.Damage == nil {
				t.Errorf("an end with another result: %+v", v)
			}
		}
	}
}

// Rule: recordings with the same body may end with different states, since the last
// frames have no hash in the body: that is a difference.
func TestTheSameBodyMayEndDifferently(t *testing.T) {
	m := worldMatch(505)
	file := record(t, m)
	other := m
	other.game = worldGame(wrong(stepWorld, 503, func(w *world) { w.Sum++ }))
	c := compare(t, file, record(t, other))
	if !c.SameBody || c.Same() || len(c.End) != 1 || !strings.HasPrefix(c.End[0], "hash of the last state: 0x") {
		t.Errorf("%+v", c)
	}
}

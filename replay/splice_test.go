package replay_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/wire/agreed"
)

func cut(t *testing.T, file []byte, g replay.Game, from, to uint32) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := replay.Cut(t.Context(), &b, open(t, file), g, from, to); err != nil {
		t.Fatalf("frames %d to %d: %v", from, to, err)
	}
	return b.Bytes()
}

// Rule: a part of a recording has its frames, hashes and keyframes, and is verified; so
// is a part that begins or ends within a block.
func TestAPartIsARecording(t *testing.T) {
	m := worldMatch(3000)
	file := record(t, m)
	for _, c := range [][2]uint32{{0, 3000}, {0, 1}, {0, 1234}, {640, 3000}, {100, 101}, {101, 735}, {1279, 1281}, {2999, 3000}} {
		part := cut(t, file, m.game, c[0], c[1])
		r := open(t, part)
		if r.First() != c[0] || r.Next() != c[1] {
			t.Errorf("%v: frames %d to %d", c, r.First(), r.Next())
		}
		if d := compare(t, file, part); !d.Same() || d.From != c[0] || d.To != c[1] {
			t.Errorf("%v: %+v", c, d)
		}
		v := verify(t, part, m.game, replay.VerifyOptions{})
		if v.Mismatch != nil || v.Damage != nil || v.Hashes < (c[1]-c[0])/10 {
			t.Errorf("%v: %+v", c, v)
		}
	}
	if !bytes.Equal(cut(t, file, nil, 0, 3000), file) {
		t.Error("the whole is another file")
	}
}

// Rule: a part that begins with a recorded state and ends with a block needs no game;
// for any other part the error says that a game is needed. A build that does not
// reproduce the recording may not fill it in.
func TestCuttingNeedsTheGameOnlyWhereNothingIsRecorded(t *testing.T) {
	m := worldMatch(3000)
	file := record(t, m)
	cut(t, file, nil, 640, 1280)
	cut(t, file, nil, 0, 80)
	other := worldGame(wrong(stepWorld, 700, func(w *world) { w.Sum++ }))
	for _, c := range []struct {
		g        replay.Game
		from, to uint32
		want     error
	}{
		{nil, 641, 1280, replay.ErrNeedsGame},
		{nil, 0, 95, replay.ErrNeedsGame},
		{other, 720, 1280, replay.ErrNotReproduced},
		{other, 0, 735, replay.ErrNotReproduced},
		{m.game, 5, 5, replay.ErrNothing},
		{m.game, 7, 5, replay.ErrNothing},
		{m.game, 5, 3001, replay.ErrNothing},
	} {
		if err := replay.Cut(t.Context(), new(bytes.Buffer), open(t, file), c.g, c.from, c.to); !errors.Is(err, c.want) {
			t.Errorf("frames %d to %d: %v, want %v", c.from, c.to, err, c.want)
		}
	}
}

// Rule: parts of a match that touch or overlap, in any order, make the recording that
// they were cut from, byte for byte.
func TestPartsMakeTheWhole(t *testing.T) {
	m := worldMatch(3000)
	file := record(t, m)
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		var parts []*tbr.Reader
		for at := uint32(0); at < 3000; {
			to := min(3000, at+1+r.Uint32N(1500))
			from := at - min(at, r.Uint32N(3)*r.Uint32N(200))
			parts = append(parts, open(t, cut(t, file, m.game, from, to)))
			at = to
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		var b bytes.Buffer
		if err := replay.Join(t.Context(), &b, parts, m.game); err != nil {
			t.Fatalf("seed %d, %d parts: %v", seed, len(parts), err)
		}
		if d := compare(t, file, b.Bytes()); !d.SameBody {
			t.Errorf("seed %d, %d parts: another body: %+v", seed, len(parts), d)
		}
	}
}

// Files that are not parts of one match are refused by name.
func TestJoinRefuses(t *testing.T) {
	m := worldMatch(1000)
	file := record(t, m)
	other := m
	other.header.Seed = 99
	first := cut(t, file, m.game, 0, 300)
	for name, c := range map[string]struct {
		parts [][]byte
		want  error
	}{
		"a hole":         {[][]byte{first, cut(t, file, m.game, 301, 1000)}, replay.ErrHole},
		"another match":  {[][]byte{first, cut(t, record(t, other), other.game, 300, 1000)}, replay.ErrOtherMatch},
		"other frames":   {[][]byte{first, record(t, altered(m, 200, func(f *agreed.Frame) { f.Gone ^= 1 }))}, replay.ErrOtherMatch},
		"other states":   {[][]byte{first, record(t, match{worldGame(wrong(stepWorld, 5, func(w *world) { w.Sum++ })), m.header, 900, m.play, m.seed, false})}, replay.ErrOtherMatch},
		"nothing at all": {nil, replay.ErrNothing},
	} {
		var parts []*tbr.Reader
		for _, p := range c.parts {
			parts = append(parts, open(t, p))
		}
		if err := replay.Join(t.Context(), new(bytes.Buffer), parts, m.game); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// A recording that breaks off can be joined with one that continues from there.
func TestARecordingThatBreaksOffIsCompleted(t *testing.T) {
	m := worldMatch(2000)
	file := record(t, m)
	m.frames, m.cut = 1000, true
	broken := record(t, m)
	r := open(t, broken)
	var b bytes.Buffer
	if err := replay.Join(t.Context(), &b, []*tbr.Reader{r, open(t, cut(t, file, worldGame(nil), r.Next(), 2000))}, worldGame(nil)); err != nil {
		t.Fatal(err)
	}
	if d := compare(t, file, b.Bytes()); !d.SameBody || r.Next() >= 1000 {
		t.Errorf("%+v, the first has %d frames", d, r.Next())
	}
}

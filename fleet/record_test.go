package fleet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/wire/agreed"
)

// film is a recording of a match by one machine, in memory. Blocks have 8 frames and
// segments 64, so that short matches have many.
type film struct {
	t    *testing.T
	who  string
	file bytes.Buffer
	w    *tbr.Writer
	done bool
	err  error
	// hashEvery is the smallest interval that is a multiple of 3 and of that of the
	// match.
	hashEvery int
	lie       bool // negative control: an input of frame 100 differs
}

// filmSegment is the frames of a segment at one frame a second.
const filmSegment = 64

func (f *film) ok(err error) {
	if err != nil && f.err == nil {
		f.err = err
		f.t.Errorf("%s: %v", f.who, err)
	}
}

func (f *film) Begin(b *session.RecordBegin) {
	var err error
	f.w, err = tbr.NewWriter(&f.file, tbr.Header{
		Game: "ledger", Shape: b.Shape, TickRate: 1, Seed: b.Parameters.Seed, Length: uint32(b.Parameters.Frames),
		HashEvery: f.hashEvery, State0: b.Initial, Info: tbr.Info{Recorder: f.who, Match: b.Match, First: uint32(b.First)},
	})
	if f.ok(err); b.First > 0 {
		f.ok(f.w.Keyframe(b.State))
	}
}

func (f *film) State(n session.Frame, encoded []byte) {
	if f.w.WantsKeyframe() && uint32(n) == f.w.Next() {
		f.ok(f.w.Keyframe(encoded))
	}
}

func (f *film) Frame(g *agreed.Frame, hash uint64, hashed bool) {
	if f.lie && g.Number == 100 {
		g.Inputs[0] ^= 1
		defer func() { g.Inputs[0] ^= 1 }()
	}
	if f.ok(f.w.Frame(g)); hashed {
		f.ok(f.w.Hash(g.Number+1, hash))
	}
}

func (f *film) End(e *session.RecordEnd) {
	if f.done = true; f.w == nil {
		return
	}
	f.ok(f.w.Close(tbr.End{Hashed: e.Ended && e.Outcome.Hash != 0, Hash: e.Outcome.Hash, Chain: e.Outcome.Chain}))
}

// crew records on all machines of a run: each begins at a random time, some end in the
// middle, and when one recording is over another one begins.
type crew struct {
	t     *testing.T
	r     *rand.Rand
	films []*film
	now   map[string]*film
	every int  // frames from one hash to the next
	split bool // two that lost each other each went on alone, with different frames
	lie   bool
}

func newCrew(t *testing.T, p *Plan, seed uint64) *crew {
	c := &crew{t: t, r: rand.New(rand.NewPCG(seed, uint64(p.Players()))), now: map[string]*film{}}
	for c.every = 3; p.HashEvery > 0 && c.every%p.HashEvery != 0; c.every += 3 {
	}
	if p.HashEvery < 0 {
		c.every = 0
	}
	return c
}

// errCut is why some recordings end in the middle.
var errCut = errors.New("enough")

type recordable interface {
	Record(r session.Recorder, wants session.RecordWants) error
	StopRecording(why error)
}

func (c *crew) visit(who string, m recordable) {
	f := c.now[who]
	switch {
	case f != nil && !f.done:
		if c.r.IntN(3000) == 0 {
			m.StopRecording(errCut)
		}
		return
	case len(c.films) > 0 && c.r.IntN(20) != 0:
		return // a while later
	}
	f = &film{t: c.t, who: fmt.Sprintf("%s, recording %d", who, len(c.films)), hashEvery: c.every, lie: c.lie && len(c.films) == 1}
	if m.Record(f, session.RecordWants{States: filmSegment, Hashes: session.Frame(c.every)}) == nil {
		c.now[who] = f
		c.films = append(c.films, f)
	}
}

func (c *crew) watch(r *run[ledger, note]) {
	for _, m := range r.machines {
		c.split = c.split || m.alone
	}
	for i, p := range r.Peers {
		if !p.Down {
			c.visit(fmt.Sprint("machine ", i), p.Session)
		}
	}
	for i, w := range r.Fleet.Spectators {
		if !w.Down {
			c.visit(fmt.Sprint("watcher ", i), w.Spectator)
		}
	}
}

// bodyOf returns the chunks of the body by their kind and the frame of their block. The
// first segment of a recording that begins late is left out, since its chunks differ
// from those of the others.
func bodyOf(t *testing.T, r *tbr.Reader, file []byte) map[string]string {
	t.Helper()
	from := (r.First() + filmSegment - 1) / filmSegment * filmSegment
	chunks, again := map[string]string{}, map[string]int{}
	for c, err := range r.Chunks() {
		if err != nil {
			t.Fatal(err)
		}
		if c.Flags&tbr.Body == 0 || c.Frame < from {
			continue
		}
		_, n := binary.Uvarint(file[c.Offset+5:])
		key := fmt.Sprint(c.Kind, " of frame ", c.Frame)
		again[key]++
		chunks[fmt.Sprint(key, ", ", again[key])] = string(file[c.Offset:][:5+n+c.Size+4])
	}
	return chunks
}

// compareFilms compares the recordings of a match, and returns how many chunks two of
// them have.
func compareFilms(t *testing.T, a, b *film) (chunks int, differs string) {
	t.Helper()
	open := func(f *film) *tbr.Reader {
		r, err := tbr.Open(bytes.NewReader(f.file.Bytes()), int64(f.file.Len()))
		if err == nil {
			err = r.Check()
		}
		if err != nil && f.done {
			t.Fatalf("%s: %v", f.who, err)
		}
		return r
	}
	x, y := open(a), open(b)
	if x == nil || y == nil || x.Header().Seed != y.Header().Seed {
		return 0, ""
	}
	c, err := replay.Compare(t.Context(), x, y)
	if err != nil || len(c.Header) > 0 || c.Frame != nil || c.Hash != nil || len(c.End) > 0 {
		return 0, fmt.Sprintf("%+v, %v", c, err)
	}
	whole := min(x.Next(), y.Next()) / 8 * 8 // both may have a part of the last block
	ours, theirs := bodyOf(t, x, a.file.Bytes()), bodyOf(t, y, b.file.Bytes())
	for key, chunk := range ours {
		var frame uint32
		if _, err := fmt.Sscanf(key[len("KIND of frame "):], "%d", &frame); err != nil {
			t.Fatal(err)
		}
		if other, ok := theirs[key]; ok && frame+8 <= whole {
			if chunks++; other != chunk {
				return chunks, key
			}
		}
	}
	return chunks, ""
}

// Rule: whatever happens to a match, by loss, partitions, pauses, kicks, drops, joins,
// and however late a recording begins, all machines that play or watch it write the same
// bytes: in all blocks that two of them have, behind the first segment of each.
func TestRecordingsOfRandomPlansAreTheSame(t *testing.T) {
	runs, length := uint64(12), 20*time.Second
	if testing.Short() {
		runs, length = 2, 8*time.Second
	}
	if *soakRuns > 0 {
		runs, length = *soakRuns, *soakLength
	}
	films, pairs, late, chunks := 0, 0, 0, 0
	first := max(*seedFlag, 1)
	for _, players := range []int{2, 3, 4, 8, 16} {
		for seed := first; seed < first+runs; seed++ {
			p := drawn(t, seed, *soakProfile, players, length)
			if broken, _ := p.diverges(); broken >= 0 {
				continue // a machine plays another game
			}
			c := newCrew(t, &p, seed)
			if res, err := Play(ledgerGame(nil), p, Options[ledger, note]{watch: c.watch}); err != nil || !res.OK() {
				t.Fatalf("%d players, seed %d: %v, %v", players, seed, err, res.Violations)
			}
			if c.split {
				continue
			}
			for i, a := range c.films {
				if a.w == nil {
					continue
				}
				if films++; a.w.Header().First > 0 {
					late++
				}
				for _, b := range c.films[:i] {
					if b.w == nil {
						continue
					}
					n, differs := compareFilms(t, a, b)
					if differs != "" {
						t.Errorf("%d players, seed %d: %s and %s: %s", players, seed, a.who, b.who, differs)
					}
					if chunks += n; n > 0 {
						pairs++
					}
				}
			}
		}
	}
	t.Logf("%d recordings, %d of them from the middle on, %d pairs with %d chunks", films, late, pairs, chunks)
	if films == 0 || late == 0 || pairs == 0 {
		t.Error("nothing was compared")
	}
}

// The comparison can fail.
func TestAFalseRecordingIsNoticed(t *testing.T) {
	p := calmPlan(3, 600)
	c := newCrew(t, &p, 1)
	c.lie = true
	if _, err := Play(ledgerGame(nil), p, Options[ledger, note]{watch: c.watch}); err != nil {
		t.Fatal(err)
	}
	if len(c.films) < 3 || c.films[1].w == nil {
		t.Fatalf("%d recordings", len(c.films))
	}
	if _, differs := compareFilms(t, c.films[0], c.films[1]); differs == "" {
		t.Error("an input that is another one was not noticed")
	}
}

package replay

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// bout records a duel of a number of minutes, in which both players change their
// buttons in every sixth frame.
func bout(t testing.TB, minutes int) (rollback.Game[duel.State, duel.Input], []byte) {
	t.Helper()
	game, err := duel.Game(7)
	if err != nil {
		t.Fatal(err)
	}
	s, err := rollback.NewSandbox(game, 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := tbr.NewWriter(&file, tbr.Header{Game: "duel", Shape: agreed.Shape{Players: 2, InputSize: 2}, TickRate: 60, Seed: 7, HashEvery: 60})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	in, raw := make([]duel.Input, 2), make([]byte, 4)
	for f := range uint32(minutes * 3600) {
		if w.WantsKeyframe() {
			state, err := s.Marshal(nil)
			if err := errors.Join(err, w.Keyframe(state)); err != nil {
				t.Fatal(err)
			}
		}
		for p := range in {
			if r.IntN(6) == 0 {
				in[p] = duel.Input(r.Uint32() & 0xFF)
			}
			raw[2*p], raw[2*p+1] = byte(in[p]), byte(in[p]>>8)
		}
		_, err := s.Step(rollback.SandboxFrame[duel.Input]{Frame: rollback.Frame(f), Inputs: in})
		if err == nil {
			err = w.Frame(&agreed.Frame{Number: f, Inputs: raw})
		}
		if (f+1)%60 == 0 {
			hash, _ := s.Hash()
			err = errors.Join(err, w.Hash(f+1, hash))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(tbr.End{}); err != nil {
		t.Fatal(err)
	}
	return game, file.Bytes()
}

func play(t testing.TB, game rollback.Game[duel.State, duel.Input], file []byte, cache int) *Player[duel.State, duel.Input] {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPlayer(game, r, PlayerOptions[duel.State]{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// BenchmarkSeek measures a jump to anywhere in an hour of the duel: with only the
// contents of the file, with data kept from earlier jumps, and a single frame back.
func BenchmarkSeek(b *testing.B) {
	game, file := bout(b, 60)
	for _, c := range []struct {
		name  string
		cache int
		next  func(r *rand.Rand, p *Player[duel.State, duel.Input]) rollback.Frame
	}{
		{"Cold", -1, anywhere},
		{"Kept", 0, anywhere},
		{"Back", 0, func(r *rand.Rand, p *Player[duel.State, duel.Input]) rollback.Frame {
			if p.At() == 0 {
				return anywhere(r, p)
			}
			return p.At() - 1
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			p, r, took := play(b, game, file, c.cache), rand.New(rand.NewPCG(5, 6)), []time.Duration(nil)
			if err := p.Seek(p.Next()); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				begin := time.Now()
				if err := p.Seek(c.next(r, p)); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begin))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "µs-99%")
			b.ReportMetric(float64(len(file))/float64(p.Next()), "file-bytes/frame")
		})
	}
}

func anywhere(r *rand.Rand, p *Player[duel.State, duel.Input]) rollback.Frame {
	return rollback.Frame(r.IntN(int(p.Next()) + 1))
}

// BenchmarkPlay measures playing a frame, with a hash once a second.
func BenchmarkPlay(b *testing.B) {
	game, file := bout(b, 10)
	p := play(b, game, file, 0)
	for b.Loop() {
		if err := p.Step(); err != nil {
			if err := p.Seek(0); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// Rule: the memory of a player does not depend on the length of the recording.
func TestMemoryDoesNotDependOnTheLength(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a while")
	}
	live := func(minutes int) (bytes int64) {
		game, file := bout(t, minutes)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		p := play(t, game, file, 100<<10)
		for f := rollback.Frame(0); f < p.Next(); f += 997 {
			if err := p.Seek(f); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(p)
		runtime.KeepAlive(file)
		return int64(after.HeapAlloc) - int64(before.HeapAlloc)
	}
	live(1)
	short, long := live(10), live(60)
	t.Logf("%d bytes with 10 minutes, %d with 60", short, long)
	// The memory for effects is as large as the busiest frames need, and a longer
	// recording has more of these.
	if long > short+64<<10 {
		t.Errorf("%d bytes with 10 minutes, %d with 60", short, long)
	}
}

// Rule: playing allocates nothing in the steady state.
func TestPlayingAllocatesNothing(t *testing.T) {
	game, file := bout(t, 2)
	p := play(t, game, file, -1)
	for range 1000 {
		if err := p.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(2000, func() {
		if p.Step() != nil {
			t.Fatal("too short")
		}
		p.Effects()
	}); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

package rollback_test

import (
	"fmt"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/floor"
	"github.com/tickback/tickback/rollback"
)

// benchInputs are both players' inputs, long enough that a processor cannot
// learn them by heart. With restless, player 1 never does what was predicted.
func benchInputs(b *testing.B, restless bool) [][2]duel.Input {
	b.Helper()
	script, err := duel.Scripted("random", 1)
	if err != nil {
		b.Fatal(err)
	}
	in := make([][2]duel.Input, 1<<20)
	for f := range in {
		in[f] = script(uint32(f))
		if restless {
			in[f][1] = in[f][1]&^0x8000 | duel.Input(f&1)<<15
		}
	}
	return in
}

func duelEngine(b *testing.B, cfg rollback.Config) *rollback.Engine[duel.State, duel.Input] {
	b.Helper()
	game, err := duel.Game(1)
	if err != nil {
		b.Fatal(err)
	}
	game.Effects = nil // the floor emits nothing either
	e, err := rollback.New(game, cfg)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// One operation is a tick period in which all inputs come in time, from samples
// and packets to agreement; the floor is one bare step and one copy.
func BenchmarkTickDuel(b *testing.B) {
	in := benchInputs(b, false)
	e := duelEngine(b, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 8})
	s, _ := duel.New(1)
	var saved [16]duel.State
	f, g := 0, rollback.Frame(0)
	floor.Compare(b, func(n int) {
		for range n {
			saved[f&15] = s
			duel.Step(&s, in[f&(len(in)-1)])
			f++
		}
	}, func(n int) {
		for range n {
			x := in[int(g)&(len(in)-1)]
			must(e.AddLocal(0, x[0], nil))
			must(e.AddInput(1, g, x[1], nil))
			must(e.Tick())
			must(e.Agree(g + 1))
			g++
		}
	})
}

// One operation is a tick period that rolls back 7 frames and yields an agreed
// frame with its hash; the floor is 8 bare steps of the same states with the same
// inputs, 8 copies and a hash.
func BenchmarkRollback7Duel(b *testing.B) {
	const depth = 7
	in := benchInputs(b, true)
	at := func(f int) [2]duel.Input { return in[f&(len(in)-1)] }
	e := duelEngine(b, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: depth + 1, Stream: true})
	plan, err := canon.PlanFor[duel.State]()
	must(err)
	start, _ := duel.New(1)
	var ring [16]duel.State
	ring[0] = start
	f, g := 0, 0
	hash := uint64(0)
	floor.Compare(b, func(n int) {
		for range n {
			from := max(f-depth, 0)
			late := at(from)[1]
			for k := from; k <= f; k++ {
				s := &ring[(k+1)&15]
				*s = ring[k&15]
				duel.Step(s, [2]duel.Input{at(k)[0], late})
			}
			f++
			hash += plan.Hash(&ring[from&15])
		}
	}, func(n int) {
		for range n {
			if g >= depth {
				must(e.AddInput(1, rollback.Frame(g-depth), at(g - depth)[1], nil))
				must(e.Agree(rollback.Frame(g - depth + 1)))
			}
			must(e.AddLocal(0, at(g)[0], nil))
			must(e.Tick())
			if g >= depth {
				for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
					hash += a.Hash
				}
			}
			g++
		}
	})
	if st := e.Stats(); st.Ticks > 100 && (st.EarlyStops != 0 || st.Histogram[depth] < st.Ticks-100) {
		b.Fatalf("%+v", st)
	}
}

type tiny struct {
	Frame uint32
	Sum   uint32
}

func stepTiny(s *tiny, t *rollback.Tick[uint16]) {
	s.Frame++
	for p := range t.Players() {
		s.Sum += uint32(t.Input(p))
	}
}

func tinyGame() rollback.Game[tiny, uint16] { return rollback.Game[tiny, uint16]{Step: stepTiny} }

// Near-empty games, for comparison with other libraries: all players are local,
// inputs change in every frame, and an operation is a tick with its samples.
func BenchmarkTickTiny(b *testing.B) {
	for _, c := range []struct {
		name           string
		players, depth int
	}{
		{"2 players", 2, 0}, {"4 players", 4, 0}, {"sync test 2", 2, 2}, {"sync test 4", 2, 4}, {"sync test 7", 2, 7},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, err := rollback.New(tinyGame(), rollback.Config{
				Players: c.players, Local: rollback.PlayerSet(1<<c.players - 1), Window: 8, SyncTest: c.depth,
			})
			must(err)
			f := uint16(0)
			for b.Loop() {
				for p := range rollback.Player(c.players) {
					must(e.AddLocal(p, f, nil))
				}
				must(e.Tick())
				f++
			}
		})
	}
}

// One operation is a tick period of the arena with 4 players, 3 of whom are 7 frames late and never
// do what was predicted, and with all its effects; the floor is 8 bare steps and 8 copies. A match
// is 2048 frames.
func BenchmarkRollback7Arena(b *testing.B) {
	const players, depth, frames = 4, 7, 2048
	script := arena.Random(1)
	in := make([][arena.MaxPlayers]arena.Input, frames)
	for f := range in {
		in[f] = script(rollback.Frame(f))
		for p := range in[f] {
			in[f][p].X ^= int8(f & 1)
		}
	}
	e, err := rollback.New(arena.Game(1), rollback.Config{Players: players, Local: rollback.SetOf(0), Window: depth + 1})
	must(err)
	var ring [16]arena.State
	everyone := rollback.SetOf(0, 1, 2, 3)
	f, g := 0, 0
	floor.Compare(b, func(n int) {
		for range n {
			if f %= frames; f == 0 {
				ring[0] = arena.New(1)
			}
			from := max(f-depth, 0)
			for k := from; k <= f; k++ {
				now := in[from]
				now[0] = in[k][0]
				ring[(k+1)&15] = ring[k&15]
				arena.Step(&ring[(k+1)&15], &now, everyone, nil)
			}
			f++
		}
	}, func(n int) {
		for range n {
			if g %= frames; g == 0 {
				e.Restart(nil)
			}
			if late := g - depth; late >= 0 {
				for p := rollback.Player(1); p < players; p++ {
					must(e.AddInput(p, rollback.Frame(late), in[late][p], nil))
				}
				must(e.Agree(e.Confirmed()))
			}
			must(e.AddLocal(0, in[g][0], nil))
			must(e.Tick())
			e.Effects()
			g++
		}
	})
}

// A tick of a big state whose step does nothing is a save; the floor is a plain
// copy of that size, from and to as many buffers.
func BenchmarkSave(b *testing.B) {
	b.Run("64 KiB", benchmarkSave[[64 << 10]byte])
	b.Run("1 MiB", benchmarkSave[[1 << 20]byte])
	b.Run("16 MiB", benchmarkSave[[16 << 20]byte])
}

func benchmarkSave[S any](b *testing.B) {
	const window = 8
	game := rollback.Game[S, uint8]{Step: func(*S, *rollback.Tick[uint8]) {}}
	e, err := rollback.New(game, rollback.Config{Players: 1, Local: 1, Window: window})
	must(err)
	var buffers [window + 1]*S
	for i := range buffers {
		buffers[i] = new(S)
		*buffers[i] = *e.State()
	}
	k := 0
	floor.Compare(b, func(n int) {
		for range n {
			from := buffers[k]
			if k++; k == len(buffers) {
				k = 0
			}
			*buffers[k] = *from
		}
	}, func(n int) {
		for range n {
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
		}
	})
}

// A tick of a sync test of a big state whose step does nothing; the floor is the memory traffic that
// the rules require: the states of two frames copied, and one read and compared for each frame of
// the depth.
func BenchmarkSyncTestLarge(b *testing.B) {
	for _, depth := range []int{2, 7} {
		b.Run(fmt.Sprintf("64 KiB, depth %d", depth), func(b *testing.B) { benchmarkSyncTest[[64 << 10]byte](b, depth) })
		b.Run(fmt.Sprintf("1 MiB, depth %d", depth), func(b *testing.B) { benchmarkSyncTest[[1 << 20]byte](b, depth) })
		b.Run(fmt.Sprintf("16 MiB, depth %d", depth), func(b *testing.B) { benchmarkSyncTest[[16 << 20]byte](b, depth) })
	}
}

func benchmarkSyncTest[S comparable](b *testing.B, depth int) {
	game := rollback.Game[S, uint8]{Step: func(*S, *rollback.Tick[uint8]) {}}
	e, err := rollback.New(game, rollback.Config{Players: 1, Local: 1, Window: depth + 1, SyncTest: depth})
	must(err)
	buffers := make([]S, depth+2)
	k, same := 0, true
	next := func() *S {
		if k++; k == len(buffers) {
			k = 0
		}
		return &buffers[k]
	}
	floor.Compare(b, func(n int) {
		for range n {
			for range 2 {
				from := &buffers[k]
				*next() = *from
			}
			for range depth {
				with := &buffers[k]
				same = *next() == *with && same
			}
		}
	}, func(n int) {
		for range n {
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
		}
	})
	if !same {
		b.Fatal("two states of zeros differ")
	}
}

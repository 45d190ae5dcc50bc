package replay_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/replay"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// world is the state of a game in which everything counts: inputs, orders, who is
// gone, and the frame.
type world struct {
	Sum   uint64
	Score [4]int32
	Away  uint8
	Kind  kind
}

type kind uint8

func (k kind) String() string { return [...]string{"calm", "wild"}[k&1] }

// keys is an input with two fields.
type keys struct {
	Stick int8
	Fire  bool
}

func stepWorld(w *world, t *rollback.Tick[keys]) {
	w.Away = 0
	for p := range t.Players() {
		in := t.Input(p)
		w.Score[p] += int32(in.Stick)
		if in.Fire {
			w.Sum = w.Sum*31 + uint64(p) + uint64(t.Frame())
			w.Kind = kind(w.Sum >> 7 & 1)
		}
		for _, c := range t.Orders(p) {
			w.Sum = w.Sum*131 + uint64(c)
		}
		if t.Status(p) == rollback.Disconnected {
			w.Away |= 1 << p
			w.Sum++
		}
	}
}

func startWorld(h *tbr.Header) (func(*world), error) {
	if h.Seed == 13 {
		return nil, errors.New("13 is bad luck")
	}
	return func(w *world) { *w = world{Sum: h.Seed} }, nil
}

// wrong makes a step that is wrong in one frame, as spoil says.
func wrong[S any, I comparable](step func(*S, *rollback.Tick[I]), frame uint32, spoil func(*S)) func(*S, *rollback.Tick[I]) {
	return func(s *S, t *rollback.Tick[I]) {
		step(s, t)
		if uint32(t.Frame()) == frame {
			spoil(s)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// worldGame is the game, with another step if one is given.
func worldGame(step func(*world, *rollback.Tick[keys])) replay.Game {
	if step == nil {
		step = stepWorld
	}
	return must(replay.Of("world", "test", rollback.Game[world, keys]{Step: step}, startWorld))
}

var worldPlan = must(canon.PlanFor[world]())

// heap is the same state behind a pointer.
type heap struct{ w *world }

// heapGame is the game with its own memory, with what may be left out.
func heapGame(step func(*world, *rollback.Tick[keys]), change func(*rollback.OwnMemory[heap, world, keys])) replay.Game {
	if step == nil {
		step = stepWorld
	}
	g := rollback.OwnMemory[heap, world, keys]{
		New:       func() *heap { return &heap{new(world)} },
		Init:      func(h *heap) { h.w = new(world) },
		Step:      func(h *heap, t *rollback.Tick[keys]) { step(h.w, t) },
		Hash:      func(h *heap) uint64 { return worldPlan.Hash(h.w) },
		Marshal:   func(b []byte, h *heap) ([]byte, error) { return worldPlan.Append(b, h.w), nil },
		Unmarshal: func(h *heap, b []byte) error { return worldPlan.Decode(h.w, b) },
	}
	if change != nil {
		change(&g)
	}
	return must(replay.Of("world", "test", g, func(h *tbr.Header) (func(*heap), error) {
		start, err := startWorld(h)
		return func(h *heap) { h.w = new(world); start(h.w) }, err
	}))
}

func duelGame(step func(*duel.State, *rollback.Tick[duel.Input])) replay.Game {
	g := must(duel.Game(1))
	if step != nil {
		real := g.Step
		g.Step = func(s *duel.State, t *rollback.Tick[duel.Input]) { real(s, t); step(s, t) }
	}
	return must(replay.Of("duel", "frozen", g, func(h *tbr.Header) (func(*duel.State), error) {
		first, err := duel.New(uint32(h.Seed))
		return func(s *duel.State) { *s = first }, err
	}))
}

func arenaGame(step func(*arena.State, *rollback.Tick[arena.Input])) replay.Game {
	g := arena.Game(0)
	if step != nil {
		real := g.Step
		g.Step = func(s *arena.State, t *rollback.Tick[arena.Input]) { real(s, t); step(s, t) }
	}
	return must(replay.Of("arena", "test", g, func(h *tbr.Header) (func(*arena.State), error) {
		return func(s *arena.State) { *s = arena.New(h.Seed) }, nil
	}))
}

// match is what is recorded.
type match struct {
	game   replay.Game
	header tbr.Header
	frames uint32
	// play sets the inputs, the orders and who is gone of a frame.
	play func(r *rand.Rand, f *agreed.Frame)
	seed uint64
	cut  bool // the recording is not closed
}

// worldMatch is a match with orders and players who come and go. The tick rate
// makes blocks of 80 frames and segments of 640.
func worldMatch(frames uint32) match {
	return match{
		game: worldGame(nil), frames: frames, seed: 1,
		header: tbr.Header{Game: "world", Shape: agreed.Shape{Players: 3, InputSize: 2, MaxOrders: 16}, TickRate: 10, Seed: 7, HashEvery: 10},
		play: func(r *rand.Rand, f *agreed.Frame) {
			for p := range 3 {
				if r.IntN(6) == 0 {
					f.Inputs[2*p], f.Inputs[2*p+1] = byte(r.IntN(3)), byte(r.IntN(2))
				}
			}
			if r.IntN(40) == 0 {
				f.Gone = uint16(r.IntN(8))
			}
			f.Orders = nil
			if r.IntN(25) == 0 {
				f.Orders = [][]byte{[]byte(fmt.Sprint("order ", r.IntN(100))), nil, {1}}
			}
			for p := range 3 {
				if f.Gone>>p&1 != 0 {
					clear(f.Inputs[2*p : 2*p+2])
					if f.Orders != nil {
						f.Orders[p] = nil
					}
				}
			}
		},
	}
}

func duelMatch(frames uint32) match {
	return match{
		game: duelGame(nil), frames: frames, seed: 1,
		header: tbr.Header{Game: "duel", Shape: agreed.Shape{Players: 2, InputSize: 2}, TickRate: 60, Seed: 5, HashEvery: 60},
		play: func(r *rand.Rand, f *agreed.Frame) {
			for p := range 2 {
				if r.IntN(6) == 0 {
					f.Inputs[2*p] = byte(r.IntN(16))
				}
			}
		},
	}
}

// record plays a match and returns the file, with what this build makes of it.
func record(t testing.TB, m match) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := tbr.NewWriter(&b, m.header)
	if err != nil {
		t.Fatal(err)
	}
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("frame %d: %v", w.Next(), err)
		}
	}
	sim, err := m.game.Sim(&m.header)
	ok(err)
	ok(sim.Init())
	r := rand.New(rand.NewPCG(m.seed, 7))
	f := &agreed.Frame{Inputs: make([]byte, m.header.Shape.Players*m.header.Shape.InputSize)}
	for n := range m.header.First + m.frames {
		if n >= m.header.First && w.WantsKeyframe() && m.game.Marshals() {
			state, err := sim.Marshal(nil)
			ok(err)
			ok(w.Keyframe(state))
		}
		f.Number = n
		m.play(r, f)
		ok(sim.Step(f))
		if n < m.header.First {
			continue
		}
		ok(w.Frame(f))
		hash, err := sim.Hash()
		ok(err)
		ok(w.Hash(n+1, hash))
	}
	if !m.cut {
		hash, err := sim.Hash()
		ok(err)
		ok(w.Close(tbr.End{Hashed: m.header.HashEvery > 0, Hash: hash, Reason: "done"}))
	}
	return b.Bytes()
}

func open(t testing.TB, b []byte) *tbr.Reader {
	t.Helper()
	r, err := tbr.Open(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func openQuietly(b []byte) (*tbr.Reader, error) {
	return tbr.Open(bytes.NewReader(b), int64(len(b)))
}

func duelPlan() *canon.Plan[duel.State] { return must(canon.PlanFor[duel.State]()) }

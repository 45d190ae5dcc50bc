package robots_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tickback/tickback/examples/robots"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

type (
	game   = rollback.OwnMemory[robots.World, robots.Snapshot, robots.Action]
	engine = rollback.Engine[robots.World, robots.Action]
	box    = rollback.Sandbox[robots.World, robots.Action]
)

// script is what everybody does in a match, by its seed.
type script uint64

// at is what a player does in a frame: some steering, held for a while, and now and
// then a program, which may be nonsense.
func (s script) at(p rollback.Player, f rollback.Frame) (robots.Action, []byte) {
	r := rng.New(uint64(s)<<40 ^ uint64(f/6)<<8 ^ uint64(p))
	a := robots.None
	if r.Next()%3 == 0 {
		a = robots.Action(r.Next() >> 56)
	}
	if (f+13*rollback.Frame(p))%60 != 5 {
		return a, nil
	}
	switch r.Next() >> 61 {
	case 0, 1, 2:
		return a, robots.Wanderer()
	case 3, 4, 5:
		return a, robots.Sower()
	case 6:
		return a, noise(&r, 40)
	}
	return a, append(robots.Wanderer(), noise(&r, robots.MaxProgram-len(robots.Wanderer()))...)
}

func noise(r *rng.Xorshift128Plus, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Next() >> 60)
	}
	return b
}

func config(players int, local rollback.PlayerSet, window int) rollback.Config {
	return rollback.Config{Players: players, Local: local, Window: window, MaxOrders: robots.MaxProgram, Stream: true}
}

func everyone(players int) rollback.PlayerSet { return 1<<players - 1 }

func start(t testing.TB, g rollback.Definition[robots.World, robots.Action], cfg rollback.Config) *engine {
	t.Helper()
	e, err := rollback.New(g, cfg)
	must(t, err)
	return e
}

// drain agrees on what can be agreed, and returns the hashes of it.
func drain(t testing.TB, e *engine, hashes []uint64) []uint64 {
	t.Helper()
	must(t, e.Agree(e.Confirmed()))
	for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
		hashes = append(hashes, a.Hash)
	}
	return hashes
}

// lone plays on, up to a frame, with everybody on this machine.
func lone(t testing.TB, e *engine, s script, end rollback.Frame) (hashes []uint64, err error) {
	t.Helper()
	for e.Frame() < end && err == nil {
		for p := range rollback.Player(e.Players()) {
			in, orders := s.at(p, e.Frame())
			must(t, e.AddLocal(p, in, orders))
		}
		err = e.Tick()
		if err == nil {
			hashes = drain(t, e, hashes)
		}
	}
	return hashes, err
}

// straight is a match in lockstep.
func straight(t testing.TB, g rollback.Definition[robots.World, robots.Action], players int, s script, end rollback.Frame) []uint64 {
	t.Helper()
	hashes, err := lone(t, start(t, g, config(players, everyone(players), 0)), s, end)
	must(t, err)
	return hashes
}

// late is a match in which only player 0 is here: the others' inputs and orders come
// up to seven frames late, each at its own pace.
func late(t testing.TB, e *engine, s script, end rollback.Frame) (hashes []uint64) {
	t.Helper()
	lag := rng.New(uint64(s))
	deliver := func(p rollback.Player, below rollback.Frame) {
		for f := e.Next(p); f < below; f++ {
			in, orders := s.at(p, f)
			must(t, e.AddInput(p, f, in, orders))
		}
	}
	for e.Frame() < end {
		for p := rollback.Player(1); int(p) < e.Players(); p++ {
			deliver(p, e.Frame()+1-min(e.Frame(), rollback.Frame(lag.Next()>>61)))
		}
		in, orders := s.at(0, e.Frame())
		must(t, e.AddLocal(0, in, orders))
		must(t, e.Tick())
		hashes = drain(t, e, hashes)
	}
	for p := rollback.Player(1); int(p) < e.Players(); p++ {
		deliver(p, end)
	}
	must(t, e.Settle())
	return drain(t, e, hashes)
}

// syncTest runs a sync test of a depth.
func syncTest(t testing.TB, g rollback.Definition[robots.World, robots.Action], depth int, s script, end rollback.Frame) error {
	t.Helper()
	cfg := config(3, everyone(3), 0)
	cfg.SyncTest, cfg.Stream = depth, false
	e := start(t, g, cfg)
	for e.Frame() < end {
		for p := range rollback.Player(3) {
			in, orders := s.at(p, e.Frame())
			must(t, e.AddLocal(p, in, orders))
		}
		if err := e.Tick(); err != nil {
			return err
		}
		must(t, e.Agree(e.Confirmed()))
	}
	return nil
}

// sandbox is a game without a match.
func sandbox(t testing.TB, g rollback.Definition[robots.World, robots.Action], players, slots int) *box {
	t.Helper()
	b, err := rollback.NewSandbox(g, players, slots)
	must(t, err)
	return b
}

// run steps a sandbox through the frames of a script.
func run(t testing.TB, b *box, players int, s script, from, end rollback.Frame) {
	t.Helper()
	for f := from; f < end; f++ {
		frame := rollback.SandboxFrame[robots.Action]{Frame: f}
		for p := range rollback.Player(players) {
			in, orders := s.at(p, f)
			frame.Inputs, frame.Orders = append(frame.Inputs, in), append(frame.Orders, orders)
		}
		_, err := b.Step(frame)
		must(t, err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// want fails unless got is what the rule says.
func want[T comparable](t testing.TB, rule string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}

func sameHashes(t testing.TB, rule string, got, want []uint64) {
	t.Helper()
	if !slices.Equal(got, want) {
		n := 0
		for n < min(len(got), len(want)) && got[n] == want[n] {
			n++
		}
		t.Errorf("%s: %d and %d hashes, of which the first %d are the same", rule, len(got), len(want), n)
	}
}

// lacks fails unless an error says that the game lacks a capability.
func lacks(t testing.TB, capability string, err error) {
	t.Helper()
	var c *rollback.CapabilityError
	if !errors.As(err, &c) || c.Missing != capability {
		t.Errorf("without %s: %v", capability, err)
	}
}

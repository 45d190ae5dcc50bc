package rollback_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tickback/tickback/rollback"
)

type heapGame = rollback.OwnMemory[heap, heapSlot, button]

func heapWith(change func(g *heapGame)) heapGame {
	tp := &tape{blind: true}
	g := tp.own(chaining, nil, nil)
	change(&g)
	return g
}

// Rule: calls that need a missing capability are refused, and the error names it.
func TestMissingCapabilitiesAreNamed(t *testing.T) {
	none := func(g *heapGame) { *g = heapGame{Step: g.Step, New: g.New, Init: g.Init} }
	lockstep, sync, held := two(0), two(0), two(0)
	sync.SyncTest, held.Snapshots = 1, 2
	for _, c := range []struct {
		missing, why string
		cfg          rollback.Config
		change       func(g *heapGame)
	}{
		{"Save", "a window of 1 frames (0 is lockstep)", two(1), none},
		{"Save", "a sync test", sync, none},
		{"Save", "holding 2 snapshots", held, none},
		{"Restore", "Save", lockstep, func(g *heapGame) { g.Restore = nil }},
		{"Save", "Restore", lockstep, func(g *heapGame) { g.Save = nil }},
		{"Unmarshal", "Marshal", lockstep, func(g *heapGame) { g.Unmarshal = nil }},
		{"Marshal", "Unmarshal", lockstep, func(g *heapGame) { g.Marshal = nil }},
	} {
		_, err := rollback.New(heapWith(c.change), c.cfg)
		e := refused[*rollback.CapabilityError](t, err)
		if e.Missing != c.missing || e.For != c.why || !strings.Contains(e.Error(), c.missing) {
			t.Errorf("%+v, want %s, for %s", e, c.missing, c.why)
		}
	}
	if _, err := rollback.New(heapGame{}, two(0)); err == nil || !strings.Contains(err.Error(), "Step") {
		t.Errorf("without Step: %v", err)
	}
}

// Rule: lockstep needs nothing but Step.
func TestLockstepNeedsNothingButStep(t *testing.T) {
	e := fresh(rollback.New(heapWith(func(g *heapGame) { *g = heapGame{Step: g.Step, New: g.New, Init: g.Init} }), two(0)))
	s := play(t, two(0))
	for f := range Frame(5) {
		must(e.AddLocal(0, 3, nil))
		must(e.AddInput(1, f, 4, nil))
		must(e.Tick())
		s.get(f, 4)
		s.ticks(3)
		want(t, "state", e.State().world(), *s.State())
	}
}

// Rule: each capability has its fallback: the match is the same without.
func TestEveryOptionalCapabilityHasAFallback(t *testing.T) {
	for name, change := range map[string]func(g *heapGame){
		"all":      func(*heapGame) {},
		"Hash":     func(g *heapGame) { g.Hash = nil },
		"Equal":    func(g *heapGame) { g.Equal = nil },
		"Marshal":  func(g *heapGame) { g.Marshal, g.Unmarshal = nil, nil },
		"Describe": func(g *heapGame) { g.Describe = nil },
		"Init":     func(g *heapGame) { g.Init, g.New = nil, func() *heap { h := newHeap(); h.set(&world{}); return h } },
		"New":      func(g *heapGame) { i := g.Init; g.New, g.Init = nil, func(h *heap) { *h = *newHeap(); i(h) } },
	} {
		cfg := two(4)
		cfg.Stream, cfg.SyncTest = true, 2
		e, err := rollback.New(heapWith(change), cfg)
		if err != nil {
			t.Fatalf("without %s: %v", name, err)
		}
		s := play(t, two(4))
		for round := range 2 {
			for f := range Frame(20) {
				must(e.AddLocal(0, button(f), nil))
				must(e.Tick())
				s.ticks(button(f))
				if f > 0 {
					must(e.AddInput(1, f-1, button(f*5), nil))
					s.get(f-1, button(f*5))
				}
				want(t, fmt.Sprint(name, round), e.State().world(), *s.State())
			}
			e.Restart(nil)
			s.Restart(nil)
		}
		_, err = e.Marshal(nil, 0)
		if missing := name == "Marshal"; missing != (err != nil) || missing && refused[*rollback.CapabilityError](t, err).Missing != name {
			t.Errorf("without %s: %v", name, err)
		}
		if err := e.Load(3, nil); name == "Marshal" {
			want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Unmarshal")
		}
	}
}

// Rule: a state that cannot be encoded is an error that says which, and leaves the bytes as they
// were.
func TestAStateThatCannotBeEncodedIsNamed(t *testing.T) {
	full := errors.New("it is too large")
	e := fresh(rollback.New(heapWith(func(g *heapGame) {
		marshal := g.Marshal
		g.Marshal = func(b []byte, h *heap) ([]byte, error) {
			if h.world() != (world{}) {
				return append(b, "half"...), full
			}
			return marshal(b, h)
		}
	}), alone(0)))
	for range 3 {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
	}
	b, err := e.Marshal([]byte("x"), 3)
	is(t, err, full)
	want(t, "the bytes", string(b), "x")
	want(t, "the state is named", strings.Contains(err.Error(), "state 3"), true)
}

// Rule: capabilities that lie about state 0 are refused.
func TestLyingCapabilitiesAreRefused(t *testing.T) {
	count := uint64(0)
	for name, change := range map[string]func(g *heapGame){
		"a Hash that changes":            func(g *heapGame) { g.Hash = func(*heap) uint64 { count++; return count } },
		"an Equal that is never true":    func(g *heapGame) { g.Equal = func(*heap, *heapSlot) bool { return false } },
		"a Restore of something else":    func(g *heapGame) { g.Restore = func(h *heap, _ *heapSlot) { h.Sums[0]++ } },
		"a Save that changes the state":  func(g *heapGame) { g.Save = func(h *heap, s *heapSlot) { h.save(s); h.Sums[0]++; s.sums[0]++ } },
		"a Marshal that fails":           func(g *heapGame) { g.Marshal = func(b []byte, _ *heap) ([]byte, error) { return b, errors.New("no") } },
		"an Unmarshal that fails":        func(g *heapGame) { g.Unmarshal = func(*heap, []byte) error { return errors.New("no") } },
		"an Unmarshal of something else": func(g *heapGame) { g.Unmarshal = func(h *heap, _ []byte) error { h.Sums[0]++; return nil } },
	} {
		if _, err := rollback.New(heapWith(change), two(4)); err == nil {
			t.Errorf("%s was taken", name)
		} else if !strings.HasPrefix(err.Error(), "rollback: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bag is a game whose state can become one that cannot be walked.
type bag struct {
	Frames uint64
	Any    any
}

func bagGame() rollback.OwnMemory[bag, bag, button] {
	return rollback.OwnMemory[bag, bag, button]{
		Init: func(b *bag) { *b = bag{} },
		Step: func(b *bag, tick *rollback.Tick[button]) {
			if b.Frames++; tick.Frame() == 5 && tick.Input(0) == 9 {
				b.Any = func() {}
			}
		},
		Save:    func(b *bag, slot *bag) { *slot = *b },
		Restore: func(b *bag, slot *bag) { *b = *slot },
	}
}

// Rule: a match in which no states are compared accepts any game without Hash, even one that
// cannot be walked.
func TestOnlyMatchesThatCompareNeedHashes(t *testing.T) {
	game := bagGame()
	game.Init = func(b *bag) { *b = bag{Any: func() {}} }
	none, late := alone(0), alone(0)
	none.Stream, none.HashEvery = true, -1
	for _, cfg := range []rollback.Config{alone(0), none} {
		must(failure(fresh(rollback.New(game, cfg)), 1))
	}
	cfg := alone(0)
	cfg.Stream = true
	late.Stream, late.HashEvery = true, 7
	for _, cfg := range []rollback.Config{cfg, late} {
		_, err := rollback.New(game, cfg)
		want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Hash")
	}
}

// cached is a game whose live memory contains something besides its state.
type cached struct{ Sum, Restored uint64 }

// Rule: without a Hash, and if none is needed, Restore may leave memory that is not part of the
// state as it is; and a match begins with the result of Init, whatever was tried before.
func TestWhatIsBesidesTheStateIsNotCompared(t *testing.T) {
	e := fresh(rollback.New(rollback.OwnMemory[cached, uint64, button]{
		Init:    func(c *cached) { *c = cached{} },
		Step:    func(c *cached, tick *rollback.Tick[button]) { c.Sum += uint64(tick.Input(1)) },
		Save:    func(c *cached, slot *uint64) { *slot = c.Sum },
		Restore: func(c *cached, slot *uint64) { c.Sum, c.Restored = *slot, c.Restored+1 },
	}, two(4)))
	want(t, "state 0", *e.State(), cached{})
	must(e.AddLocal(0, 0, nil))
	must(e.Tick())
	must(e.AddInput(1, 0, 5, nil))
	must(e.Settle())
	want(t, "resimulated", *e.State(), cached{5, 1})
}

// Rule: a sync test of states that cannot be walked uses the game's Equal; without it, a Hash is
// missing.
func TestASyncTestOfWhatCannotBeWalkedNeedsEqual(t *testing.T) {
	game := bagGame()
	game.Init = func(b *bag) { *b = bag{Any: func() {}} }
	cfg := alone(0)
	cfg.SyncTest = 2
	_, err := rollback.New(game, cfg)
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Hash")
	game.Equal = func(b, slot *bag) bool { return b.Frames == slot.Frames }
	must(failure(fresh(rollback.New(game, cfg)), 1))
	calls, step := uint64(0), game.Step
	game.Step = func(b *bag, tick *rollback.Tick[button]) { step(b, tick); calls++; b.Frames = calls }
	m := refused[*rollback.SyncTestError](t, failure(fresh(rollback.New(game, cfg)), 1))
	want(t, "frame", m.Frame, 0)
}

// failure runs a match until it fails.
func failure(e *rollback.Engine[bag, button], in button) error {
	for range 20 {
		must(e.AddLocal(0, in, nil))
		if err := e.Tick(); err != nil {
			return err
		}
		for e.NextAgreed() != nil {
		}
	}
	return nil
}

// Rule: a state that can no longer be hashed ends the match with an error; the next match
// is not affected.
func TestAStateWithoutAHashEndsTheMatch(t *testing.T) {
	stream, sync, late := alone(0), alone(0), alone(0)
	stream.Stream, sync.SyncTest = true, 2
	late.Stream, late.HashEvery = true, 4
	for _, c := range []struct {
		cfg   rollback.Config
		state string // the first one without a hash, of those that the stream hashes
	}{{stream, "state 6 "}, {sync, "state"}, {late, "state 8 "}} {
		e := fresh(rollback.New(bagGame(), c.cfg))
		if err := failure(e, 9); err == nil || !strings.Contains(err.Error(), "Any") || !strings.Contains(err.Error(), c.state) {
			t.Errorf("%+v: %v, want %s", c.cfg, err, c.state)
		}
		if err := e.Tick(); err == nil {
			t.Error("it goes on")
		}
		e.Restart(nil)
		if err := failure(e, 1); err != nil {
			t.Errorf("another match: %v", err)
		}
	}
}

// Rule: a type without memory to walk needs a Hash if states are compared.
func TestAHandleNeedsAHash(t *testing.T) {
	type handle struct{}
	type slot struct{ v uint64 }
	global := uint64(0)
	game := rollback.OwnMemory[handle, slot, button]{
		Init:    func(*handle) { global = 0 },
		Step:    func(_ *handle, tick *rollback.Tick[button]) { global += uint64(tick.Input(1)) },
		Save:    func(_ *handle, s *slot) { s.v = global },
		Restore: func(_ *handle, s *slot) { global = s.v },
	}
	for _, cfg := range []rollback.Config{
		{Players: 2, Window: 2, Stream: true},
		{Players: 2, Window: 2, SyncTest: 1},
		{Players: 2, Window: 2, SyncTest: 2},
	} {
		_, err := rollback.New(game, cfg)
		want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Hash")
	}
	e := fresh(rollback.New(game, two(4)))
	for range 3 {
		must(e.AddLocal(0, 0, nil))
		must(e.Tick())
	}
	must(e.AddInput(1, 0, 5, nil))
	must(e.Settle())
	want(t, "resimulated", global, 15)
}

// Rule: a sync test detects a snapshot that is not all of the state, and describes the
// difference in each possible way.
func TestASyncTestFindsAnIncompleteSnapshot(t *testing.T) {
	for name, change := range map[string]func(g *heapGame){
		"with Describe": func(*heapGame) {},
		"with New":      func(g *heapGame) { g.Describe = nil },
		"with neither": func(g *heapGame) {
			i := g.Init
			g.Describe, g.New, g.Init = nil, nil, func(h *heap) { *h = *newHeap(); i(h) }
		},
		"without Equal": func(g *heapGame) { g.Equal = nil },
	} {
		cfg := alone(0)
		cfg.SyncTest = 2
		e := fresh(rollback.New(heapWith(func(g *heapGame) {
			g.Restore = func(h *heap, s *heapSlot) { sum := h.Sums[0]; w := s.world(); h.set(&w); h.Sums[0] = sum }
			change(g)
		}), cfg))
		must(e.AddLocal(0, 1, nil))
		m := refused[*rollback.SyncTestError](t, e.Tick())
		if m.Frame != 0 || m.Total != 1 || !strings.Contains(m.Differences[0].Path, "Sum") || m.Undescribed != nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

package rollback_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// An engine that is shown ahead at random moments does the same as the reference, which knows nothing of that: the same
// frames run, with the same inputs, and come to the same states, hashes, effects and statistics, in random matches of all
// kinds. And what is shown is what the inputs that are known and predicted make of the current state.
func TestRunningAheadChangesNothing(t *testing.T) {
	matches, operations := 100, 1500
	if testing.Short() {
		matches, operations = 60, 600
	}
	shown, whats := 0, map[byte]int{}
	for range matches {
		seed := rand.Uint64() | 1
		if *seedFlag != 0 {
			seed = *seedFlag
		}
		m, n, err := matchAhead(seed, operations)
		if err != nil {
			t.Fatalf("-rollback.seed=%d: %v: %v", seed, m, err)
		}
		shown += n
		whats[m.what[0]] += n
		if *seedFlag != 0 {
			break
		}
	}
	t.Logf("shown %d times: %v", shown, whats)
	if *seedFlag == 0 && (whats['p'] < 100 || whats['a'] < 100 || whats['o'] < 100 || whats['h'] < 100) {
		t.Errorf("shown too seldom: %v", whats)
	}
}

// matchAhead plays the match of a seed, and shows it ahead after some operations. It returns how often it could.
func matchAhead(seed uint64, operations int) (m *match, shown int, err error) {
	c := seeded(seed)
	m = newMatchAhead(c, 1+c.IntN(rollback.MaxRunAhead))
	if c.IntN(4) == 0 {
		m.client, m.r.wide = true, true
	}
	for i := range operations {
		if err := m.run(1); err != nil {
			return m, shown, fmt.Errorf("after %d operations: %w", i, err)
		}
		for range c.IntN(3) {
			ok, err := m.showAhead(Frame(c.IntN(rollback.MaxRunAhead + 2)))
			if err != nil {
				return m, shown, fmt.Errorf("shown ahead after %d operations, in frame %d: %w", i, m.r.frame, err)
			}
			if ok {
				shown++
			}
		}
	}
	return m, shown, nil
}

// showAhead shows the match ahead, and compares what is shown with what it should be.
func (m *match) showAhead(most Frame) (shown bool, err error) {
	r, want := m.r, min(most, Frame(m.r.cfg.RunAhead))
	m.tape.led = m.tape.led[:0]
	before, after, at, ok := m.ahead(most)
	led := m.tape.led
	if !ok {
		if at != r.frame || len(led) > 0 {
			return false, fmt.Errorf("nothing is shown, and %d frames have run, up to %d", len(led), at)
		}
		return false, nil
	}
	if len(led) == 0 { // shown already, by another call since the match went on
		return false, nil
	}
	state := r.states[r.frame-r.start]
	previous, finished := state, false
	for i, s := range led {
		f := r.frame + Frame(i)
		if finished || s.frame != f || s.again {
			return true, fmt.Errorf("frame %d is run ahead as frame %d, resimulating: %v; the match is finished: %v", f, s.frame, s.again, finished)
		}
		for p := range Player(r.cfg.Players) {
			if err := m.inputAhead(led, i, p); err != nil {
				return true, err
			}
		}
		previous = state
		finished, _ = state.step(&s.moment, Player(r.cfg.Players), f, nil)
	}
	if Frame(len(led)) != want && !finished || at != r.frame+Frame(len(led)) {
		return true, fmt.Errorf("%d frames have run ahead, up to %d, want %d", len(led), at, want)
	}
	if after != state {
		return true, fmt.Errorf("shown is %+v, want %+v", after, state)
	}
	switch inPlace := m.what[0] == 'o'; {
	case inPlace && before != after:
		return true, fmt.Errorf("there is one state, and it is shown as %+v and %+v", before, after)
	case !inPlace && Frame(len(led)) == want && before != previous:
		return true, fmt.Errorf("shown before is %+v, want %+v", before, previous)
	}
	if b, a, again, ok := m.ahead(most); !ok || b != before || a != after || again != at || len(m.tape.led) != len(led) {
		return true, fmt.Errorf("a second call has run %d frames more", len(m.tape.led)-len(led))
	}
	return true, nil
}

// inputAhead checks the input of a player in a frame that was run ahead: the one that is known, or by default that of
// the frame before.
func (m *match) inputAhead(led []simulated, i int, p Player) error {
	r, got, f := m.r, led[i].in[p], led[i].frame
	switch {
	case r.who[p].gone(f):
		if got != 0 || !led[i].gone.Has(p) {
			return fmt.Errorf("frame %d: player %d is gone, and gives %d", f, p, got)
		}
	case r.known(p, f):
		if want := r.fact(p, f); got != want.in || led[i].orders[p] != want.orders {
			return fmt.Errorf("frame %d: the known input of player %d is %d, and %d is used", f, p, want.in, got)
		}
	case r.predict == nil && i > 0 && r.who[p].supposed[f] == (fact{}) && got != led[i-1].in[p]:
		return fmt.Errorf("frame %d: player %d is predicted to give %d, and gave %d before", f, p, got, led[i-1].in[p])
	}
	return nil
}

// A game that shows what a player does two frames later shows it at once, if it is shown two frames ahead.
func TestRunningAheadHidesTheLagOfAGame(t *testing.T) {
	type late struct{ Queue [2]button }
	shown := func(ahead int) (frames int) {
		e := fresh(rollback.New(rollback.Game[late, button]{Step: func(s *late, t *rollback.Tick[button]) {
			s.Queue[1], s.Queue[0] = s.Queue[0], t.Input(0)
		}}, rollback.Config{Players: 1, Local: 1, RunAhead: ahead}))
		for range 3 {
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
		}
		for {
			must(e.AddLocal(0, 5, nil))
			must(e.Tick())
			frames++
			s := e.State()
			if _, after, _ := rollback.Ahead(e, ^Frame(0)); after != nil {
				s = after
			}
			if s.Queue[1] == 5 {
				return frames
			}
		}
	}
	if without, with := shown(0), shown(1); without != 2 || with != 1 {
		t.Errorf("the button is seen after %d frames, and after %d with one ahead; want 2 and 1", without, with)
	}
}

// Effects of frames that are run ahead are not emitted; those of the frame that really runs are, once.
func TestFramesThatAreRunAheadEmitNothing(t *testing.T) {
	bang := effects.OneShot[uint8](1, "bang")
	e := fresh(rollback.New(rollback.Game[world, button]{
		Step:    func(_ *world, t *rollback.Tick[button]) { bang.Emit(t.Effects(), uint32(t.Frame()), 1) },
		Effects: []effects.Declaration{bang},
	}, rollback.Config{Players: 1, Local: 1, RunAhead: 3}))
	heard := 0
	for range 10 {
		must(e.AddLocal(0, 0, nil))
		must(e.Tick())
		if _, after, at := rollback.Ahead(e, 9); after == nil || at != e.Frame()+3 {
			t.Fatalf("frame %d is shown ahead up to %d", e.Frame(), at)
		}
		for _, ev := range e.Effects() {
			if ev.What == effects.Started {
				heard++
			}
		}
	}
	if heard != 10 {
		t.Errorf("%d effects in 10 frames", heard)
	}
}

func TestRunAheadIsChecked(t *testing.T) {
	for _, n := range []int{-1, rollback.MaxRunAhead + 1} {
		cfg := two(2)
		cfg.RunAhead = n
		if _, err := rollback.New(new(tape).game(chaining, nil, nil), cfg); !errors.Is(err, rollback.ErrConfig) {
			t.Errorf("RunAhead %d: %v", n, err)
		}
	}
	cfg := two(0)
	cfg.RunAhead = 1
	_, err := rollback.New(heapWith(func(g *heapGame) { *g = heapGame{Step: g.Step, New: g.New, Init: g.Init} }), cfg)
	if e := refused[*rollback.CapabilityError](t, err); e.Missing != "Save" || e.For != "RunAhead, which is 1," {
		t.Errorf("%+v", e)
	}
	e := fresh(rollback.New(new(tape).game(chaining, nil, nil), two(2)))
	if before, after, at := rollback.Ahead(e, 8); before != nil || after != nil || at != 0 {
		t.Errorf("without RunAhead, %v and %v are shown as frame %d", before, after, at)
	}
}

// Showing a match ahead allocates nothing, beyond the first time.
func TestRunningAheadAllocatesNothing(t *testing.T) {
	cfg := rollback.Config{Players: 1, Local: 1, Window: 4, RunAhead: 3}
	tp := &tape{blind: true}
	for name, show := range map[string]func(){
		"plain": aheadOf(fresh(rollback.New(tp.game(chaining, nil, nil), cfg))),
		"own":   aheadOf(fresh(rollback.New(tp.own(chaining, nil, nil), cfg))),
	} {
		show()
		if n := testing.AllocsPerRun(100, show); n != 0 {
			t.Errorf("%s: %v allocations in a frame", name, n)
		}
	}
}

// aheadOf returns a function that runs a frame and shows the match ahead.
func aheadOf[S any](e *rollback.Engine[S, button]) func() {
	return func() {
		must(e.AddLocal(0, 1, nil))
		must(e.Tick())
		if _, after, _ := rollback.Ahead(e, 8); after == nil {
			panic("nothing is shown")
		}
	}
}

// What it costs to show a match ahead: as many steps, two copies of a plain state, and a Save and a Restore of a game with
// its own memory.
func BenchmarkRunAhead(b *testing.B) {
	tp := &tape{blind: true}
	for _, frames := range []int{0, 1, 2, 4} {
		cfg := rollback.Config{Players: 2, Local: 3, Window: 4, RunAhead: frames}
		b.Run(fmt.Sprintf("plain/%d", frames), func(b *testing.B) {
			benchmarkAhead(b, fresh(rollback.New(tp.hugeGame(following, nil, nil), cfg)))
		})
		b.Run(fmt.Sprintf("own/%d", frames), func(b *testing.B) {
			benchmarkAhead(b, fresh(rollback.New(tp.own(following, nil, nil), cfg)))
		})
	}
}

func benchmarkAhead[S any](b *testing.B, e *rollback.Engine[S, button]) {
	b.ReportAllocs()
	for b.Loop() {
		must(e.AddLocal(0, 1, nil))
		must(e.AddLocal(1, 2, nil))
		must(e.Tick())
		rollback.Ahead(e, 8)
	}
}

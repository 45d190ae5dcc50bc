package rollback_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
)

// shelf is a game that a saver saves.
type shelf struct {
	books []*book
	by    map[*book]int
	sum   int
	hook  func()
}

type book struct {
	pages int
	next  *book
}

type shelfGame = rollback.OwnMemory[shelf, canon.Memento[shelf], button]

func shelfStep(s *shelf, t *rollback.Tick[button]) {
	in := int(t.Input(rollback.Player(t.Players() - 1)))
	s.sum = s.sum*3 + in
	b := &book{pages: s.sum}
	if n := len(s.books); n > 0 {
		b.next = s.books[uint(s.sum)%uint(n)] // a sum that wraps is negative
		b.next.pages++
	}
	s.books = append(s.books, b)
	s.by[b] = in
	if in == 7 {
		s.books = s.books[1:]
	}
	if in == 99 {
		s.hook = func() {}
	}
}

func newShelf() *shelf { return &shelf{by: map[*book]int{}} }

func inPlace(t *testing.T, change func(g *shelfGame), opts ...canon.SaverOption) shelfGame {
	t.Helper()
	g := shelfGame{New: newShelf, Step: shelfStep}
	change(&g)
	game, err := rollback.SaveInPlace(g, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func asIs(*shelfGame) {}

// Rule: a game of pointers reaches the states of a match without rollbacks, whatever is predicted, and has its hashes.
func TestAGameThatIsSavedInPlaceRollsBack(t *testing.T) {
	cfg := two(6)
	cfg.Stream = true
	inputs := []button{1, 2, 7, 4, 7, 7, 3, 0, 9, 7, 1, 1, 2, 7, 5, 5, 6, 7, 8, 2}
	run := func(late int) (hashes []uint64, e *rollback.Engine[shelf, button]) {
		e = fresh(rollback.New(inPlace(t, asIs), cfg))
		for f := range len(inputs) {
			if late == 0 {
				must(e.AddInput(1, rollback.Frame(f), inputs[f], nil))
			}
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
			if late > 0 && f%late == late-1 {
				for k := f - late + 1; k <= f; k++ {
					must(e.AddInput(1, rollback.Frame(k), inputs[k], nil))
				}
			}
		}
		must(e.Settle())
		must(e.Agree(rollback.Frame(len(inputs))))
		for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
			hashes = append(hashes, a.Hash)
		}
		return hashes, e
	}
	straight, _ := run(0)
	if len(straight) < len(inputs) {
		t.Fatalf("%d hashes", len(straight))
	}
	for _, late := range []int{2, 5} {
		hashes, e := run(late)
		if e.Stats().Rollbacks == 0 {
			t.Fatal("nothing was rolled back")
		}
		for i := range straight {
			if hashes[i] != straight[i] {
				t.Fatalf("late by %d: state %d is another one", late, i)
			}
		}
	}
}

// Rule: the sync test accepts such a game, and detects parts of the state that it was told to leave out.
func TestASyncTestOfAGameThatIsSavedInPlace(t *testing.T) {
	for name, opts := range map[string][]canon.SaverOption{"all": nil, "without sum": {canon.Leave("shelf.sum")}} {
		cfg := alone(0)
		cfg.SyncTest = 3
		e := fresh(rollback.New(inPlace(t, func(g *shelfGame) {
			step := g.Step
			g.Step = func(s *shelf, tick *rollback.Tick[button]) {
				step(s, tick)
				for b := range s.by { // it shows, wherever it went wrong
					s.by[b]++
				}
			}
		}, opts...), cfg))
		var err error
		for f := 0; f < 12 && err == nil; f++ {
			must(e.AddLocal(0, button(f), nil))
			err = e.Tick()
		}
		var m *rollback.SyncTestError
		if wrong := errors.As(err, &m); wrong != (name != "all") {
			t.Errorf("%s: %v", name, err)
		} else if wrong && (len(m.Differences) == 0 || m.Undescribed != nil) {
			t.Errorf("%s: no fields are named: %v", name, m)
		}
	}
}

// Rule: a state that cannot be saved is an error with its path: in state 0 when the engine is made, later when it
// occurs, in every mode.
func TestAStateThatCannotBeSavedEndsTheMatch(t *testing.T) {
	plain, stream, lockstep, sync := two(4), two(4), two(0), alone(0)
	stream.Stream, lockstep.Stream, sync.SyncTest = true, true, 2
	for name, cfg := range map[string]rollback.Config{"plain": plain, "stream": stream, "lockstep": lockstep, "sync test": sync} {
		_, err := rollback.New(inPlace(t, func(g *shelfGame) {
			g.New = func() *shelf { return &shelf{by: map[*book]int{}, hook: func() {}} }
		}), cfg)
		var w *canon.WalkError
		if !errors.As(err, &w) || w.Path != "hook" || !strings.Contains(err.Error(), "cannot be saved") {
			t.Errorf("%s: state 0: %v", name, err)
		}
		e := fresh(rollback.New(inPlace(t, asIs), cfg))
		err = nil
		for f := rollback.Frame(0); f < 10 && err == nil; f++ {
			if cfg.Players > 1 {
				must(e.AddInput(1, f, 99, nil))
			}
			must(e.AddLocal(0, 99, nil))
			err = e.Tick()
			for err == nil && cfg.Stream && cfg.Players > 1 && e.Agree(f+1) == nil && e.NextAgreed() != nil {
			}
		}
		if !errors.As(err, &w) || w.Path != "hook" {
			t.Errorf("%s: later: %v", name, err)
		}
	}
	if _, err := rollback.SaveInPlace(shelfGame{New: newShelf, Step: shelfStep}, canon.Leave("shelf.hock")); !errors.Is(err, canon.ErrUnknown) {
		t.Errorf("an unknown field: %v", err)
	}
	allowed := fresh(rollback.New(inPlace(t, asIs, canon.Functions()), plain))
	must(allowed.AddInput(1, 0, 99, nil))
	must(allowed.AddLocal(0, 0, nil))
	must(allowed.Tick())
}

// Rule: a state that is kept outside of an engine comes back into it; into another engine, it is refused.
func TestKeptStatesOfAGameThatIsSavedInPlace(t *testing.T) {
	game := inPlace(t, asIs)
	e, other := fresh(rollback.New(game, alone(0))), fresh(rollback.New(game, alone(0)))
	var kept rollback.Saved
	must(e.Save(&kept))
	must(e.AddLocal(0, 1, nil))
	must(e.Tick())
	must(e.Restore(&kept))
	if len(e.State().books) != 0 || kept.Size() == 0 {
		t.Error("it did not come back")
	}
	if err := other.Restore(&kept); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("another engine: %v", err)
	}
	s, err := rollback.NewSandbox(game, 2, 2)
	must(err)
	must(s.Save(0))
	if err := s.Restore(1); !errors.Is(err, canon.ErrForeign) {
		t.Errorf("an empty slot: %v", err)
	}
	must(s.Restore(0))
	s.Live().hook = func() {}
	if err := s.Save(1); !errors.Is(err, canon.ErrUnsupported) {
		t.Errorf("a function: %v", err)
	}
	must(s.Restore(0))
}

// Rule: a game's own Hash stays its hash.
func TestAGameThatIsSavedInPlaceKeepsItsHash(t *testing.T) {
	game := inPlace(t, func(g *shelfGame) { g.Hash = func(s *shelf) uint64 { return uint64(s.sum) + 1 } })
	s, err := rollback.NewSandbox(game, 2, 1)
	must(err)
	if h, err := s.Hash(); h != 1 || err != nil || game.Slots.Hash != nil {
		t.Errorf("%d, %v", h, err)
	}
}

// Rule: with Encoded a match of such a game goes on from an encoded state on another machine, whichever of the held states
// it is; a state that cannot be encoded is an error of that call, and the match goes on.
func TestAStateThatIsSavedInPlaceIsLoadedElsewhere(t *testing.T) {
	game := inPlace(t, asIs, canon.Encoded(), canon.Functions())
	if !rollback.CapabilitiesOf(game).Marshal || rollback.CapabilitiesOf(inPlace(t, asIs)).Marshal {
		t.Fatal("states are encoded with the option, and only with it")
	}
	cfg := two(6)
	run := func(e *rollback.Engine[shelf, button], from, to int) {
		for f := from; f < to; f++ {
			must(e.AddInput(1, rollback.Frame(f), button(f*f%9), nil))
			must(e.AddLocal(0, 0, nil))
			must(e.Tick())
		}
		must(e.Settle())
	}
	a := fresh(rollback.New(game, cfg))
	run(a, 0, 40)
	for _, f := range []rollback.Frame{40, 37} {
		encoded, err := a.Marshal(nil, f)
		must(err)
		b := fresh(rollback.New(game, cfg))
		run(b, 0, 3) // what it has done before does not count
		must(b.Load(f, encoded))
		if h, _ := b.Hash(); h != fresh(a.HashOf(f)) {
			t.Errorf("state %d has another hash elsewhere", f)
		}
		run(b, int(f), 60)
		run(a, 40, 60)
		if fresh(a.Hash()) != fresh(b.Hash()) {
			t.Errorf("from state %d on the match is another one", f)
		}
		must(a.Restart(nil))
		run(a, 0, 40)
	}
	must(a.AddInput(1, 40, 99, nil)) // the game makes a function
	must(a.AddLocal(0, 0, nil))
	must(a.Tick())
	if b, err := a.Marshal([]byte{1}, 41); !errors.Is(err, canon.ErrUnsupported) || !strings.Contains(err.Error(), "shelf.hook") || len(b) != 1 {
		t.Errorf("%v and % x", err, b)
	}
	if h, err := a.Marshal(nil, 40); err != nil || len(h) == 0 {
		t.Errorf("the state before: %v", err)
	}
	if err := a.Load(7, []byte("no state")); !errors.Is(err, canon.ErrEncoding) || a.Frame() != 41 {
		t.Errorf("%v in frame %d", err, a.Frame())
	}
	// What Init makes last is what encodings are relative to.
	made := inPlace(t, func(g *shelfGame) {
		g.Init = func(s *shelf) { *s = *newShelf(); s.hook = func() { s.sum++ } }
	}, canon.Encoded(), canon.Functions())
	e, other := fresh(rollback.New(made, cfg)), fresh(rollback.New(made, cfg))
	run(e, 0, 5)
	must(other.Load(5, fresh(e.Marshal(nil, 5))))
	if other.State().hook(); other.State().sum != e.State().sum+1 || other.State() == e.State() {
		t.Error("the function of a loaded state is not the one that Init has made here")
	}
	own := inPlace(t, func(g *shelfGame) {
		g.Marshal = func(b []byte, _ *shelf) ([]byte, error) { return append(b, "own"...), nil }
		g.Unmarshal = func(*shelf, []byte) error { return nil }
	}, canon.Encoded())
	if b, err := fresh(rollback.New(own, cfg)).Marshal(nil, 0); err != nil || string(b) != "own" {
		t.Errorf("a game with its own encoding: %q, %v", b, err)
	}
	_, err := rollback.New(inPlace(t, func(g *shelfGame) {
		g.New = func() *shelf { s := newShelf(); s.by[&book{}] = 1; return s }
	}, canon.Encoded(), canon.Uncompared("book.pages")), cfg)
	if err == nil || !strings.Contains(err.Error(), "state 0 cannot be encoded") || !strings.Contains(err.Error(), "book.pages") {
		t.Errorf("state 0 cannot be encoded, but: %v", err)
	}
}

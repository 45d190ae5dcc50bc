package rollback_test

import (
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// fed is a frame as an agreed stream gives it.
type fed struct {
	inputs   []button
	orders   [][]byte
	gone     PlayerSet
	hash     uint64
	finished bool
	result   uint64
}

// agreedMatch plays a match of three players, two of whom are remote and late, come and
// go, one of them alone for a while, and give orders; it returns the agreed frames.
func agreedMatch(t *testing.T, seed uint64, frames Frame) (list []fed) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	cfg := rollback.Config{Players: 3, Local: rollback.SetOf(0), Window: 8, MaxOrders: 8, Stream: true}
	s := play(t, cfg)
	var back [3]Frame // 0: there; NoFrame: gone
	late := [3]Frame{0, 3, 5}
	for f := Frame(0); f < frames; f++ {
		orders := make([]byte, r.IntN(2)*r.IntN(8))
		s.ok(s.AddLocal(0, button(r.IntN(12)), orders))
		for p := Player(1); p < 3; p++ {
			switch next := s.Next(p); {
			case next == rollback.NoFrame:
				if r.IntN(20) == 0 {
					at := max(f+3, s.Confirmed())
					s.ok(s.Connect(p, at))
					back[p] = at
				}
			case f > back[p]+20 && r.IntN(60) == 0:
				s.ok(s.Disconnect(p, next))
			default:
				for ; next+late[p] <= f && next < frames; next++ {
					s.ok(s.AddInput(p, next, button(r.IntN(12)), make([]byte, r.IntN(2)*r.IntN(8))))
				}
			}
		}
		s.ok(s.Tick())
		s.ok(s.Agree(min(s.Confirmed(), s.Frame())))
		for a := s.NextAgreed(); a != nil; a = s.NextAgreed() {
			one := fed{append([]button(nil), a.Inputs...), nil, 0, a.Hash, a.Finished, a.Result}
			for p := range a.Inputs {
				one.orders = append(one.orders, append([]byte(nil), a.Orders[p]...))
				if a.Statuses[p] == rollback.Disconnected {
					one.gone |= 1 << p
				}
			}
			list = append(list, one)
		}
	}
	return list
}

// feeder is an engine that only follows.
type feeder interface {
	Feed(inputs []button, orders [][]byte, gone PlayerSet) error
	NextAgreed() *rollback.Agreed[button]
	Effects() []effects.Event
}

func follow(t *testing.T, own, blind bool) feeder {
	t.Helper()
	cfg := rollback.Config{Players: 3, MaxOrders: 8, Stream: true, Snapshots: 2}
	tp := &tape{blind: blind}
	var e feeder
	var err error
	if own {
		e, err = rollback.New(tp.own(chaining, nil, kinds), cfg)
	} else {
		e, err = rollback.New(tp.game(chaining, nil, kinds), cfg)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Rule: an engine that is fed the agreed frames has the same states, whichever players
// join and leave; and every effect is confirmed at once, so none is taken back.
func TestWhoIsFedHasTheSameStates(t *testing.T) {
	for seed := range uint64(10) {
		list := agreedMatch(t, seed, 1500)
		away := 0
		for _, own := range []bool{false, true} {
			e := follow(t, own, false)
			for f, one := range list {
				if one.gone != 0 {
					away++
				}
				if err := e.Feed(one.inputs, one.orders, one.gone); err != nil {
					t.Fatalf("seed %d, own %v, frame %d: %v", seed, own, f, err)
				}
				a := e.NextAgreed()
				if a == nil || a.Frame != Frame(f) || a.Finished != one.finished || a.Result != one.result {
					t.Fatalf("seed %d, own %v, frame %d: %+v, not %+v", seed, own, f, a, one)
				}
				if !a.Hashed || a.Hash != one.hash {
					t.Fatalf("seed %d, own %v, frame %d: another state", seed, own, f)
				}
				for _, event := range e.Effects() {
					if event.What == effects.Cancelled || event.What == effects.Moved || event.What == effects.Updated && event.Late > 0 {
						t.Fatalf("seed %d, frame %d: %v", seed, f, event)
					}
				}
			}
		}
		if len(list) < 1400 || away < 100 {
			t.Fatalf("seed %d: %d frames, in %d of which somebody is away", seed, len(list), away)
		}
	}
}

// Everybody may be gone, and come back.
func TestWhoIsFedGoesOnWithoutAnybody(t *testing.T) {
	e := follow(t, false, false)
	none := make([]button, 3)
	for f := range Frame(400) {
		gone := PlayerSet(0)
		if f/50%2 == 1 {
			gone = 7
		}
		if err := e.Feed(none, nil, gone); err != nil {
			t.Fatalf("frame %d: %v", f, err)
		}
		if a := e.NextAgreed(); a == nil || (a.Statuses[2] == rollback.Disconnected) != (gone != 0) {
			t.Fatalf("frame %d: %+v", f, a)
		}
	}
}

// Feed refuses what is not a frame of the match.
func TestFeedRefuses(t *testing.T) {
	e := follow(t, false, false)
	if err := e.Feed(make([]button, 2), nil, 0); err == nil {
		t.Error("two inputs of three players")
	}
	if err := e.Feed(make([]button, 3), make([][]byte, 1), 0); err == nil {
		t.Error("orders of one of three players")
	}
}

// Rule: Feed returns the errors of the calls that it replaces.
func TestFeedHasTheErrorsOfItsCalls(t *testing.T) {
	cfg := rollback.Config{Players: 2, Window: 2, Snapshots: 4, Stream: true}
	engine := func() *rollback.Engine[world, button] {
		return fresh(rollback.New((&tape{blind: true}).game(chaining, nil, nil), cfg))
	}
	none := make([]button, 2)

	e := engine()
	must(e.AddInput(1, 0, 5, nil))
	refused[*rollback.ConflictError](t, e.Feed(none, nil, 2)) // it cannot be gone: it did something
	refused[*rollback.ConflictError](t, e.Feed(none, nil, 0)) // and something else
	want(t, "frame", e.Frame(), 0)

	e = engine()
	for e.Frame() < rollback.DefaultHistory {
		must(e.Feed(none, nil, 0))
	}
	refused[*rollback.Stall](t, e.Feed(none, nil, 0)) // nobody reads what is agreed
	for e.NextAgreed() != nil {
	}
	must(e.Feed(none, nil, 0))

	e = engine()
	must(e.Tick()) // with predictions
	if err := e.Feed([]button{3, 4}, nil, 0); err == nil {
		t.Error("a frame is agreed, and the one before is not known")
	}
	want(t, "the first input that is missing", e.Next(1), 0)
	in, _, status := e.Input(1, 1)
	want(t, "what was fed", in, 4)
	want(t, "is known", status, rollback.Confirmed)
}

// In the steady state, a frame that is fed allocates nothing.
func TestFeedAllocatesNothing(t *testing.T) {
	for _, own := range []bool{false, true} {
		e := follow(t, own, true)
		inputs, orders := []button{1, 2, 4}, [][]byte{{1, 2, 3}, nil, {4}}
		frame := func() {
			if err := e.Feed(inputs, orders, 0); err != nil {
				t.Fatal(err)
			}
			for e.NextAgreed() != nil {
			}
			e.Effects()
		}
		for range 1000 {
			frame()
		}
		if n := testing.AllocsPerRun(500, frame); n > 0 {
			t.Errorf("own %v: %v allocations in a frame", own, n)
		}
	}
}

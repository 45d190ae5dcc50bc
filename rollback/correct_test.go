package rollback_test

import (
	"errors"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// Rule: a state that is right changes nothing, and settles what is before it.
func TestAStateThatIsRight(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0, 0, 0)
	right := *s.StateAt(3)
	if changed, err := s.Correct(3, &right); changed || err != nil {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	want(t, "known", [4]Frame{s.Next(0), s.Next(1), s.Confirmed(), s.Agreed()}, [4]Frame{3, 3, 3, 3})
	want(t, "final", s.Final(), 3)
	want(t, "nothing runs again", s.ticks(0), "4:0?,0?")
	s.ok(s.AddInput(0, 1, 9, nil)) // it comes too late to matter
	want(t, "rollbacks", s.Stats().Rollbacks, 0)
}

// Rule: a state that is wrong is replaced, and the frames from there on run again, until a
// state is the same as before.
func TestAStateThatIsWrong(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0, 0, 0)
	given := *s.StateAt(2)
	given.Sum = 77
	if changed, err := s.Correct(2, &given); !changed || err != nil {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	want(t, "state 2", *s.StateAt(2), given)
	want(t, "at the next tick", s.ticks(0), "~2:0?,0? ~3:0?,0? 4:0?,0?")
	if given.Sum = 78; s.StateAt(2).Sum != 77 {
		t.Error("the state is the caller's")
	}

	s = playStyle(t, following, nil, away(8)) // it forgets at once
	s.ticks(0, 0, 0, 0)
	given = *s.StateAt(1)
	given.Level[0] = 9
	if changed, err := s.Correct(1, &given); !changed || err != nil {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	want(t, "an early stop", s.ticks(0), "~1:0?,0? 4:0?,0?")
	want(t, "counted", s.Stats().EarlyStops, 1)
}

// Rule: known data about frames before a state is simulated before the state is compared.
func TestAStateIsComparedWithWhatIsKnown(t *testing.T) {
	s, truth := play(t, away(8)), play(t, away(8))
	for f := range Frame(6) {
		s.ticks(0)
		truth.ok(truth.Feed([]button{button(f), 4}, nil, 0))
	}
	for f := range Frame(4) {
		s.ok(s.SetTruth(f, []button{button(f), 4}, nil, both, 0))
	}
	s.ran()
	changed, err := s.Correct(4, truth.StateAt(4))
	if truth.StateAt(4) == nil { // only the newest are held
		t.Fatal("state 4 is not held")
	}
	if changed || err != nil {
		t.Fatalf("changed: %v, %v", changed, err)
	}
	want(t, "at once", s.ran(), "~0:0,4 ~1:1,4 ~2:2,4 ~3:3,4")
	want(t, "and later the rest, once", s.ticks(0), "~4:3?,4? ~5:3?,4? 6:3?,4?")
}

// Rule: predictions continue from the inputs with which a frame was last simulated, or from
// those that were learned.
func TestPredictionsGoOnAfterAState(t *testing.T) {
	s := play(t, away(8))
	s.ticks(0, 0, 0)
	s.ok(s.AddInput(1, 1, 6, nil)) // of player 1, input 0 is missing
	state := *s.StateAt(2)
	state.Sum = 5
	changed, err := s.Correct(2, &state)
	if !changed || err != nil {
		t.Fatal(changed, err)
	}
	want(t, "goes on", s.ticks(0), "~1:0?,6 ~2:0?,6? 3:0?,6?")
}

// Rule: the newest state can be given as well; with a later one, the engine continues there.
func TestTheNewestStateAndLaterOnes(t *testing.T) {
	cfg := away(8)
	cfg.Stream = true
	s := play(t, cfg)
	s.ticks(0, 0)
	given := world{Sum: 5}
	if changed, err := s.Correct(2, &given); !changed || err != nil {
		t.Fatal(changed, err)
	}
	want(t, "nothing runs again", s.ticks(0), "2:0?,0?")
	given.Sum = 6
	if changed, err := s.Correct(500, &given); !changed || err != nil {
		t.Fatal(changed, err)
	}
	want(t, "frames", [4]Frame{s.Frame(), s.Confirmed(), s.Agreed(), s.Final()}, [4]Frame{500, 500, 500, 500})
	want(t, "the state", *s.State(), given)
	want(t, "goes on", s.ticks(0), "500:0?,0?")
	s.ok(s.SetTruth(500, []button{1, 2}, nil, both, 0))
	s.ok(s.Settle())
	want(t, "the stream", s.NextAgreed().Frame, 500)
}

// Rule: a stream leaves out frames that are not completely known, and has the others.
func TestTheStreamOfACorrectedMatch(t *testing.T) {
	cfg := away(8)
	cfg.Stream = true
	s := play(t, cfg)
	s.ticks(0, 0, 0, 0)
	s.ok(s.SetTruth(0, make([]button, 2), nil, both, 0))
	right := *s.StateAt(1)
	_, err := s.Correct(1, &right)
	s.ok(err)
	want(t, "what is known", s.NextAgreed().Frame, 0)
	right = *s.StateAt(3)
	right.Sum++
	_, err = s.Correct(3, &right)
	s.ok(err)
	if a := s.NextAgreed(); a != nil {
		t.Errorf("frame %d was never known", a.Frame)
	}
	s.ok(s.SetTruth(3, make([]button, 2), nil, both, 0))
	s.ok(s.Settle())
	a := s.NextAgreed()
	want(t, "goes on", a.Frame, 3)
	if h, _ := s.Hash(); a.Hash != h {
		t.Error("the hash is that of another state")
	}
}

// Rule: impossible corrections are refused with a typed error, and nothing changes.
func TestStatesThatCannotBeCorrected(t *testing.T) {
	s := play(t, away(2))
	for f := range Frame(6) {
		s.ticks(0)
		s.ok(s.SetTruth(f, make([]button, 2), nil, both, 0))
	}
	state := *s.State()
	for f, wanted := range map[Frame]error{3: rollback.ErrNotHeld, 5: rollback.ErrSettled, lastFrame: rollback.ErrFrames} {
		_, err := s.Correct(f, &state)
		is(t, err, wanted)
	}
	poor := boardGame() // without Equal
	e := fresh(rollback.New(poor, rollback.Config{Players: 2, Window: 4}))
	_, err := e.Correct(0, &board{[]uint32{1, 2, 3, 4}})
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Equal")
	poor.Save, poor.Restore = nil, nil
	e = fresh(rollback.New(poor, rollback.Config{Players: 2}))
	_, err = e.Correct(0, &board{})
	want(t, "missing", refused[*rollback.CapabilityError](t, err).Missing, "Save")
	rich := boardGame()
	rich.Equal = equalBoards
	e = fresh(rollback.New(rich, rollback.Config{Players: 2}))
	_, err = e.Correct(0, &board{})
	is(t, err, rollback.ErrNotHeld)
}

// Rule: a game with its own memory that can be compared and saved is corrected like others.
func TestAGameWithItsOwnMemoryIsCorrected(t *testing.T) {
	game := boardGame()
	game.Equal = equalBoards
	e := fresh(rollback.New(game, rollback.Config{Players: 2, Window: 8}))
	for range 4 {
		must(e.Tick())
	}
	given := &board{[]uint32{1, 2, 30, 40}}
	if changed, err := e.Correct(3, given); !changed || err != nil {
		t.Fatal(changed, err)
	}
	given.Cells[0] = 9 // the caller's
	must(e.Settle())
	want(t, "simulated from there", e.State().Cells[0], 1*3+0+1)
	if changed, err := e.Correct(4, &board{[]uint32{4, 7, 30, 40}}); changed || err != nil {
		t.Error(changed, err)
	}
	if changed, err := e.Correct(4, &board{[]uint32{5, 7, 30, 40}}); !changed || err != nil || e.State().Cells[0] != 5 {
		t.Error(changed, err, e.State().Cells)
	}
	if changed, err := e.Correct(90, &board{[]uint32{6, 7, 30, 40}}); !changed || err != nil || e.State().Cells[0] != 6 || e.Frame() != 90 {
		t.Error(changed, err, e.State().Cells)
	}
}

// Rule: effects of frames before a state are confirmed as they were last simulated, and those
// for which a replaced state gives no reason are taken back.
func TestTheEffectsOfACorrectedMatch(t *testing.T) {
	s := playStyle(t, following, nil, away(8))
	s.ok(s.Assume(0, 1, 2, nil)) // a hit
	s.ok(s.Assume(0, 2, 0, nil))
	s.ticks(0, 0, 0)
	want(t, "predicted", s.news(), "started hit 0 at 1 late 1 [01]")
	s.ok(s.AddInput(1, 0, 2, nil)) // the other one hits, and did so before
	right := *s.StateAt(2)
	right.Level[1] = 1
	changed, err := s.Correct(2, &right)
	if changed || err != nil {
		t.Fatal(changed, err)
	}
	want(t, "known", s.news(), "started hit 1 at 0 late 2 [01], started hit 1 at 1 late 1 [01], confirmed hit 1 at 0 [01], confirmed hit 0 at 1 [01], confirmed hit 1 at 1 [01]")
}

// Rule: an engine that continues at a frame far ahead ends the shown effects, and forgets no
// event that its owner has not got yet.
func TestEffectsEndWhenTheEngineGoesOnFarAhead(t *testing.T) {
	s := playStyle(t, following, nil, away(8))
	s.ok(s.Assume(0, 0, 4, nil)) // a hum, and the frames repeat it
	s.ticks(0)
	want(t, "on", s.news(), "started hum 0 at 0 [00]")
	s.ok(s.Assume(1, 1, 2, nil)) // and a hit that nobody has heard of
	s.ticks(0)
	if _, err := s.Correct(900, &world{Style: following}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Correct(1900, &world{Style: following}); err != nil {
		t.Fatal(err)
	}
	want(t, "over", s.news(), "started hit 1 at 1 [01], confirmed hit 1 at 1 [01], confirmed hum 0 at 0 [00], ended hum 0 at 2 since 0 [00]")
	s.ok(s.Assume(0, 1900, 4, nil))
	s.ticks(0)
	want(t, "it begins again", s.news(), "started hum 0 at 1900 [00]")
	s.ok(s.Restart(nil))
	want(t, "another match", s.news(), "")
}

// Rule: a step that fails while frames are simulated again for a state ends the match.
func TestAFailureWhileAStateIsCompared(t *testing.T) {
	unknown := rollback.Game[world, button]{Step: func(w *world, tick *rollback.Tick[button]) {
		if tick.Input(0) == 9 {
			ko.Emit(tick.Effects(), 0, struct{}{}) // which is not declared
		}
	}, Effects: kinds[:1]}
	e := fresh(rollback.New(unknown, away(8)))
	must(e.Tick())
	must(e.Tick())
	must(e.AddInput(0, 0, 9, nil))
	if _, err := e.Correct(1, &world{}); err == nil {
		t.Fatal("nothing has failed")
	}
	if _, err := e.Correct(1, &world{}); err == nil || !errors.Is(e.Tick(), err) {
		t.Error("it goes on")
	}
}

// Rule: a client's work in a tick allocates nothing: it learns some frames, gets a state that
// differs, supposes, and simulates a new frame.
func TestAClientDoesNotAllocate(t *testing.T) {
	for _, effected := range []bool{false, true} {
		declared := kinds
		if !effected {
			declared = nil
		}
		const players, late = 16, 4
		tp := &tape{blind: true}
		e := fresh(rollback.New(tp.game(chaining, nil, declared), rollback.Config{Players: players, Window: 12, MaxOrders: 4}))
		inputs, told := make([]button, players), PlayerSet(1<<players-1)
		var given world
		tick := func() {
			now := e.Frame()
			if now >= late {
				f := now - late
				for p := range inputs {
					inputs[p] = restless(f + Frame(p))
				}
				must(e.SetTruth(f, inputs, nil, told&^rollback.SetOf(Player(f&7)), 0))
				given = *e.StateAt(f + 1)
				given.Sum++
				changed, err := e.Correct(f+1, &given)
				must(err)
				if !changed {
					t.Fatal("the state is right")
				}
			}
			must(e.Assume(0, now, restless(now), nil))
			must(e.Assume(0, now+1, restless(now+1), []byte("ab")))
			must(e.Tick())
			e.Effects()
		}
		for range 1000 {
			tick()
		}
		if n := testing.AllocsPerRun(300, tick); n != 0 {
			t.Errorf("effects %v: %v allocations", effected, n)
		}
	}
}

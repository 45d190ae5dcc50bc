package rollback_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tickback/tickback/rollback"
)

// newcomer is the engine of a player that is not present yet, and follows the match from
// a state on.
func newcomer(t *testing.T, own bool, delay int) engine {
	t.Helper()
	cfg := rollback.Config{Players: 3, Local: rollback.SetOf(2), Window: 8, Stream: true}
	cfg.Delay[2] = delay
	tp := new(tape)
	if own {
		return of(fresh(rollback.New(tp.own(chaining, nil, kinds), cfg)))
	}
	return of(fresh(rollback.New(tp.game(chaining, nil, kinds), cfg)))
}

// Rule: an engine that loads a state, is fed the agreed frames, continues with
// predictions, and whose player is then connected has the same states as all others.
func TestANewcomerFollowsAndThenPlays(t *testing.T) {
	const loads, live = 50, 75
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		at, delay, own := Frame(100+r.IntN(10)), int(seed%9), seed%2 == 1
		c := newCast(r, 2, span{0, at})
		samples := make([]button, castFrames)
		for f := range samples {
			samples[f] = button(r.IntN(12))
		}
		c.sampled(samples, Frame(delay))
		states := c.states()

		e := newcomer(t, own, delay)
		must(e.Load(loads, worldPlan.Append(nil, &states[loads])))
		must(e.Disconnect(2, loads))
		for f := Frame(loads); f < live; f++ {
			if f > live-6 { // the direct links exist before the stream ends
				c.deliver(t, e, 0, f+6)
			}
			if err := e.Feed(c.in[f][:], nil, c.gone(f)); err != nil {
				t.Fatalf("seed %d, frame %d: %v", seed, f, err)
			}
		}
		checkStream(t, seed, e, states)
		for f := Frame(live); f < castFrames; f++ {
			if f == at-Frame(seed%4) {
				must(e.Connect(2, at))
			}
			if there := e.NeedsInput(2); there != (f >= at) {
				t.Fatalf("seed %d, frame %d: needs input: %v", seed, f, there)
			} else if there {
				must(e.AddLocal(2, samples[f], nil))
			}
			c.deliver(t, e, 0, f-3-Frame(r.IntN(4)))
			c.deliver(t, e, 1, f+6-Frame(r.IntN(12)))
			if err := e.Tick(); err != nil {
				t.Fatalf("seed %d, frame %d: %v", seed, f, err)
			}
			must(e.Agree(max(e.Agreed(), min(e.Confirmed(), e.Frame()))))
			checkStream(t, seed, e, states)
		}
		c.deliver(t, e, 0, castFrames)
		c.deliver(t, e, 1, castFrames)
		must(e.Settle())
		must(e.Agree(castFrames))
		checkStream(t, seed, e, states)
		if e.Stats().Rollbacks < 50 || e.Agreed() != castFrames {
			t.Fatalf("seed %d: %+v", seed, e.Stats())
		}
	}
}

// checkStream compares the hashes of the agreed stream.
func checkStream(t *testing.T, seed uint64, e engine, states []world) {
	t.Helper()
	for a := e.NextAgreed(); a != nil; a = e.NextAgreed() {
		if !a.Hashed || a.Hash != worldPlan.Hash(&states[a.Frame+1]) {
			t.Fatalf("seed %d: the state after frame %d is another", seed, a.Frame)
		}
	}
}

// Rule: an engine that was in the match, lost it, and begins with a state from before its
// player was disconnected is fed that player's own inputs.
func TestWhoComesBackIsFedWhatItDid(t *testing.T) {
	const loads, live = 20, 60
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := newCast(r, 2, span{40, 80})
		states := c.states()
		e := newcomer(t, seed%2 == 1, int(seed%5))
		must(e.Load(loads, worldPlan.Append(nil, &states[loads])))
		for f := Frame(loads); f < live; f++ {
			want(t, "needs input", e.NeedsInput(2), f <= 40)
			if err := e.Feed(c.in[f][:], nil, c.gone(f)); err != nil {
				t.Fatalf("seed %d, frame %d: %v", seed, f, err)
			}
		}
		must(e.Connect(2, 80))
		for f := Frame(live); f < 80; f++ {
			want(t, "needs input", e.NeedsInput(2), false)
			c.deliver(t, e, 0, f+1)
			c.deliver(t, e, 1, f+1)
			must(e.Tick())
		}
		must(e.Agree(80))
		checkStream(t, seed, e, states)
		want(t, "needs input", e.NeedsInput(2), true)
	}
}

// Rule: inputs for which a local player was sampled are compared, and orders are bounded.
func TestFeedComparesWhatWasSampled(t *testing.T) {
	e := newcomer(t, false, 2)
	inputs := make([]button, 3)
	must(e.AddLocal(2, 5, nil)) // frames 0 and 1 without, frame 2 with it
	must(e.Feed(inputs, nil, 0))
	must(e.Feed(inputs, nil, 0))
	conflict := refused[*rollback.ConflictError](t, e.Feed(inputs, nil, 0))
	want(t, "conflict", *conflict, rollback.ConflictError{Player: 2, Frame: 2, What: "input"})
	inputs[2] = 5
	must(e.Feed(inputs, nil, 0))
	refused[*rollback.OrdersError](t, e.Feed(inputs, [][]byte{nil, nil, {1}}, 0))
	must(e.Feed(inputs, nil, 0))
	want(t, "frame", fmt.Sprint(e.Frame(), e.Next(2), e.NeedsInput(2)), "4 4 true")
	must(e.AddLocal(2, 1, nil))
	must(e.Tick())
	want(t, "goes on", e.Frame(), 5)
}

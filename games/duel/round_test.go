package duel_test

import (
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// round runs a round between two bots to its end, and returns its last state and result.
func round(t *testing.T, seed uint32) (duel.State, rollback.Outcome, [][2]duel.Input) {
	t.Helper()
	game, err := duel.Round(seed)
	if err != nil {
		t.Fatal(err)
	}
	e, err := rollback.New(game, rollback.Config{Players: 2})
	if err != nil {
		t.Fatal(err)
	}
	var inputs [][2]duel.Input
	for f := rollback.Frame(0); f < 20000; f++ {
		var in [2]duel.Input
		for p := range in {
			in[p] = duel.Bot{Seed: uint64(seed)}.Input(rollback.Player(p), f, e.State())
		}
		inputs = append(inputs, in)
		if err := e.Feed(in[:], nil, 0); err != nil {
			t.Fatal(err)
		}
		if o, over := e.Result(); over {
			return *e.State(), o, inputs
		}
	}
	t.Fatalf("seed %d: the round does not end", seed)
	return duel.State{}, rollback.Outcome{}, nil
}

// A round ends with the first knock-out, and has the states of a duel up to it.
func TestARoundEndsWithTheFirstKnockOut(t *testing.T) {
	for seed := uint32(1); seed < 6; seed++ {
		last, o, inputs := round(t, seed)
		bare, err := duel.New(seed)
		if err != nil {
			t.Fatal(err)
		}
		for f, in := range inputs {
			if bare.P[0].Hp == 0 || bare.P[1].Hp == 0 {
				t.Fatalf("seed %d: somebody lies on the ground before frame %d of %d", seed, f, len(inputs))
			}
			duel.Step(&bare, in)
		}
		if bare != last || int(o.Frame) != len(inputs)-1 || o.Result != duel.Verdict(&bare) {
			t.Errorf("seed %d: %+v after %d frames, 0x%08X of the round and 0x%08X of the duel",
				seed, o, len(inputs), duel.Checksum(&last), duel.Checksum(&bare))
		}
	}
}

func TestARoundNeedsASeed(t *testing.T) {
	if _, err := duel.Round(0); err != rng.ErrZeroSeed {
		t.Errorf("the error is %v", err)
	}
}

func TestWhoHasMoreHealthHasWon(t *testing.T) {
	for _, c := range []struct {
		a, b int32
		want uint64
	}{{10, 0, duel.Won1}, {0, 1, duel.Won2}, {0, 0, duel.Draw}, {50, 50, duel.Draw}} {
		s := duel.State{P: [2]duel.Fighter{{Hp: c.a}, {Hp: c.b}}}
		if got := duel.Verdict(&s); got != c.want {
			t.Errorf("%d and %d health: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestAMatchStartsWithItsSeed(t *testing.T) {
	start, err := duel.Start(7)
	if err != nil {
		t.Fatal(err)
	}
	want, err := duel.New(7)
	if err != nil {
		t.Fatal(err)
	}
	var got duel.State
	if start(&got); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, seed := range []uint64{0, 1 << 32} {
		if _, err := duel.Start(seed); err == nil {
			t.Errorf("seed %d is taken", seed)
		}
	}
}

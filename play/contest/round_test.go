package contest_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/rollback"
)

// A round between two bots ends with the knock-out, in exactly the state of the plain rules: the countdown and the end
// are in the inputs and in the length, not in the state.
func TestARoundHasTheStatesOfTheDuel(t *testing.T) {
	for seed := range uint64(5) {
		game, err := contest.Round(1)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Unix(0, 0)
		var recorded [][2]duel.Input
		var m *tickback.Match[duel.State, duel.Input]
		m, err = tickback.Local(game, tickback.Options[duel.State, duel.Input]{
			Players: 2,
			Sample: func(p tickback.Player) duel.Input {
				v := m.View()
				return contest.Held(v.Frame, duel.Bot{Seed: seed}.Input(p, v.Frame, v.Current))
			},
			Match:    tickback.Parameters{Seed: 1, Frames: contest.RoundFrames},
			Agreed:   func(a *rollback.Agreed[duel.Input]) { recorded = append(recorded, [2]duel.Input(a.Inputs)) },
			Advanced: tickback.Advanced{Now: func() time.Time { return now }},
		})
		if err != nil {
			t.Fatal(err)
		}
		var o tickback.Outcome
		for over := false; !over; o, over = m.Outcome() {
			now = now.Add(time.Second / 60)
			if _, err := m.Update(); err != nil {
				t.Fatal(err)
			}
			if len(recorded) > contest.RoundFrames {
				t.Fatal("the round does not end")
			}
		}
		bare, err := duel.New(1)
		if err != nil {
			t.Fatal(err)
		}
		for f, in := range recorded {
			if f < contest.CountdownFrames && in != [2]duel.Input{} {
				t.Fatalf("frame %d of the countdown has inputs %v", f, in)
			}
			duel.Step(&bare, in)
		}
		if got := m.View().Current; *got != bare {
			t.Errorf("seed %d: 0x%08X after the round, 0x%08X of the rules", seed, duel.Checksum(got), duel.Checksum(&bare))
		}
		if !o.Finished || o.Result != contest.Verdict(&bare) || bare.P[0].Hp > 0 && bare.P[1].Hp > 0 {
			t.Errorf("seed %d: outcome %+v with %d and %d health", seed, o, bare.P[0].Hp, bare.P[1].Hp)
		}
	}
}

func TestWhoWinsTwoRoundsWinsTheMatch(t *testing.T) {
	for _, c := range []struct {
		rounds []uint64
		winner int
		over   bool
	}{
		{[]uint64{contest.Won1}, -1, false},
		{[]uint64{contest.Won1, contest.Won2}, -1, false},
		{[]uint64{contest.Won1, contest.Won2, contest.Won2}, 1, true},
		{[]uint64{contest.Won1, contest.Won1}, 0, true},
		{[]uint64{contest.Draw, contest.Draw, contest.Won1, contest.Draw}, -1, false},
		{[]uint64{contest.Draw, contest.Draw, contest.Won1, contest.Draw, contest.Draw}, 0, true},
		{[]uint64{0, 0, 0, 0, 0}, -1, true},
	} {
		var s contest.Score
		for _, r := range c.rounds {
			s.Count(r)
		}
		if winner, over := s.Over(); winner != c.winner || over != c.over {
			t.Errorf("%v: winner %d, over %v", c.rounds, winner, over)
		}
	}
}

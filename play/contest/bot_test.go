package contest_test

import (
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// masher is a player who presses buttons without a plan, about eight times a second, mostly to strike.
func masher(seed uint64, f rollback.Frame) (in duel.Input) {
	r := rng.New(seed<<20 ^ uint64(f/7))
	for _, b := range []struct {
		button duel.Input
		odds   uint64 // of 8
	}{{duel.Left, 2}, {duel.Right, 4}, {duel.Jump, 2}, {duel.Attack, 5}} {
		if rng.Must(r.Bounded(8)) < b.odds {
			in |= b.button
		}
	}
	return in
}

// mashed returns how many of the given number of rounds a masher wins, and how many it loses.
func mashed(t *testing.T, skill contest.Skill, rounds int) (won, lost int) {
	t.Helper()
	for seed := range uint64(rounds) {
		s, err := duel.New(uint32(seed) + 1)
		if err != nil {
			t.Fatal(err)
		}
		bot := contest.Bot{Seed: seed + 1, Skill: skill}
		for f := rollback.Frame(0); f < contest.RoundFrames && s.P[0].Hp > 0 && s.P[1].Hp > 0; f++ {
			duel.Step(&s, [2]duel.Input{contest.Held(f, masher(seed, f)), contest.Held(f, bot.Input(1, f, &s))})
		}
		switch contest.Verdict(&s) {
		case contest.Won1:
			won++
		case contest.Won2:
			lost++
		}
	}
	return won, lost
}

// Rule: a player who only mashes buttons wins about half of the rounds on easy, fewer on normal, and hardly any on
// hard.
func TestAMasherCanBeatTheEasyBot(t *testing.T) {
	const rounds = 400
	var share [3]int
	for skill := contest.Easy; skill <= contest.Hard; skill++ {
		won, lost := mashed(t, skill, rounds)
		t.Logf("%s: %d of %d rounds won, %d lost", contest.Skills[skill], won, rounds, lost)
		share[skill] = 100 * won / rounds
	}
	if share[contest.Easy] < 40 || share[contest.Easy] > 65 {
		t.Errorf("%d %% on easy", share[contest.Easy])
	}
	if share[contest.Normal] >= share[contest.Easy] || share[contest.Hard] > share[contest.Normal] {
		t.Errorf("the shares do not fall: %v %%", share)
	}
}

package main

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/rollback"
)

const (
	duelSeed  = 4
	arenaSeed = 3
	// parting is the frame in which the machine with the desync counts a hit point differently.
	parting = 300
	// brawl is the number of frames for which the brawl is shown: a whole one takes three minutes
	// and 50 KB.
	brawl = 60 * arena.TicksPerSecond / 2
	// longest is the maximum number of frames of a match.
	longest = 60 * 300
)

// record makes a sample again.
func record(name string) ([]byte, error) {
	switch name {
	case "close-duel.tbr":
		game, err := contest.Round(duelSeed)
		if err != nil {
			return nil, err
		}
		return recordings.Simulate(game, 2, contest.GameID, duelSeed, contest.RoundFrames, info("sample-close", "ANNA", "BO"), tickback.RecordOptions{}, longest, fencers(duelSeed))
	case "brawl-of-eight.tbr":
		names := []string{"ANNA", "BO", "CLEO", "DAN", "EVE", "FINN", "GRETA", "HUGO"}
		return recordings.Simulate(arena.Game(arenaSeed), 8, arena.ID, arenaSeed, brawl, info("sample-brawl", names...), tickback.RecordOptions{}, longest, arena.Bot{Seed: arenaSeed, Skill: arena.Hard}.Input)
	case "desync.tbr":
		game, err := contest.Round(duelSeed)
		if err != nil {
			return nil, err
		}
		step := game.Step
		game.Step = func(s *duel.State, t *rollback.Tick[duel.Input]) {
			if step(s, t); s.Frame == parting+1 {
				s.P[1].Hp--
			}
		}
		o := tickback.RecordOptions{HashEvery: 1, KeyframeEvery: duel.TicksPerSecond}
		return recordings.Simulate(game, 2, contest.GameID, duelSeed, contest.RoundFrames, info("sample-desync", "ANNA", "BO"), o, longest, fencers(duelSeed))
	}
	return nil, fmt.Errorf("there is no %q", name)
}

// info describes a sample.
func info(mode string, names ...string) recordings.Info {
	i := recordings.Info{Mode: mode}
	copy(i.Names[:], names)
	return i
}

// fencers returns two bots of the same skill.
func fencers(seed uint64) func(tickback.Player, tickback.Frame, *duel.State) duel.Input {
	return func(p tickback.Player, f tickback.Frame, s *duel.State) duel.Input {
		return contest.Held(f, contest.Bot{Seed: seed, Skill: contest.Normal}.Input(p, f, s))
	}
}

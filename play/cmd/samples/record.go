package main

import (
	"bytes"
	"fmt"
	"time"

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
	// parting is the frame in which the machine of the desync counts a hit point differently.
	parting = 300
	// brawl is how many frames the brawl is shown for: a whole one takes three minutes and 50 KB.
	brawl = 60 * arena.TicksPerSecond / 2
	// longest is for how many frames a match may go on.
	longest = 60 * 300
)

// record makes a sample anew.
func record(name string) ([]byte, error) {
	switch name {
	case "close-duel.tbr":
		game, err := contest.Round(duelSeed)
		if err != nil {
			return nil, err
		}
		return tape(game, 2, contest.GameID, duelSeed, contest.RoundFrames, info("sample-close", "ANNA", "BO"), tickback.RecordOptions{}, fencers(duelSeed))
	case "brawl-of-eight.tbr":
		names := []string{"ANNA", "BO", "CLEO", "DAN", "EVE", "FINN", "GRETA", "HUGO"}
		return tape(arena.Game(arenaSeed), 8, arena.ID, arenaSeed, brawl, info("sample-brawl", names...), tickback.RecordOptions{}, arena.Bot{Seed: arenaSeed, Skill: arena.Hard}.Input)
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
		return tape(game, 2, contest.GameID, duelSeed, contest.RoundFrames, info("sample-desync", "ANNA", "BO"), o, fencers(duelSeed))
	}
	return nil, fmt.Errorf("there is no %q", name)
}

// info describes a sample.
func info(mode string, names ...string) recordings.Info {
	i := recordings.Info{Mode: mode}
	copy(i.Names[:], names)
	return i
}

// fencers are two bots of the same skill.
func fencers(seed uint64) func(tickback.Player, tickback.Frame, *duel.State) duel.Input {
	return func(p tickback.Player, f tickback.Frame, s *duel.State) duel.Input {
		return contest.Held(f, contest.Bot{Seed: seed, Skill: contest.Normal}.Input(p, f, s))
	}
}

// tape records a match between bots, in virtual time.
func tape[S any, I comparable](
	game rollback.Game[S, I], players int, id string, seed uint64, frames tickback.Frame, about recordings.Info, o tickback.RecordOptions,
	bot func(tickback.Player, tickback.Frame, *S) I,
) ([]byte, error) {
	var out bytes.Buffer
	now := time.Unix(1_700_000_000, 0)
	options := about.Options()
	options.HashEvery, options.KeyframeEvery = o.HashEvery, o.KeyframeEvery
	var m *tickback.Match[S, I]
	m, err := tickback.Local(game, tickback.Options[S, I]{
		Players: players, GameID: id, Match: tickback.Parameters{Seed: seed, Frames: frames}, Record: &out, Recording: options,
		Sample: func(p tickback.Player) I {
			v := m.View()
			return bot(p, v.Frame, v.Current)
		},
		Advanced: tickback.Advanced{Now: func() time.Time { return now }},
	})
	if err != nil {
		return nil, err
	}
	for range longest {
		now = now.Add(time.Second / 60)
		if _, err := m.Update(); err != nil {
			return nil, err
		}
		if _, over := m.Outcome(); over {
			err := m.Close() // and then all is written
			return out.Bytes(), err
		}
	}
	return nil, fmt.Errorf("the match of seed %d does not end", seed)
}

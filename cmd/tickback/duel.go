package main

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

// duelGame returns the duel for the command line. Its rules are frozen, so that all builds can play with each other.
func duelGame() cli.Game {
	s := duelSpec(duel.ID, "two fighters on one stage; the reference game", duel.Game)
	s.Scripts = duelScripts()
	s.Classic = &cli.Classic[duel.State, duel.Input]{
		Buttons: func(in duel.Input) uint16 { return uint16(in) },
		Input:   func(buttons uint16) duel.Input { return duel.Input(buttons) },
		Play:    playDuel,
	}
	return cli.NewGame(s)
}

// roundGame returns a round of a duel for the command line, as the graphical client plays it.
func roundGame() cli.Game {
	s := duelSpec(duel.RoundID, "a duel that ends with the first knock-out, as the client plays it", duel.Round)
	s.Result = roundResult
	return cli.NewGame(s)
}

// duelSpec returns the common part of both descriptions.
func duelSpec(id, about string, rules func(seed uint32) (rollback.Game[duel.State, duel.Input], error)) cli.Spec[duel.State, duel.Input] {
	game, err := rules(1)
	if err != nil {
		panic(err)
	}
	return cli.Spec[duel.State, duel.Input]{
		ID:         id,
		About:      about,
		Build:      "frozen rules",
		TickRate:   duel.TicksPerSecond,
		MaxPlayers: 2,
		Game:       game,
		Start:      func(p tickback.Parameters) (func(*duel.State), error) { return duel.Start(p.Seed) },
		Checksum:   duel.Checksum,
		Bots: []cli.Bot[duel.State, duel.Input]{{
			Name: "brawler",
			New: func(seed uint64) func(tickback.Player, tickback.Frame, *duel.State) duel.Input {
				return duel.Bot{Seed: seed}.Input
			},
		}},
		Screen: &cli.Screen[duel.State, duel.Input]{
			View: viewDuel, Keys: duelKeys, Help: "arrows or A and D run, up or W jumps, space attacks",
		},
	}
}

func roundResult(result uint64) string {
	switch result {
	case duel.Won1:
		return "player 1 has won"
	case duel.Won2:
		return "player 2 has won"
	}
	return "a draw"
}

func playDuel(s *duel.State, frames []rplk.Inputs) {
	for _, f := range frames {
		duel.Step(s, [2]duel.Input{duel.Input(f[0]), duel.Input(f[1])})
	}
}

func duelScripts() (list []cli.Script[duel.Input]) {
	for _, name := range duel.ScriptNames() {
		list = append(list, cli.Script[duel.Input]{Name: name, New: func(seed uint64) (func(tickback.Frame, []duel.Input), error) {
			script, err := duel.Scripted(name, uint32(seed))
			if err != nil {
				return nil, err
			}
			return func(f tickback.Frame, in []duel.Input) {
				both := script(uint32(f))
				copy(in, both[:])
			}, nil
		}})
	}
	return list
}

func duelKeys(held func(string) bool) (in duel.Input) {
	for key, button := range map[string]duel.Input{
		"left": duel.Left, "a": duel.Left, "right": duel.Right, "d": duel.Right,
		"up": duel.Jump, "w": duel.Jump, "space": duel.Attack,
	} {
		if held(key) {
			in |= button
		}
	}
	return in
}

// The picture of the duel, in characters.
const (
	duelWidth  = 64
	duelHeight = 10
)

func viewDuel(s *duel.State, _ int) []string {
	picture := newPicture(duelWidth, duelHeight)
	var bars [2]string
	for i := range s.P {
		f := &s.P[i]
		x := int(f.X-duel.StageLeft) * (duelWidth - 1) / (duel.StageRight - duel.StageLeft)
		y := duelHeight - 1 - int(f.Y-duel.Ground)*(duelHeight-1)/(duel.StageTop-duel.Ground)
		picture.put(x, y, rune('1'+i))
		arm := '>'
		if f.Facing < 0 {
			arm = '<'
		}
		if f.AttackActiveFrames > 0 {
			arm = '='
		}
		picture.put(x+int(f.Facing), y, arm)
		bars[i] = fmt.Sprintf("%d %-20s %3d %-9v", i+1, strings.Repeat("#", int(f.Hp)/5), f.Hp, f.State)
	}
	return append([]string{bars[0], bars[1]}, picture.framed()...)
}

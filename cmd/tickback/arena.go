package main

import (
	"fmt"
	"strings"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/games/arena"
)

// arenaGame returns the arena for the command line.
func arenaGame() cli.Game {
	return cli.NewGame(cli.Spec[arena.State, arena.Input]{
		ID:         arena.ID,
		About:      "a brawl for two to eight, seen from above",
		TickRate:   arena.TicksPerSecond,
		MaxPlayers: arena.MaxPlayers,
		Game:       arena.Game(0),
		Start:      func(p tickback.Parameters) (func(*arena.State), error) { return arena.Start(p.Seed, p.Data) },
		StandIns:   []string{"normal", "easy", "hard"},
		Result:     arenaResult,
		Bots:       []cli.Bot[arena.State, arena.Input]{arenaBot("normal", arena.Normal), arenaBot("easy", arena.Easy), arenaBot("hard", arena.Hard)},
		Scripts:    []cli.Script[arena.Input]{{Name: "random", New: randomArena}},
		Screen: &cli.Screen[arena.State, arena.Input]{
			View: viewArena, Keys: arenaKeys, Help: "arrows or WASD run, space shoots, J dashes, K shields",
		},
	})
}

func arenaBot(name string, skill arena.Skill) cli.Bot[arena.State, arena.Input] {
	return cli.Bot[arena.State, arena.Input]{
		Name: name,
		New: func(seed uint64) func(tickback.Player, tickback.Frame, *arena.State) arena.Input {
			return arena.Bot{Seed: seed, Skill: skill}.Input
		},
	}
}

func randomArena(seed uint64) (func(tickback.Frame, []arena.Input), error) {
	script := arena.Random(seed)
	return func(f tickback.Frame, in []arena.Input) {
		all := script(f)
		copy(in, all[:])
	}, nil
}

func arenaResult(result uint64) string {
	if winner, ok := arena.WinnerOf(result); ok {
		return fmt.Sprintf("player %d has won", winner+1)
	}
	return "a draw"
}

func arenaKeys(held func(string) bool) (in arena.Input) {
	axis := func(less, more [2]string) (v int8) {
		if held(less[0]) || held(less[1]) {
			v -= arena.StickEnd
		}
		if held(more[0]) || held(more[1]) {
			v += arena.StickEnd
		}
		return v
	}
	in.X = axis([2]string{"left", "a"}, [2]string{"right", "d"})
	in.Y = axis([2]string{"up", "w"}, [2]string{"down", "s"})
	for key, button := range map[string]arena.Buttons{"space": arena.Shoot, "j": arena.Dash, "k": arena.Shield} {
		if held(key) {
			in.Buttons |= button
		}
	}
	return in
}

// The picture of the arena, in characters, which are twice as high as wide.
const (
	arenaWidth  = 56
	arenaHeight = 16
)

func viewArena(s *arena.State, players int) []string {
	picture := newPicture(arenaWidth, arenaHeight)
	put := func(at fixed.Vec2, r rune) {
		x := (at.X.FloatForDrawing()/arena.HalfWidth.FloatForDrawing() + 1) / 2
		y := (at.Y.FloatForDrawing()/arena.HalfHeight.FloatForDrawing() + 1) / 2
		picture.put(int(x*(arenaWidth-1)+0.5), int(y*(arenaHeight-1)+0.5), r)
	}
	for _, p := range arena.Pillars() {
		put(p, 'O')
	}
	for i, p := range s.Pickups {
		if p.Kind != arena.Nothing {
			put(arena.SpotAt(i), rune(p.Kind.String()[0]))
		}
	}
	for _, shots := range s.Shots {
		for _, shot := range shots {
			if shot.Life > 0 {
				put(shot.Pos, '*')
			}
		}
	}
	var scores []string
	for p := range players {
		f := &s.Fighters[p]
		if f.Stance == arena.Standing {
			put(f.Pos, rune('1'+p))
		}
		scores = append(scores, fmt.Sprintf("%d: %3d hp %d won", p+1, f.Hp, f.Wins))
	}
	half := (len(scores) + 1) / 2
	lines := []string{fmt.Sprintf("round %d, %v", s.Round, s.Phase), strings.Join(scores[:half], "   "), strings.Join(scores[half:], "   ")}
	return append(lines, picture.framed()...)
}

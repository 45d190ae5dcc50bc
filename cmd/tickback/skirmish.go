package main

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli"
	"github.com/tickback/tickback/games/skirmish"
)

// skirmishGame returns the skirmish for the command line.
func skirmishGame() cli.Game {
	game, err := skirmish.New(skirmish.Usual, 0)
	if err != nil {
		panic(err) // cannot happen: the default setup is valid
	}
	usual := skirmish.Usual
	return cli.NewGame(cli.Spec[skirmish.World, skirmish.Input]{
		ID:         skirmish.ID,
		About:      "armies of thousands, by orders",
		TickRate:   skirmish.TicksPerSecond,
		MaxPlayers: skirmish.MaxPlayers,
		MaxOrders:  skirmish.MaxOrderBytes,
		Game:       game,
		Start:      func(p tickback.Parameters) (func(*skirmish.World), error) { return skirmish.Start(p.Seed, p.Data) },
		Settings: []cli.Setting{
			{Name: "size", About: "cells along each side of the map, a multiple of 16", Usual: usual.Size, Min: skirmish.MinSize, Max: skirmish.MaxSize},
			{Name: "units", About: "units that each player begins with", Usual: usual.Units, Max: skirmish.MaxUnits},
			{Name: "endless", About: "1: nobody loses, and fallen units come again", Max: 1},
		},
		Data:    func(v []int) []byte { return skirmish.Setup{Size: v[0], Units: v[1], Endless: v[2] == 1}.Data() },
		Units:   func(w *skirmish.World) int { return w.Units.Len() },
		Result:  skirmishResult,
		Bots:    []cli.Bot[skirmish.World, skirmish.Input]{skirmishBot("bold", 0), skirmishBot("patient", 80)},
		Scripts: []cli.Script[skirmish.Input]{{Name: "random", Orders: randomSkirmish}},
	})
}

func skirmishBot(name string, patience int) cli.Bot[skirmish.World, skirmish.Input] {
	return cli.Bot[skirmish.World, skirmish.Input]{
		Name: name,
		Orders: func(seed uint64) func([]byte, tickback.Player, tickback.Frame, *skirmish.World) []byte {
			bot := skirmish.Bot{Seed: seed, Patience: patience}
			return func(b []byte, p tickback.Player, _ tickback.Frame, w *skirmish.World) []byte {
				return bot.Orders(b, p, w)
			}
		},
	}
}

func randomSkirmish(seed uint64) func([]byte, tickback.Player, tickback.Frame) []byte {
	return skirmish.Random{Seed: seed}.Orders
}

func skirmishResult(result uint64) string {
	if winner, ok := skirmish.WinnerOf(result); ok {
		return fmt.Sprintf("player %d has won", winner+1)
	}
	return "a draw"
}

package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
	"github.com/tickback/tickback/rollback"
)

// rules has what the mode needs to know about a game.
type rules[S any, I comparable] struct {
	game  rollback.Definition[S, I]
	start func(p tickback.Parameters) (func(*S), error)
	input func(f tickback.Frame, held controls.Action) I
	// verdict returns the result of a match that was ended by its length.
	verdict func(s *S) uint64
	bot     func(seed uint64, p tickback.Player, f tickback.Frame, s *S) I
	// stage returns a stage for a match in a room, and data returns what a host puts into its parameters.
	stage func(t table) stage[S]
	data  func(t terms, seats int) []byte
	// keep copies a state. maxOrders is the maximum size of orders in bytes, and set, unless it is nil, sets
	// options that only this game has.
	keep      func(s *S) *S
	maxOrders int
	set       func(t table, o *tickback.Options[S, I])
}

// stage shows a session. The stages of package app implement it.
type stage[S any] interface {
	Begin(a *app.App, session tickback.Session[S])
	Advance(p *app.Picture) error
	Tick(a *app.App) error
	Draw(p *app.Picture)
	Keep(session tickback.Session[S])
	Quiet()
}

func duelRules() (*rules[duel.State, duel.Input], error) {
	game, err := duel.Round(1) // Start replaces state 0
	if err != nil {
		return nil, err
	}
	return &rules[duel.State, duel.Input]{
		game:  game,
		start: func(p tickback.Parameters) (func(*duel.State), error) { return duel.Start(p.Seed) },
		input: func(f tickback.Frame, held controls.Action) duel.Input { return contest.Held(f, app.DuelInput(held)) },
		bot: func(seed uint64, p tickback.Player, f tickback.Frame, s *duel.State) duel.Input {
			return contest.Held(f, contest.Bot{Seed: seed, Skill: contest.Hard}.Input(p, f, s))
		},
		verdict: duel.Verdict,
		stage:   func(t table) stage[duel.State] { return newDuelStage(t) },
		data:    func(terms, int) []byte { return nil },
		keep:    foyer.Copy[duel.State],
	}, nil
}

func arenaRules() *rules[arena.State, arena.Input] {
	return &rules[arena.State, arena.Input]{
		game:  arena.Game(0),
		start: func(p tickback.Parameters) (func(*arena.State), error) { return arena.Start(p.Seed, p.Data) },
		input: func(_ tickback.Frame, held controls.Action) arena.Input { return app.ArenaInput(held) },
		bot: func(seed uint64, p tickback.Player, f tickback.Frame, s *arena.State) arena.Input {
			return arena.Bot{Seed: seed, Skill: arena.Hard}.Input(p, f, s)
		},
		verdict: (*arena.State).Result,
		stage:   func(t table) stage[arena.State] { return newArenaStage(t) },
		data:    func(t terms, _ int) []byte { return []byte(standIns[t.Bots]) },
		keep:    foyer.Copy[arena.State],
	}
}

package netplay

import (
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/app"
)

func newDuelStage(t table) *app.DuelStage {
	s, room := app.NewDuelStage(t.app), t.room
	s.Score, s.Names, s.Mine, s.Frames = room.terms.score(), room.names(), playersAt(t.seat), room.terms.frames(room.kind)
	return s
}

func newArenaStage(t table) *app.ArenaStage {
	s := app.NewArenaStage(t.app, t.room.state.Seats, playersAt(t.seat))
	s.Names = t.room.names()
	return s
}

// newBout returns an unopened match of a game.
func newBout(game string) (bout, error) {
	switch game {
	case arenaID:
		return &match[arena.State, arena.Input]{rules: arenaRules()}, nil
	case skirmishID:
		r, err := skirmishRules()
		if err != nil {
			return nil, err
		}
		return &match[skirmish.World, skirmish.Input]{rules: r}, nil
	}
	r, err := duelRules()
	if err != nil {
		return nil, err
	}
	return &match[duel.State, duel.Input]{rules: r}, nil
}

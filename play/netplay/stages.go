package netplay

import (
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/app"
)

// played returns the match that we are playing, or nil.
func (v *stay) played() player {
	if v.bout == nil {
		return nil
	}
	return v.bout.player()
}

func (v *stay) duelStage() *app.DuelStage {
	s := app.NewDuelStage(v.app)
	s.Score, s.Names, s.Mine, s.Frames = v.terms.score(), v.names(), v.mine(), v.terms.frames(v.kind)
	return s
}

func newArenaStage(v *stay) *app.ArenaStage {
	s := app.NewArenaStage(v.app, v.state.Seats, v.mine())
	s.Names = v.names()
	return s
}

// rename gives the stage the present names of the players.
func (v *stay) rename() {
	switch b := v.bout.(type) {
	case *match[duel.State, duel.Input]:
		b.stage.(*app.DuelStage).Names = v.names()
	case *match[arena.State, arena.Input]:
		b.stage.(*app.ArenaStage).Names = v.names()
	case *match[skirmish.World, skirmish.Input]:
		b.stage.(*app.SkirmishStage).Names = v.names()
	}
}

func newDuelBout() (bout, error) {
	r, err := duelRules()
	if err != nil {
		return nil, err
	}
	return &match[duel.State, duel.Input]{rules: r}, nil
}

func newArenaBout() bout { return &match[arena.State, arena.Input]{rules: arenaRules()} }

package netplay

import (
	"slices"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/world"
)

// skirmishRules returns the rules for one match, which refer to its stage: in a skirmish players give orders, and
// hold nothing.
func skirmishRules() (*rules[skirmish.World, skirmish.Input], error) {
	game, err := skirmish.New(skirmish.Usual, 0) // Start replaces state 0
	if err != nil {
		return nil, err
	}
	var s *app.SkirmishStage
	sampled := func() (in skirmish.Input) {
		s.Sampled()
		return in
	}
	return &rules[skirmish.World, skirmish.Input]{
		game:  game,
		start: func(p tickback.Parameters) (func(*skirmish.World), error) { return skirmish.Start(p.Seed, p.Data) },
		input: func(tickback.Frame, controls.Action) skirmish.Input { return sampled() },
		bot: func(uint64, tickback.Player, tickback.Frame, *skirmish.World) skirmish.Input {
			return sampled()
		},
		verdict: func(w *skirmish.World) uint64 {
			if m := w.Match.Get(); m.Over {
				return uint64(m.Winner)
			}
			return 0
		},
		stage: func(t table) stage[skirmish.World] {
			s = newSkirmishStage(t)
			return s
		},
		data: func(t terms, seats int) []byte {
			return skirmish.Setup{Size: mapSizes[t.Map], Players: seats, Units: armySizes[t.Army], Bots: t.Bots > 0}.Data()
		},
		keep:      func(w *skirmish.World) *skirmish.World { return world.ViewOf[skirmish.World](world.Save(w)) },
		maxOrders: skirmish.MaxOrderBytes,
		set:       func(t table, o *tickback.Options[skirmish.World, skirmish.Input]) { command(t, o, s) },
	}, nil
}

// The limits of the input delay of a skirmish, in frames. The delay hides the network's latency, and is at most half
// a second. With rollback it is smaller by the number of frames that rollback covers.
const (
	mostDelay    = skirmish.TicksPerSecond / 2
	predictedFew = 3
)

// command sets how orders are sent, and the input delay, which does not disturb anybody in such a game.
func command(t table, o *tickback.Options[skirmish.World, skirmish.Input], s *app.SkirmishStage) {
	o.Lockstep = !t.room.terms.Predict
	o.Delay = [tickback.MaxPlayers]int{}
	o.AutoDelay = tickback.AutoDelay{On: true, Min: t.app.Settings.Delay, Max: mostDelay}
	if t.room.terms.Predict {
		o.AutoDelay.Rollback = predictedFew
	}
	bot := skirmish.Bot{Seed: o.Match.Seed}
	var told []byte
	o.Orders = func(p tickback.Player) []byte {
		if !t.app.Auto {
			return s.Orders()
		}
		told = bot.Orders(told[:0], p, s.Session.View().Current)
		return told
	}
}

func newSkirmishStage(t table) *app.SkirmishStage {
	side := uint8(skirmish.Nobody)
	if t.seat != rooms.NoSeat {
		side = uint8(t.seat)
	}
	s := app.NewSkirmishStage(t.app, side)
	s.Names = t.room.names()
	return s
}

// commands handles the player's commands in a skirmish. Its menu can also be opened with a button, and Esc first
// cancels the action of the next click.
func commands(s *app.SkirmishStage, p *app.Picture) {
	switch {
	case s.Menu():
		p.Pause = true
	case p.Pause && s.Cancel(), !slices.Contains(p.Pressed, "Escape") && slices.Contains(p.Pressed, "KeyP"):
		p.Pause = false // P has no meaning here
	}
	s.Command(p)
}

package room

import "github.com/tickback/tickback/cmd/cli/internal/scaffold/starter/rules"

// Picture is what to draw. It may use floats: nothing in it affects the state.
type Picture struct {
	Players [rules.Seats]Shown
	Coins   []rules.Point
}

// Shown is a player in a picture.
type Shown struct {
	X, Y float64
	rules.Player
}

// Picture returns what to draw, and false if there is no match yet.
func (g *Game) Picture() (p Picture, ok bool) {
	if g.match == nil {
		return p, false
	}
	v := g.match.View()
	if v.Current == nil || v.Previous == nil {
		return p, false
	}
	p.Coins = v.Current.AppendCoins(nil)
	//starter:world
	// Of a world there is only the newest state. A game that moves less often than pictures are drawn keeps the one
	// before as well, by world.Save.
	for i, player := range v.Current.All() {
		p.Players[i] = Shown{float64(player.At.X), float64(player.At.Y), player}
	}
	//starter:end
	//starter:!world
	// Players are between two frames, so that they move smoothly on any display.
	from, to := v.Previous.All(), v.Current.All()
	//starter:server
	before, after := v.Before.All(), v.After.All()
	//starter:end
	for i := range to {
		p.Players[i] = between(from[i], to[i], v.Fraction)
		//starter:server
		// What others do next is a guess, which the server may correct: they are drawn where they were a moment ago.
		if i != g.me {
			p.Players[i] = between(before[i], after[i], v.Share)
		}
		//starter:end
	}
	//starter:end
	return p, true
}

//starter:!world

// between returns a player on the way from one state to the next.
func between(from, to rules.Player, share float64) Shown {
	return Shown{
		X: float64(from.At.X) + float64(to.At.X-from.At.X)*share,
		Y: float64(from.At.Y) + float64(to.At.Y-from.At.Y)*share, Player: to,
	}
}

//starter:end

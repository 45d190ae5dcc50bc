// Package rules is the game: one state and one step. It knows nothing of screens, keys and networks, and uses no
// clock, no map order, no floats and no random source except its own, so that every machine computes the same state.
package rules

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Build identifies versions that can play together: change it whenever the rules change.
const Build = "1"

// Sizes are in pixels.
const (
	FramesPerSecond = 60
	Seats           = 4
	Width, Height   = 640, 360
	Radius          = 14 // of a player
	Speed           = 4  // of a player, in pixels a frame
)

// Input is what one player does in one frame.
type Input struct{ Left, Right, Up, Down bool }

// Point is a position on the field.
type Point struct{ X, Y int32 }

// Player is one of those who run on the field.
type Player struct {
	At    Point
	Coins uint32 // that were collected in this round
	//starter:server
	Won uint32 // rounds
	//starter:end
}

// Players are all of them, by their numbers.
type Players [Seats]Player

// Chime sounds where a coin is collected. Effects are no part of the state: a prediction may have been wrong, and then
// they are cancelled, or never sound twice.
var Chime = effects.OneShot[Point](1, "chime")

// placed returns the players at the beginning.
func placed() (all Players) {
	for p := range all {
		all[p].At = Point{Width * int32(p+1) / (Seats + 1), Height / 2}
	}
	return all
}

// away reports whether a bot plays for somebody now, who is absent. It rests in one frame of three.
func away(t *rollback.Tick[Input], p rollback.Player) bool {
	return t.Status(p) == rollback.Disconnected && t.Frame()%3 > 0
}

// run moves the player for one frame.
func (p *Player) run(in Input) {
	p.At.X = min(max(p.At.X+Speed*axis(in.Left, in.Right), Radius), Width-Radius)
	p.At.Y = min(max(p.At.Y+Speed*axis(in.Up, in.Down), Radius), Height-Radius)
}

// axis returns the direction of two buttons.
func axis(less, more bool) (n int32) {
	if less {
		n--
	}
	if more {
		n++
	}
	return n
}

// distance returns the square of the distance between two points.
func (p Point) distance(q Point) int32 {
	dx, dy := p.X-q.X, p.Y-q.Y
	return dx*dx + dy*dy
}

// touches reports whether the player can take a coin there.
func (p *Player) touches(coin Point) bool {
	return p.At.distance(coin) < (Radius+CoinRadius)*(Radius+CoinRadius)
}

// collect gives a player a coin, which may have been the last one that it needed.
func (all *Players) collect(p rollback.Player, t *rollback.Tick[Input]) {
	if all[p].Coins++; all[p].Coins < Goal {
		return
	}
	//starter:!server
	t.Finish(uint64(p)) // the match is over, and p has won it
	//starter:end
	//starter:server
	all[p].Won++
	for i := range all {
		all[i].Coins = 0 // the next round begins: the server's match goes on
	}
	//starter:end
}

// toward returns the input with which one runs from a point to another one.
func (p Point) toward(to Point) Input {
	return Input{
		Left: to.X <= p.X-Speed, Right: to.X >= p.X+Speed,
		Up: to.Y <= p.Y-Speed, Down: to.Y >= p.Y+Speed,
	}
}

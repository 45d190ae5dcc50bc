//go:build starter_world

package rules

import (
	"errors"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/world"
)

const (
	Goal       = 200 // coins win
	CoinCount  = 200 // so many roll over the field
	CoinRadius = 4   // in pixels
)

// State is the whole game in one frame: a world. Its tables can have thousands of entities, since what a snapshot of
// it costs is what has changed since the last one. Its columns have no pointers, slices or maps.
type State struct {
	Coins   Coins
	Players world.One[Players]
	Rng     world.One[rng.Xorshift128Plus]
	Caught  world.Later[Catch] // is no part of the state: each step carries out what it has pushed
}

// Coins has a row for each coin. What changes often is a column of its own.
type Coins struct {
	world.Table
	At    world.Column[Point]
	Speed world.Column[Point] // in pixels a frame
}

// Catch is a command: a player collects a coin.
type Catch struct {
	Coin world.Entity
	By   rollback.Player
}

// Game is everything that Tickback needs to know.
var Game = define(world.Game[State, Input]{
	Init: func(s *State) { begin(s, 1) },
	Step: step, Check: check, Effects: []effects.Declaration{Chime},
})

// define returns the game, and panics if the state has something that has no place in a world: the error names it.
func define(g world.Game[State, Input]) rollback.OwnMemory[State, *world.Snapshot, Input] {
	game, err := g.Definition()
	if err != nil {
		panic(err)
	}
	return game
}

// Start makes the state in which a match begins.
func Start(p tickback.Parameters) (func(s *State), error) {
	return func(s *State) {
		world.Update(s, func(s *State) {
			world.Clear(s)
			begin(s, p.Seed)
		})
	}, nil
}

// begin fills an empty world.
func begin(s *State, seed uint64) {
	s.Rng.Set(rng.New(seed))
	s.Players.Set(placed())
	for range CoinCount {
		s.drop()
	}
}

// check refuses states that no match can have come to: states come from other machines, and from files.
func check(s *State) error {
	if s.Rng.Get() == (rng.Xorshift128Plus{}) {
		return errors.New("its random generator has no seed")
	}
	return nil
}

// drop places a coin somewhere on the field, where it rolls to some direction.
func (s *State) drop() {
	coin, err := s.Coins.Spawn()
	if err != nil {
		return // there are 16 million already
	}
	r := s.Rng.Write()
	s.Coins.At.Set(coin, Point{
		Radius + int32(rng.Must(r.Bounded(Width-2*Radius))),
		Radius + int32(rng.Must(r.Bounded(Height-2*Radius))),
	})
	s.Coins.Speed.Set(coin, Point{int32(rng.Must(r.Bounded(5))) - 2, int32(rng.Must(r.Bounded(5))) - 2})
}

// step computes the next frame from the state and the players' inputs.
func step(s *State, t *rollback.Tick[Input]) {
	for p := range t.Players() {
		in := t.Input(p)
		if away(t, p) {
			in = Seek(p, s)
		}
		s.Players.Write()[p].run(in)
	}
	world.Stage(s, &s.Coins.Table, roll)
	for c := range s.Caught.Drain() {
		at, _ := s.Coins.At.Get(c.Coin)
		Chime.Emit(t.Effects(), uint32(c.Coin.Row()), at)
		if s.Coins.Kill(c.Coin) == nil {
			s.drop()
		}
		s.Players.Write().collect(c.By, t)
	}
}

// roll moves the coins of a chunk. Chunks run side by side, on several processors: each writes its own rows, and what
// concerns others waits as a command until all are done.
func roll(s *State, c world.Chunk) {
	at, speed := s.Coins.At.Write(c), s.Coins.Speed.Write(c)
	players := s.Players.Get()
	for row := range c.Live() {
		p, v := at.At(row), speed.At(row)
		v.X, v.Y = bounce(p.X, v.X, Width), bounce(p.Y, v.Y, Height)
		p.X, p.Y = p.X+v.X, p.Y+v.Y
		for i := range players {
			if players[i].touches(*p) {
				s.Caught.Push(c, Catch{c.Entity(row), rollback.Player(i)})
				break
			}
		}
	}
}

// bounce returns the speed of a coin, away from the end of the field that it has come to.
func bounce(at, speed, end int32) int32 {
	if at < CoinRadius && speed < 0 || at > end-CoinRadius && speed > 0 {
		return -speed
	}
	return speed
}

// Seek is the bot's strategy: it runs to the nearest coin.
func Seek(p rollback.Player, s *State) Input {
	from := s.Players.Get()[p].At
	nearest, best := from, int32(Width*Width+Height*Height)
	for chunk := range s.Coins.Chunks() {
		at := s.Coins.At.Read(chunk)
		for row := range chunk.Live() {
			if d := from.distance(at.At(row)); d < best {
				nearest, best = at.At(row), d
			}
		}
	}
	return from.toward(nearest)
}

// All returns the players, to draw them.
func (s *State) All() Players { return s.Players.Get() }

// AppendCoins appends where coins are, to draw them.
func (s *State) AppendCoins(list []Point) []Point {
	for coin := range s.Coins.All() {
		at, _ := s.Coins.At.Get(coin)
		list = append(list, at)
	}
	return list
}

package skirmish

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// Bot plays a side: it trains what it can pay for, builds barracks when it is rich, holds mines, and
// marches against the nearest keep once it has gathered enough units. It keeps nothing between
// ticks: the same bot gives the same orders for the same state.
type Bot struct {
	Seed uint64
	// Patience is how many idle units the bot gathers before it attacks; 0 means 24.
	Patience int
}

const (
	botPatience = 24
	botThinks   = TicksPerSecond / 2 // ticks between two thoughts
	botGuards   = 8                  // the group of the units on their way to a mine
	botRaiders  = 9                  // the group of the units on their way to a keep
	botBarracks = 3                  // the maximum number of barracks that it builds
	botFew      = 6                  // the number of units that it sends to a mine
)

// Orders appends the bot's orders as a player in the tick that begins with this state: at most
// [MaxOrders].
func (b Bot) Orders(to []byte, p rollback.Player, w *World) []byte {
	m := w.Match.Get()
	if m.Over || p >= rollback.Player(m.Players) || (m.Frame+uint32(p)*5)%botThinks != 0 {
		return to
	}
	side := w.Sides.Get()[p]
	if side.Lost {
		return to
	}
	if b.Patience <= 0 {
		b.Patience = botPatience
	}
	t := thought{World: w, side: uint8(p), gold: side.Gold, rng: rng.New(b.Seed ^ uint64(m.Frame)<<8 ^ uint64(p)), out: to}
	t.survey()
	t.train()
	t.expand()
	t.command(b.Patience)
	return t.out
}

// thought is the state of a bot while it decides on the orders of a tick.
type thought struct {
	*World
	side  uint8
	gold  int32
	rng   rng.Xorshift128Plus
	out   []byte
	count int

	home     fixed.Vec2
	barracks int
	trainer  world.Entity // the building with the shortest queue, the first of several
	shortest uint8
	foe      nearest // the nearest keep of another side
	mine     nearest // the nearest mine that is not the side's
	idle     int
}

// nearest keeps the nearest of the places that are offered to it.
type nearest struct {
	at    fixed.Vec2
	far   fixed.Num
	found bool
}

func (n *nearest) offer(at, from fixed.Vec2) {
	if far := at.Distance(from); !n.found || far < n.far {
		*n = nearest{at, far, true}
	}
}

// order adds an order, if there is room for it in this tick.
func (t *thought) order(o Order) {
	if t.count < MaxOrders {
		t.count++
		t.out = o.Append(t.out)
	}
}

// survey looks at the map.
func (t *thought) survey() {
	for e := range t.Buildings.All() {
		if p, _ := t.Buildings.Place.Get(e); p.Side == t.side && p.Structure == Keep {
			t.home = p.Centre()
		}
	}
	for e := range t.Buildings.All() {
		p, _ := t.Buildings.Place.Get(e)
		works, _ := t.Buildings.Works.Get(e)
		switch {
		case p.Structure == Mine:
			if p.Side != t.side {
				t.mine.offer(p.Centre(), t.home)
			}
		case p.Side != t.side:
			if p.Structure == Keep {
				t.foe.offer(p.Centre(), t.home)
			}
		case p.Structure.Of().Trains:
			if p.Structure == Barracks {
				t.barracks++
			}
			if works.Left == 0 && (t.trainer == 0 || works.Queued < t.shortest) {
				t.trainer, t.shortest = e, works.Queued
			}
		}
	}
	t.idle = t.Idle(t.side)
}

// train makes a building train a unit that the side can pay for.
func (t *thought) train() {
	if t.trainer == 0 || t.shortest >= 2 {
		return
	}
	kind := [...]Kind{Spearman, Archer, Spearman, Knight, Archer, Catapult}[t.rng.Next()%6]
	if cost := kind.Of().Cost; cost <= t.gold {
		t.gold -= cost
		t.order(Order{Verb: Train, What: kind, Target: t.trainer})
	}
}

// expand builds barracks near the keep, if there is gold to spare.
func (t *thought) expand() {
	if t.barracks >= botBarracks || t.gold < Barracks.Of().Cost+150 {
		return
	}
	sin, cos := fixed.SinCos(fixed.Num(t.rng.Next() % uint64(2*fixed.Pi)))
	at := t.home.Add(fixed.Vec2{X: cos, Y: sin}.Scale(fixed.FromInt(7)))
	t.order(Order{Verb: Build, Plan: Barracks, At: SpotOf(at)})
}

// command sends idle units to a mine, or, if there are enough, to a keep.
func (t *thought) command(patience int) {
	everywhere := Order{Verb: Select, Only: OnlyIdle, To: Spot{1<<16 - 1, 1<<16 - 1}}
	switch {
	case t.idle >= patience && t.foe.found:
		everywhere.Group = botRaiders
		t.order(everywhere)
		t.order(Order{Verb: March, Group: botRaiders, At: SpotOf(t.foe.at)})
	case t.idle >= botFew && t.mine.found && t.mine.far < fixed.FromInt(60):
		everywhere.Group = botGuards
		t.order(everywhere)
		t.order(Order{Verb: March, Group: botGuards, At: SpotOf(t.mine.at)})
	}
}

// Idle returns how many units of a side do nothing.
func (w *World) Idle(side uint8) (n int) {
	for c := range w.Units.Chunks() {
		who, task := w.Units.Who.Read(c), w.Units.Task.Read(c)
		for row := range c.Live() {
			if who.Ref(row).Side == side && task.Ref(row).Verb == 0 {
				n++
			}
		}
	}
	return n
}

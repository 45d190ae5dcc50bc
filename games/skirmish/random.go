package skirmish

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/world"
)

// Random plays a side without looking: now and then it gives an order, mostly to move or to march
// some of its units somewhere. It keeps no state: a seed gives a player the same orders in a frame
// on every machine.
type Random struct{ Seed uint64 }

// randomPause is the average number of ticks between two orders of a random player.
const randomPause = TicksPerSecond

// Orders appends the player's orders in a tick: at most [MaxOrders].
func (a Random) Orders(b []byte, p rollback.Player, f rollback.Frame) []byte {
	r := rng.New(a.Seed ^ (uint64(f)<<8|uint64(p))*0x9E3779B97F4A7C15)
	r.Next() // the first is close to that of a neighbour
	if r.Next()%randomPause != 0 {
		return b
	}
	group := uint8(r.Next() % 3)
	if r.Next()%4 > 0 { // most orders are for a part of the map, or for all units
		o := Order{Verb: Select, Group: group, Only: Only(r.Next() % 32), At: anywhere(&r), To: anywhere(&r)}
		if r.Next()%2 == 0 {
			o.Only, o.At, o.To = 0, Spot{}, Spot{1<<16 - 1, 1<<16 - 1}
		}
		b = o.Append(b)
	}
	for range r.Next() % (MaxOrders - 1) {
		o := anyOrder(&r)
		o.Group = group
		b = o.Append(b)
	}
	return b
}

// anyOrder returns any order except resigning, which would end matches that have hardly begun.
func anyOrder(r *rng.Xorshift128Plus) Order {
	verbs := [...]Verb{March, March, Move, Halt, Strike, Train, Train, Train, Rally, Cancel, Build, Copy, Extend}
	o := Order{Verb: verbs[r.Next()%uint64(len(verbs))], At: anywhere(r)}
	switch o.Verb {
	case Extend:
		o.To, o.Only = anywhere(r), Only(r.Next()%32)
	case Copy:
		o.Other = uint8(r.Next() % 3)
	case Train:
		o.What = Kind(1 + r.Next()%Kinds)
	case Build:
		o.Plan = Barracks
	}
	switch o.Verb {
	case Strike, Train, Rally, Cancel: // one of the first rows, of units or of buildings
		o.Target = world.Entity((1+r.Next()%3)<<56 | r.Next()%32<<32 | 1)
	}
	return o
}

// anywhere returns a place on the smallest map, or, once in four times, on the largest.
func anywhere(r *rng.Xorshift128Plus) Spot {
	x, y := r.Next(), r.Next()
	if r.Next()%4 > 0 {
		return Spot{uint16(x % (MinSize * 64)), uint16(y % (MinSize * 64))}
	}
	return Spot{uint16(x), uint16(y)}
}

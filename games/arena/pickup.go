package arena

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rng"
)

// takePickups gives each pickup to the nearest fighter that touches it, or to nobody while two
// are equally near. A pickup that is not taken in time disappears.
func (t *tick) takePickups() {
	for spot := range t.s.Pickups {
		item := &t.s.Pickups[spot]
		if item.Kind == Nothing {
			continue
		}
		if p := t.taker(spots[spot]); p >= 0 {
			t.take(p, spot)
		} else if item.Life--; item.Life == 0 {
			*item = Pickup{}
		}
	}
}

// taker returns the player that takes a pickup at a place, or -1.
func (t *tick) taker(at fixed.Vec2) int {
	taker, nearest := -1, fixed.Max
	for p := range t.s.Fighters {
		f := &t.s.Fighters[p]
		if f.Stance != Standing || !near(at, f.Pos, FighterRadius+PickupRadius) {
			continue
		}
		switch distance := at.DistanceSquared(f.Pos); {
		case distance < nearest:
			taker, nearest = p, distance
		case distance == nearest:
			taker = -1
		}
	}
	return taker
}

func (t *tick) take(p, spot int) {
	f, item := &t.s.Fighters[p], &t.s.Pickups[spot]
	switch item.Kind {
	case Health:
		f.Hp = min(f.Hp+HealthGain, FullHp)
	case Rapid:
		f.RapidTicks = RapidTicks
	case Big:
		f.BigShots = BigShots
	}
	Taken.Emit(t.out, uint32(spot), Item{At: spots[spot], Kind: item.Kind, Player: uint8(p)})
	*item = Pickup{}
}

// spawnPickup puts a new pickup on a random spot every PickupInterval, unless the spot is
// taken.
func (t *tick) spawnPickup() {
	s := t.s
	if s.SpawnIn--; s.SpawnIn > 0 {
		return
	}
	s.SpawnIn = PickupInterval
	spot := rng.Must(s.Rng.Bounded(Spots))
	kind := Nothing + 1 + PickupKind(rng.Must(s.Rng.Bounded(pickupKinds)))
	item := &s.Pickups[spot]
	if item.Kind != Nothing {
		return
	}
	s.PickupSerial++
	*item = Pickup{Life: PickupLife, Serial: uint8(s.PickupSerial), Kind: kind}
	Spawned.Emit(t.out, uint32(spot), Item{At: spots[spot], Kind: kind})
}

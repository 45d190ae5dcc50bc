package tanks

import (
	"github.com/tickback/tickback/rng"
	"github.com/tickback/tickback/rollback"
)

// attend removes tanks of players that have left, adds one for each that has joined, and brings
// back those whose time has come.
func (t *tick) attend() {
	for p := range t.s.Tanks {
		tank := &t.s.Tanks[p]
		switch here := t.present.Has(rollback.Player(p)); {
		case !here && tank.Stance != Absent:
			*tank = tank.scoreOnly(Absent)
			t.s.forget(p)
		case here && tank.Stance == Absent:
			t.appear(p, p)
		case tank.Stance == Out:
			t.wait(p)
		}
	}
}

// wait counts down to the next life. A tank whose spawn is hidden waits on until it is told.
func (t *tick) wait(p int) {
	tank := &t.s.Tanks[p]
	if tank.RespawnIn > 0 {
		tank.RespawnIn--
	}
	if tank.RespawnIn == 0 && tank.Spawn != 0 {
		t.appear(p, int(tank.Spawn-1)%Spawns)
	}
}

// appear puts player p's tank on a spawn, alive, and looking at the middle of the map.
func (t *tick) appear(p, spawn int) {
	tank := &t.s.Tanks[p]
	at := spawns[spawn].Vec()
	shots := tank.Shots
	*tank = tank.scoreOnly(Alive)
	tank.Pos, tank.Heading, tank.Hp, tank.Shots = at, wrap(at.Neg().Angle()), FullHp, shots
	Spawned.Emit(t.out, uint32(p), tank.spot(p))
}

// drawSpawn draws where a tank that was destroyed will appear, + 1. It is drawn now, and not when it is
// needed: by then its player has long been told, although the generator is hidden from it, and can predict
// where it will appear. Without a generator the result is 0, which means unknown.
func (s *State) drawSpawn() uint8 {
	if s.Rng == (rng.Xorshift128Plus{}) {
		return 0
	}
	return uint8(rng.Must(s.Rng.Bounded(Spawns))) + 1
}

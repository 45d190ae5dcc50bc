package tanks

import "github.com/tickback/tickback/fixed"

// hit lets a shot of player p hit player q's tank.
func (t *tick) hit(p, slot, q int, at fixed.Vec2) {
	tank := &t.s.Tanks[q]
	tank.Hp = max(tank.Hp-ShotDamage, 0)
	Hit.Emit(t.out, shotKey(p, slot), Wound{At: at, Hp: tank.Hp, By: uint8(p), Victim: uint8(q)})
	if tank.Hp == 0 {
		t.destroy(p, q)
	}
}

// destroy makes a wreck of player q's tank, and gives player p the credit. What is left of it says
// where and when the next one appears.
func (t *tick) destroy(p, q int) {
	tank := &t.s.Tanks[q]
	tank.Stance, tank.RespawnIn, tank.Spawn = Out, RespawnTicks, t.s.drawSpawn()
	tank.Deaths++
	t.s.Tanks[p].Kills++
	t.s.forget(q)
	Destroyed.Emit(t.out, uint32(q), Wreck{At: tank.Pos, Player: uint8(q), By: uint8(p)})
}

package arena

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

// blow sums up all hits on one fighter in one tick.
type blow struct {
	push   fixed.Vec2 // speed for a fighter at full health
	damage int16
	by     Set
}

// decideShots finds the shots that touch a fighter, which ends them. A shot that touches two
// in the same tick hits both. It passes through its owner and fighters that dash.
func (t *tick) decideShots() {
	for p := range t.s.Shots {
		for i := range t.s.Shots[p] {
			if t.s.Shots[p][i].Life > 0 {
				t.decideShot(p, i)
			}
		}
	}
}

func (t *tick) decideShot(p, slot int) {
	shot := &t.s.Shots[p][slot]
	reach, hit := FighterRadius+shot.Radius(), false
	for q := range t.s.Fighters {
		g := &t.s.Fighters[q]
		if q == p || !g.vulnerable() || !near(shot.Pos, g.Pos, reach) {
			continue
		}
		hit = true
		push := shot.Vel.Scale(fixed.Num(shot.Damage) * KnockBack * fixed.One / ShotSpeed)
		t.decide(p, q, shot.Damage, push)
		Hit.Emit(t.out, hitKey(q, shotKey(p, slot)), g.wound(shot.Pos, shot.Damage, p, q))
	}
	if hit {
		*shot = Shot{}
	}
}

// vulnerable reports whether f can be hit.
func (f *Fighter) vulnerable() bool { return f.Stance == Standing && f.DashTicks == 0 }

// decideRams finds the fighters that dashing ones run into, each once per dash. Bodies that
// have just been pushed apart count as touching.
func (t *tick) decideRams() {
	const reach = 2*FighterRadius + FighterRadius/8
	for p := range t.s.Fighters {
		f := &t.s.Fighters[p]
		if f.Stance != Standing || f.DashTicks == 0 {
			continue
		}
		for q := range t.s.Fighters {
			g := &t.s.Fighters[q]
			if q == p || !g.vulnerable() || f.Rammed.Players().Has(rollback.Player(q)) || !near(f.Pos, g.Pos, reach) {
				continue
			}
			f.Rammed |= 1 << q
			t.decide(p, q, RamDamage, away(f.Pos, g.Pos).Scale(RamDamage*KnockBack))
			Rammed.Emit(t.out, hitKey(q, uint32(p)), g.wound(f.Pos, RamDamage, p, q))
		}
	}
}

// decide adds a hit of player p on player q to those to be applied.
func (t *tick) decide(p, q int, damage int16, push fixed.Vec2) {
	b := &t.blows[q]
	b.push = b.push.Add(push)
	b.damage += damage
	b.by |= 1 << p
	t.s.Fighters[p].Dealt += uint16(damage)
}

// applyBlows applies what was decided, and knocks out fighters without health.
func (t *tick) applyBlows() {
	for q := range t.blows {
		b := &t.blows[q]
		if b.by == 0 {
			continue
		}
		f := &t.s.Fighters[q]
		f.takeBlow(b)
		if f.Hp == 0 {
			t.knockOut(q)
		}
	}
}

// takeBlow applies a blow. A shield turns damage into loss of energy, and halves the push. The
// less health a fighter has, the farther it is thrown.
func (f *Fighter) takeBlow(b *blow) {
	f.HitBy = b.by
	if f.Guard == Raised {
		f.Vel = f.Vel.Add(b.push.Scale(fixed.Half))
		f.spend(b.damage * BlockCost)
		return
	}
	f.Hp = max(f.Hp-b.damage, 0)
	f.Stun = StunTicks + b.damage/StunPerDamage
	missing := fixed.Num(FullHp - f.Hp)
	f.Vel = f.Vel.Add(b.push.Scale(fixed.One + missing*fixed.One/FullHp))
}

// knockOut takes player q's fighter out of the round. All that hit it in this tick get the
// credit.
func (t *tick) knockOut(q int) {
	f := &t.s.Fighters[q]
	f.Stance = Out
	for p := range f.HitBy.Players().All() {
		t.s.Fighters[p].Knockouts++
	}
	KnockedOut.Emit(t.out, uint32(q), f.place(q))
}

package arena

import (
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback/effects"
)

// Effects that happen once. Their keys name the player, the shot (by its place) or the spot, and nothing that
// a correction of the past would change. So a resimulation that finds an effect again, in this frame or a
// little later, recognises it. The outcome of a round and of the match is only reported once it is certain.
var (
	Fired        = effects.OneShot[Salvo](1, "fired")
	Bounced      = effects.OneShot[Place](2, "bounced")
	Hit          = effects.OneShot[Wound](3, "hit")
	Dashed       = effects.OneShot[Place](4, "dashed")
	Rammed       = effects.OneShot[Wound](5, "rammed")
	KnockedOut   = effects.OneShot[Place](6, "knocked out")
	Spawned      = effects.OneShot[Item](7, "pickup spawned")
	Taken        = effects.OneShot[Item](8, "pickup taken")
	Beep         = effects.OneShot[Count](9, "countdown")
	RoundStarted = effects.OneShot[Count](10, "round started")
	RoundEnded   = effects.OneShot[Count](11, "round ended").OnlyConfirmed()
	MatchEnded   = effects.OneShot[Count](12, "match ended").OnlyConfirmed()
)

// Effects that last. The key is the player's number, and the state says where the player is.
var (
	ShieldHum   = effects.Sustained[Level](13, "shield")
	ChargeWhine = effects.Sustained[Level](14, "charge")
	Alarm       = effects.Sustained[Level](15, "low health")
)

func declarations() []effects.Declaration {
	return []effects.Declaration{
		Fired, Bounced, Hit, Dashed, Rammed, KnockedOut, Spawned, Taken,
		Beep, RoundStarted, RoundEnded, MatchEnded,
		ShieldHum, ChargeWhine, Alarm,
	}
}

// Place is where a player did something.
type Place struct {
	At     fixed.Vec2
	Player uint8
}

// Salvo is a shot that was fired.
type Salvo struct {
	At     fixed.Vec2
	Damage int16
	Player uint8
	Big    uint8 // 1 if it is a big shot
}

// Wound is a hit: where it is, who has hit, and who was hit.
type Wound struct {
	At      fixed.Vec2
	Damage  int16
	By      uint8
	Victim  uint8
	Blocked uint8 // 1 if a shield takes it
}

// Item is a pickup that appears or is taken.
type Item struct {
	At     fixed.Vec2
	Kind   PickupKind
	Player uint8 // the player who takes it; 0 where it appears
}

// Count is an event of the match. Each kind of effect sets its own fields.
type Count struct {
	Round   uint8 // for RoundStarted, RoundEnded and MatchEnded: the number of the round
	Seconds uint8 // for Beep: the seconds left of the countdown
	Winner  uint8 // for RoundEnded and MatchEnded: a player's number + 1, or 0
}

// Level is the strength of a lasting effect: how much energy, charge or health there is, in quarters so that
// it does not change every tick.
type Level struct{ Quarters uint8 }

func levelOf(part, whole int16) Level { return Level{Quarters: uint8(int32(part) * 4 / int32(whole))} }

// shotKey returns the key for an effect of the shot in a slot of player p.
func shotKey(p, slot int) uint32 { return uint32(p)<<4 | uint32(slot) }

// hitKey returns the key for a hit on player q by the thing with key from.
func hitKey(q int, from uint32) uint32 { return uint32(q)<<8 | from }

func (f *Fighter) place(p int) Place { return Place{At: f.Pos, Player: uint8(p)} }

func (f *Fighter) wound(at fixed.Vec2, damage int16, by, victim int) Wound {
	w := Wound{At: at, Damage: damage, By: uint8(by), Victim: uint8(victim)}
	if f.Guard == Raised {
		w.Blocked = 1
	}
	return w
}

// sustain emits the effects that last, for this tick.
func (t *tick) sustain() {
	for p := range t.s.Fighters {
		f := &t.s.Fighters[p]
		if f.Stance != Standing {
			continue
		}
		if f.Guard == Raised {
			ShieldHum.Emit(t.out, uint32(p), levelOf(f.Energy, FullEnergy))
		}
		if f.Charge > 1 {
			ChargeWhine.Emit(t.out, uint32(p), levelOf(f.Charge-1, FullCharge))
		}
		if f.Hp <= LowHp {
			Alarm.Emit(t.out, uint32(p), levelOf(f.Hp, LowHp))
		}
	}
}

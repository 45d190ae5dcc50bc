package duel

import "github.com/tickback/tickback/rollback/effects"

// Effects that happen once. The key is the number of the acting player, or for [KnockedOut]
// of the player that is knocked out. A knock-out is only reported once it is certain.
var (
	Jumped     = effects.OneShot[Place](1, "jumped")
	Landed     = effects.OneShot[Place](2, "landed")
	Swung      = effects.OneShot[Place](3, "swung")
	Struck     = effects.OneShot[Blow](4, "struck")
	KnockedOut = effects.OneShot[Place](5, "knocked out").OnlyConfirmed()
)

// Effects that last. The key is the player's number, and the state says where the player is.
var (
	Runs  = effects.Sustained[struct{}](6, "runs")
	Dazed = effects.Sustained[struct{}](7, "dazed")
)

func declarations() []effects.Declaration {
	return []effects.Declaration{Jumped, Landed, Swung, Struck, KnockedOut, Runs, Dazed}
}

// Place is where a fighter was when something happened: the lower left corner of its body.
type Place struct {
	X, Y   int32
	Facing int8
}

// Blow is an attack that hits, at the middle of the overlap of attack and body.
type Blow struct {
	X, Y   int32
	Hp     int32 // what the victim has left
	Facing int8  // the direction in which the attacker faces
	Victim uint8
}

// emit emits what a step has done to the fighters. It compares them before and after, so that
// the rules need not know about effects.
func emit(out *effects.Emitter, before, after *[2]Fighter) {
	for p := range after {
		emitMoves(out, uint32(p), &before[p], &after[p])
	}
	for p := range after {
		f, other := &after[p], &after[1-p]
		if f.AttackHasHit != 0 && (before[p].AttackHasHit == 0 || f.swings()) {
			Struck.Emit(out, uint32(p), f.blow(other, uint8(1-p)))
		}
		if f.Hp == 0 && before[p].Hp > 0 {
			KnockedOut.Emit(out, uint32(p), f.place())
		}
	}
}

// emitMoves emits what one fighter does by itself.
func emitMoves(out *effects.Emitter, key uint32, before, f *Fighter) {
	if before.Y == Ground && f.Y > Ground {
		Jumped.Emit(out, key, f.place())
	}
	if before.Y > Ground && f.Y == Ground {
		Landed.Emit(out, key, f.place())
	}
	if f.swings() {
		Swung.Emit(out, key, f.place())
	}
	if f.State == Running && f.Y == Ground && f.X != before.X {
		Runs.Emit(out, key, struct{}{})
	}
	if f.State == Hitstun {
		Dazed.Emit(out, key, struct{}{})
	}
}

// swings reports whether f's attack has begun in the step that ended with f: only then is the
// cooldown at its full length.
func (f *Fighter) swings() bool { return f.AttackCooldownFrames == AttackCooldown }

func (f *Fighter) place() Place { return Place{X: f.X, Y: f.Y, Facing: f.Facing} }

// blow describes f's attack on the other fighter, which it overlaps.
func (f *Fighter) blow(other *Fighter, victim uint8) Blow {
	left := f.X + BodyWidth
	if f.Facing < 0 {
		left = f.X - AttackWidth
	}
	right := min(left+AttackWidth, other.X+BodyWidth)
	top := min(f.Y+AttackHeight, other.Y+BodyHeight)
	return Blow{
		X: (max(left, other.X) + right) / 2, Y: (max(f.Y, other.Y) + top) / 2,
		Hp: other.Hp, Facing: f.Facing, Victim: victim,
	}
}

package duel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rng"
)

// reference implements the rules as they are written: phase by phase, player 1 and then player 2 in each, with every
// number spelled out. It is slow and simple, and Step is compared with it.
func reference(s duel.State, in [2]duel.Input) duel.State {
	const left, right, jump, attack = 1, 2, 4, 8
	each := func(phase func(f *duel.Fighter, in duel.Input)) {
		phase(&s.P[0], in[0])
		phase(&s.P[1], in[1])
	}
	s.Frame++                                  // A
	each(func(f *duel.Fighter, _ duel.Input) { // B, cooldown
		if f.AttackCooldownFrames > 0 {
			f.AttackCooldownFrames--
		}
	})
	each(func(f *duel.Fighter, _ duel.Input) { // B, hitstun
		if f.HitstunFrames > 0 {
			if f.HitstunFrames--; f.HitstunFrames == 0 {
				f.State = 0
			}
		}
	})
	each(func(f *duel.Fighter, in duel.Input) { // C
		if f.State == 4 || f.AttackCooldownFrames > 0 || in&attack == 0 {
			return
		}
		f.State, f.AttackActiveFrames, f.AttackCooldownFrames, f.AttackHasHit = 3, 5, 30, 0
	})
	each(func(f *duel.Fighter, in duel.Input) { // D
		if f.State == 4 {
			return
		}
		if in&(left|right) != 0 {
			if in&right != 0 {
				f.X, f.Facing = f.X+300, 1
			} else {
				f.X, f.Facing = f.X-300, -1
			}
			if f.State != 2 && f.State != 3 {
				f.State = 1
			}
		} else if f.State == 1 {
			f.State = 0
		}
		if in&jump != 0 && f.Y == 0 && f.State != 2 {
			f.Vy, f.State = 500, 2
		}
		if f.X < 0 {
			f.X = 0
		}
		if f.X > 20000-600 {
			f.X = 20000 - 600
		}
	})
	each(func(f *duel.Fighter, _ duel.Input) { // E
		f.Vy += -40
		f.Y += f.Vy
		if f.Y <= 0 {
			f.Y, f.Vy = 0, 0
			if f.State == 2 {
				f.State = 0
			}
		}
	})
	each(func(f *duel.Fighter, _ duel.Input) { // F
		if f.AttackActiveFrames > 0 {
			if f.AttackActiveFrames--; f.AttackActiveFrames == 0 && f.State == 3 {
				f.State = 0
			}
		}
	})
	referenceHits(&s)
	return s
}

// referenceHits is phase G.
func referenceHits(s *duel.State) {
	canHit := func(a, d duel.Fighter) bool {
		if a.AttackActiveFrames <= 0 || a.AttackHasHit != 0 {
			return false
		}
		hitLeft, hitRight := a.X+600, a.X+600+700
		if a.Facing < 0 {
			hitLeft, hitRight = a.X-700, a.X
		}
		return hitLeft < d.X+600 && d.X < hitRight && a.Y < d.Y+900 && d.Y < a.Y+700
	}
	hit := func(a, d *duel.Fighter) {
		a.AttackHasHit = 1
		d.Hp, d.HitstunFrames, d.State = max(0, d.Hp-25), 20, 4
	}
	before := *s
	if canHit(before.P[0], before.P[1]) {
		hit(&s.P[0], &s.P[1])
	}
	if canHit(before.P[1], before.P[0]) {
		hit(&s.P[1], &s.P[0])
	}
}

// drawFighter draws a fighter that a match can have, often enough near the other one for hits to occur.
func drawFighter(t *rapid.T) duel.Fighter {
	return duel.Fighter{
		X:                    rapid.Int32Range(0, 30).Draw(t, "X")*100 + rapid.Int32Range(0, 1).Draw(t, "right")*16400,
		Y:                    rapid.SampledFrom([]int32{0, 0, 40, 460, 880, 3120}).Draw(t, "Y"),
		Vy:                   rapid.SampledFrom([]int32{0, 460, 20, -20, -500}).Draw(t, "Vy"),
		Facing:               rapid.SampledFrom([]int8{-1, 1}).Draw(t, "Facing"),
		State:                duel.Action(rapid.Uint8Range(0, 4).Draw(t, "State")),
		HitstunFrames:        rapid.Int32Range(0, 20).Draw(t, "HitstunFrames"),
		Hp:                   rapid.SampledFrom([]int32{0, 25, 100}).Draw(t, "Hp"),
		AttackCooldownFrames: rapid.Int32Range(0, 2).Draw(t, "AttackCooldownFrames"),
		AttackActiveFrames:   rapid.Int32Range(0, 5).Draw(t, "AttackActiveFrames"),
		AttackHasHit:         rapid.Uint8Range(0, 1).Draw(t, "AttackHasHit"),
	}
}

// drawWildFighter draws any value of the type, as a damaged or hostile transfer could contain it.
func drawWildFighter(t *rapid.T) duel.Fighter {
	field := func(name string) int32 {
		return rapid.OneOf(rapid.Int32Range(-2, 2), rapid.Int32()).Draw(t, name)
	}
	return duel.Fighter{
		X: field("X"), Y: field("Y"), Vx: field("Vx"), Vy: field("Vy"),
		Facing: rapid.Int8().Draw(t, "Facing"), State: duel.Action(rapid.Uint8().Draw(t, "State")),
		HitstunFrames: field("HitstunFrames"), Hp: field("Hp"),
		AttackCooldownFrames: field("AttackCooldownFrames"), AttackActiveFrames: field("AttackActiveFrames"),
		AttackHasHit: rapid.Uint8().Draw(t, "AttackHasHit"),
	}
}

// One step from any state, even one that no match can reach, equals the rules as written.
func TestStepEqualsTheRulesAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fighter := rapid.SampledFrom([]func(*rapid.T) duel.Fighter{drawFighter, drawWildFighter}).Draw(t, "kind")
		s := duel.State{
			Frame: rapid.Uint32().Draw(t, "Frame"),
			P:     [2]duel.Fighter{fighter(t), fighter(t)},
			Rng:   rng.Xorshift32{State: rapid.Uint32().Draw(t, "Rng")},
		}
		in := [2]duel.Input{duel.Input(rapid.Uint16().Draw(t, "in 1")), duel.Input(rapid.Uint16().Draw(t, "in 2"))}
		want := reference(s, in)
		if duel.Step(&s, in); s != want {
			t.Fatal(cmp.Diff(want, s))
		}
	})
}

// Long matches of two fighters who stay close equal the rules as written in every frame.
func TestBrawlsEqualTheRulesAsWritten(t *testing.T) {
	matches := uint32(200)
	if testing.Short() {
		matches = 20
	}
	hits := 0
	for seed := range matches {
		seed++
		s := run(t, seed, nil, 0)
		r := rng.New(uint64(seed))
		var held [2]duel.Input
		for range 2000 {
			for p := range held {
				if rng.Must(r.Bounded(6)) == 0 {
					held[p] = duel.Input(r.Next()) & duel.Buttons
				}
				// Towards each other, mostly.
				if toward := duel.Right; rng.Must(r.Bounded(3)) == 0 {
					if s.P[p].X > s.P[1-p].X {
						toward = duel.Left
					}
					held[p] = held[p]&^(duel.Left|duel.Right) | toward
				}
			}
			before := s
			want := reference(s, held)
			if duel.Step(&s, held); s != want {
				t.Fatalf("seed %d: %s", seed, cmp.Diff(want, s))
			}
			if s.P[0].AttackHasHit > before.P[0].AttackHasHit {
				hits++
			}
		}
	}
	if hits < int(matches) {
		t.Errorf("only %d hits in %d matches: these brawls test too little", hits, matches)
	}
}

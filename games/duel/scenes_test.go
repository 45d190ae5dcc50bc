package duel_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/duel"
)

// hold reads a script of one player: words of buttons (L, R, J, A; a dot for none), each with the number of frames for
// which it is held, 1 if left out. "R37 RA .5" runs, attacks while running, and lets go.
func hold(t testing.TB, text string) []duel.Input {
	t.Helper()
	buttons := map[rune]duel.Input{'L': duel.Left, 'R': duel.Right, 'J': duel.Jump, 'A': duel.Attack, '.': 0}
	var inputs []duel.Input
	for _, word := range strings.Fields(text) {
		letters := strings.TrimRight(word, "0123456789")
		frames := 1
		if digits := word[len(letters):]; digits != "" {
			frames, _ = strconv.Atoi(digits)
		}
		var held duel.Input
		for _, letter := range letters {
			bit, ok := buttons[letter]
			if !ok {
				t.Fatalf("no button %q in %q", letter, text)
			}
			held |= bit
		}
		for range frames {
			inputs = append(inputs, held)
		}
	}
	return inputs
}

// play returns all states of the two scripts from seed 1, state 0 first. After the end of the shorter script its player
// holds nothing.
func play(t testing.TB, p1, p2 string) []duel.State {
	t.Helper()
	scripts := [2][]duel.Input{hold(t, p1), hold(t, p2)}
	frames := max(len(scripts[0]), len(scripts[1]))
	states := []duel.State{run(t, 1, nil, 0)}
	for f := range frames {
		var in [2]duel.Input
		for p, script := range scripts {
			if f < len(script) {
				in[p] = script[f]
			}
		}
		s := states[f]
		duel.Step(&s, in)
		states = append(states, s)
	}
	return states
}

// want fails the test unless got is the value in the rule.
func want[T comparable](t testing.TB, rule string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", rule, got, want)
	}
}

// pin compares the last state of a scene with its recorded checksum.
func pin(t testing.TB, states []duel.State, checksum uint32) {
	t.Helper()
	if got := duel.Checksum(&states[len(states)-1]); got != checksum {
		t.Errorf("checksum of state %d: 0x%08X, pinned 0x%08X", len(states)-1, got, checksum)
	}
}

// approach brings player 1 from 4000 to 14800, from where its attack reaches
// player 2 at 16000.
const approach = "R36"

// firstHit returns the first state in which player p (0 or 1) has lost health.
func firstHit(states []duel.State, p int) int {
	for f, s := range states {
		if s.P[p].Hp < duel.FullHp {
			return f
		}
	}
	return -1
}

func TestFrozenHitFacingRight(t *testing.T) {
	states := play(t, approach+" A .30", "")
	f := firstHit(states, 1)
	want(t, "the hit falls in the attack's first frame", f, 37)
	attacker, defender := states[f].P[0], states[f].P[1]
	want(t, "damage", defender.Hp, 75)
	want(t, "the defender is stunned", defender.State, duel.Hitstun)
	want(t, "for 20 frames", defender.HitstunFrames, 20)
	want(t, "the attack has hit", attacker.AttackHasHit, 1)
	want(t, "the attack goes on", attacker.State, duel.Attacking)
	want(t, "it hits once only", states[len(states)-1].P[1].Hp, 75)
	pin(t, states, 0x7BCFB16F)
}

func TestFrozenHitFacingLeft(t *testing.T) {
	states := play(t, "", "L36 A .30")
	f := firstHit(states, 0)
	want(t, "the hit falls in the attack's first frame", f, 37)
	want(t, "the attacker faces left", states[f].P[1].Facing, int8(-1))
	want(t, "damage", states[f].P[0].Hp, 75)
	pin(t, states, 0xA81223B3)
}

func TestFrozenAttackMissesBehindAndOutOfReach(t *testing.T) {
	behind := play(t, approach+" L A .30", "")
	want(t, "an attack hits only where the fighter faces", firstHit(behind, 1), -1)
	pin(t, behind, 0x5CFCAE4C)

	touching := play(t, "L14 R49 A .30", "")
	want(t, "from the wall, 49 frames of running", touching[63].P[0].X, 14700)
	want(t, "edges that touch are no hit", firstHit(touching, 1), -1)
	pin(t, touching, 0x02488BB0)

	near := play(t, "L14 R50 A .30", "")
	want(t, "one frame nearer hits", firstHit(near, 1), 65)
	pin(t, near, 0xFA43F34B)
}

func TestFrozenSimultaneousHits(t *testing.T) {
	states := play(t, "R18 A .40", "L18 A .40")
	want(t, "player 1 is hit", firstHit(states, 0), 19)
	want(t, "player 2 is hit in the same frame", firstHit(states, 1), 19)
	for p := range 2 {
		want(t, "stunned", states[19].P[p].State, duel.Hitstun)
		want(t, "the attack counts as used", states[19].P[p].AttackHasHit, 1)
	}
	pin(t, states, 0x76B406C9)
}

func TestFrozenStunnedAttackerStillHits(t *testing.T) {
	// Player 2 faces right and attacks; player 1 hits it from behind in the same frame and runs on, through it and into
	// the attack.
	states := play(t, "R39 RA R5 .30", "R .38 A .30")
	want(t, "player 2 is hit", firstHit(states, 1), 40)
	want(t, "and hits two frames later", firstHit(states, 0), 42)
	want(t, "while it is stunned", states[42].P[1].HitstunFrames, 18)
	pin(t, states, 0x4D4F50DB)
}

func TestFrozenWalls(t *testing.T) {
	states := play(t, "L20 R80", "R20 L80")
	want(t, "left wall", states[20].P[0].X, duel.StageLeft)
	want(t, "right wall", states[20].P[1].X, duel.StageRight-duel.BodyWidth)
	want(t, "running goes on at the wall", states[20].P[0].State, duel.Running)
	want(t, "fighters pass through each other to the far wall", states[100].P[0].X, duel.StageRight-duel.BodyWidth)
	want(t, "and back", states[100].P[1].X, duel.StageLeft)
	pin(t, states, 0x83D60248)
}

func TestFrozenJump(t *testing.T) {
	states := play(t, "J30", "JL .40")
	want(t, "gravity acts in the first frame", states[1].P[0].Y, 460)
	want(t, "jumping", states[1].P[0].State, duel.Jumping)
	top := int32(0)
	for _, s := range states {
		top = max(top, s.P[0].Y)
	}
	want(t, "the top of a jump", top, 2880)
	landing := 1
	for states[landing].P[1].State == duel.Jumping {
		landing++
	}
	want(t, "frames in the air", landing, 24)
	want(t, "landed", states[landing].P[1].State, duel.Idle)
	want(t, "a held jump starts again from the ground", states[landing+1].P[0].State, duel.Jumping)
	pin(t, states, 0xA174DFD1)
}

func TestFrozenAirAttack(t *testing.T) {
	// In the air an attack replaces the state of the jump, and has its own height: 700 up from the feet, against a body
	// of 900.
	low := play(t, approach+" J .21 A .20", "")
	want(t, "the attack takes over from the jump", low[59].P[0].State, duel.Attacking)
	want(t, "an attack on the way down hits a standing fighter", firstHit(low, 1) > 58, true)
	pin(t, low, 0x8CDFE58D)

	high := play(t, approach+" J .8 A .20", "")
	want(t, "from the top of a jump it passes over", firstHit(high, 1), -1)
	pin(t, high, 0xBBA2B272)

	both := play(t, approach+" J .8 A .20", ".36 J .20")
	want(t, "two fighters in the air can hit", firstHit(both, 1) > 0, true)
	pin(t, both, 0xEB9DD9F8)
}

func TestFrozenJumpCancelsAttack(t *testing.T) {
	states := play(t, "R35 AJ R3 .30", "")
	want(t, "the jump takes over the state", states[36].P[0].State, duel.Jumping)
	want(t, "the window keeps running", states[36].P[0].AttackActiveFrames, 4)
	f := firstHit(states, 1)
	want(t, "and hits from the air", states[f].P[0].State, duel.Jumping)
	want(t, "in the next frame, when it reaches", f, 37)
	want(t, "the end of the window leaves the jump alone", states[41].P[0].State, duel.Jumping)
	pin(t, states, 0xA8131359)

	again := play(t, "J AJ .40", "")
	want(t, "in the air there is no second jump", again[2].P[0].State, duel.Attacking)
	pin(t, again, 0x8F59BAE0)
}

func TestFrozenAttackWindow(t *testing.T) {
	// Phase F runs before phase G, so 4 of the 5 active frames can hit.
	states := play(t, "A .10", "")
	for f, active := range []int32{0, 4, 3, 2, 1, 0, 0} {
		want(t, "active frames", states[f].P[0].AttackActiveFrames, active)
	}
	want(t, "then the fighter is idle", states[5].P[0].State, duel.Idle)

	last := play(t, "L14 R47 A R3 .30", "")
	want(t, "a hit in the last frame of the window", firstHit(last, 1), 65)
	pin(t, last, 0xFA43F34B)
	late := play(t, "L14 R46 A R4 .30", "")
	want(t, "one frame later there is none", firstHit(late, 1), -1)
	pin(t, late, 0xDDE137C5)
}

func TestFrozenCooldown(t *testing.T) {
	states := play(t, "A62", "")
	var starts []int
	for f := 1; f < len(states); f++ {
		if states[f].P[0].AttackCooldownFrames == duel.AttackCooldown {
			starts = append(starts, f)
		}
	}
	want(t, "number of attacks", len(starts), 3)
	want(t, "second start", starts[1]-starts[0], 30)
	want(t, "third start", starts[2]-starts[1], 30)
	pin(t, states, 0x5C2BF7BB)
}

func TestFrozenHitstun(t *testing.T) {
	// The defender holds all buttons all the time.
	states := play(t, approach+" A .40", ".37 LJA40")
	hit := firstHit(states, 1)
	for f := hit; f < hit+20; f++ {
		want(t, "stunned", states[f].P[1].State, duel.Hitstun)
		want(t, "and nowhere else", states[f].P[1].X, duel.StartX2)
	}
	want(t, "in the frame where the stun ends it acts at once", states[hit+20].P[1].State, duel.Jumping)
	want(t, "with an attack", states[hit+20].P[1].AttackActiveFrames, 4)
	pin(t, states, 0x32A08C8B)

	airborne := play(t, approach+" A .40", ".14 J .60")
	want(t, "a fighter that comes down from a jump is hit", airborne[37].P[1].State, duel.Hitstun)
	want(t, "in the air", airborne[37].P[1].Y, 460)
	want(t, "it goes on falling", airborne[38].P[1].Y, duel.Ground)
	want(t, "and landing does not end the stun", airborne[38].P[1].State, duel.Hitstun)
	pin(t, airborne, 0x9416B5B9)
}

func TestFrozenKnockOut(t *testing.T) {
	states := play(t, approach+" A160", "")
	var health []int32
	for f := 1; f < len(states); f++ {
		if hp := states[f].P[1].Hp; hp != states[f-1].P[1].Hp {
			health = append(health, hp)
		}
	}
	want(t, "four hits", len(health), 4)
	want(t, "no health is left", health[3], 0)
	last := states[len(states)-1]
	want(t, "a fifth hit stuns", last.P[1].State, duel.Hitstun)
	want(t, "and takes nothing more", last.P[1].Hp, 0)
	pin(t, states, 0x3C7919A1)
}

func TestFrozenLeftAndRightTogether(t *testing.T) {
	states := play(t, "LR10 L5", "LR10 R5")
	want(t, "right wins for player 1", states[10].P[0].X, duel.StartX1+10*duel.RunSpeed)
	want(t, "and for player 2", states[10].P[1].Facing, int8(+1))
	pin(t, states, 0x843A019F)
}

func TestFrozenRunning(t *testing.T) {
	states := play(t, "R3 .2", "LA L10")
	want(t, "running", states[3].P[0].State, duel.Running)
	want(t, "letting go stops at once", states[4].P[0].State, duel.Idle)
	want(t, "an attacker moves but keeps its state", states[4].P[1].State, duel.Attacking)
	want(t, "and its speed", states[4].P[1].X, duel.StartX2-4*duel.RunSpeed)
	want(t, "then runs", states[6].P[1].State, duel.Running)
	pin(t, states, 0xAF2AD972)
}

// The twelve bits without a meaning change nothing.
func TestOtherBitsAreIgnored(t *testing.T) {
	script, err := duel.Scripted("golden", 1)
	if err != nil {
		t.Fatal(err)
	}
	noisy := func(f uint32) [2]duel.Input {
		in := script(f)
		in[0] |= duel.Input(f*40503) &^ duel.Buttons
		in[1] |= duel.Input(f*60493) &^ duel.Buttons
		return in
	}
	s := run(t, 1, noisy, 1000)
	want(t, "checksum", duel.Checksum(&s), 0x41B73DB7)
}

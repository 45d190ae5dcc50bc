package duel_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/page"
	"github.com/tickback/tickback/rollback"
)

// reaches reports whether an active attack hits a fighter at this distance, when both are in the air.
func reaches(x, y int32, facing int8) bool {
	still := func(x, y int32) duel.Fighter {
		return duel.Fighter{X: x, Y: y, Vy: -duel.Gravity, Hp: duel.FullHp}
	}
	s := duel.State{P: [2]duel.Fighter{still(9000, 5000), still(9000+x, 5000+y)}}
	s.P[0].Facing, s.P[0].AttackActiveFrames = facing, 2
	duel.Step(&s, [2]duel.Input{})
	return s.P[0].AttackHasHit != 0
}

// farthest is the largest distance up to a bound for which the condition holds.
func farthest(bound int32, holds func(int32) bool) int32 {
	for bound > 0 && !holds(bound) {
		bound--
	}
	return bound
}

// count returns how many of the states meet a condition.
func count(states []duel.State, is func(s *duel.State) bool) (n int) {
	for i := range states {
		if is(&states[i]) {
			n++
		}
	}
	return n
}

// changes lists the states in which a value differs from that in the state before.
func changes(states []duel.State, of func(s *duel.State) int32) (at []int) {
	for i := 1; i < len(states); i++ {
		if of(&states[i]) != of(&states[i-1]) {
			at = append(at, i)
		}
	}
	return at
}

// checkConsequences computes what follows from the rules.
func checkConsequences(t *testing.T, p *page.Page) {
	run := play(t, "L30 R90", "")
	jump := play(t, "R10 RJ R40", "")
	top, ground := int32(0), 11
	for _, s := range jump {
		top = max(top, s.P[0].Y)
	}
	for jump[ground].P[0].Y > 0 {
		ground++
	}
	knocked := play(t, "R36 A160", "")
	hits := changes(knocked, func(s *duel.State) int32 { return s.P[1].Hp })
	starts := changes(play(t, "A62", ""), func(s *duel.State) int32 { return s.P[0].AttackCooldownFrames / duel.AttackCooldown })
	stunned := play(t, "R36 A .60", "")
	least := int(farthest(600, func(x int32) bool { return !reaches(x, 0, +1) })) + 1
	most := int(farthest(3000, func(x int32) bool { return reaches(x, 0, +1) }))
	values := map[string]int{}
	for _, v := range []struct {
		what  string
		value int
	}{
		{"largest X of a fighter", int(run[len(run)-1].P[0].X)},
		{"ticks to run from one wall to the other", count(run[30:], func(s *duel.State) bool { return s.P[0].X < duel.StageRight-duel.BodyWidth })},
		{"Y after the first tick of a jump", int(jump[11].P[0].Y)},
		{"top of a jump", int(top)},
		{"ticks from the start of a jump until the fighter is on the ground", ground - 10},
		{"way of a jump while running", int(jump[ground].P[0].X - jump[10].P[0].X)},
		{"ticks in which one attack can hit, the first included", count(play(t, "A .20", ""), func(s *duel.State) bool { return s.P[0].AttackActiveFrames > 0 })},
		{"least way from the attacker's corner to that of a fighter ahead, to hit it", least},
		{"largest such way", most},
		{"the attacker's feet above those of a fighter that it hits, at most", int(farthest(3000, func(y int32) bool { return reaches(500, -y, +1) }))},
		{"the attacker's feet below them, at most", int(farthest(3000, func(y int32) bool { return reaches(500, y, +1) }))},
		{"steps after that of a hit in which the fighter does not act", count(stunned, func(s *duel.State) bool { return s.P[1].State == duel.Hitstun }) - 1},
		{"ticks from the start of an attack to the next, with the button held", starts[2] - starts[0]},
		{"hits that take all health", len(hits)},
		{"ticks from the first to the last of these, with the button held", hits[len(hits)-1] - hits[0]},
	} {
		values[v.what] = v.value
	}
	for _, row := range p.Table("What follows", "what follows from the rules", "value") {
		got, is := values[row[0]]
		if delete(values, row[0]); !is || strconv.Itoa(got) != row[1] {
			t.Errorf("%s: the page has %s, and the code %d", row[0], row[1], got)
		}
	}
	if len(values) > 0 {
		t.Errorf("the page does not say %v", values)
	}
	for x := int32(0); x < 1400; x++ {
		if hits := x >= int32(least) && x <= int32(most); reaches(x, 0, +1) != hits || reaches(-x, 0, -1) != hits {
			t.Errorf("from %d away, whether an attack hits is not %v", x, hits)
		}
	}
}

// checkPredictions runs frames with known inputs, and with late ones.
func checkPredictions(t *testing.T, p *page.Page) {
	const frames = 6
	for _, row := range p.Table("Missing inputs", "known, by frame", "frames 0 to 5 run with") {
		var wants []duel.Input
		for _, word := range strings.Fields(row[1]) {
			wants = append(wants, hold(t, word)[0])
		}
		for _, late := range []bool{false, true} {
			game, err := duel.Game(1)
			if err != nil {
				t.Fatal(err)
			}
			step, ran := game.Step, make([]duel.Input, frames+1)
			game.Step = func(s *duel.State, tick *rollback.Tick[duel.Input]) {
				ran[s.Frame] = tick.Input(1)
				step(s, tick)
			}
			e, err := rollback.New(game, rollback.Config{Players: 2, Local: rollback.SetOf(0), Window: 2 * frames})
			if err != nil {
				t.Fatal(err)
			}
			for f := range frames + 1 {
				if late == (f == frames) {
					learn(t, e, row[0])
				}
				if err := e.AddLocal(0, 0, nil); err != nil {
					t.Fatal(err)
				}
				if err := e.Tick(); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(ran[:frames], wants) {
				t.Errorf("known %q, late %v: frames run with %v, want %v", row[0], late, ran[:frames], wants)
			}
		}
	}
	p.Says("Missing inputs", "the newest input of that player that is known of an earlier frame")
}

// learn adds inputs of player 2, as the page lists them, unless they are known already.
func learn(t *testing.T, e *rollback.Engine[duel.State, duel.Input], known string) {
	t.Helper()
	for _, word := range strings.Fields(known) {
		frame, held, _ := strings.Cut(word, ":")
		if err := e.AddInput(1, rollback.Frame(number(t, frame)), hold(t, held)[0], nil); err != nil {
			t.Fatal(err)
		}
	}
}

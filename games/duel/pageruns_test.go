package duel_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/page"
	"github.com/tickback/tickback/replay/rplk"
	"github.com/tickback/tickback/rollback"
)

// reaches reports whether an open attack hits a fighter that is so far away, both in the air.
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

// count is how many of the states are so.
func count(states []duel.State, is func(s *duel.State) bool) (n int) {
	for i := range states {
		if is(&states[i]) {
			n++
		}
	}
	return n
}

// changes lists the states in which something of player p+1 is not what it was before.
func changes(states []duel.State, of func(s *duel.State) int32) (at []int) {
	for i := 1; i < len(states); i++ {
		if of(&states[i]) != of(&states[i-1]) {
			at = append(at, i)
		}
	}
	return at
}

// checkConsequences works out what follows from the rules.
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
	values := map[string]int{
		"largest X of a fighter":                  int(run[len(run)-1].P[0].X),
		"ticks to run from one wall to the other": count(run[30:], func(s *duel.State) bool { return s.P[0].X < 20000-600 }),
		"Y after the first tick of a jump":        int(jump[11].P[0].Y),
		"top of a jump":                           int(top),
		"ticks from the start of a jump until the fighter is on the ground":          ground - 10,
		"way of a jump while running":                                                int(jump[ground].P[0].X - jump[10].P[0].X),
		"ticks in which one attack can hit, the first included":                      count(play(t, "A .20", ""), func(s *duel.State) bool { return s.P[0].AttackActiveFrames > 0 }),
		"least way from the attacker's corner to that of a fighter ahead, to hit it": least,
		"largest such way": most,
		"the attacker's feet above those of a fighter that it hits, at most":  int(farthest(3000, func(y int32) bool { return reaches(500, -y, +1) })),
		"the attacker's feet below them, at most":                             int(farthest(3000, func(y int32) bool { return reaches(500, y, +1) })),
		"steps after that of a hit in which the fighter does not act":         count(stunned, func(s *duel.State) bool { return s.P[1].State == duel.Hitstun }) - 1,
		"ticks from the start of an attack to the next, with the button held": starts[2] - starts[0],
		"hits that take all health":                                           len(hits),
		"ticks from the first to the last of these, with the button held":     hits[len(hits)-1] - hits[0],
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
			t.Errorf("from %d away, an attack does not hit: %v", x, hits)
		}
	}
}

// checkPredictions runs frames with what is known, and with what comes late.
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

// learn adds inputs of player 2, as the page lists them, if they are not known yet.
func learn(t *testing.T, e *rollback.Engine[duel.State, duel.Input], known string) {
	t.Helper()
	for _, word := range strings.Fields(known) {
		frame, held, _ := strings.Cut(word, ":")
		if err := e.AddInput(1, rollback.Frame(number(t, frame)), hold(t, held)[0], nil); err != nil {
			t.Fatal(err)
		}
	}
}

// pressed is what a word of the page's scripts holds in a frame.
func pressed(t *testing.T, word string, f int) duel.Input {
	if n, is := strings.CutPrefix(word, "A/"); is {
		if f%int(number(t, n)) == 0 {
			return duel.Attack
		}
		return 0
	}
	if n, is := strings.CutPrefix(word, "L/R "); is {
		if f/int(number(t, n))%2 == 0 {
			return duel.Left
		}
		return duel.Right
	}
	return hold(t, word)[0]
}

// checkScripts plays the two scripts from the page, and compares them with those of the
// package.
func checkScripts(t *testing.T, p *page.Page) {
	const frames = 1000
	scripts := map[string]*[2][]duel.Input{"golden": {}, "documented": {}}
	for _, row := range p.Table("Two scripts", "script", "player", "frames", "held") {
		held := &scripts[row[0]][number(t, row[1])-1]
		from, to, _ := strings.Cut(row[2], " to ")
		for f := len(*held); f <= int(number(t, to)); f++ {
			*held = append(*held, pressed(t, row[3], f))
		}
		want(t, row[0]+" goes on where it was", len(*held) > int(number(t, from)), true)
	}
	states := map[string][]duel.State{}
	for name, script := range scripts {
		ours, err := duel.Scripted(name, 1)
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, 1, nil, 0)
		for f := range uint32(frames) {
			in := [2]duel.Input{script[0][f], script[1][f]}
			want(t, fmt.Sprintf("%s in frame %d", name, f), ours(f), in)
			states[name] = append(states[name], s)
			duel.Step(&s, in)
		}
		states[name] = append(states[name], s)
		want(t, "whether anybody is hit by "+name, firstHit(states[name], 0)+firstHit(states[name], 1), -2)
	}
	last := ""
	for _, row := range p.Table("Two scripts", "state", "golden", "documented") {
		for i, name := range []string{"golden", "documented"} {
			s := &states[name][number(t, row[0])]
			want(t, name+", state "+row[0], uint64(duel.Checksum(s)), number(t, row[i+1]))
		}
		last = row[0]
	}
	want(t, "the last state", last, strconv.Itoa(frames))
	plan, err := canon.PlanFor[duel.State]()
	if err != nil {
		t.Fatal(err)
	}
	p.Says("Two scripts", "The hash of state %d is 0x%016X of golden, and 0x%016X of documented.",
		frames, plan.Hash(&states["golden"][frames]), plan.Hash(&states["documented"][frames]))
	p.Says("Two scripts", "`tickback sim --script golden --seed 1 --frames %d`", frames)
	p.Says("Two scripts", "attack in each frame that 15 divides")
	p.Says("Two scripts", "the whole part of f / 20 is even")
}

// checkScenes plays the scenes of the page, which are all that are pinned.
func checkScenes(t *testing.T, p *page.Page) {
	listed := map[string]bool{}
	for _, row := range p.Table("Scenes", "scene", "player 1", "player 2", "frames", "checksum") {
		states := play(t, row[1], row[2])
		want(t, "frames of: "+row[0], strconv.Itoa(len(states)-1), row[3])
		want(t, "checksum of: "+row[0], fmt.Sprintf("0x%08X", duel.Checksum(&states[len(states)-1])), row[4])
		listed[row[4]] = true
	}
	pins := regexp.MustCompile(`pin\(t, \w+, (0x\w+)\)`).FindAllStringSubmatch(source(t, "scenes_test.go"), -1)
	for _, pin := range pins {
		want(t, "whether the page has the scene that ends with "+pin[1], listed[pin[1]], true)
	}
	if len(pins) < 20 {
		t.Errorf("only %d scenes were found", len(pins))
	}
}

// checkMatches plays the long matches.
func checkMatches(t *testing.T, p *page.Page) {
	for _, row := range p.Table("Long matches", "match", "seed", "frames", "checksum") {
		seed, frames := uint32(number(t, row[1])), uint32(number(t, row[2]))
		script := drawn(seed)
		if file := regexp.MustCompile(`testdata/[a-z-]+\.rplk`).FindString(row[0]); file != "" {
			f, err := os.Open("../../" + file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			recording, err := rplk.ReadAll(f)
			if err != nil {
				t.Fatal(err)
			}
			want(t, "seed of "+file, recording.Seed, seed)
			want(t, "frames of "+file, uint32(len(recording.Frames)), frames)
			script = func(f uint32) [2]duel.Input {
				in := recording.Frames[f]
				return [2]duel.Input{duel.Input(in[0]), duel.Input(in[1])}
			}
		}
		s := run(t, seed, script, frames)
		want(t, row[0], uint64(duel.Checksum(&s)), number(t, row[3]))
	}
	p.Says("Long matches", "a number below 6, and if it is 0 another one below %d", duel.Buttons+1)
	p.Says("Long matches", "x ^= x << 13, x ^= x >> 17, x ^= x << 5")
}

// drawn is the script random, as the page has it.
func drawn(seed uint32) duel.Script {
	x := seed
	below := func(n uint32) uint32 {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		return uint32(uint64(x) * uint64(n) >> 32)
	}
	var held [2]duel.Input
	return func(uint32) [2]duel.Input {
		for p := range held {
			if below(6) == 0 {
				held[p] = duel.Input(below(16))
			}
		}
		return held
	}
}

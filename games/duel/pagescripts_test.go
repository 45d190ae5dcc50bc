package duel_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/classic/rplk"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/internal/page"
)

// pressed returns the buttons that a word of the page's scripts holds in a frame.
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
		want(t, "where "+row[0]+" goes on", strconv.Itoa(len(*held)), from)
		for f := len(*held); f <= int(number(t, to)); f++ {
			*held = append(*held, pressed(t, row[3], f))
		}
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

// checkScenes plays the scenes of the page, which are all scenes with a recorded checksum.
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
		script := alike(t, seed)
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

// alike is the script random, in which the page and the package agree.
func alike(t *testing.T, seed uint32) duel.Script {
	t.Helper()
	ours, err := duel.Scripted("random", seed)
	if err != nil {
		t.Fatal(err)
	}
	theirs := drawn(seed)
	return func(f uint32) [2]duel.Input {
		in := theirs(f)
		if ours(f) != in {
			t.Fatalf("frame %d of random: the page has %v", f, in)
		}
		return in
	}
}

// drawn is the script random, as the page describes it.
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

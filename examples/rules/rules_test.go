package rules

import (
	"fmt"
	"hash/maphash"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/fixed"
	"github.com/tickback/tickback/rollback"
)

// rule is a duty of the page, and who notices a step that breaks it.
type rule struct {
	name         string // the heading
	wrong, right subject
	noticed      string
}

var rules = []rule{
	{"Ranges over maps", world(mapWrong), world(mapRight), "SyncTest, Twins, Purity"},
	{"Goroutines and select", world(goroutineWrong), world(goroutineRight), "SyncTest, Twins, Purity"},
	{"Sorting with ties", world(sortWrong), world(sortRight), "nothing"},
	{"The clock", world(clockWrong), world(clockRight), "nothing"},
	{"Random numbers", world(randomWrong), world(randomRight), "SyncTest, Twins, Purity"},
	{"Environment and files", world(configWrong), hard(configRight), "nothing"},
	{"The number of processors", world(processorsWrong), world(processorsRight), "nothing"},
	{"The screen", world(screenWrong), world(screenRight), "nothing"},
	{"Variables of the package", world(globalWrong), world(globalRight), "SyncTest, Twins, Purity"},
	{"Floating point", world(floatWrong), world(floatRight), "nothing"},
	{"Functions of math", world(functionWrong), world(functionRight), "nothing"},
	{"Conversions that do not fit", world(convertWrong), world(convertRight), "nothing"},
	{"The width of int", world(widthWrong), world(widthRight), "nothing"},
	{"NaN as a key", slopes(nanWrong), slopes(nanRight), "SyncTest, Twins, Purity"},
	{"Snapshots", swarm(capacityRight, saveWrong, restoreWrong), swarm(capacityRight, saveRight, restoreRight), "SyncTest, Purity"},
	{"Capacity", swarm(capacityWrong, saveRight, restoreRight), swarm(capacityRight, saveRight, restoreRight), "SyncTest, Purity"},
	{"Addresses", herd(addressWrong), herd(addressRight), "SyncTest, Twins, Purity"},
	{"Seeded hashes", world(hashWrong), world(hashRight), "nothing"},
	{"Pools", world(poolWrong), world(poolRight), "SyncTest, Twins, Purity"},
	{"Excluded fields", stepped(excludedWrong), stepped(excludedRight), "nothing"},
	{"Encodings", bank(encodeWrong), bank(encodeRight), "construction"},
	{"What is predicted", world(statusWrong), world(statusRight), "SyncTest, Purity"},
	{"Side effects", world(sideWrong), world(sideRight, hit, won), "nothing"},
	{"Memory of the tick", chat(keepWrong), chat(keepRight), "Purity"},
}

// Rule: who notices a step that breaks a duty is who the page says, and a step that keeps it
// passes everything.
func TestBrokenDutiesAreNoticedAsThePageSays(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			if got := r.wrong.noticed(t); got != r.noticed {
				t.Errorf("WRONG is noticed by %s, not by %s", got, r.noticed)
			}
			if got := r.right.noticed(t); got != "nothing" {
				t.Errorf("RIGHT is noticed by %s", got)
			}
		})
	}
}

// Rule: what no test on one machine notices diverges all the same, on another machine or at
// another time; what keeps the duty does not.
func TestWhatNothingNoticesDivergesElsewhere(t *testing.T) {
	start, seeded, elapsed, processors := began, seed, screen.Elapsed, runtime.GOMAXPROCS(0)
	t.Cleanup(func() {
		began, seed, screen.Elapsed = start, seeded, elapsed
		runtime.GOMAXPROCS(processors)
	})
	for name, elsewhere := range map[string]func(){
		"The clock":                func() { began = began.Add(-time.Minute) },
		"Environment and files":    func() { t.Setenv("GAME_HARD", "1") },
		"The number of processors": func() { runtime.GOMAXPROCS(runtime.GOMAXPROCS(0)%4 + 1) },
		"The screen":               func() { screen.Elapsed = 49 - screen.Elapsed },
		"Seeded hashes":            func() { seed = maphash.MakeSeed() },
	} {
		r := rules[slices.IndexFunc(rules, func(r rule) bool { return r.name == name })]
		if !r.wrong.diverges(t, elsewhere) {
			t.Errorf("%s: WRONG comes out the same", name)
		}
		if r.right.diverges(t, elsewhere) {
			t.Errorf("%s: RIGHT comes out differently", name)
		}
	}
}

// stepped is a game of one step, with a state of its own.
func stepped[S any](step func(s *S, t *rollback.Tick[Input])) game[S] {
	return game[S]{rules: rollback.Game[S, Input]{Step: step}}
}

// hard is a game of one step, in a match that was proposed to be hard.
func hard(step func(s *World, t *rollback.Tick[Input])) subject {
	g := rollback.Game[World, Input]{Step: func(s *World, t *rollback.Tick[Input]) {
		s.Frames++
		step(s, t)
	}}
	g.Init, _ = configStart(tickback.Parameters{Data: []byte{1}})
	return game[World]{rules: g}
}

func slopes(step func(s *Slopes, t *rollback.Tick[Input])) subject {
	copied := func(to, from *Slopes) { *to = Slopes{maps.Clone(from.Float), maps.Clone(from.Fixed), from.X, from.Y} }
	return game[Slopes]{rules: rollback.OwnMemory[Slopes, Slopes, Input]{
		Init: func(s *Slopes) { *s = Slopes{Float: map[float64]int32{}, Fixed: map[fixed.Num]int32{}} },
		Step: step, New: func() *Slopes { return new(Slopes) },
		Save: func(s, slot *Slopes) { copied(slot, s) }, Restore: copied,
	}}
}

func herd(step func(s *Herd, t *rollback.Tick[Input])) subject {
	copied := func(to, from *Herd) {
		*to = Herd{Target: from.Target}
		for _, sheep := range from.Sheep {
			to.Sheep = append(to.Sheep, &Sheep{sheep.ID})
		}
	}
	return game[Herd]{rules: rollback.OwnMemory[Herd, Herd, Input]{
		Init: func(s *Herd) { *s = Herd{Sheep: []*Sheep{{3}, {1}}} }, New: func() *Herd { return new(Herd) },
		Step: func(s *Herd, t *rollback.Tick[Input]) {
			slices.Reverse(s.Sheep) // they graze
			step(s, t)
		},
		Save: func(s, slot *Herd) { copied(slot, s) }, Restore: copied,
	}}
}

func bank(hash func(s *Bank) uint64) subject {
	return game[Bank]{rules: rollback.OwnMemory[Bank, Bank, Input]{
		Init: func(s *Bank) {
			s.Gold = map[string]int32{}
			for i := range int32(100) {
				s.Gold[fmt.Sprint("customer ", i)] = i
			}
		},
		Step: func(s *Bank, t *rollback.Tick[Input]) { s.Gold[fmt.Sprint("customer ", t.Frame())]++ },
		Save: func(s, slot *Bank) { slot.Gold = maps.Clone(s.Gold) }, Restore: func(s, slot *Bank) { s.Gold = maps.Clone(slot.Gold) },
		Hash: hash, New: func() *Bank { return new(Bank) },
	}}
}

func chat(step func(s *Chat, t *rollback.Tick[Input])) subject {
	return game[Chat]{orders: 8, rules: rollback.OwnMemory[Chat, Chat, Input]{
		Init: func(s *Chat) { *s = Chat{} }, Step: step, New: func() *Chat { return new(Chat) },
		Save: func(s, slot *Chat) { slot.Last = slices.Clone(s.Last) }, Restore: func(s, slot *Chat) { s.Last = slices.Clone(slot.Last) },
	}}
}

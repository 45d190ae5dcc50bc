package fleet

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
)

// guardedPlan is a match of which one spectator knows the token, and two do not.
func guardedPlan() Plan {
	p := watchedPlan(2, 600, SpectatorPlan{Hosts: []int{0, 1}}, SpectatorPlan{Hosts: []int{1}, Stranger: Tokenless}, SpectatorPlan{Hosts: []int{0, 1}, Stranger: Guessing})
	p.Hosting.Guarded, p.Hosting.Max = true, 1
	return p
}

// Rule: spectators that know the token see everything, and those that do not see nothing and are told so: strangers
// take nobody's place, and one that gives another token asks again for a while.
func TestStrangersSeeNothing(t *testing.T) {
	res, err := Play(ledgerGame(nil), guardedPlan(), Options[ledger, note]{})
	if err != nil || !res.OK() {
		t.Fatal(err, res.Violations)
	}
	for i, w := range res.Spectators {
		var token *admission.TokenError
		if told := errors.As(w.Err, &token); told != (i > 0) || (w.Frames == 600) != (i == 0) || told && token.Missing != (i == 1) {
			t.Errorf("watcher %d has seen %d frames, and ends with %v", i, w.Frames, w.Err)
		}
	}
}

// Rule: the checker of strangers notices a host that does not check tokens, one that sends a stranger nothing at all,
// and a stranger that ends for another reason.
func TestTheCheckerOfStrangersCanFail(t *testing.T) {
	type options = Options[ledger, note]
	for what, o := range map[string]options{
		"no token is looked at": {open: true},
		"strangers get no answer": {watch: func(r *run[ledger, note]) {
			for h := range 2 {
				r.Net.Cut(h, 3, true)
				r.Net.Cut(h, 4, true)
			}
		}},
		"it is over without a reason": {watch: func(r *run[ledger, note]) {
			if w := r.Fleet.Spectators[2]; r.Now > 500*time.Millisecond && r.Now < 700*time.Millisecond {
				w.Leave("")
			}
		}},
	} {
		p := guardedPlan()
		p.Frames = 2400
		if names := caught(t, p, o); !slices.Contains(names, "strangers") {
			t.Errorf("%s: %v", what, names)
		}
	}
}

// Rule: a third of the plans that may be watched are guarded, and have strangers; without these they are as they were
// before there were any. A plan that fails for another reason is shrunk to one without.
func TestStrangersAreDrawn(t *testing.T) {
	guarded, watched, kinds := 0, 0, map[Stranger]int{}
	for seed := range uint64(400) {
		p := drawn(t, seed, All, 2+int(seed)%7, time.Minute)
		watched += btoi(p.Hosting.Max > 0)
		guarded += btoi(p.Hosting.Guarded)
		for _, v := range p.Spectators {
			if v.Stranger != "" {
				kinds[v.Stranger]++
			}
		}
		again, err := ParsePlan(p.JSON())
		if err != nil || !again.Equal(&p) {
			t.Fatalf("seed %d: %v\n%v", seed, err, again)
		}
	}
	if guarded < watched/5 || guarded > watched/2 || kinds[Tokenless] < 20 || kinds[Guessing] < 20 {
		t.Errorf("of %d plans that may be watched %d are guarded; strangers: %v", watched, guarded, kinds)
	}
	p := guardedPlan()
	p.Faults = []Fault{{Kind: Talk, Value: 10}}
	if small := Shrink(p, DefaultShrinks, func(p Plan) bool { return len(p.Faults) > 0 }); small.Hosting != (SpectatorHosting{}) {
		t.Errorf("left is %v", small)
	}
	small := Shrink(p, DefaultShrinks, func(p Plan) bool {
		return slices.ContainsFunc(p.Spectators, func(v SpectatorPlan) bool { return v.Stranger == Guessing })
	})
	if len(small.Spectators) != 1 || len(small.Faults) > 0 {
		t.Errorf("left is %v", small)
	}
	for want, change := range map[string]func(p *Plan){
		"is not Guarded":     func(p *Plan) { p.Hosting.Guarded = false },
		"but Max is 0":       func(p *Plan) { p.Hosting.Max, p.Spectators = 0, nil },
		`gives "a password"`: func(p *Plan) { p.Spectators[0].Stranger = "a password" },
	} {
		p := guardedPlan()
		if change(&p); !errors.Is(p.Validate(), ErrPlan) || !containsText(p.Validate(), want) {
			t.Errorf("%v, want %q", p.Validate(), want)
		}
	}
}

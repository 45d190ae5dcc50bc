package hosted

import (
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
)

// guardedPlan is a plan with all kinds of strangers that try to play or to watch.
func guardedPlan() Plan {
	p := calmPlan(false)
	p.Guarded, p.Frames = true, 500
	link := p.Clients[0].Up
	for _, s := range []Stranger{{Is: Tokenless}, {Is: Guessing}, {Is: Tokenless, Watches: true}, {Is: OtherGame}} {
		s.Up, s.Down = link, link
		p.Strangers = append(p.Strangers, s)
	}
	return p
}

// Rule: a machine with no token, with another one, with another game or another build is told so each time that it asks, and
// sees nothing, with full sight and with partial sight; no player or spectator is affected by it, or by noise.
func TestStrangersGetInNowhere(t *testing.T) {
	for _, partial := range []bool{false, true} {
		for _, second := range []bool{false, true} {
			p := guardedPlan()
			if p.Partial = partial; partial {
				p.Delay = p.TickRate
			}
			p.Places = len(p.Clients) + 1
			if second {
				for i, is := range []Strangeness{OtherBuild, Guessing, OtherGame, Noise} {
					p.Strangers[i].Is, p.Strangers[i].Watches = is, i == 1 || i == 2
				}
			}
			told := [MaxStrangers]int{}
			res := play(t, p, options{watch: func(r lies) {
				for i, s := range r.strangers {
					told[i] = s.told
				}
			}})
			for i, n := range told {
				if noise := p.Strangers[i].Is == Noise; n < 3 != noise {
					t.Errorf("partial %v, %+v: told %d times", partial, p.Strangers[i], n)
				}
			}
			s := res.Sum()
			if !res.OK() || s.Started != 5 || s.Finals != 5 || s.Losses+s.Refusals > 0 || !res.Spectators[0].Ended || res.Joined != 5 {
				t.Errorf("partial %v: %v, joined %d, %+v, %+v", partial, res.Violations, res.Joined, s, res.Spectators)
			}
		}
	}
}

// Rule: a plan that fails for another reason is shrunk to one without strangers and without a token.
func TestStrangersAreShrunkAway(t *testing.T) {
	p := guardedPlan()
	p.Faults = []fleet.Fault{{Kind: fleet.Kill, At: time.Second, Machine: 1}}
	if least := Shrink(p, 60, func(p Plan) bool { return len(p.Faults) > 0 }); least.Guarded || len(least.Strangers) > 0 {
		t.Errorf("what is left:\n%v", least)
	}
}

// Rule: a third of the plans have strangers of all kinds, and most of these need a token.
func TestStrangersAreDrawn(t *testing.T) {
	plans, guarded, watch, kinds := 0, 0, 0, map[Strangeness]int{}
	for seed := range uint64(300) {
		p, err := Draw(seed, fleet.All, tanksRules, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		plans, guarded = plans+btoi(len(p.Strangers) > 0), guarded+btoi(p.Guarded)
		for _, s := range p.Strangers {
			kinds[s.Is]++
			watch += btoi(s.Watches)
		}
	}
	for _, k := range []Strangeness{Tokenless, Guessing, OtherGame, OtherBuild, Noise} {
		if kinds[k] < 10 {
			t.Errorf("%d with %s", kinds[k], k)
		}
	}
	if plans < 60 || plans > 130 || guarded < 40 || watch < 10 {
		t.Errorf("of 300 plans %d have strangers, %d need a token, %d want to watch", plans, guarded, watch)
	}
}

package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// What plans have found, shrunk.

// An interruption that is shorter than DropAfter loses nothing, also when it begins as
// a third machine leaves: whoever has not heard where the match ends hears it after
// the interruption, since those who know wait for that. They used to be gone after
// two times Linger.
func TestRegressionTheEndIsHeardAfterAnInterruption(t *testing.T) {
	p := calmPlan(3, 225)
	p.Seed, p.Until, p.DropAfter = 10870, 11250*time.Millisecond, 8*time.Second
	p.Machines[2].AutoDelay = true
	p.Link.Delay = 100 * time.Millisecond
	p.Links = []Way{
		{1, 0, netem.Link{Delay: 110 * time.Millisecond}},
		{2, 1, netem.Link{Delay: 143 * time.Millisecond}},
	}
	p.Faults = []Fault{
		{Kind: Leave, At: 2261 * time.Millisecond, Machine: 2},
		{Kind: Partition, At: 2533 * time.Millisecond, For: 4234 * time.Millisecond, Side: 0b110},
	}
	res := playLedger(t, p)
	fine(t, p, res)
	for _, m := range res.Machines[:2] {
		if len(m.Outcomes) != 1 || m.Outcomes[0].Frames != res.Machines[0].Outcomes[0].Frames {
			t.Errorf("the ends are %+v", m.Outcomes)
		}
	}
}

// The outcome of a match is there when its end is an event, also if the host has
// proposed the next match by then.
func TestRegressionTheOutcomeIsSeenBeforeARematch(t *testing.T) {
	p := calmPlan(3, 40)
	p.Matches = 6
	p.Link = netem.Link{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Exponential, Reorder: true}
	for p.Seed = range uint64(20) {
		fine(t, p, playLedger(t, p))
	}
}

// A session that is over because somebody has left since the last frame names who.
func TestRegressionWhoLeftAtTheEndIsNamed(t *testing.T) {
	p := calmPlan(3, 60)
	for at := time.Second; at < 1300*time.Millisecond; at += 5 * time.Millisecond {
		p.Faults = []Fault{{Kind: Leave, At: at, Machine: 2}}
		fine(t, p, playLedger(t, p))
	}
}

// Of two that go on without each other, one has come to its end when the other goes on.
// That was no mistake of the session, but of the checker of inputs.
func TestRegressionOneIsThroughWhenTheOtherWakes(t *testing.T) {
	p := calmPlan(2, 720)
	p.OnLeave, p.Until = session.Continue, 30*time.Second
	p.Faults = []Fault{{Kind: Stall, At: 11200 * time.Millisecond, For: 7500 * time.Millisecond, Machine: 1}}
	res := playLedger(t, p)
	fine(t, p, res)
	for i, m := range res.Machines {
		if len(m.Outcomes) != 1 || m.Outcomes[0].Frames != 720 {
			t.Errorf("machine %d: %+v", i, m.Outcomes)
		}
	}
}

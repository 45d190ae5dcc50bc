package fleet

import (
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// What plans have found, shrunk.

// An interruption that is shorter than DropAfter loses nothing, even if it begins while a
// third machine leaves: a machine that has not heard where the match ends hears it after
// the interruption, since those that know wait for it. They used to leave after twice
// Linger.
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

// The outcome of a match is available when its end is an event, even if the host has
// proposed the next match by then.
func TestRegressionTheOutcomeIsSeenBeforeARematch(t *testing.T) {
	p := calmPlan(3, 40)
	p.Matches = 6
	p.Link = netem.Link{Delay: 20 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Exponential, Reorder: true}
	for p.Seed = range uint64(20) {
		fine(t, p, playLedger(t, p))
	}
}

// A session that is over because machines have left since the last frame names them.
func TestRegressionWhoLeftAtTheEndIsNamed(t *testing.T) {
	p := calmPlan(3, 60)
	for at := time.Second; at < 1300*time.Millisecond; at += 5 * time.Millisecond {
		p.Faults = []Fault{{Kind: Leave, At: at, Machine: 2}}
		fine(t, p, playLedger(t, p))
	}
}

// Of two machines that go on without each other, one has reached its end when the other
// goes on. That was not a mistake of the session, but of the checker of inputs.
func TestRegressionOneIsThroughWhenTheOtherWakes(t *testing.T) {
	p := calmPlan(2, 720)
	p.OnLeave, p.Until = session.Continue, 30*time.Second
	p.Faults = []Fault{
		{Kind: Stall, At: 11200 * time.Millisecond, For: 7500 * time.Millisecond, Machine: 1},
		{Kind: Partition, At: 11200 * time.Millisecond, For: 15 * time.Second, Side: 0b10},
	}
	res := playLedger(t, p)
	fine(t, p, res)
	for i, m := range res.Machines {
		if len(m.Outcomes) != 1 || m.Outcomes[0].Frames != 720 {
			t.Errorf("machine %d: %+v", i, m.Outcomes)
		}
	}
}

// A machine that was cut off for long enough to be removed learns of it once it is heard
// again, however far the others have played by then. It used to reject what they reported
// about their frames as impossible, so it accepted nothing from them at all, and waited
// for ever.
func TestRegressionWhoIsOutForLongLearnsIt(t *testing.T) {
	p := continuingPlan(3, 3600, Fault{Kind: Partition, At: 2442 * time.Millisecond, For: 9899 * time.Millisecond, Side: 0b001})
	p.TickRate = 120
	res := playLedger(t, p)
	fine(t, p, res)
	var out *session.RemovedError
	if !errors.As(res.Machines[0].Err, &out) {
		t.Errorf("machine 0 is out, and ends with %v", res.Machines[0].Err)
	}
}

// Of two that have gone on without each other, one leaves, and comes back: that does not
// undo that there were two matches. That was no mistake of the session, but of the checker
// of logs.
func TestRegressionOneOfTwoMatchesIsLeft(t *testing.T) {
	p := continuingPlan(3, 1200,
		Fault{Kind: Leave, At: 25799 * time.Millisecond, Machine: 1},
		Fault{Kind: OneWay, At: 27122 * time.Millisecond, For: 9619 * time.Millisecond, Machine: 0, Other: 2},
		Fault{Kind: Leave, At: 37481 * time.Millisecond, Machine: 2},
		Fault{Kind: Return, At: 48462 * time.Millisecond, Machine: 2})
	p.TickRate, p.Until, p.Link.Delay = 20, 90*time.Second, 20*time.Millisecond
	p.Hosting = SpectatorHosting{Max: 16}
	p.Spectators = []SpectatorPlan{{Hosts: []int{1}, Late: 57569 * time.Millisecond}}
	fine(t, p, playLedger(t, p))
}

// A newcomer that is let in from a frame behind the last one on is told so by its host. The referee took it for a member
// where the host had gone on alone: it does not have the frames of that side, nor their end.
func TestRegressionAHostThatPlaysAloneEndsTheMatch(t *testing.T) {
	b, err := os.ReadFile("testdata/ended-alone.json")
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePlan(b)
	if err != nil {
		t.Fatal(err)
	}
	late := 0
	for last := uint32(4960); last < 4985; last++ {
		game := ledgerGame(nil)
		step := game.Step
		game.Step = func(l *ledger, tick *rollback.Tick[note]) {
			if step(l, tick); l.Frame == last {
				tick.Finish(1)
			}
		}
		res, err := Play(game, p, Options[ledger, note]{})
		if err != nil {
			t.Fatal(err)
		}
		fine(t, p, res)
		var join *session.JoinError
		if errors.As(res.Machines[1].Err, &join) {
			late++
		}
	}
	if late == 0 {
		t.Error("the match never ended as the newcomer joined")
	}
}

// A machine that joins at the moment when the game ends the match is told that it has
// ended. This was a mistake of the checker of errors, not of the session.
func TestRegressionTheMatchEndsAsOneJoins(t *testing.T) {
	p := continuingPlan(3, 3600, Fault{Kind: Kill, At: 4081 * time.Millisecond, Machine: 1})
	p.Seed, p.Until, p.DropAfter, p.Link.Delay = 20414, 45*time.Second, 3*time.Second, 25*time.Millisecond
	p.Machines[0].Delay, p.Machines[1].Delay = 3, 3
	p.Machines[2].Joins, p.Machines[2].Late = true, 38669*time.Millisecond
	late := 0
	for last := uint32(2155); last < 2175; last++ {
		game := ledgerGame(nil)
		step := game.Step
		game.Step = func(l *ledger, tick *rollback.Tick[note]) {
			if step(l, tick); l.Frame == last {
				tick.Finish(1)
			}
		}
		res, err := Play(game, p, Options[ledger, note]{})
		if err != nil {
			t.Fatal(err)
		}
		fine(t, p, res)
		var join *session.JoinError
		if m := &res.Machines[2]; errors.As(m.Err, &join) && slices.ContainsFunc(m.Events, joins) {
			late++
		}
	}
	if late == 0 {
		t.Error("the match never ended as somebody joined")
	}
}

func joins(e session.Event) bool { return e.What == session.Joined }

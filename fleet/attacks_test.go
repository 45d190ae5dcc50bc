package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// watched plays a plan of the ledger, and calls look before each look of the referee.
func watchedRun(t *testing.T, p Plan, look func(r *run[ledger, note])) Result {
	t.Helper()
	res, err := Play(ledgerGame(nil), p, Options[ledger, note]{watch: look})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// ends fails the test if not all machines have played all frames.
func allEnd(t *testing.T, p Plan, res Result) {
	t.Helper()
	fine(t, p, res)
	for i, m := range res.Machines {
		if n := len(m.Outcomes); n != p.Matches || m.Outcomes[n-1].Frames != p.Frames {
			t.Errorf("machine %d: %+v, %v", i, m.Outcomes, m.Err)
		}
	}
}

// A suspended machine sends nothing in the meantime, and when it goes on it reads
// everything that has waited, all at that time. If all are suspended, the match has a
// gap, and goes on.
func TestAllAreSuspended(t *testing.T) {
	p := calmPlan(3, 600)
	for _, side := range []uint16{0b111, 0b010, 0} {
		p.Faults = []Fault{{Kind: Suspend, At: 3 * time.Second, For: time.Duration(2+18*btoi(side == 0b111)) * time.Second, Side: side}}
		before, after := uint64(0), uint64(0)
		res := watchedRun(t, p, func(r *run[ledger, note]) {
			switch from := r.Peers[1].place; {
			case r.Now > 3300*time.Millisecond && before == 0:
				before = r.tally.total.Datagrams
			case r.Now > 3300*time.Millisecond && r.Now < 4900*time.Millisecond:
				after = r.tally.total.Datagrams
				if from.hung != (side != 0) || from.stopped != (side != 0) {
					t.Errorf("side %b: hung %v, stopped %v", side, from.hung, from.stopped)
				}
			}
		})
		allEnd(t, p, res)
		if all := side == 0b111; all != (after == before) || (side != 0) != (res.Length > 11500*time.Millisecond) {
			t.Errorf("side %b: %d datagrams, then %d; it took %v", side, before, after, res.Length)
		}
	}
}

// A clock that jumps, any distance, forward or back, does not make anybody count as
// silent, and takes no time.
func TestAClockJumps(t *testing.T) {
	for _, ms := range []int{20_000, -20_000, 50, -50} {
		p := calmPlan(3, 600)
		p.Faults = []Fault{{Kind: Clock, At: 3 * time.Second, Machine: 1, Value: ms}}
		far := time.Duration(0)
		var stood session.Frame
		res := watchedRun(t, p, func(r *run[ledger, note]) {
			far = r.Peers[1].clock.Local(r.Now) - r.Peers[0].clock.Local(r.Now)
			if r.Now > 4900*time.Millisecond && stood == 0 {
				stood = r.Peers[0].Frame()
			}
		})
		allEnd(t, p, res)
		if want := time.Duration(ms) * time.Millisecond; far != want {
			t.Errorf("%d ms: the clock is ahead by %v", ms, far)
		}
		if stood < 260 {
			t.Errorf("%d ms: after 4.9 s there are %d frames", ms, stood)
		}
		for i, m := range res.Machines {
			for _, e := range m.Events {
				if e.What == session.Silent {
					t.Errorf("%d ms: machine %d: %v", ms, i, e)
				}
			}
		}
	}
}

// Datagrams that arrive twice, in a burst, are recognized as old, and change nothing.
func TestABurstComesTwice(t *testing.T) {
	for _, during := range []time.Duration{0, 2 * time.Second} {
		p := calmPlan(3, 600)
		p.Faults = []Fault{{Kind: Echo, At: 3 * time.Second, For: during, Machine: 1}}
		sent, duplicates := uint64(0), uint64(0)
		res := watchedRun(t, p, func(r *run[ledger, note]) {
			if sent = r.repeater.echoed; r.Now < 6*time.Second {
				duplicates = 0
				for _, l := range r.machines[0].links {
					duplicates += l.Duplicates
				}
			}
		})
		allEnd(t, p, res)
		if happened := during > 0; happened != (sent > 200) || happened != (duplicates > 100) {
			t.Errorf("%v: %d datagrams came twice, %d of them at machine 0", during, sent, duplicates)
		}
	}
}

// Datagrams of an earlier match or session that arrive again change nothing, wherever
// they come from.
func TestAMatchIsReplayed(t *testing.T) {
	for value := range 4 {
		p := calmPlan(3, 240)
		p.Matches = 2
		p.Faults = []Fault{{Kind: Replay, Match: 2, Frame: 60, For: 2 * time.Second, Machine: 1, Value: value}}
		without := p.Clone()
		without.Faults = nil
		sent, noticed := uint64(0), [2]uint64{}
		for i, plan := range []Plan{p, without} {
			res := watchedRun(t, plan, func(r *run[ledger, note]) {
				s := &r.machines[1].stats
				noticed[i] = s.Strangers + s.Rejected
				for _, l := range s.Links {
					noticed[i] += l.Duplicates
				}
				sent = max(sent, r.repeater.replayed)
			})
			allEnd(t, plan, res)
			for j, m := range res.Machines {
				for _, e := range m.Events {
					if e.What == session.Moved || e.What == session.Silent {
						t.Errorf("%v: machine %d: %v", p.Faults, j, e)
					}
				}
			}
		}
		silently := value == ReplayElsewhere // old datagrams cause no challenges
		if sent < 500 || !silently && noticed[0] < noticed[1]+sent/4 {
			t.Errorf("%v: %d datagrams came again, %d were noticed, %d without", p.Faults[0], sent, noticed[0], noticed[1])
		}
	}
}

// A machine dies at the moment when its log has something to decide, after it has sent
// some of that; if there is nothing to decide, it does not die.
func TestAMachineDiesWhileItsLogIsBusy(t *testing.T) {
	for _, cause := range []Fault{
		{Kind: Leave, Machine: 3}, {Kind: Pause, Machine: 0, For: time.Second}, {Kind: Kick, Machine: 3}, {Kind: Kill, Machine: 3}, {Kind: Talk, Machine: 3, Value: 1},
	} {
		for words := range 3 {
			p := continuingPlan(5, 600) // enough are left
			cause.At = 3100 * time.Millisecond
			p.Faults = []Fault{{Kind: Crash, At: 3 * time.Second, For: 6 * time.Second, Machine: 0, Value: words}, cause}
			at, last := time.Duration(0), words
			res := watchedRun(t, p, func(r *run[ledger, note]) { at, last = r.machines[0].goneAt, r.crashes[0].words })
			fine(t, p, res)
			wanted := cause.Kind != Talk
			late := cause.At + time.Duration(btoi(cause.Kind == Kill))*p.DropAfter + 200*time.Millisecond
			if died := res.Machines[0].Gone == "killed"; died != wanted || wanted && (at < cause.At || at > late || last != -1) {
				t.Errorf("%v, %d words: machine 0 is gone (%s) at %v", cause, words, res.Machines[0].Gone, at)
			}
			for _, i := range []int{1, 2, 4} {
				if m := res.Machines[i]; len(m.Outcomes) != 1 || m.Outcomes[0].Frames != 600 {
					t.Errorf("%v, %d words: machine %d: %+v, %v", cause, words, i, m.Outcomes, m.Err)
				}
			}
		}
	}
}

// Two machines that change their addresses at the same time end with a reason, or find
// each other: neither hangs. One after the other is no problem at all.
func TestTwoMoveInAPlan(t *testing.T) {
	for _, leave := range []session.OnLeave{session.End, session.Continue} {
		for _, apart := range []time.Duration{0, 10 * time.Millisecond, 4 * time.Second} {
			for _, players := range []int{2, 3, 4} {
				p := calmPlan(players, 600)
				p.OnLeave = leave
				p.Faults = []Fault{{Kind: Move, At: 3 * time.Second, Machine: 0}, {Kind: Move, At: 3*time.Second + apart, Machine: 1}}
				res := playLedger(t, p)
				if fine(t, p, res); apart > time.Second {
					allEnd(t, p, res)
				}
			}
		}
	}
}

// Faults whose time counts from a match happen when that match has begun.
func TestFaultsAtTheEndOfAMatch(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		match uint32
		frame session.Frame // of the first machine
		phase session.Phase
	}{
		{Fault{Match: 1, Frame: 50}, 1, 50, session.Playing},
		{Fault{Match: 1, Frame: -10}, 1, 110, session.Playing},
		{Fault{Match: 1, Frame: 0, At: 300 * time.Millisecond}, 1, 120, session.Lobby},
		{Fault{Match: 2, Frame: 1}, 2, 1, session.Playing},
		{Fault{Match: 2, Frame: 0, At: 900 * time.Millisecond}, 2, 120, session.Lobby},
	} {
		p := calmPlan(2, 120)
		p.Matches, p.Rest = 2, time.Second
		c.fault.Kind, c.fault.Machine = Kill, 1
		p.Faults = []Fault{c.fault}
		seen := false
		res, err := Play(ledgerGame(nil), p, Options[ledger, note]{watch: func(r *run[ledger, note]) {
			if m := r.machines[1]; m.gone == "killed" && !seen {
				seen = true
				s := r.Peers[0].Stats(nil)
				if m.match != c.match || max(s.Frame, c.frame)-min(s.Frame, c.frame) > 14 || m.goneAt < 500*time.Millisecond {
					t.Errorf("%v: it is gone in match %d at frame %d, %v", c.fault, m.match, s.Frame, m.goneAt)
				}
			}
		}})
		if err != nil || !seen {
			t.Errorf("%v has not happened: %v, %v", c.fault, err, res.Violations)
		}
		fine(t, p, res)
	}
	never := calmPlan(2, 120)
	never.Matches = 2
	never.Faults = []Fault{{Kind: Leave, At: 0, Match: 2, Frame: 500}}
	res := playLedger(t, never)
	fine(t, never, res)
	if res.Machines[1].Gone != through {
		t.Errorf("a fault at a frame that does not come: %v", res.Machines[1].Gone)
	}
}

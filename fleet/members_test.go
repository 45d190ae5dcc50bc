package fleet

import (
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// continuingPlan is a calm plan of a match that goes on when machines leave.
func continuingPlan(players int, frames session.Frame, faults ...Fault) Plan {
	p := calmPlan(players, frames)
	p.OnLeave, p.Faults = session.Continue, faults
	return p
}

// stay removes from a plan all machines that join or come back.
func stay(p Plan) Plan {
	p = p.Clone()
	p.Faults = slices.DeleteFunc(p.Faults, func(f Fault) bool { return f.Kind == Return })
	for i := range p.Machines {
		if m := &p.Machines[i]; m.Joins {
			m.Joins, m.Late = false, 0
		}
	}
	return p
}

// Machines leave, vanish, are kicked, ask for a pause, or stop hearing each other, one or
// two at once. The rest agrees on which players were present when, plays on if it is
// enough, and says so if it is not.
func TestTheRestPlaysOnInPlans(t *testing.T) {
	runs, length := uint64(40), 20*time.Second
	if testing.Short() {
		runs, length = 2, 10*time.Second
	}
	if *soakRuns > 0 {
		runs, length = *soakRuns, *soakLength
	}
	first := max(*seedFlag, 1)
	for _, players := range []int{2, 3, 4, 5, 8} {
		for seed := first; seed < first+runs; seed++ {
			p := stay(drawn(t, seed, Membership, players, length))
			if res := playLedger(t, p); !res.OK() {
				t.Errorf("%d players, seed %d: %v\n%v", players, seed, res.Violations[0], p)
			}
		}
	}
}

// Each kind of change in a plan happens: a machine that leaves is out at the same frame
// for all, and the others play to the end.
func TestMembershipFaultsHappen(t *testing.T) {
	for _, c := range []struct {
		fault Fault
		kind  session.EntryKind
	}{
		{Fault{Kind: Leave, At: 3 * time.Second, Machine: 2}, session.EntryLeave},
		{Fault{Kind: Kill, At: 3 * time.Second, Machine: 2}, session.EntryDrop},
		{Fault{Kind: Kick, At: 3 * time.Second, Machine: 2}, session.EntryLeave}, // it goes by itself
		{Fault{Kind: Stall, At: 3 * time.Second, For: 9 * time.Second, Machine: 2}, session.EntryDrop},
		{Fault{Kind: Partition, At: 3 * time.Second, For: 9 * time.Second, Side: 0b100}, session.EntryDrop},
		{Fault{Kind: Pause, At: 3 * time.Second, For: time.Second, Machine: 1}, session.EntryPause},
	} {
		p := continuingPlan(3, 900, c.fault)
		logs := make([][]session.Entry, 3)
		res, err := Play(ledgerGame(nil), p, Options[ledger, note]{watch: func(r *run[ledger, note]) {
			for i, m := range r.machines {
				logs[i] = slices.Clone(m.entries)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		fine(t, p, res)
		for i := range 2 {
			if n := len(res.Machines[i].Outcomes); n != 1 || res.Machines[i].Outcomes[0].Frames != 900 {
				t.Errorf("%v: machine %d: %+v", c.fault, i, res.Machines[i].Outcomes)
			}
			if len(logs[i]) == 0 || logs[i][0].Kind != c.kind || !slices.Equal(logs[i], logs[0]) {
				t.Errorf("%v: the log of machine %d is %v", c.fault, i, logs[i])
			}
		}
	}
}

// A machine that is gone comes back, and a reserved place is taken: they play to the end.
func TestMachinesJoinInPlans(t *testing.T) {
	back := continuingPlan(3, 1200, Fault{Kind: Kill, At: 3 * time.Second, Machine: 0}, Fault{Kind: Return, At: 11 * time.Second, Machine: 0})
	kept := continuingPlan(4, 1200)
	kept.Machines[3].Joins, kept.Machines[3].Late = true, 5*time.Second
	for _, p := range []Plan{back, kept} {
		res := playLedger(t, p)
		fine(t, p, res)
		for i, m := range res.Machines {
			if n := len(m.Outcomes); n == 0 || m.Outcomes[n-1].Frames != 1200 || m.Outcomes[n-1].Left != 0 {
				t.Errorf("machine %d: %+v, %v", i, m.Outcomes, m.Err)
			}
		}
	}
}

// rewritten is a session whose log says something else.
type rewritten struct {
	live
	say func(log []session.Entry) []session.Entry
}

func (r rewritten) Log() []session.Entry { return r.say(slices.Clone(r.live.Log())) }

// The checkers of the members of a match can fail.
func TestTheMembershipCheckersCanFail(t *testing.T) {
	type lies = *run[ledger, note]
	always := func(do func(r lies)) Options[ledger, note] { return Options[ledger, note]{watch: do} }
	leave := Fault{Kind: Leave, At: 3 * time.Second, Machine: 2}
	crash := Fault{Kind: Kill, At: 3 * time.Second, Machine: 1}
	both := []Fault{crash, {Kind: Kill, At: 3 * time.Second, Machine: 2}}
	pause := Fault{Kind: Pause, At: 3 * time.Second, For: 30 * time.Second, Machine: 1}
	asleep := Fault{Kind: Stall, At: 3 * time.Second, For: 8 * time.Second, Machine: 2}
	far := continuingPlan(3, 600, leave) // a goodbye takes long enough to be seen by a look
	far.Link.Delay = 300 * time.Millisecond
	for _, c := range []struct {
		checker, how string
		plan         Plan
		lie          func(r lies)
	}{
		{"membership", "a log has another frame", continuingPlan(3, 600, leave), func(r lies) {
			if _, done := r.machines[1].live.(rewritten); !done {
				r.machines[1].live = rewritten{r.machines[1].live, func(log []session.Entry) []session.Entry {
					for i := range log {
						log[i].Frame++
					}
					return log
				}}
			}
		}},
		{"membership", "an event is not in the log", continuingPlan(2, 600, Fault{Kind: Leave, At: 3 * time.Second, Machine: 1}), func(r lies) {
			if _, done := r.machines[0].live.(rewritten); !done {
				r.machines[0].live = rewritten{r.machines[0].live, func([]session.Entry) []session.Entry { return nil }}
			}
		}},
		{"membership", "an entry is not told", continuingPlan(3, 600, leave), func(r lies) { r.machines[0].known = 0 }},
		{"membership", "who is out is a member", continuingPlan(3, 900, asleep), func(r lies) { r.match(1).members |= 0b100 }},
		{"quorum", "the rest does not go on", continuingPlan(3, 1800, pause), func(r lies) {
			if r.Now > 2*time.Second {
				r.referee.plan.MaxPause = time.Millisecond
			}
		}},
		{"quorum", "who is no quorum does not say so", continuingPlan(3, 600, both...), func(r lies) { r.machines[0].frozen = false }},
		{"quorum", "who is no quorum waits on", continuingPlan(3, 600, both...), func(r lies) {
			if r.Now > 2*time.Second {
				r.referee.plan.QuorumTimeout = time.Millisecond
			}
		}},
		{"quorum", "who is no quorum ends too soon", continuingPlan(3, 600, both...), func(r lies) {
			if r.Now > 2*time.Second {
				r.referee.plan.QuorumTimeout = time.Minute
			}
		}},
		{"quorum", "who is out plays on", continuingPlan(3, 1800), func(r lies) {
			r.match(1).members &^= 0b100
			r.referee.plan.QuorumTimeout = time.Millisecond
		}},
		{"ends", "a member has no end", far, func(r lies) { r.match(1).outcome[1] = nil }},
	} {
		t.Run(c.checker+": "+c.how, func(t *testing.T) {
			if names := caught(t, c.plan, Options[ledger, note]{}); len(names) > 0 {
				t.Fatalf("the run without the lie fails: %v", names)
			}
			if names := caught(t, c.plan, always(c.lie)); !slices.Contains(names, c.checker) {
				t.Errorf("%s has not complained, but %v", c.checker, names)
			}
		})
	}
}

// Half of the members continue if they include the first of them, a minority does not,
// and of two each may.
func TestWhoIsAble(t *testing.T) {
	for _, c := range []struct {
		side, members group
		able          bool
	}{
		{0b111, 0b111, true},
		{0b011, 0b111, true},
		{0b001, 0b111, false},
		{0b0011, 0b1111, true},
		{0b1100, 0b1111, false},
		{0b1010, 0b1110, true},   // of three
		{0b1000, 0b1001, true},   // of two
		{0b0001, 0b1001, true},   // of two
		{0b10000, 0b0011, false}, // it is none of them
	} {
		if got := able(c.side, c.members); got != c.able {
			t.Errorf("%v of %v: %v", machineSet(c.side), machineSet(c.members), got)
		}
	}
}

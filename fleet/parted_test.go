package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// Of two members, one may play on in frames that, in the common log, lack it, if it has
// dropped the other one.
func TestWhoGoesOnWithoutTheOtherSaysSo(t *testing.T) {
	for _, c := range []struct {
		what  string
		frame session.Frame
		drops bool // the other one
		alone bool
		bad   bool
	}{
		{what: "before it is out", frame: 9},
		{what: "and has dropped the other one", frame: 10, drops: true, alone: true},
		{what: "and has dropped nobody", frame: 10, alone: true, bad: true},
	} {
		p := calmPlan(2, 60)
		p.OnLeave = session.Continue
		r := newReferee(&p)
		r.mayLose = 0
		o := &closed{end: session.Outcome{Match: 1}}
		for _, m := range r.machines {
			m.live, m.match = o, 1
		}
		r.match(1).log = []session.Entry{{Kind: session.EntryDrop, Players: r.machines[1].players, Frame: 10}}
		r.goesOnWithout(1, c.frame)
		if r.machines[1].alone != c.alone || r.parted() != c.alone {
			t.Errorf("%s: alone %v, parted %v", c.what, r.machines[1].alone, r.parted())
		}
		if c.drops {
			r.event(1, &session.Event{What: session.Dropped, Players: r.machines[0].players, Frame: 60})
		}
		r.event(1, &session.Event{What: session.Ended, Match: 1})
		if bad := len(r.violations) > 0; bad != c.bad {
			t.Errorf("%s: %v", c.what, r.violations)
		}
	}
}

// A match that has begun ends for all machines that have begun it, even if the host has
// gone; a match that none could begin has no end.
func TestAMatchWithoutAHost(t *testing.T) {
	for _, c := range []struct {
		what              string
		host, played, bad bool
	}{
		{what: "no host, not begun"},
		{what: "no host, begun", played: true, bad: true},
		{what: "a host, not begun", host: true, bad: true},
	} {
		p := calmPlan(2, 60)
		p.OnLeave = session.Continue
		r := newReferee(&p)
		for _, m := range r.machines {
			m.live, m.started, m.first = &fake{}, true, 1
		}
		r.machines[0].dead = !c.host
		if c.played {
			r.match(2).played = 0b10
		}
		r.machines[0].live = &closed{err: session.ErrClosed}
		if endsChecker.complete(endsChecker{}, r, r.match(2)); (len(r.violations) > 0) != c.bad {
			t.Errorf("%s: %v", c.what, r.violations)
		}
	}
}

// A machine that has moved is heard again when the answer to a challenge has arrived: not
// while anything between the two is cut, and no later.
func TestAMoveIsProvedWhenNothingIsCut(t *testing.T) {
	p := calmPlan(2, 60)
	takes := proof + 4*p.network().farthest()
	move := Fault{Kind: Move, At: 10 * time.Second, Machine: 1}
	cut := Fault{Kind: OneWay, At: 10*time.Second + takes/2, For: 3 * time.Second, Machine: 1}
	later := Fault{Kind: OneWay, At: 10*time.Second + 2*takes + 4*time.Second, For: time.Second, Machine: 1}
	for _, c := range []struct {
		what   string
		faults []Fault
		end    time.Duration
	}{
		{"alone", []Fault{move}, move.At + takes},
		{"cut", []Fault{move, cut}, cut.At + cut.For + takes},
		{"cut later", []Fault{move, later}, move.At + takes},
	} {
		p.Faults = c.faults
		if list := p.network().silences(0, 1); len(list) != 1 || list[0].from != move.At || list[0].end != c.end {
			t.Errorf("%s: %v, want the end %v", c.what, list, c.end)
		}
	}
}

package fleet

import (
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// joinedAt returns a referee of two machines. Machine 1 has joined match 1 at a frame, and a number of frames
// after that are agreed.
func joinedAt(t *testing.T, came session.Frame, frames int) *referee {
	t.Helper()
	p := calmPlan(2, 200)
	p.OnLeave = session.Continue
	r := newReferee(&p)
	r.checkers = nil // the test calls what it needs
	r.hear([MaxMachines]group{0b11, 0b11})
	for _, m := range r.machines {
		m.live, m.match = &fake{phase: session.Playing}, 1
	}
	r.machines[1].fresh = true
	r.event(1, &session.Event{What: session.Started, Match: 1})
	r.event(1, &session.Event{What: session.Joined, Players: r.machines[1].players, Frame: came})
	r.match(1).facts = make([]fact, frames)
	return r
}

// next moves a machine to the next match.
func (r *referee) next(machine int) {
	m := r.machines[machine]
	r.event(machine, &session.Event{What: session.Ended, Match: m.match})
	m.match++
	r.begins(machine)
	r.event(machine, &session.Event{What: session.Started, Match: m.match})
}

// If a machine lacks something from before it joined, that only concerns the match that it has joined: as one
// of two it then has to wait for the other one. In the next match it lacks nothing. There it plays on, however
// slowly, and must not freeze.
func TestANewcomerLacksNothingInTheNextMatch(t *testing.T) {
	for _, c := range []struct {
		what  string
		next  bool
		have  session.Frame
		still bool
		want  string
	}{
		{what: "it lacks frames, and waits", have: 100, still: true, want: "is not frozen"},
		{what: "it has all frames, and moves", have: 132},
		{what: "it has all frames, and stands still", have: 132, still: true, want: "nothing has moved"},
		{what: "the next match, and it moves", next: true, have: 100},
		{what: "the next match, and it stands still", next: true, have: 100, still: true, want: "nothing has moved"},
	} {
		r := joinedAt(t, 132, 120)
		m := r.machines[1]
		if c.next {
			r.next(1)
		}
		m.stats = session.Stats{Phase: session.Playing, Match: m.match, Frame: c.have, Confirmed: c.have}
		if m.phase, m.frame = session.Playing, c.have; !c.still {
			m.frame = c.have - 1
		}
		r.now = time.Minute
		quorumChecker{}.look(r)
		var got string
		for _, v := range r.violations {
			if v.Machine == 1 {
				got += v.Text
			}
		}
		if bad := got != ""; bad != (c.want != "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// A machine that joins after the last frame of a match is too late for that match only.
func TestWhoIsTooLateForAMatchPlaysTheNextOne(t *testing.T) {
	for _, c := range []struct {
		what string
		came session.Frame
		late bool
	}{
		{"with the last frame", 199, false},
		{"behind the last frame", 200, true},
	} {
		r := joinedAt(t, c.came, 200)
		m := r.machines[1]
		if first := r.tooLate(m, r.match(1)); first != c.late || r.remains(r.match(1), 1) == c.late {
			t.Errorf("%s: too late for the match: %v", c.what, first)
		}
		r.next(1)
		r.match(2).facts = make([]fact, 200)
		if r.tooLate(m, r.match(2)) || !r.remains(r.match(2), 1) {
			t.Errorf("%s: too late for the next match, too", c.what)
		}
		if first := r.tooLate(m, r.match(1)); first != c.late {
			t.Errorf("%s: in the next match, too late for the first one: %v", c.what, first)
		}
	}
}

// If two machines have parted, the frames of one are not recorded: if the other one comes back to it, only the
// number of frames of the match tells whether it is too late. (Found by game duel, seed 922002045.)
func TestWhoIsTooLateForAMatchThatIsInNoRecord(t *testing.T) {
	for came, late := range map[session.Frame]bool{199: false, 200: true} {
		r := joinedAt(t, came, 200)
		r.match(1).facts = r.match(1).facts[:120]
		if got := r.tooLate(r.machines[1], r.match(1)); got != late {
			t.Errorf("with frame %d: too late %v, want %v", came, got, late)
		}
	}
}

// The members of a match are the machines present in its first frame, whichever have left since the previous
// match, or joined after its last frame, and those that join and leave according to its log.
func TestTheMembersOfAMatchAreThereInFrame0(t *testing.T) {
	drop := session.Entry{Kind: session.EntryDrop, Players: 0b100, Frame: 9}
	join := session.Entry{Kind: session.EntryJoin, Players: 0b100, Frame: 9}
	pause := session.Entry{Kind: session.EntryPause, Players: 0b100, Frame: 9}
	for _, c := range []struct {
		what           string
		before         group              // the members of the match before
		without        rollback.PlayerSet // in frame 0
		log            []session.Entry
		members, begun group
	}{
		{what: "all stay", before: 0b111, members: 0b111, begun: 0b111},
		{what: "one has left", before: 0b111, without: 0b100, members: 0b011, begun: 0b011},
		{what: "one has come", before: 0b011, members: 0b111, begun: 0b111},
		{what: "one has come, and asks for a pause", before: 0b011, log: []session.Entry{pause}, members: 0b111, begun: 0b111},
		{what: "one has come, and is dropped", before: 0b011, log: []session.Entry{drop}, members: 0b011, begun: 0b111},
		{what: "one is dropped before frame 0", before: 0b111, without: 0b100, log: []session.Entry{drop}, members: 0b011, begun: 0b111},
		{what: "one joins", before: 0b011, without: 0b100, log: []session.Entry{join}, members: 0b111, begun: 0b011},
	} {
		for _, known := range []bool{true, false} { // whether the log is read before frame 0 is agreed
			p := calmPlan(3, 60)
			p.OnLeave = session.Continue
			r := newReferee(&p)
			m := r.machines[1]
			r.match(1).members = c.before
			m.match = 2
			r.begins(1)
			read := func() {
				for _, e := range c.log {
					m.entries = append(m.entries, e)
					m.apply(&p, &e)
					r.compareEntry(1, e)
				}
			}
			if known {
				read()
			}
			r.attend(&agreement{machine: 1, match: 2, without: c.without})
			if !known {
				read()
			}
			rec := r.match(2)
			begun := c.begun
			if !known {
				begun = 0b111 &^ r.plan.machinesOf(c.without)
			}
			if m.members != c.members || rec.members != c.members || rec.begun != begun {
				t.Errorf("%s, log read first %v: members %b, of all %b, in frame 0 %b", c.what, known, m.members, rec.members, rec.begun)
			}
		}
	}
}

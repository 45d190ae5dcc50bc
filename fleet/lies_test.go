package fleet

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/session"
)

// The referee is given lies about real runs, and has to notice each; and it does not
// complain about the same runs without a lie. For a new checker, add lies to the list;
// for something new that a run can have, add a truth.

// truths are runs without errors, each with something that could confuse a referee.
var truths = []struct {
	name string
	plan func() Plan
}{
	{"two", func() Plan {
		return continuingPlan(2, 500, Fault{Kind: Pause, At: 2 * time.Second, For: time.Second, Machine: 1})
	}},
	{"two, one leaves", func() Plan {
		return continuingPlan(2, 500, Fault{Kind: Leave, At: 3 * time.Second, Machine: 0})
	}},
	{"two, one is kicked", func() Plan {
		return continuingPlan(2, 500, Fault{Kind: Kick, At: 3 * time.Second, Machine: 1})
	}},
	{"two, who part", func() Plan {
		return continuingPlan(2, 900, Fault{Kind: Partition, At: 2 * time.Second, For: 8 * time.Second, Side: 1})
	}},
	{"two, one comes back", func() Plan {
		return continuingPlan(2, 1200, Fault{Kind: Kill, At: 2 * time.Second, Machine: 1}, Fault{Kind: Return, At: 8 * time.Second, Machine: 1})
	}},
	{"three, one comes back", func() Plan {
		return continuingPlan(3, 1200, Fault{Kind: Kill, At: 2 * time.Second, Machine: 2}, Fault{Kind: Return, At: 8 * time.Second, Machine: 2})
	}},
	{"a reserved place", func() Plan {
		p := continuingPlan(3, 900, Fault{Kind: Pause, At: 8 * time.Second, For: time.Second, Machine: 1})
		p.Machines[2].Joins, p.Machines[2].Late = true, 2*time.Second
		return p
	}},
	{"several matches, framed", func() Plan {
		p := continuingPlan(3, 300, Fault{Kind: Leave, At: 2 * time.Second, Machine: 2}, Fault{Kind: Pause, At: 8 * time.Second, For: time.Second, Machine: 1})
		p.Matches, p.Framed = 3, true
		return p
	}},
	{"several matches", func() Plan {
		p := continuingPlan(3, 300, Fault{Kind: Pause, At: 2 * time.Second, For: time.Second, Machine: 1}, Fault{Kind: Pause, At: 8 * time.Second, For: time.Second, Machine: 0})
		p.Matches = 2
		return p
	}},
}

// liar is a session as the referee sees it, with some made-up values.
type liar struct {
	live
	machine int
	lie     *lie
	told    *int
}

func (l liar) Log() []session.Entry {
	log := l.live.Log()
	if l.lie.log == nil || l.machine != l.lie.machine || len(log) < max(l.lie.entries, 1) {
		return log
	}
	*l.told++
	return l.lie.log(slices.Clone(log))
}

func (l liar) Outcome() (session.Outcome, bool) {
	o, ok := l.live.Outcome()
	if ok && l.lie.outcome != nil && l.machine == l.lie.machine {
		*l.told++
		ok = l.lie.outcome(&o)
	}
	return o, ok
}

func (l liar) Err() error {
	err := l.live.Err()
	if err != nil && l.lie.err != nil && l.machine == l.lie.machine {
		*l.told++
		return l.lie.err
	}
	return err
}

func (l liar) Stats(links []session.LinkStats) session.Stats {
	s := l.live.Stats(links)
	if l.lie.stats != nil && l.machine == l.lie.machine && s.Phase == session.Playing {
		*l.told++
		l.lie.stats(&s)
	}
	return s
}

// lie is something that one machine is falsely claimed to have said or done.
type lie struct {
	checker string // that notices it
	what    string
	machine int
	entries int // how many the log has to have
	log     func(log []session.Entry) []session.Entry
	outcome func(o *session.Outcome) bool
	err     error
	stats   func(s *session.Stats)
	agreed  func(a *agreement)
	event   func(e session.Event) []session.Event // nil leaves it out
	about   []session.What                        // the events that it is about
	beside  bool                                  // it shows only beside another one who has an end
}

// twice is an event that is told twice.
func twice(e session.Event) []session.Event { return []session.Event{e, e} }

// untold is one that is not told.
func untold(session.Event) []session.Event { return nil }

func later(e session.Event) []session.Event {
	e.Frame++
	return []session.Event{e}
}

var (
	outs = []session.What{session.Left, session.Dropped}
	ins  = []session.What{session.Joined}
	stop = []session.What{session.Paused, session.Unpaused}
)

var lyings = []lie{
	{checker: "membership", what: "an entry has another frame", machine: 1, log: func(log []session.Entry) []session.Entry {
		log[0].Frame++
		return log
	}},
	{checker: "membership", what: "an entry has another frame, at the first", machine: 0, log: func(log []session.Entry) []session.Entry {
		log[len(log)-1].Frame--
		return log
	}},
	{checker: "membership", what: "an entry is of another kind", machine: 1, log: func(log []session.Entry) []session.Entry {
		log[0].Kind ^= 1
		return log
	}},
	{checker: "membership", what: "an entry is about others", machine: 0, log: func(log []session.Entry) []session.Entry {
		log[0].Players ^= 0b11
		return log
	}},
	{checker: "membership", what: "an entry is missing", machine: 1, log: func(log []session.Entry) []session.Entry { return log[1:] }},
	{checker: "membership", what: "the newest entry is missing", machine: 0, log: func(log []session.Entry) []session.Entry {
		return log[:len(log)-1]
	}},
	{checker: "membership", what: "an entry is there twice", machine: 1, log: func(log []session.Entry) []session.Entry {
		return append(log, log[len(log)-1])
	}},
	{checker: "membership", what: "entries have changed places", machine: 1, entries: 2, log: func(log []session.Entry) []session.Entry {
		log[0], log[1] = log[1], log[0]
		return log
	}},
	{checker: "membership", what: "who goes is told with another frame", machine: 0, about: outs, event: later},
	{checker: "membership", what: "who goes is not told", machine: 0, about: outs, event: untold},
	{checker: "membership", what: "who comes is told with another frame", machine: 0, about: ins, event: later},
	{checker: "membership", what: "who comes is not told", machine: 0, about: ins, event: untold},
	{checker: "membership", what: "who comes is told twice", machine: 0, about: ins, event: twice},
	{checker: "membership", what: "a pause is told with another frame", machine: 0, about: stop, event: later},
	{checker: "membership", what: "a pause is not told", machine: 1, about: stop, event: untold},
	{checker: "membership", what: "a pause is told twice", machine: 1, about: stop, event: twice},
	{checker: "inputs", what: "an input is another one", machine: 0, agreed: func(a *agreement) { a.inputs += uint64(b2u(a.frame == 99)) }},
	{checker: "inputs", what: "an input is another one, at the second", machine: 1, agreed: func(a *agreement) { a.inputs ^= uint64(b2u(a.frame == 99)) }},
	{checker: "states", what: "a state is another one", machine: 0, agreed: func(a *agreement) { a.hash ^= uint64(b2u(a.frame == 99)) }},
	{checker: "states", what: "a state is another one, at the second", machine: 1, agreed: func(a *agreement) { a.hash ^= uint64(b2u(a.frame == 99)) }},
	{checker: "states", what: "the game has finished", machine: 0, agreed: func(a *agreement) { a.finished = a.finished || a.frame == 99 }},
	{checker: "states", what: "it has a result", machine: 0, agreed: func(a *agreement) { a.result += uint64(b2u(a.frame == 99)) }},
	{checker: "agreement", what: "a frame is missing", machine: 1, agreed: func(a *agreement) { a.frame += session.Frame(b2u(a.frame >= 99)) }},
	{checker: "agreement", what: "a frame is there twice", machine: 1, agreed: func(a *agreement) { a.frame -= session.Frame(b2u(a.frame == 99)) }},
	{checker: "agreement", what: "an end is missing", machine: 0, outcome: func(*session.Outcome) bool { return false }},
	{checker: "agreement", what: "an end has one frame more", machine: 1, outcome: func(o *session.Outcome) bool { o.Frames++; return true }},
	{checker: "ends", what: "a chain is another one", machine: 0, beside: true, outcome: func(o *session.Outcome) bool { o.Chain++; return true }},
	{checker: "ends", what: "a hash is another one", machine: 0, outcome: func(o *session.Outcome) bool { o.Hash++; return true }},
	{checker: "ends", what: "a result is another one", machine: 0, outcome: func(o *session.Outcome) bool { o.Result++; return true }},
	{checker: "ends", what: "one has finished, another not", machine: 0, outcome: func(o *session.Outcome) bool { o.Finished = !o.Finished; return true }},
	{checker: "health", what: "a healthy match is desynced", machine: 0, outcome: func(o *session.Outcome) bool {
		o.Health = session.Desynced
		return true
	}},
	{checker: "health", what: "a state differs", machine: 0, about: []session.What{session.Started}, event: func(e session.Event) []session.Event {
		return []session.Event{e, {What: session.Desync, Players: 2, Frame: 60}}
	}},
	{checker: "losses", what: "one who is there has left", machine: 0, about: []session.What{session.Started}, event: func(e session.Event) []session.Event {
		return []session.Event{e, {What: session.Left, Players: 2, Frame: 1}}
	}},
	{checker: "losses", what: "one who is there is dropped", machine: 1, about: []session.What{session.Started}, event: func(e session.Event) []session.Event {
		return []session.Event{e, {What: session.Dropped, Players: 1, Frame: 1}}
	}},
	{checker: "losses", what: "one breaks the protocol", machine: 1, about: outs, event: func(e session.Event) []session.Event {
		e.Text = "the control stream: impossible"
		return []session.Event{e}
	}},
	{checker: "errors", what: "an error is none of the session's", machine: 0, err: errors.New("out of fuel")},
	{checker: "errors", what: "it was removed, and was always there", machine: 0, beside: true, err: &session.RemovedError{Frame: 9}},
	{checker: "quorum", what: "it was no majority, and never frozen", machine: 0, err: &session.QuorumError{Players: 2, After: time.Minute}},
	{checker: "bounds", what: "an event had no room", machine: 1, stats: func(s *session.Stats) { s.DroppedEvents++ }},
	{checker: "bounds", what: "datagrams wait", machine: 0, stats: func(s *session.Stats) { s.PendingDatagrams = 1 << 12 }},
}

// lied plays a plan with a lie, and returns how often it was told. Lies about a
// machine that plays a match of its own, or about events after the match, cannot be
// noticed.
func lied(t *testing.T, p Plan, l *lie) (told int, res Result) {
	t.Helper()
	o := Options[ledger, note]{}
	var seen *run[ledger, note]
	o.watch = func(r *run[ledger, note]) {
		seen = r
		for i, m := range r.machines {
			if _, done := m.live.(liar); !done {
				m.live = liar{m.live, i, l, &told}
			}
		}
	}
	if l.agreed != nil {
		o.tamper = func(a *agreement) {
			was := *a
			if a.machine == l.machine {
				l.agreed(a)
			}
			told += int(b2u(*a != was))
		}
	}
	if l.event != nil {
		o.retell = func(machine int, e session.Event) []session.Event {
			if machine != l.machine || !slices.Contains(l.about, e.What) || seen != nil && seen.machines[machine].Phase() != session.Playing {
				return []session.Event{e}
			}
			told++
			return l.event(e)
		}
	}
	res, err := Play(ledgerGame(nil), p, o)
	if err != nil {
		t.Fatal(err)
	}
	ends := 0
	for i, o := range seen.match(1).outcome {
		ends += int(b2u(o != nil && !seen.machines[i].alone))
	}
	if seen.machines[l.machine].alone || l.beside && ends < 2 {
		told = 0
	}
	return told, res
}

func TestTheRefereeNoticesEveryLie(t *testing.T) {
	noticed := make([]int, len(lyings))
	for _, truth := range truths {
		p := truth.plan()
		fine(t, p, playLedger(t, p))
		for i := range lyings {
			l := &lyings[i]
			told, res := lied(t, p, l)
			if told == 0 {
				continue
			}
			noticed[i]++
			var by []string
			for _, v := range res.Violations {
				by = append(by, v.Checker)
			}
			if !slices.Contains(by, l.checker) {
				t.Errorf("%s: %s, %q at machine %d, told %d times: noticed by %v", truth.name, l.checker, l.what, l.machine, told, by)
			}
		}
	}
	for i, n := range noticed {
		if n == 0 {
			t.Errorf("%s: %q is never told", lyings[i].checker, lyings[i].what)
		}
	}
}

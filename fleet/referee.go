package fleet

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// checker checks one promise, which must hold whatever goes wrong in the run. Each has its own file, and a test that
// proves that it can fail.
type checker interface {
	name() string
	// agreed is called with every frame that a machine agrees on.
	agreed(r *referee, a *agreement)
	// event is called with every event of a machine.
	event(r *referee, machine int, e *session.Event)
	// seen is called with every frame that a spectator has seen; heard is called with its events.
	seen(r *referee, w *spectatorState, a *agreement)
	heard(r *referee, w *spectatorState, e *session.Event)
	// look is called at regular intervals.
	look(r *referee)
	// end is called when the run is over.
	end(r *referee)
}

// noCheck is embedded by checkers that do not need all methods.
type noCheck struct{}

func (noCheck) agreed(*referee, *agreement)                     {}
func (noCheck) event(*referee, int, *session.Event)             {}
func (noCheck) seen(*referee, *spectatorState, *agreement)      {}
func (noCheck) heard(*referee, *spectatorState, *session.Event) {}
func (noCheck) look(*referee)                                   {}
func (noCheck) end(*referee)                                    {}

// newCheckers returns all checkers.
func newCheckers() []checker {
	return []checker{
		inputsChecker{},
		statesChecker{},
		agreementChecker{},
		lossChecker{},
		errorsChecker{},
		progressChecker{},
		endsChecker{},
		healthChecker{},
		boundsChecker{},
		spectatorsChecker{},
		&strangersChecker{},
		serviceChecker{},
		membershipChecker{},
		quorumChecker{},
		entryChecker{},
		&paceChecker{},
		restartsChecker{},
	}
}

// Checkers returns the names of all checkers, as in [Violation].
func Checkers() (names []string) {
	for _, c := range newCheckers() {
		names = append(names, c.name())
	}
	return append(names, panicked)
}

// panicked is the name of the checker in reports of panics.
const panicked = "panics"

// live is a session as the referee sees it.
type live interface {
	Phase() session.Phase
	Frame() session.Frame
	Err() error
	Stats(links []session.LinkStats) session.Stats
	Outcome() (session.Outcome, bool)
	Done() bool
	Log() []session.Entry
	Paused() (session.Frame, bool)
}

// agreement is a frame that a machine has agreed on.
type agreement struct {
	machine  int
	match    uint32
	frame    session.Frame
	inputs   uint64 // a digest of inputs, orders and statuses
	hash     uint64 // the hash of state frame + 1
	hashed   bool
	result   uint64
	finished bool
	without  rollback.PlayerSet // players that were not there
}

// fact is the truth about a frame: the inputs as the first machine has them, and the hash of the state that results
// from them offline.
type fact struct {
	inputs, hash uint64
	hashed       bool
}

// matchRecord is one match.
type matchRecord struct {
	number  uint32
	facts   []fact
	end     rollback.StepReport // what the game reported offline in the last of these frames
	outcome []*session.Outcome
	dropped []rollback.PlayerSet // by machine: the players that it has reported as dropped, until its end
	// wrong is, by machine, the first frame whose hash was not that of the facts, or -1.
	wrong []int64
	// log is the common log, from the machines that know the most of it. logAt is when its newest entry was added, and
	// members are the members after that entry.
	log     []session.Entry
	logAt   time.Duration
	members group
	begun   group // the members in frame 0
	played  group // the machines that have begun to play it since they were last switched on
}

// watched is a machine as known from outside.
type watched struct {
	live
	players rollback.PlayerSet
	match   uint32        // the match that is being prepared or played, or was played last
	next    session.Frame // the next frame of its agreed stream
	gone    string        // why it is gone, if the plan has caused that
	goneAt  time.Duration
	dead    bool // it does nothing any more
	kicked  bool // the plan has kicked it
	fresh   bool // it is joining, and does not play yet
	over    bool // its session is over
	stats   session.Stats
	links   []session.LinkStats
	roll

	began    time.Duration      // when it began to play its last match
	started  bool               // it has played since it was switched on
	first    uint32             // the first match that it played since then
	barred   time.Duration      // the time until which something kept it from joining the match
	joined   uint32             // the match that it has joined in progress; 0: none
	came     session.Frame      // its first frame in that match, perhaps after the last one
	drops    rollback.PlayerSet // the players that it has reported as out since its last match ended
	underway bool               // its events have reported the beginning of a match, and not yet its end
	frozen   bool               // it reports that it has no quorum
	frozenAt time.Duration

	phase session.Phase // the phase at the last look
	frame session.Frame // the frame at the last look
	told  session.Frame // frames agreed at the last look
	moved time.Duration // when any of these last changed
}

// referee records what has happened, and calls the checkers.
type referee struct {
	plan     *Plan
	now      time.Duration
	machines []*watched
	watchers []*spectatorState
	matches  []*matchRecord
	checkers []checker
	// calm is the time since which nothing has gone wrong. It is in the future while something goes wrong, or while
	// effects may still be unnoticed.
	calm       time.Duration
	mayLose    time.Duration // the time from which machines may lose each other
	within     time.Duration // how long things that happen automatically may take
	violations []Violation
	hearing    hearing
	work       func(node int) *Workload // the workload of a node, or nil
	revenants  [MaxMachines]restartedProcess
	upset      time.Duration // the time until which anything other than a restart may have an effect
	split      uint32        // the match in which two machines have gone on without each other; 0: none
}

// maxViolations is how many violations are kept.
const maxViolations = 20

func newReferee(plan *Plan) *referee {
	r := &referee{plan: plan, checkers: newCheckers(), mayLose: plan.network().mayLose()}
	r.within = 3*time.Second + 10*plan.network().farthest()
	for _, m := range plan.Machines {
		w := &watched{players: m.Players, roll: roll{members: plan.founders()}}
		if w.fresh = m.Joins; m.Joins {
			w.at = -1
		}
		r.machines = append(r.machines, w)
	}
	for i := range plan.Spectators {
		r.watchers = append(r.watchers, newOnlooker(plan, i))
	}
	return r
}

// violate records that a promise was broken.
func (r *referee) violate(c checker, machine int, format string, args ...any) {
	if len(r.violations) < maxViolations {
		r.violations = append(r.violations, Violation{c.name(), r.now, machine, fmt.Sprintf(format, args...)})
	}
}

// match returns the record of a match, from 1 on.
func (r *referee) match(number uint32) *matchRecord {
	for len(r.matches) < int(max(number, 1)) {
		rec := &matchRecord{number: uint32(len(r.matches)) + 1, outcome: make([]*session.Outcome, len(r.machines)), dropped: make([]rollback.PlayerSet, len(r.machines)), members: r.plan.founders()}
		if n := len(r.matches); n > 0 {
			rec.members = r.matches[n-1].members // except for machines that leave in between: see attend
		}
		rec.begun = rec.members
		for range r.machines {
			rec.wrong = append(rec.wrong, -1)
		}
		r.matches = append(r.matches, rec)
	}
	return r.matches[max(number, 1)-1]
}

// anyWrong returns the first frame of a match in which any machine had a state other than the facts, or
// -1.
func (m *matchRecord) anyWrong() int64 {
	first := int64(-1)
	for _, w := range m.wrong {
		if w >= 0 && (first < 0 || w < first) {
			first = w
		}
	}
	return first
}

// agreed processes a frame that a machine has agreed on. The facts about it must be known.
func (r *referee) agreed(a *agreement) {
	rec := r.match(a.match)
	if f := int(a.frame); f < len(rec.facts) && a.hashed && a.hash != rec.facts[f].hash && rec.wrong[a.machine] < 0 {
		rec.wrong[a.machine] = int64(a.frame)
	}
	for _, c := range r.checkers {
		c.agreed(r, a)
	}
	r.machines[a.machine].next = a.frame + 1
}

// event processes an event of a machine.
func (r *referee) event(machine int, e *session.Event) {
	m := r.machines[machine]
	switch e.What {
	case session.Ended:
		m.underway = false
		if o, ok := m.Outcome(); ok && o.Match == e.Match && e.Match > 0 {
			r.match(o.Match).outcome[machine] = &o
		}
		r.match(e.Match).dropped[machine], m.drops = m.drops, 0
	case session.Started:
		if m.started, m.underway, m.began = true, true, r.now; m.first == 0 {
			m.first = m.match
		}
		r.match(m.match).played |= 1 << machine
	case session.Dropped, session.Left: // a machine that says that it leaves, and is then dropped, has left
		m.drops |= e.Players
	case session.Joined:
		if e.Players&m.players != 0 {
			m.fresh, m.joined, m.came = false, m.match, e.Frame
		}
	case session.Closed:
		m.over = true
		r.noteTrouble(r.plan.DropAfter) // its last datagrams may be lost
	}
	for _, c := range r.checkers {
		c.event(r, machine, e)
	}
}

// noteTrouble records that something has gone wrong, with effects that last this long.
func (r *referee) noteTrouble(lasts time.Duration) { r.calm = max(r.calm, r.now+lasts) }

// look updates the state of all machines, and calls the checkers.
func (r *referee) look() {
	for _, m := range r.machines {
		if m.dead {
			continue
		}
		m.stats = m.Stats(m.links[:0])
		m.links = m.stats.Links
	}
	for _, w := range r.watchers {
		w.look(r)
	}
	for _, c := range r.checkers {
		c.look(r)
	}
	for _, m := range r.machines {
		if s := &m.stats; s.Phase != m.phase || s.Frame != m.frame || s.Agreed != m.told {
			m.phase, m.frame, m.told, m.moved = s.Phase, s.Frame, s.Agreed, r.now
		}
	}
}

// end ends the run.
func (r *referee) end() {
	for _, c := range r.checkers {
		c.end(r)
	}
}

// isGone reports whether a machine with any of these players is gone.
func (r *referee) isGone(players rollback.PlayerSet) bool {
	for _, m := range r.machines {
		if m.players&players != 0 && (m.gone != "" || m.kicked || m.fresh || m.Phase() == session.Over) {
			return true
		}
	}
	return false
}

// diverges returns the machine that the plan breaks, and the frame of the first match from which it is broken; -1 if
// there is none.
func (p *Plan) diverges() (machine int, from int64) {
	machine, from = -1, 0
	for _, f := range p.Faults {
		if f.Kind == Desync && (machine < 0 || int64(f.Value) < from) {
			machine, from = f.Machine, int64(f.Value)
		}
	}
	return machine, from
}

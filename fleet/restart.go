package fleet

import (
	"errors"
	"slices"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// restartedProcess is what is known about a process that was killed, and perhaps started again at the same address.
type restartedProcess struct {
	killed bool
	before bool          // an earlier process was restarted, too, and has come back elsewhere since
	at     time.Duration // when it was started again; 0: it was not
	stray  bool          // it was started as it was originally, and has no part in the match
	match  uint32        // the match that it played
	rest   group         // the other machines that played it
	knows  group         // the machines in rest that have reported that it is gone
	known  bool          // all of them have reported it
	since  time.Duration // the time since which nothing has kept them from noticing this, or the process from playing again afterwards
}

// restart kills the process of a machine that plays, or starts it again.
func restart[S any, I comparable](r *run[S, I], f *Fault, kills bool) {
	machine := f.Machine
	m, v, p := r.machines[machine], &r.revenants[machine], r.Peers[machine]
	switch {
	case kills && (m.dead || m.gone != "" || m.fresh || p.Down || p.Phase() != session.Playing || !m.underway):
	case kills:
		r.kill(machine)
		*v = restartedProcess{killed: true, before: v.before || v.at > 0, match: m.match}
		for i, other := range r.machines {
			if i != machine && !other.dead && other.gone == "" && !other.fresh && other.underway && other.match == m.match && other.members.has(machine) {
				v.rest |= 1 << i
			}
		}
	case !v.killed || !m.dead || r.leaving || r.settled:
		// The machine was not killed, or has been switched on since.
	case f.Value == RestartAsBefore && anyStrays(r.referee, machine):
		*v = restartedProcess{before: v.before} // two without any memory would begin another match
	case f.Value == RestartAsBefore && !r.plan.Machines[machine].Joins:
		old := *v
		if err := r.Fleet.Rejoin(machine, nil); err != nil {
			panic(err) // it has the same configuration as originally
		}
		*m = watched{live: r.Peers[machine], players: m.players, dead: true, gone: m.gone, goneAt: m.goneAt}
		r.disturbances.recovers(machine)
		r.crashes[machine] = crash{}
		*v = restartedProcess{before: old.before, at: r.Now, since: r.Now, stray: true, match: old.match, rest: old.rest, knows: old.knows}
	default:
		old := *v
		comeBack(r, machine, true)
		*v = restartedProcess{before: old.before, at: r.Now, since: r.Now, match: old.match, rest: old.rest, knows: old.knows}
	}
}

// anyStrays reports whether another process was started as it was originally.
func anyStrays(r *referee, machine int) bool {
	for i := range r.machines {
		if i != machine && r.revenants[i].stray {
			return true
		}
	}
	return false
}

// strays checks a process that has no part in the match.
func strays[S any, I comparable](r *run[S, I], machine int) {
	p := r.Peers[machine]
	for ; r.seen[machine] < len(p.Events); r.seen[machine]++ {
		e := &p.Events[r.seen[machine]]
		restartsChecker{}.strays(r.referee, machine, p.Session.Err(), e)
	}
}

// restartsChecker checks processes that are started again at the address of one that was killed. The others soon notice
// that it is a different process, and never claim that of a process that is still the same. If it joins, it plays again
// soon. If it was started as originally, it never plays, and soon ends with an error that says why.
type restartsChecker struct{ noCheck }

func (restartsChecker) name() string { return "restarts" }

func (c restartsChecker) event(r *referee, machine int, e *session.Event) {
	m := r.machines[machine]
	for i := range r.machines {
		v, players := &r.revenants[i], r.machines[i].players
		switch {
		case e.What == session.Closed && machine != i:
			v.knows |= 1 << machine
		case e.Players&players == 0 || machine == i:
			continue
		}
		switch e.What {
		case session.Restarted:
			if v.at == 0 && !v.before {
				r.violate(c, machine, "%v, which it was not", e)
			}
			v.knows |= 1 << machine
		case session.Lost, session.Left, session.Dropped:
			v.knows |= 1 << machine
		}
	}
	var lost *session.LostError
	if e.What == session.Closed && errors.As(m.Err(), &lost) && lost.Restarted&^restarted(r) != 0 {
		r.violate(c, machine, "%v was not started again: %v", lost.Restarted&^restarted(r), lost)
	}
}

// restarted returns the players of all machines that were started again at their address.
func restarted(r *referee) (players rollback.PlayerSet) {
	for i := range r.machines {
		if v := &r.revenants[i]; v.at > 0 || v.before {
			players |= r.machines[i].players
		}
	}
	return players
}

// strays checks an event of a process that has no part in the match.
func (c restartsChecker) strays(r *referee, machine int, err error, e *session.Event) {
	var again *session.RestartedError
	var late *session.TimeoutError
	switch {
	case e.What == session.Open || e.What == session.Started || e.What == session.Joined || e.What == session.Lost || e.What == session.Dropped:
		r.violate(c, machine, "it has no part in a match, and says: %v", e)
	case e.What == session.Closed && errors.As(err, &again):
		if again.Joins != (again.Playing && r.plan.invites()) || again.Playing && !plays(r, again.Players, r.revenants[machine].match) {
			r.violate(c, machine, "it ends with: %v (%+v)", err, *again)
		}
	case e.What == session.Closed && !errors.As(err, &late):
		r.violate(c, machine, "it ends with: %v", err)
	}
}

// plays reports whether a machine with any of these players is in the given match, or in a later one. The match may
// have begun after the process at the same address was killed, or the others may have gone on without that process from
// one match to the next.
func plays(r *referee, players rollback.PlayerSet, match uint32) bool {
	return slices.ContainsFunc(r.machines, func(m *watched) bool { return m.players&players != 0 && m.match >= match })
}

func (c restartsChecker) look(r *referee) {
	for i := range r.machines {
		switch v := &r.revenants[i]; {
		case v.at == 0:
		case v.stray:
			c.stray(r, i, v)
		case !r.machines[i].fresh || r.machines[i].over || r.machines[i].dead:
			v.since = r.now
		default:
			c.joins(r, i, v)
		}
	}
}

// stray checks that a process that has no part in the match ends soon, and that the others notice that the previous
// process is gone.
func (c restartsChecker) stray(r *referee, machine int, v *restartedProcess) {
	m := r.machines[machine]
	// A clock may be a tenth too slow.
	if waits := r.now - v.at; m.Phase() != session.Over && waits > session.DefaultConnectTimeout*12/10+idle(r.plan, machine) {
		r.violate(c, machine, "it was started again %v ago, as it was at first, and is %v", waits, m.Phase())
	}
	left, open := c.left(r, v)
	switch waits := r.now - v.since; {
	case left == 0 || !open || m.Phase() == session.Over:
		v.since = r.now
	case waits > c.within(r) && r.plan.continues():
		r.violate(c, machine, "machines %v play the match that it has forgotten, and for %v it could have been told so", machineSet(left), waits)
	case waits > c.within(r):
		r.violate(c, machine, "it was started again %v ago, and for %v machines %v could have noticed", r.now-v.at, waits, machineSet(left))
	}
}

// idle returns how long a machine does nothing according to the plan, or believes that no time passes.
func idle(p *Plan, machine int) (sum time.Duration) {
	for _, f := range p.Faults {
		switch {
		case f.Kind == Suspend && f.Side>>machine&1 != 0, (f.Kind == Stall || f.Kind == Hitch) && f.Machine == machine:
			sum += f.For
		case f.Kind == Clock && f.Machine == machine:
			sum += max(-time.Duration(f.Value)*time.Millisecond, 0)
		}
	}
	return sum
}

// left returns the machines that still play with the process that was killed, and whether nothing prevents the new one
// at its address from telling them.
func (restartsChecker) left(r *referee, v *restartedProcess) (left group, open bool) {
	left, open = v.rest&^v.knows, r.now > r.upset && !r.parted()
	for i, m := range r.machines {
		if left.has(i) && (m.dead || m.over || m.gone != "" || m.match != v.match || m.stats.Phase != session.Playing) {
			left &^= 1 << i
		}
		side, clear := r.hearing.side(i)
		open = open && !r.moved(i) && (!left.has(i) || clear && side&left == left)
	}
	return left, open
}

// joins checks that a process that joins plays again soon. First the others must notice that the previous one is gone:
// one of them is asked, and they decide.
func (c restartsChecker) joins(r *referee, machine int, v *restartedProcess) {
	left, open := c.left(r, v)
	absent := 0
	for i, m := range r.machines {
		absent += btoi(i != machine && (m.dead || m.over || m.fresh))
	}
	for _, f := range r.plan.Faults {
		open = open && !(f.Kind == Kick && (f.Match > 0 || f.At <= r.now)) // its token may be revoked
	}
	for i, m := range r.machines {
		open = open && !(left.has(i) && (m.frozen || !able(r.hearing.of[i], r.match(v.match).members)))
	}
	if left == 0 && !v.known {
		v.known, v.since = true, r.now
	}
	within := c.within(r) + time.Duration(absent)*(r.plan.DropAfter+time.Second)
	switch waits := r.now - v.since; {
	case !open || left == 0 && !(entryChecker{}).open(r, machine, r.upset):
		v.since = r.now
	case left != 0 && waits > within+grace:
		r.violate(c, machine, "it was started again %v ago, and for %v machines %v could have noticed", r.now-v.at, waits, machineSet(left))
	case left == 0 && waits > within+r.within+2*time.Duration(r.plan.ChainEvery)*time.Second/time.Duration(r.plan.TickRate):
		r.violate(c, machine, "it was started again %v ago, and for %v nothing has kept it from playing again", r.now-v.at, waits)
	}
}

// within returns how long it takes until a process is known to be a different one. The previous one must be silent for
// 400 ms, and is then asked, which takes one round trip or more.
func (restartsChecker) within(r *referee) time.Duration {
	within := time.Second + 6*r.plan.network().farthest()
	if loses(r.plan.Link) || slices.ContainsFunc(r.plan.Links, func(w Way) bool { return loses(w.Link) }) {
		within += 2 * badLuck
	}
	return within
}

// loses reports whether a link loses datagrams.
func loses(l netem.Link) bool {
	return l.Loss > 0 || l.Corrupt > 0 || l.Burst.Begin > 0 || l.Bandwidth > 0
}

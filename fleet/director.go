package fleet

import (
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// director makes the faults of a plan happen, and calls the referee in between.
type director struct {
	acts           []act
	disturbances   disturbances
	crashes        [MaxMachines]crash
	repeater       repeater
	awaiting       []int // faults whose time is not known yet
	last, patience time.Duration
	restMatch      uint32
	restUntil      time.Duration
	troubles       int // faults in progress
	lookAt         time.Duration
	secondAt       time.Duration
	leaving        bool // Plan.Until has come
	settled        bool // all players have played everything, and leave
	deadline       time.Duration
}

// act is the beginning or the end of a fault.
type act struct {
	at    time.Duration
	fault Fault
	ends  bool
}

const (
	// settles is how long it takes after a fault until everything that it has delayed has arrived.
	settles = 500 * time.Millisecond
	// lookEvery is the interval at which the referee looks at all machines.
	lookEvery = 100 * time.Millisecond
	// progressEvery is the interval at which progress is reported, and the lags of all links are counted.
	progressEvery = time.Second
)

func newDirector(p *Plan) director {
	d := director{disturbances: newDisturbances(p.nodes()), repeater: newRepeater(p), last: p.Until}
	// When nothing more happens, machines that wait for others give up.
	d.patience = session.DefaultConnectTimeout + 2*p.DropAfter + 4*session.DefaultLinger + 10*p.network().farthest() + p.spectatorTime() + p.Rest + p.quorumTimeout()
	if p.continues() || slices.ContainsFunc(p.Faults, func(f Fault) bool { return f.Kind == Pause }) {
		d.patience += p.maxPause()
	}
	d.deadline = d.last + d.patience
	for _, f := range p.Faults {
		if f.Kind != Desync && f.Match == 0 {
			d.schedule(f)
		}
	}
	d.await(p)
	return d
}

// play plays the whole run.
func (r *run[S, I]) play() {
	for !r.over() && len(r.violations) == 0 {
		next := min(r.deadline, r.lookAt)
		if len(r.acts) > 0 {
			next = min(next, r.acts[0].at)
		}
		next = r.repeater.next(r.Now, next)
		r.stopped = false
		r.RunUntil(next, func() bool { return r.stopped })
		if r.now = r.Now; r.Now >= r.deadline {
			break
		}
		for len(r.acts) > 0 && r.acts[0].at <= r.Now {
			a := r.acts[0]
			r.acts = r.acts[1:]
			r.act(a)
		}
		r.replayOn()
		r.rematch()
		if r.Now >= r.plan.Until && !r.leaving {
			r.leaving = true
			r.everybodyLeaves()
		}
		if r.Now >= r.lookAt && !r.looks() {
			return
		}
	}
	if r.now = r.Now; len(r.violations) == 0 {
		r.referee.look()
		r.referee.end()
	}
}

// looks calls the referee when that is due. It reports whether to go on.
func (r *run[S, I]) looks() bool {
	r.lookAt = r.Now + lookEvery
	if r.troubles > 0 {
		r.noteTrouble(0)
		r.upset = max(r.upset, r.Now)
	}
	r.hear(r.hears())
	if r.options.watch != nil {
		r.options.watch(r)
	}
	r.referee.look()
	if r.Now < r.secondAt {
		return true
	}
	r.secondAt = r.Now + progressEvery
	for _, m := range r.machines {
		if m.dead || m.stats.Phase != session.Playing {
			continue
		}
		for _, l := range m.links {
			r.tally.lag(l.Lag)
		}
	}
	return r.options.Progress == nil || r.options.Progress(r.Now, r.plan.Until*2/3)
}

// over reports whether there is nothing left to do: all machines are gone, or have played
// everything and then left.
func (r *run[S, I]) over() bool {
	done := true
	for i, m := range r.machines {
		switch p := r.Peers[i]; {
		case r.revenants[i].stray && p.Phase() != session.Over:
			return false
		case m.dead || p.Phase() == session.Over && p.Done():
		case p.Phase() == session.Lobby && r.through(i):
			done = false
		default:
			return false
		}
	}
	if done {
		return r.hostsGone()
	}
	if !r.settled && (r.rests(r.plan, r.Now, uint32(r.plan.Matches)) || r.awaited()) {
		return false
	}
	r.settled = true
	for i := range r.machines {
		r.leaves(i, through)
	}
	return false
}

// through reports whether a machine has an outcome of the last match.
func (r *run[S, I]) through(machine int) bool {
	n := r.plan.Matches
	return len(r.matches) >= n && r.matches[n-1].outcome[machine] != nil
}

// rematch proposes the next match.
func (r *run[S, I]) rematch() {
	host := r.Peers[0]
	if host.Down || host.hung || host.Phase() != session.Lobby || int(r.proposed) >= r.plan.Matches {
		return
	}
	if o, ok := host.Outcome(); !ok || o.Match < r.proposed || r.rests(r.plan, r.Now, r.proposed) {
		return
	}
	r.proposed++
	if err := host.Propose(r.parameters(r.proposed)); err != nil {
		panic(err)
	}
	r.flush(0)
}

// flush sends the datagrams that a call from outside has queued.
func (r *run[S, I]) flush(machine int) {
	r.send(r.Peers[machine])
	r.Peers[machine].wake = min(r.Peers[machine].wake, r.Now)
}

// leaves makes a machine leave, unless it has gone already.
func (r *run[S, I]) leaves(machine int, how string) {
	m := r.machines[machine]
	if m.dead || m.gone != "" || m.over {
		return
	}
	m.gone, m.goneAt = how, r.Now
	r.enough()
	r.noteTrouble(r.plan.DropAfter)
	r.Peers[machine].Leave(how)
	r.flush(machine)
}

// everybodyLeaves ends a match that takes too long: one machine leaves, or all if the match goes on
// without it.
func (r *run[S, I]) everybodyLeaves() {
	for i := len(r.machines) - 1; i >= 0; i-- {
		m := r.machines[i]
		if m.dead || m.gone != "" || m.over {
			continue
		}
		r.leaves(i, "until")
		if r.plan.OnLeave == session.End {
			return
		}
	}
}

// act makes a fault begin or end.
func (r *run[S, I]) act(a act) {
	f := a.fault
	change := 1
	if a.ends {
		change = -1
	}
	if r.plan.aside(f) {
		r.applySpectatorFault(f, change)
		return
	}
	if f.harms() {
		r.troubles += change
	}
	switch {
	case f.Kind == Echo || f.Kind == Replay:
	case a.ends && f.absents() && r.anybodyGone():
		r.noteTrouble(r.plan.DropAfter) // a machine that was away counts silence from now on
	default:
		r.noteTrouble(0)
	}
	if f.Kind != Restart {
		r.upset = r.Now + settles + 4*r.plan.network().farthest()
	}
	switch m := f.Machine; f.Kind {
	case Partition, OneWay:
		r.disturbances.cut(r.Net, f, change)
	case Stall:
		silent := r.disturbances.silence(m, change)
		r.Peers[m].Down = silent || r.machines[m].dead && !r.revenants[m].stray
	case Hitch:
		r.disturbances.hang(r.Fleet, m, change)
	case Suspend:
		for m := range r.machines {
			if f.Side>>m&1 != 0 {
				r.disturbances.suspend(r.Fleet, m, change)
			}
		}
	case Clock:
		r.Jump(m, time.Duration(f.Value)*time.Millisecond)
	case Echo:
		for _, t := range r.repeater.echo(m, change) {
			r.Net.Send(r.Now, t.from, t.to, t.datagram)
		}
	case Replay:
		r.repeater.replay(f)
		r.replayOn()
	case Crash:
		if a.ends {
			r.crashes[m].disarm()
		} else {
			r.crashes[m].arm(f.Value)
		}
	case Detour:
		r.disturbances.detour(r.Net, m, time.Duration(change)*time.Duration(f.Value)*time.Millisecond, r.plan.network().way)
	case Kill:
		r.kill(m)
	case Leave:
		r.leaves(m, "left")
	case Kick:
		r.kick(m)
	case Pause:
		r.pause(m, change > 0)
	case Return:
		comeBack(r, m, false)
	case Restart:
		restart(r, &f, change > 0)
	default:
		r.playing(f)
	}
}

// anybodyGone reports whether any machine is gone for the others.
func (r *referee) anybodyGone() bool {
	return slices.ContainsFunc(r.machines, func(m *watched) bool { return m.dead || m.gone != "" })
}

// playing applies faults that only make sense during a match.
func (r *run[S, I]) playing(f Fault) {
	m := f.Machine
	p := r.Peers[m]
	if p.Phase() != session.Playing || p.Down || p.hung {
		return
	}
	switch f.Kind {
	case Move:
		r.Move(m, r.disturbances.move(m))
		if r.noteTrouble(proof + 4*r.plan.network().farthest()); r.plan.network().movedPairs(r.Now).has(m) {
			r.noteTrouble(r.plan.DropAfter + r.plan.network().margin()) // the two may have lost each other
		}
	case SetDelay:
		if !r.plan.Machines[m].AutoDelay {
			for player := range r.plan.Machines[m].Players.All() {
				_ = p.SetDelay(player, f.Value) // a valid plan has no delay that is refused
			}
		}
	case Talk:
		_ = p.Send(rollback.PlayerSet(1<<r.plan.Players()-1), make([]byte, f.Value)) // there may be no room
		r.flush(m)
	}
}

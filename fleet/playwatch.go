package fleet

import (
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// configureSpectator sets the configuration of a spectator.
func (r *run[S, I]) configureSpectator(i int, c *session.SpectatorConfig) {
	p, v := r.plan, &r.plan.Spectators[i]
	c.TickRate, c.MaxOrders, c.HashEvery, c.JitterBuffer, c.CatchUp = p.TickRate, p.MaxOrders, p.HashEvery, v.Delay, v.CatchUp
	if p.Hosting.Guarded {
		c.Token = v.Stranger.Token(watchToken)
	}
	w := r.watchers[i]
	c.Observe = func(e session.Event) { w.found += uint64(btoi(e.What == session.Connected)) }
}

func (r *run[S, I]) watcherHooks(i int, h *session.SpectatorHooks[S, I]) {
	w := r.watchers[i]
	h.Agreed = func(a *rollback.Agreed[I]) {
		x := r.condenser.condense(w.node, w.match, a)
		if r.options.tamper != nil {
			r.options.tamper(&x)
		}
		r.now = r.Now
		r.spectatorFrame(w, &x)
	}
	h.Start = func(p session.Parameters) (func(*S), error) {
		w.match, w.last, w.distant = uint32(p.Seed-r.plan.Seed), -1, r.Now
		return r.options.Start(p)
	}
}

// showed processes what a spectator has done.
func (r *run[S, I]) showed(p *Spectator[S, I]) {
	w := r.watchers[p.Index-len(r.Peers)]
	seen := &r.seen[p.Index]
	for ; *seen < len(p.Events); *seen++ {
		e := &p.Events[*seen]
		r.tally.mix(canon.HashBytes([]byte(e.String())), r.Now)
		r.toldBy(w, e)
		r.stopped = r.stopped || e.What == session.Closed
	}
	if n := len(p.Events) - keptEvents; n > keptEvents {
		p.Events = append(p.Events[:0], p.Events[n:]...)
		*seen = len(p.Events)
	}
	r.stopped = r.stopped || len(r.violations) > 0
}

// applySpectatorFault makes a fault begin or end that concerns only a spectator.
func (r *run[S, I]) applySpectatorFault(f Fault, change int) {
	node := f.Machine
	if !r.plan.watches(node) {
		node = f.Other
	}
	w, p := r.watchers[node-len(r.machines)], r.Fleet.Spectators[node-len(r.machines)]
	if f.lasts() {
		w.troubles += change
	}
	w.calm = max(w.calm, r.Now)
	switch f.Kind {
	case OneWay:
		r.disturbances.cut(r.Net, f, change)
	case Stall:
		p.Down = r.disturbances.silence(node, change) || w.dead
	case Hitch:
		r.disturbances.hang(r.Fleet, node, change)
	case Detour:
		r.disturbances.detour(r.Net, node, time.Duration(change)*time.Duration(f.Value)*time.Millisecond, r.plan.network().way)
	case Move:
		r.Move(node, r.disturbances.move(node))
		w.calm = r.Now + movedAway
	case Kill:
		w.dead, w.gone, p.Down = true, "killed", true
	case Leave:
		if w.gone == "" && !w.over {
			w.gone = "left"
			p.Leave("")
			r.say(p)
			p.wake = min(p.wake, r.Now)
		}
	}
}

// movedAway is how long a host keeps the place of a spectator whose address has changed.
const movedAway = 6 * time.Second

// awaited reports whether a spectator has not yet seen everything that it can, so that the players stay for it. They do
// not stay if losses come in bursts: a lobby has few datagrams, so bursts there last for seconds, longer than a plan
// allows for.
func (r *run[S, I]) awaited() bool {
	if r.plan.network().bursts() {
		return false
	}
	for _, w := range r.watchers {
		if w.can(r.referee) && w.behind(r.referee, w.slack(r.referee)) {
			return true
		}
	}
	return false
}

// hostsGone reports whether all spectators are gone, too.
func (r *run[S, I]) hostsGone() bool {
	for _, w := range r.watchers {
		if !w.dead && w.Phase() != session.Over {
			return false
		}
	}
	return true
}

// spectatorTime returns how much longer a run may take because of its spectators.
func (p *Plan) spectatorTime() (d time.Duration) {
	for _, v := range p.Spectators {
		d = max(d, 4*time.Minute+v.Late+time.Duration(p.Frames)*time.Second/time.Duration(p.TickRate))
	}
	return d
}

func (r *run[S, I]) resultOfSpectators(t *Result) {
	for i, w := range r.watchers {
		p := r.Fleet.Spectators[i]
		s := p.Stats(nil)
		s.Engine.Histogram, s.Links = nil, nil
		m := SpectatorResult{
			Phase: p.Phase(), Err: p.Err(), Gone: w.gone, Outcomes: w.outcomes, Stats: s,
			Frames: w.frames, Jumps: w.jumps, FailOvers: w.found - min(w.found, 1),
		}
		m.Events = p.Events[max(0, len(p.Events)-keptEvents):]
		t.Spectators = append(t.Spectators, m)
		t.Seen, t.Jumps, t.FailOvers = t.Seen+m.Frames, t.Jumps+m.Jumps, t.FailOvers+m.FailOvers
	}
	for i := range t.Machines {
		t.States += t.Machines[i].Stats.Spectators.States
	}
}

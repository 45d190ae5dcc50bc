package hosted

import (
	"slices"
	"time"

	"github.com/tickback/tickback/fleet"
)

// schedule has the events of a plan by time.
type schedule struct {
	list []scheduled
	at   int
}

type scheduled struct {
	at time.Duration
	do func()
}

func (s *schedule) add(at time.Duration, do func()) { s.list = append(s.list, scheduled{at, do}) }

func (s *schedule) next() (at time.Duration, any bool) {
	if s.at == len(s.list) {
		return 0, false
	}
	return s.list[s.at].at, true
}

func (s *schedule) happen() {
	s.at++
	s.list[s.at-1].do()
}

// plot makes the schedule of the plan.
func (r *run[S, I]) plot() {
	s := &r.schedule
	for _, g := range r.guests {
		s.add(g.plan.Comes, func() { r.enter(g) })
	}
	for _, w := range r.watchers {
		s.add(w.plan.Comes, func() { r.must(w.come()) })
	}
	for _, k := range r.strangers {
		s.add(k.plan.Comes, func() { r.must(k.come()) })
	}
	for _, f := range r.plan.Faults {
		s.add(f.At, func() { r.applyFault(f, 1) })
		if f.For > 0 || f.Kind == fleet.Restart {
			s.add(f.At+f.For, func() { r.applyFault(f, -1) })
		}
	}
	for at := time.Second; at < r.limit(); at += time.Second {
		s.add(at, r.lookAround)
	}
	slices.SortStableFunc(s.list, func(a, b scheduled) int { return int((a.at - b.at) / time.Microsecond) })
}

// must ends the run if something cannot be made.
func (r *run[S, I]) must(err error) {
	if err != nil {
		r.violate(checkErrors, -1, "%v", err)
	}
}

// enter switches a client on, unless the match is over. A client that is over starts again.
func (r *run[S, I]) enter(g *clientRun[S, I]) {
	if !g.off && g.stay.closed && g.hung == 0 {
		r.tally(g)
		g.off = true
	}
	if g.off && !r.over {
		g.stay.gone, g.in.any = "", false // its earlier connection may still hold its place
		r.must(g.come())
	}
}

// applyFault makes a fault begin or end.
func (r *run[S, I]) applyFault(f fleet.Fault, change int) {
	m := r.machines[f.Machine]
	switch f.Kind {
	case fleet.OneWay:
		r.net.Cut(f.Machine, f.Other, change > 0)
	case fleet.Stall:
		if m.deaf += change; m.deaf == 0 {
			m.wake = max(m.wake, r.now)
		}
	case fleet.Hitch:
		r.hang(m, change, 0)
	case fleet.Suspend:
		r.hang(m, change, change)
	case fleet.Detour:
		detour := time.Duration(0)
		if change > 0 {
			detour = time.Duration(f.Value) * time.Millisecond
		}
		r.must(r.connect(f.Machine, detour))
	case fleet.Restart:
		restart(r, m, change > 0)
	case fleet.Leave, fleet.Kill:
		r.remove(m, f.Kind == fleet.Leave)
	case fleet.Return:
		r.enter(r.guests[f.Machine-1])
	case fleet.Kick:
		r.kick(r.guests[f.Machine-1])
	}
}

// hang makes a machine do nothing while arriving datagrams wait for it, or lets it go on. If it was stopped, it treats
// that moment as the time of arrival.
func (r *run[S, I]) hang(m *machine, change, stops int) {
	stopped := m.stopped > 0
	m.hung, m.stopped = m.hung+change, m.stopped+stops
	if m.hung > 0 || m.off {
		return
	}
	if stopped {
		for i := range m.socket {
			m.socket[i].At = r.now
		}
	}
	if m.labour == nil || !m.labour.Busy() {
		read(r, m)
	}
	m.wake = max(m.wake, r.now)
}

// remove removes a machine, with a goodbye or without.
func (r *run[S, I]) remove(m *machine, politely bool) {
	if m.off {
		return
	}
	gone := "killed"
	if politely {
		gone = "left"
	}
	if r.plan.isClient(m.number) {
		g := r.guests[m.number-1]
		if g.stay.gone = gone; politely && !g.stay.closed {
			g.client.Leave("")
		}
		r.tally(g)
	} else {
		w := r.watchers[m.number-1-len(r.guests)]
		if w.gone = gone; politely && !w.closed {
			w.follower.Leave("")
		}
	}
	if politely && m.hung == 0 {
		r.send(m)
	}
	m.off = true
}

// kick makes the server remove a client.
func (r *run[S, I]) kick(g *clientRun[S, I]) {
	if g.off || !g.plays() || r.over || r.server.off || g.naive.truth != r.truth {
		return
	}
	if p, ok := g.client.Player(); ok && r.server.server.Kick(p, "by the plan") == nil {
		if r.plan.Guarded && !r.options.open {
			r.must(r.server.server.SetToken([]byte(matchToken))) // the clients of a plan are invited again at once
		}
		g.stay.gone = "kicked"
		r.send(&r.server.machine)
	}
}

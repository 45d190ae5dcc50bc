package fleet

import (
	"cmp"
	"slices"
	"time"

	"github.com/tickback/tickback/session"
)

// Events of a plan at times that are only known during the run.

// await collects the faults whose time is counted from a frame of a match.
func (d *director) await(p *Plan) {
	for i := range p.Faults {
		if p.Faults[i].Match > 0 {
			d.awaiting = append(d.awaiting, i)
		}
	}
}

// schedule adds the acts of a fault, with their times.
func (d *director) schedule(f Fault) {
	d.acts = append(d.acts, act{at: f.At, fault: f})
	if f.lasts() {
		d.acts = append(d.acts, act{at: f.At + f.For, fault: f, ends: true})
	}
	d.last = max(d.last, f.At+f.For)
	d.deadline = d.last + d.patience
	slices.SortStableFunc(d.acts, func(a, b act) int { return cmp.Compare(a.at, b.at) })
}

// reached schedules the faults whose time is counted from the current position of a machine.
func (r *run[S, I]) reached(machine int) {
	left := r.awaiting[:0]
	for _, i := range r.awaiting {
		f := &r.plan.Faults[i]
		if !r.isAt(machine, f) {
			left = append(left, i)
			continue
		}
		f.At, f.Match, f.Frame = r.Now+f.At, 0, 0
		r.schedule(*f)
		r.mayLose = r.plan.network().mayLose()
		r.stopped = true
	}
	r.awaiting = left
}

// isAt reports whether a machine has reached the frame from which the time of a fault is counted.
func (r *run[S, I]) isAt(machine int, f *Fault) bool {
	m, match := r.machines[machine], uint32(f.Match)
	frame := f.Frame
	if frame <= 0 {
		frame = max(int(r.plan.Frames)+frame, 1)
	}
	switch {
	case m.match != match:
		return m.match > match && m.match <= uint32(r.plan.Matches) // a newcomer has no match yet
	case r.match(match).outcome[machine] != nil:
		return true
	case r.Peers[machine].Phase() != session.Playing:
		return false
	}
	return int(r.Peers[machine].Frame()) >= frame
}

// rests reports whether the rest before a match still lasts. The rest begins with the first call.
func (d *director) rests(p *Plan, now time.Duration, match uint32) bool {
	if d.restMatch != match {
		d.restMatch, d.restUntil = match, now+p.Rest
	}
	return now < d.restUntil
}

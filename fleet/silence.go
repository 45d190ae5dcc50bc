package fleet

import (
	"cmp"
	"slices"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// What a plan allows: some of the things that go wrong in a match are caused by the plan, and the rest are violations.
// The bounds here are on the safe side by a round trip and some bad luck; cases in between are not checked.

// network is what a plan does to the ways between its machines: it reads the plan, and changes nothing.
type network struct{ plan *Plan }

func (p *Plan) network() network { return network{p} }

// span is the time from from up to, but not including, end.
type span struct{ from, end time.Duration }

// way returns the link from one machine to another.
func (n network) way(from, to int) netem.Link {
	for i := range n.plan.Links {
		if w := &n.plan.Links[i]; w.From == from && w.To == to {
			return w.Link
		}
	}
	return n.plan.Link
}

// bursts reports whether a link between players loses datagrams in bursts.
func (n network) bursts() bool {
	for _, w := range n.plan.Links {
		if w.Link.Burst.Begin > 0 && !n.plan.watches(w.From) && !n.plan.watches(w.To) {
			return true
		}
	}
	return n.plan.Link.Burst.Begin > 0
}

// farthest returns the longest time that a datagram takes from one player's machine to another, including jitter and
// queues.
func (n network) farthest() time.Duration {
	longest := reach(n.plan.Link)
	for _, w := range n.plan.Links {
		if !n.plan.watches(w.From) && !n.plan.watches(w.To) {
			longest = max(longest, reach(w.Link))
		}
	}
	detour := 0
	for _, f := range n.plan.Faults {
		if f.Kind == Detour && !n.plan.aside(f) {
			detour += f.Value
		}
	}
	return longest + time.Duration(detour)*time.Millisecond
}

func reach(l netem.Link) time.Duration {
	d := l.Delay
	switch l.Distribution {
	case netem.Exponential:
		d += 8 * l.Jitter
	default:
		d += 2 * l.Jitter
	}
	switch {
	case l.Bandwidth == 0:
	case l.Queue == 0:
		d += netem.DefaultQueueTime
	default:
		d += time.Duration(int64(l.Queue) * int64(time.Second) / l.Bandwidth)
	}
	return d
}

// badLuck is how long chance alone can keep datagrams away: with the losses that [Draw] draws, longer streaks
// do not occur in thousands of matches.
const badLuck = 1200 * time.Millisecond

// proof is how long a machine that has moved is not heard: until the answer to a challenge has arrived, which may take
// a few attempts.
const proof = 400 * time.Millisecond

// margin returns how much longer a silence may seem to a machine than it is in the plan. If the machine was suspended,
// or its clock has jumped, it may count some of that as silence of the others.
func (n network) margin() time.Duration { return badLuck + 2*n.farthest() + n.absences() }

// absences returns how much of its own absence, and of jumps of its clock, a machine counts as silence of others: see
// docs/sessions.md.
func (n network) absences() (sum time.Duration) {
	most := min(30*time.Second/time.Duration(n.plan.TickRate), n.plan.DropAfter/2)
	for _, f := range n.plan.Faults {
		switch f.Kind {
		case Suspend:
			sum += min(f.For, most)
		case Clock:
			sum += min(time.Duration(max(f.Value, 0))*time.Millisecond, most)
		}
	}
	return sum
}

// silences returns the times when nothing gets from one machine to another, in ascending order. Interruptions with only
// a short pause in between, in which the two are not suspended together, count as one, since nothing may get through in
// the pause.
func (n network) silences(from, to int) (list []span) {
	pause := n.farthest() + 300*time.Millisecond
	for _, f := range n.plan.Faults {
		if f.Match > 0 || !f.splits(from, to) {
			continue // its time is not known yet
		}
		s := span{f.At, f.At + f.For}
		if f.Kind == Move {
			if s.end = n.proved(f.At, from, to); n.passes(f, from, to) {
				s.end = never
			}
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.end, b.end)) })
	joined := list[:0]
	for _, s := range list {
		if last := len(joined) - 1; last >= 0 && s.from <= joined[last].end+pause+n.asleep(from, to, joined[last].end, s.from) {
			joined[last].end = max(joined[last].end, s.end)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// asleep returns how long, in a span, single faults suspend two machines at the same time, as the sum over the faults.
func (n network) asleep(one, other int, from, end time.Duration) (sum time.Duration) {
	for _, f := range n.plan.Faults {
		if f.Kind == Suspend && f.Match == 0 && f.Side>>one&1 != 0 && f.Side>>other&1 != 0 {
			sum += max(min(f.At+f.For, end)-max(f.At, from), 0)
		}
	}
	return sum
}

// proved returns when another machine hears a machine that has moved again: the machine must be challenged and answer
// while nothing is cut in either direction.
func (n network) proved(at time.Duration, one, other int) time.Duration {
	takes := proof + 4*n.farthest()
	end := at + takes
	for again := true; again; {
		again = false
		for _, f := range n.plan.Faults {
			cut := f.Kind != Move && f.Match == 0 && (f.splits(one, other) || f.splits(other, one))
			if healed := f.At + f.For + takes; cut && f.At < end && f.At+f.For > at && healed > end {
				end, again = healed, true
			}
		}
	}
	return end
}

// never is a time that is never reached.
const never = 1 << 62 * time.Nanosecond

// passes reports whether the other machine also moves before it knows where the first one is: then datagrams of neither
// reach the other.
func (n network) passes(move Fault, from, to int) bool {
	other := from + to - move.Machine
	for _, f := range n.plan.Faults {
		if f.Kind == Move && f.Match == 0 && f.Machine == other && max(f.At-move.At, move.At-f.At) <= proof+badLuck+4*n.farthest() {
			return true
		}
	}
	return false
}

// movedPairs returns machines that have changed their addresses at the same time, in pairs; they may or may not find
// each other again.
func (n network) movedPairs(now time.Duration) (g group) {
	for _, f := range n.plan.Faults {
		if f.Kind != Move || f.Match > 0 || f.At > now || n.plan.watches(f.Machine) {
			continue
		}
		for other := range n.plan.Machines {
			if other != f.Machine && n.passes(f, f.Machine, other) {
				g |= 1<<f.Machine | 1<<other
			}
		}
	}
	return g
}

// mayLose returns the time from which machines may lose each other although none is gone; never, if every silence is
// shorter than DropAfter.
func (n network) mayLose() time.Duration { return n.mayMiss(n.plan.DropAfter - n.margin()) }

// mayMiss returns the time from which a machine may not have heard another one for this long.
func (n network) mayMiss(patience time.Duration) time.Duration {
	if patience <= 0 {
		return 0
	}
	first := time.Duration(never)
	for from := range n.plan.Machines {
		for to := range n.plan.Machines {
			if from == to {
				continue
			}
			for _, s := range n.silences(from, to) {
				if s.end-s.from > patience {
					first = min(first, s.from+patience)
				}
			}
		}
	}
	return first
}

// stretched reports whether a burst alone may have kept a machine from hearing these players. Bursts are counted in
// datagrams. Before a match there are only four datagrams a second, so a burst can last for seconds.
func (r *referee) stretched(machine int, players rollback.PlayerSet) bool {
	if phase := r.machines[machine].phase; phase != session.Connecting && phase != session.Lobby {
		return false
	}
	for from := range r.plan.Machines {
		if r.plan.machinesOf(players).has(from) && swallows(r.plan.network().way(from, machine), int(r.plan.DropAfter/keepAlive)) {
			return true
		}
	}
	return false
}

// keepAlive is the interval at which a machine sends before a match.
const keepAlive = 250 * time.Millisecond

// swallows reports whether the probability that a burst swallows this many datagrams in a row is more than one in 10^9.
// In a soak there are some 10^6 times at which a burst can begin before a match.
func swallows(l netem.Link, datagrams int) bool {
	if l.Burst.Begin == 0 {
		return false
	}
	const all = uint64(netem.Always)
	through := (all - uint64(l.Burst.Loss)) * (all - uint64(l.Loss)) / all // the share of a burst that gets through
	lost := (all - uint64(l.Burst.End)) * (all - through) / all            // a datagram is lost and the burst goes on
	chance := uint64(1e18)
	for range datagrams {
		chance = chance / all * lost
	}
	return chance > 1e9
}

package fleet

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Datagrams that a plan sends again, from the network or an attacker, and machines that die while they send.

// taped is a recorded datagram.
type taped struct {
	from, to int
	addr     netip.AddrPort
	datagram []byte
}

const (
	// maxTaped is the maximum number of datagrams of a Replay or an Echo: more than a match of eight sends to one machine
	// in a minute.
	maxTaped = 1 << 15
	// preludeLength is how long the earlier session of a Replay is.
	preludeLength = 6 * time.Second
	// preludeSeed changes the seed of the plan for that session.
	preludeSeed = 0x9E3779B97F4A7C15
	// replayEvery is the interval at which a Replay sends.
	replayEvery = 5 * time.Millisecond
)

// nowhere is an address that is not part of the match.
var nowhere = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 66, 6, 250}), 666)

// datagramLog has the recorded datagrams.
type datagramLog struct {
	targets group // machines to which a Replay repeats what was sent in this run
	tapes   [MaxMachines][]taped
	earlier [MaxMachines][]taped
	echoing [MaxMachines]int
	echoes  [MaxMachines][]taped
}

// records reports whether a datagram is needed by any fault.
func (d *datagramLog) records(from, to int) bool {
	return d.targets.has(to) || d.echoing[from] > 0
}

// record records a datagram from one player's machine to another.
func (d *datagramLog) record(from, to int, at netip.AddrPort, b []byte) {
	t := taped{from, to, at, append([]byte(nil), b...)}
	if d.targets.has(to) && len(d.tapes[to]) < maxTaped {
		d.tapes[to] = append(d.tapes[to], t)
	}
	if d.echoing[from] > 0 && len(d.echoes[from]) < maxTaped {
		d.echoes[from] = append(d.echoes[from], t)
	}
}

// replaying is a Replay in progress.
type replaying struct {
	fault Fault
	list  []taped
	done  int
}

// targetsOf returns the machines to which one kind of Replay sends.
func (p *Plan) targetsOf(earlier bool) (g group) {
	for _, f := range p.Faults {
		if f.Kind == Replay && (f.Value&ReplayEarlier != 0) == earlier {
			g |= 1 << f.Machine
		}
	}
	return g
}

// prelude plays a session of the same machines without any fault, with another seed, and records the datagrams to the
// machines that will get them again.
func (r *run[S, I]) prelude(s Setup[S, I]) error {
	r.targets = r.plan.targetsOf(false)
	wanted := r.plan.targetsOf(true)
	if wanted == 0 {
		return nil
	}
	s.Seed ^= preludeSeed
	random, err := NewInputs[I](s.Seed)
	if err != nil {
		return err
	}
	s.Input = func(p rollback.Player, _ int) I { return random.Next(p) }
	s.Orders, s.Spectators, s.Games = nil, nil, nil
	s.Hooks = func(_ int, h *session.Hooks[S, I]) { h.Start = r.start }
	f, err := New(s)
	if err != nil {
		return err
	}
	f.OnSend = func(from, to int, b []byte) {
		if wanted.has(to) && len(r.earlier[to]) < maxTaped {
			r.earlier[to] = append(r.earlier[to], taped{from, to, Addr(from), append([]byte(nil), b...)})
		}
	}
	f.Run(preludeLength)
	return nil
}

// replay starts to send the recorded datagrams again.
func (r *run[S, I]) replay(f Fault) {
	list := r.tapes[f.Machine]
	if f.Value&ReplayEarlier != 0 {
		list = r.earlier[f.Machine]
	}
	r.replays = append(r.replays, replaying{fault: f, list: list})
	r.replayOn()
}

// passed returns how long a Replay has been going on, in whole steps, so that the times at which it sends do not depend
// on when the director calls.
func (p *replaying) passed(now time.Duration) time.Duration {
	return (now - p.fault.At).Truncate(replayEvery)
}

// nextReplay returns when a Replay next sends, or next if that is earlier.
func (r *run[S, I]) nextReplay(next time.Duration) time.Duration {
	for i := range r.replays {
		p := &r.replays[i]
		next = min(next, p.fault.At+p.passed(r.Now)+replayEvery)
	}
	return next
}

// replayOn sends the recorded datagrams that are due.
func (r *run[S, I]) replayOn() {
	left := r.replays[:0]
	for _, p := range r.replays {
		due := len(p.list)
		if passed := p.passed(r.Now); passed < p.fault.For {
			due = int(int64(due) * int64(passed/time.Microsecond) / max(int64(p.fault.For/time.Microsecond), 1))
		}
		for ; p.done < due; p.done++ {
			t := &p.list[p.done]
			from := t.addr
			if p.fault.Value&ReplayElsewhere != 0 {
				from = nowhere
			} else if l := r.plan.way(t.from, t.to); l.MTU > 0 && len(t.datagram)+l.Overhead > l.MTU {
				continue // a repeated datagram takes the same path, and does not fit
			}
			r.replayed++
			r.Inject(t.to, from, t.datagram)
			r.hearing.since = r.now // a datagram that was lost before counts as heard now
			r.noteTrouble(r.plan.DropAfter + r.plan.margin())
		}
		if p.done < len(p.list) {
			left = append(left, p)
		}
	}
	r.replays = left
}

// echo starts to record what a machine sends, or sends all of that again.
func (r *run[S, I]) echo(machine, change int) {
	r.echoing[machine] += change
	if r.echoing[machine] > 0 {
		return
	}
	for _, t := range r.echoes[machine] {
		r.echoed++
		r.Net.Send(r.Now, t.from, t.to, t.datagram)
	}
	r.echoes[machine] = nil
}

// crash is a machine that dies as soon as its log has something to decide.
type crash struct {
	armed bool
	dying bool // that moment has come
	words int  // how many datagrams still leave it
}

// cannotSend reports whether datagrams of a machine can no longer leave it.
func (r *run[S, I]) cannotSend(node int) bool {
	if node >= len(r.machines) {
		return false
	}
	c := &r.crashes[node]
	switch {
	case r.machines[node].dead:
		return !r.revenants[node].stray
	case !c.armed || !c.dying && !r.Peers[node].Deciding():
		return false
	}
	c.dying = true
	if c.words--; c.words >= 0 {
		return false
	}
	r.kill(node)
	return true
}

// arm arms or disarms the crash of a machine.
func (r *run[S, I]) arm(f Fault, begins bool) {
	if c := &r.crashes[f.Machine]; begins {
		*c = crash{armed: true, words: f.Value}
	} else {
		c.armed = c.dying
	}
}

// kill kills a machine.
func (r *run[S, I]) kill(machine int) {
	w := r.machines[machine]
	if w.dead {
		return
	}
	w.dead, w.gone, w.goneAt = true, "killed", r.Now
	r.Peers[machine].Down = true
	r.noteTrouble(r.plan.DropAfter + session.DefaultLinger)
}

// suspend stops the processes of some machines, or lets them continue.
func (r *run[S, I]) suspend(f Fault, change int) {
	for m := range r.machines {
		if f.Side>>m&1 == 0 {
			continue
		}
		if r.hung[m] = max(r.hung[m]+change, 0); change > 0 {
			r.Stop(m)
		} else {
			r.Hang(m, r.hung[m] > 0)
		}
	}
}

// movedPairs returns machines that have changed their addresses at the same time, in pairs; they may or may not find
// each other again.
func (p *Plan) movedPairs(now time.Duration) (g group) {
	for _, f := range p.Faults {
		if f.Kind != Move || f.Match > 0 || f.At > now || p.watches(f.Machine) {
			continue
		}
		for other := range p.Machines {
			if other != f.Machine && p.passes(f, f.Machine, other) {
				g |= 1<<f.Machine | 1<<other
			}
		}
	}
	return g
}

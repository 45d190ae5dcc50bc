package fleet

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/netem"
)

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
	// replayEvery is the interval at which a Replay sends.
	replayEvery = 5 * time.Millisecond
)

// nowhere is an address that is not part of the match.
var nowhere = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 66, 6, 250}), 666)

// repeater records the datagrams that a plan sends again, from the network or an attacker, and says when which of them
// is sent again. It sends nothing itself.
type repeater struct {
	targets          group // machines to which a Replay repeats what was sent in this run
	tapes            [MaxMachines][]taped
	wanted           group // machines to which a Replay repeats what was sent in an earlier session
	earlier          [MaxMachines][]taped
	echoing          [MaxMachines]int // Echoes in progress
	echoes           [MaxMachines][]taped
	replays          []replaying
	replayed, echoed uint64 // datagrams
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

// newRepeater makes the repeater of a plan.
func newRepeater(p *Plan) repeater {
	return repeater{targets: p.targetsOf(false), wanted: p.targetsOf(true)}
}

// replaying is a Replay in progress.
type replaying struct {
	fault Fault
	list  []taped
	done  int
}

// records reports whether a datagram is needed by any fault.
func (p *repeater) records(from, to int) bool {
	return p.targets.has(to) || p.echoing[from] > 0
}

// record records a datagram from one player's machine to another.
func (p *repeater) record(from, to int, at netip.AddrPort, b []byte) {
	t := taped{from, to, at, append([]byte(nil), b...)}
	if p.targets.has(to) && len(p.tapes[to]) < maxTaped {
		p.tapes[to] = append(p.tapes[to], t)
	}
	if p.echoing[from] > 0 && len(p.echoes[from]) < maxTaped {
		p.echoes[from] = append(p.echoes[from], t)
	}
}

// wantsEarlier reports whether any datagrams of an earlier session are needed.
func (p *repeater) wantsEarlier() bool { return p.wanted != 0 }

// recordEarlier records a datagram of the earlier session, if it is needed.
func (p *repeater) recordEarlier(from, to int, at netip.AddrPort, b []byte) {
	if p.wanted.has(to) && len(p.earlier[to]) < maxTaped {
		p.earlier[to] = append(p.earlier[to], taped{from, to, at, append([]byte(nil), b...)})
	}
}

// replay begins a Replay, of what has been recorded so far.
func (p *repeater) replay(f Fault) {
	list := p.tapes[f.Machine]
	if f.Value&ReplayEarlier != 0 {
		list = p.earlier[f.Machine]
	}
	p.replays = append(p.replays, replaying{fault: f, list: list})
}

// next returns the time at which a Replay next sends, or otherwise, the caller's own next time, if that is earlier.
func (p *repeater) next(now, otherwise time.Duration) time.Duration {
	for i := range p.replays {
		s := &p.replays[i]
		otherwise = min(otherwise, s.fault.At+s.passed(now)+replayEvery)
	}
	return otherwise
}

// due calls send with each datagram that a Replay sends by now, and the address that it seems to come from. way returns
// the link of a path.
func (p *repeater) due(now time.Duration, way func(from, to int) netem.Link, send func(to int, from netip.AddrPort, datagram []byte)) {
	left := p.replays[:0]
	for _, s := range p.replays {
		for end := s.due(now); s.done < end; s.done++ {
			t := &s.list[s.done]
			from := t.addr
			if s.fault.Value&ReplayElsewhere != 0 {
				from = nowhere
			} else if l := way(t.from, t.to); l.MTU > 0 && len(t.datagram)+l.Overhead > l.MTU {
				continue // a repeated datagram takes the same path, and does not fit
			}
			p.replayed++
			send(t.to, from, t.datagram)
		}
		if s.done < len(s.list) {
			left = append(left, s)
		}
	}
	p.replays = left
}

// passed returns how long a Replay has been going on, in whole steps, so that the times at which it sends do not depend
// on when the director calls.
func (s *replaying) passed(now time.Duration) time.Duration {
	return (now - s.fault.At).Truncate(replayEvery)
}

// due returns how many datagrams of the list are to be sent by now.
func (s *replaying) due(now time.Duration) int {
	passed := s.passed(now)
	if passed >= s.fault.For {
		return len(s.list)
	}
	return int(int64(len(s.list)) * int64(passed/time.Microsecond) / max(int64(s.fault.For/time.Microsecond), 1))
}

// echo begins or ends an Echo of a machine: the change is 1 or -1. When the last one ends, it returns all that the
// machine has sent since the first one began, to be sent again.
func (p *repeater) echo(machine, change int) (again []taped) {
	p.echoing[machine] += change
	if p.echoing[machine] > 0 {
		return nil
	}
	again, p.echoes[machine] = p.echoes[machine], nil
	p.echoed += uint64(len(again))
	return again
}

package fleet

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/pace"
)

// Cost is how long the work of a machine takes, in virtual time. While it works it receives nothing: arriving datagrams
// wait in its socket, with the time of arrival, and its own datagrams are sent when the work is done. The zero value
// takes no time.
type Cost struct {
	// Frame is the cost of a frame, and Again the cost of each frame that a rollback simulates again.
	Frame time.Duration `json:",omitzero"`
	Again time.Duration `json:",omitzero"`
	// Picture is the cost of the machine's own work after each update that has run a frame.
	Picture time.Duration `json:",omitzero"`
	// Every and Burst make one frame in Every take Burst longer, as when memory is collected.
	Every int           `json:",omitzero"`
	Burst time.Duration `json:",omitzero"`
	// Throttled, unless it is 0, is the time after which everything takes half as long again, as on a phone that has
	// become too hot.
	Throttled time.Duration `json:",omitzero"`
}

// String describes the cost in a few words.
func (c Cost) String() string {
	s := fmt.Sprintf("a frame takes %v, again %v, a picture %v", c.Frame, c.Again, c.Picture)
	if c.Burst > 0 {
		s += fmt.Sprintf(", one in %d %v longer", c.Every, c.Burst)
	}
	if c.Throttled > 0 {
		s += fmt.Sprintf(", half as long again from %v on", c.Throttled)
	}
	return s
}

// maxCost bounds each time of a [Cost].
const maxCost = 10 * time.Second

// Validate returns an error for the first invalid value.
func (c *Cost) Validate() error {
	for _, v := range []struct {
		name string
		d    time.Duration
		most time.Duration
	}{{"Frame", c.Frame, maxCost}, {"Again", c.Again, maxCost}, {"Picture", c.Picture, maxCost}, {"Burst", c.Burst, maxCost}, {"Throttled", c.Throttled, MaxPlanTime}} {
		if v.d < 0 || v.d > v.most {
			return planError("a cost's %s is %v, must be 0 to %v", v.name, v.d, v.most)
		}
	}
	if c.Every < 0 || c.Burst > 0 && c.Every == 0 {
		return planError("a cost's Every is %d, must be positive with a Burst", c.Every)
	}
	return nil
}

// costsOf returns how long the work of each node of a plan takes, or nil if no work takes time.
func costsOf(p *Plan) func(node int) Cost {
	list := make([]Cost, 0, p.nodes())
	any := false
	for i := range p.Machines {
		list = append(list, p.Machines[i].Cost)
	}
	for i := range p.Spectators {
		list = append(list, p.Spectators[i].Cost)
	}
	for i := range list {
		any = any || list[i] != Cost{}
	}
	if !any {
		return nil
	}
	return func(node int) Cost { return list[node] }
}

// slowed returns how long something takes at a given time, with throttling.
func (c *Cost) slowed(d, now time.Duration) time.Duration {
	if c.Throttled > 0 && now >= c.Throttled {
		return d + d/2
	}
	return d
}

// of returns the cost of the frames up to this count: first is how many of them were run for the first time, and again
// is how many were simulated again.
func (c *Cost) of(now time.Duration, count, first, again uint64) time.Duration {
	d := time.Duration(first)*c.Frame + time.Duration(again)*c.Again
	if c.Every > 0 && first > 0 && count/uint64(c.Every) != (count-first)/uint64(c.Every) {
		d += c.Burst
	}
	return c.slowed(d, now)
}

// Program is the software on a machine, as far as its work is concerned.
type Program interface {
	// Update is as in session.Machine.
	Update(now time.Duration) (next time.Duration)
	// Worked returns the work that it has done so far.
	Worked() Work
}

// Work is what a program has done: how many frames it has run for the first time, and how many again. Shown grows
// whenever it has something new to show, whether a frame that it has run or a state that it has received.
type Work struct{ First, Again, Shown uint64 }

// Workload is a machine whose work takes time. It takes the same turns as package tickback: see [pace.Turn].
type Workload struct {
	// Pictures counts turns with something new to show, Longest is the longest time between two of
	// them, and Since when the next such time began.
	Pictures uint64
	Longest  time.Duration
	Since    time.Duration

	cost    Cost
	period  time.Duration // the period of a tick
	turn    pace.Turn
	working bool
	heard   bool          // the current work comes from datagrams that were read, and there was no update in this turn
	until   time.Duration // when the current work is done
	done    Work          // the work already accounted for
	shown   uint64        // how much of that has been shown in earlier turns
	next    time.Duration // on the machine's clock
	ran     bool          // in the current update
	held    []Waiting     // datagrams to send when the work is done
}

// NewLabour returns the workload of a machine with this tick period, or nil for the zero cost.
func NewLabour(c Cost, period time.Duration) *Workload {
	if c == (Cost{}) {
		return nil
	}
	return &Workload{cost: c, period: period}
}

// Busy reports whether the machine works and receives nothing: until the update that ends the work, which includes
// datagrams that arrive at the moment when it is done.
func (l *Workload) Busy() bool { return l.working }

// Update makes a machine do the next thing at a time, and returns when to call it again: when its work is done, or
// something is due. done is called before anything else, to send what was held back and to hand over what has waited in
// the socket.
func (l *Workload) Update(p Program, clock *LocalClock, now time.Duration, done func()) (wake time.Duration) {
	if l.working && now < l.until {
		return l.until
	}
	if l.working {
		l.working = false
		if done(); l.heard {
			l.heard = false
			return l.work(p, clock, now)
		}
		if l.turn.More(clock.Local(now), l.next, l.ran) {
			return l.work(p, clock, now)
		}
		return l.rest(clock, now)
	}
	return l.begin(p, clock, now)
}

// Heard must be called when a machine that is not working has read something. If frames have run because of that, it
// returns when they are done, and the machine works until then: its turn has begun with them.
func (l *Workload) Heard(p Program, clock *LocalClock, now time.Duration) (wake time.Duration, works bool) {
	took := l.took(p, now)
	if took == 0 {
		return 0, false
	}
	l.turn.Begin(clock.Local(now), l.period)
	l.working, l.heard, l.until = true, true, now+took
	return l.until, true
}

// begin begins a turn.
func (l *Workload) begin(p Program, clock *LocalClock, now time.Duration) time.Duration {
	l.turn.Begin(clock.Local(now), l.period)
	return l.work(p, clock, now)
}

// work does one update, after the frames that have run for what was read just before.
func (l *Workload) work(p Program, clock *LocalClock, now time.Duration) time.Duration {
	now += l.took(p, now)
	first := l.done.First
	l.next = p.Update(clock.Local(now))
	took := l.took(p, now)
	l.ran = l.done.First > first
	l.working, l.until = true, now+took
	return l.until
}

// took returns how long the frames take that have run since the last call.
func (l *Workload) took(p Program, now time.Duration) time.Duration {
	w := p.Worked()
	was := l.done
	if w.First < was.First || w.Again < was.Again { // another match has begun, or the same from another state
		was = Work{}
	}
	l.done = w
	return l.cost.of(now, w.First, w.First-was.First, w.Again-was.Again)
}

// rest ends a turn.
func (l *Workload) rest(clock *LocalClock, now time.Duration) time.Duration {
	wake := max(clock.Global(l.next), now+1)
	if l.done.Shown == l.shown {
		return wake
	}
	l.shown = l.done.Shown
	if l.Pictures++; l.Since != 0 {
		l.Longest = max(l.Longest, now-l.Since)
	}
	l.Since = now
	return max(wake, now+l.cost.slowed(l.cost.Picture, now))
}

// Hold keeps a datagram until the current work is done, and reports whether it does.
func (l *Workload) Hold(to netip.AddrPort, b []byte) bool {
	if l.working {
		l.held = append(l.held, Waiting{From: to, Datagram: append([]byte(nil), b...)})
	}
	return l.working
}

// Held returns and clears what was held back, with the destination addresses.
func (l *Workload) Held() []Waiting {
	list := l.held
	l.held = nil
	return list
}

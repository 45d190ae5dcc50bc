package hosted

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Options change how a run is made. The zero value is fine.
type Options[S any, I comparable] struct {
	// Progress, if given, is called every second of virtual time with the progress of the run. The run ends if it returns
	// false.
	Progress func(now, length time.Duration) bool

	// The rest is for tests of the checkers. alter changes the game of a machine, retell a client's effects, and witness
	// what a spectator sees; watch is called before each event of the run. With twins, a restarted server draws the same
	// random numbers as the one before, and with open, a server checks no token.
	alter   func(machine int, game *rollback.Game[S, I])
	retell  func(machine int, e effects.Event) []effects.Event
	witness func(machine int, a *rollback.Agreed[I])
	watch   func(r *run[S, I])
	twins   bool
	open    bool
}

func (o *Options[S, I]) retold(machine int, e effects.Event) []effects.Event {
	if o.retell == nil {
		return []effects.Event{e}
	}
	return o.retell(machine, e)
}

func (o *Options[S, I]) witnessed(machine int, a *rollback.Agreed[I]) *rollback.Agreed[I] {
	if o.witness == nil {
		return a
	}
	c := *a
	c.Inputs = append([]I(nil), a.Inputs...)
	o.witness(machine, &c)
	return &c
}

// Play runs a plan to its end, and checks everything that a server and its clients promise;
// [Checkers] lists the checkers. An error means that the plan or the game cannot be run; what goes
// wrong in a run is in the result.
func Play[S any, I comparable](game Game[S, I], plan Plan, o Options[S, I]) (Result, error) {
	if err := plan.Validate(); err != nil {
		return Result{}, err
	}
	plan = plan.Clone()
	if err := game.check(&plan); err != nil {
		return Result{}, err
	}
	r := &run[S, I]{plan: &plan, game: &game, options: &o}
	if err := r.prepare(); err != nil {
		return Result{}, err
	}
	r.catchPanic(r.play)
	return r.result(), nil
}

// run is a plan in progress.
type run[S any, I comparable] struct {
	plan      *Plan
	game      *Game[S, I]
	options   *Options[S, I]
	net       *netem.Datagrams
	now       time.Duration
	machines  []*machine // by number
	server    *serverRun[S, I]
	guests    []*clientRun[S, I]
	watchers  []*spectatorRun[S, I]
	strangers []*stranger[S, I]
	truth     *truth[S, I]   // the truth of the server's current process
	truths    []*truth[S, I] // the truths of all its processes
	secrets   *secrets[S]
	schedule  schedule
	over      bool // the match is over
	overAt    time.Duration
	stopped   bool
	total     Result
	scratch   []byte
}

func (r *run[S, I]) prepare() (err error) {
	p := r.plan
	if r.secrets, err = newSecrets(r.game, p); err != nil {
		return err
	}
	if r.net, err = netem.NewDatagrams(p.machines(), p.Seed, 0); err != nil {
		return err
	}
	r.server = &serverRun[S, I]{r: r}
	r.machines = append(r.machines, &r.server.machine)
	inputs, err := fleet.NewInputs[I](p.Seed)
	if err != nil {
		return err
	}
	var orders *fleet.Orders
	if r.game.MaxOrders > 0 {
		orders = fleet.NewOrders(p.Seed, r.game.MaxOrders)
	}
	for i := range p.Clients {
		g := &clientRun[S, I]{r: r, plan: &p.Clients[i], machine: machine{number: 1 + i, off: true}}
		g.naive = naive[S, I]{game: r.game, row: make([]I, p.Places), orders: make([][]byte, p.Places)}
		g.known.last = make([]I, p.Places)
		if g.naive.step, err = rollback.NewStepper(r.gameOf(-1), p.Places, r.game.MaxOrders); err != nil {
			return err
		}
		g.acting.random = func(Player) I { return inputs.Next(Player(i)) }
		if orders != nil {
			g.acting.order = func(Player) []byte { return orders.Next(Player(i)) }
		}
		r.guests, r.machines = append(r.guests, g), append(r.machines, &g.machine)
	}
	for i := range p.Spectators {
		w := &spectatorRun[S, I]{r: r, plan: &p.Spectators[i], machine: machine{number: 1 + len(p.Clients) + i, off: true}}
		r.watchers, r.machines = append(r.watchers, w), append(r.machines, &w.machine)
	}
	for i := range p.Strangers {
		s := &stranger[S, I]{r: r, plan: &p.Strangers[i], machine: machine{number: p.honest() + i, off: true}}
		r.strangers, r.machines = append(r.strangers, s), append(r.machines, &s.machine)
	}
	for n := 1; n < p.machines(); n++ {
		if err := r.connect(n, 0); err != nil {
			return err
		}
	}
	r.plot()
	return r.server.open()
}

// connect sets the links of a machine, with delays increased by a detour.
func (r *run[S, I]) connect(n int, detour time.Duration) error {
	up, down := r.plan.ways(n)
	up.Delay, down.Delay = up.Delay+detour, down.Delay+detour
	if err := r.net.SetLink(n, 0, up); err != nil {
		return err
	}
	return r.net.SetLink(0, n, down)
}

// gameOf returns the game of a machine; -1 means no machine.
func (r *run[S, I]) gameOf(machine int) rollback.Game[S, I] {
	game := r.game.Game
	if r.options.alter != nil && machine >= 0 {
		r.options.alter(machine, &game)
	}
	return game
}

// limit returns when a run ends that does not end by itself.
func (r *run[S, I]) limit() time.Duration {
	return lastStart(r.plan) + r.plan.length()*5/4 + 2*time.Minute
}

func (r *run[S, I]) play() {
	for !r.stopped && r.now < r.limit() && !r.done() {
		if r.options.watch != nil {
			r.options.watch(r)
		}
		r.step()
	}
	if !r.stopped {
		r.conclude()
	}
}

// done reports whether all machines have finished.
func (r *run[S, I]) done() bool {
	if !r.server.closed || r.now < r.overAt+leaveTime {
		return false
	}
	for _, g := range r.guests {
		if !g.off && !g.stay.closed {
			return false
		}
	}
	for _, w := range r.watchers {
		if !w.off && !w.closed {
			return false
		}
	}
	return true
}

// leaveTime is the minimum time that a run goes on after the match: spectators and clients may take this long to reach
// the end.
const leaveTime = 3 * time.Second

// step runs the next event.
func (r *run[S, I]) step() {
	next, m := r.limit(), (*machine)(nil)
	for _, k := range r.machines {
		if !k.idle() && k.wake < next {
			next, m = k.wake, k
		}
	}
	if at, any := r.schedule.next(); any && at <= next {
		r.now = max(r.now, at)
		r.schedule.happen()
		return
	}
	if at, any := r.net.Next(); any && at <= next {
		r.now = max(r.now, at)
		if d, ok := r.net.Receive(r.now); ok {
			r.deliver(r.machines[d.To], r.machines[d.From].addr, d.Payload)
		}
		return
	}
	if r.now = max(r.now, next); m != nil {
		r.update(m)
	}
}

// deliver delivers a datagram.
func (r *run[S, I]) deliver(m *machine, from netip.AddrPort, b []byte) {
	frame := r.frameOf(m.number)
	if !m.hear(r.now, from, b) {
		return
	}
	if r.plan.isClient(m.number) {
		r.guests[m.number-1].heard(frame)
	}
	r.send(m)
	if m.labour != nil {
		if until, works := m.labour.Heard(m.program.(worker), &m.clock, r.now); works {
			m.wake = until
			return
		}
	}
	if m.Urgent() {
		m.wake = min(m.wake, r.now)
	}
}

// update makes a machine do what is due.
func (r *run[S, I]) update(m *machine) {
	frame := r.frameOf(m.number)
	m.due(r.now, func() { resume(r, m) })
	switch {
	case m.number == 0:
		r.server.updated()
	case r.plan.isClient(m.number):
		r.guests[m.number-1].updated(frame)
	case m.number >= r.plan.honest():
		r.strangers[m.number-r.plan.honest()].updated()
	default:
		r.watchers[m.number-1-len(r.guests)].updated()
	}
	r.send(m)
}

// frameOf returns the next tick of a client.
func (r *run[S, I]) frameOf(number int) Frame {
	if !r.plan.isClient(number) || r.guests[number-1].client == nil {
		return 0
	}
	return r.guests[number-1].client.Frame()
}

// send sends the datagrams of a machine, or holds them back until its work is done.
func (r *run[S, I]) send(m *machine) {
	for to, b := range m.Outgoing() {
		if m.labour == nil || !m.labour.Hold(to, b) {
			transmit(r, m, to, b)
		}
	}
}

func transmit[S any, I comparable](r *run[S, I], m *machine, to netip.AddrPort, b []byte) {
	for _, k := range r.machines {
		if k.addr != to || k.off || (k.number == 0) == (m.number == 0) {
			continue
		}
		r.total.count(r.plan, m.number, k.number, len(b))
		r.digest(b, m.number, k.number)
		r.net.Send(r.now, m.number, k.number, b)
	}
}

// resume makes a machine that has finished its work send its datagrams, and read those that have arrived in the
// meantime.
func resume[S any, I comparable](r *run[S, I], m *machine) {
	for _, d := range m.labour.Held() {
		transmit(r, m, d.From, d.Datagram)
	}
	read(r, m)
}

// read makes a machine read the datagrams in its socket.
func read[S any, I comparable](r *run[S, I], m *machine) {
	waiting := m.socket
	m.socket = nil
	for i := range waiting {
		d := &waiting[i]
		frame := r.frameOf(m.number)
		m.Receive(m.clock.Local(d.At), d.From, d.Datagram)
		if r.plan.isClient(m.number) {
			r.guests[m.number-1].heard(frame)
		}
		r.send(m)
	}
}

// labour returns the workload for a cost, or nil if the work takes no time.
func labour(p *Plan, c fleet.Cost) *fleet.Workload {
	return fleet.NewLabour(c, time.Second/time.Duration(p.TickRate))
}

// digest adds something to the digest of the run.
func (r *run[S, I]) digest(b []byte, from, to int) {
	r.scratch = fmt.Append(r.scratch[:0], r.total.Digest, r.now, from, to, canon.HashBytes(b))
	r.total.Digest = canon.HashBytes(r.scratch)
}

func (r *run[S, I]) digestText(s string) { r.digest([]byte(s), -1, -1) }

// violate records that a promise was broken. The run stops.
func (r *run[S, I]) violate(checker string, machine int, format string, args ...any) {
	r.stopped = true
	if len(r.total.Violations) < maxViolations {
		r.total.Violations = append(r.total.Violations, fleet.Violation{
			Checker: checker, At: r.now, Machine: machine, Text: fmt.Sprintf(format, args...),
		})
	}
}

// maxViolations is how many violations are kept from the moment at which a run stops.
const maxViolations = 20

// catchPanic turns a panic into a violation.
func (r *run[S, I]) catchPanic(do func()) {
	defer func() {
		if p := recover(); p != nil {
			r.violate(checkPanics, -1, "%v", p)
		}
	}()
	do()
}

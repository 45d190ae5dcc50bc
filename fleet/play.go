package fleet

import (
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/canon"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// Options change how a run is made. The zero value is fine.
type Options[S any, I comparable] struct {
	// Input returns what a player does when asked for the n-th time; nil means random inputs
	// ([Inputs]).
	Input func(p rollback.Player, n int) I
	// Orders returns what a player orders when asked for the n-th time, in the state that its
	// machine has then; it is copied. It is for plans with MaxOrders; nil means random bytes
	// ([Orders]).
	Orders func(p rollback.Player, n int, s *S) []byte
	// Start is as in session.Hooks: it makes state 0 of a match. The seed of match k is that of
	// the plan plus k.
	Start func(p session.Parameters) (func(s *S), error)
	// Games, if given, returns the game of one machine; nil means the common game.
	Games func(machine int) rollback.Definition[S, I]
	// Progress, if given, is called every second of virtual time with the progress of the run. The run ends if it returns
	// false.
	Progress func(now, length time.Duration) bool

	// tamper may change what the referee is told, to test the checkers.
	tamper func(a *agreement)
	// retell may change, double or leave out an event before the referee gets it.
	retell func(machine int, e session.Event) []session.Event
	// open makes the hosts check no token of spectators, for the same tests.
	open bool
	// configured may change the configuration of a machine, for the same tests.
	configured func(machine int, c *session.Config)
	// watch is called before each look of the referee, for the same tests.
	watch func(r *run[S, I])
}

// Play runs a plan to its end, and checks everything that a session promises; [Checkers] lists the
// checkers. An error means that the plan or the game cannot be run; what goes wrong in a run is in the
// result.
func Play[S any, I comparable](game rollback.Definition[S, I], plan Plan, o Options[S, I]) (Result, error) {
	if err := plan.Validate(); err != nil {
		return Result{}, err
	}
	plan = plan.Clone()
	r := &run[S, I]{plan: &plan, options: o, game: game, referee: newReferee(&plan), director: newDirector(&plan)}
	if err := r.prepare(); err != nil {
		return Result{}, err
	}
	r.catchPanic(r.play)
	return r.result(), nil
}

// run is a plan in progress.
type run[S any, I comparable] struct {
	*Fleet[S, I]
	*referee
	director
	plan    *Plan
	options Options[S, I]
	game    rollback.Definition[S, I]

	condenser condenser[I]
	offline   *offline[S, I]
	tally     tally
	proposed  uint32 // the number of matches that were proposed
	seen      []int  // events that the referee has seen, by machine
	stopped   bool
}

func (r *run[S, I]) prepare() (err error) {
	if r.condenser, err = newCondenser[I](); err != nil {
		return err
	}
	if r.options.Start == nil {
		r.options.Start = func(session.Parameters) (func(*S), error) { return nil, nil }
	}
	if r.offline, err = newOffline(r.game, r.plan.Players(), r.options.Start); err != nil {
		return err
	}
	input := r.options.Input
	if input == nil {
		random, err := NewInputs[I](r.plan.Seed)
		if err != nil {
			return err
		}
		input = func(p rollback.Player, _ int) I { return random.Next(p) }
	}
	p := r.plan
	s := Setup[S, I]{
		Game: r.game, Games: r.games(), Players: p.Players(), Input: input, Configure: r.configure, Hooks: r.hooks,
		Links: p.network().way, Seed: p.Seed, Frame: p.Framed,
	}
	s.ConfigureSpectator, s.SpectatorHooks = r.configureSpectator, r.watcherHooks
	for _, v := range p.Spectators {
		s.Spectators = append(s.Spectators, SpectatorSetup{Hosts: v.Hosts, Late: v.Late, Drift: v.Drift})
	}
	for _, m := range p.Machines {
		s.Seats, s.Late, s.Drift = append(s.Seats, m.Players), append(s.Late, m.Late), append(s.Drift, m.Drift)
	}
	s.Costs = costsOf(p)
	s.Orders = whatIsOrdered(r)
	r.proposed = 1
	if err := r.prelude(s); err != nil {
		return err
	}
	if r.Fleet, err = New(s); err != nil {
		return err
	}
	r.seen = make([]int, p.nodes())
	for i, m := range r.machines {
		m.live = r.Peers[i]
	}
	for i, w := range r.watchers {
		w.spectatorView = r.Fleet.Spectators[i]
	}
	r.work = r.Work
	r.OnSend, r.OnUpdate = r.sent, r.updated
	for _, f := range p.Faults {
		if f.Kind == Crash {
			r.mute = r.cannotSend
		}
	}
	return nil
}

// whatIsOrdered returns what the players order, or nil if they order nothing.
func whatIsOrdered[S any, I comparable](r *run[S, I]) func(p rollback.Player, n int) []byte {
	switch given := r.options.Orders; {
	case r.plan.MaxOrders == 0:
		return nil
	case given == nil:
		random := NewOrders(r.plan.Seed, r.plan.MaxOrders)
		return func(p rollback.Player, _ int) []byte { return random.Next(p) }
	default:
		return func(p rollback.Player, n int) []byte {
			i := slices.IndexFunc(r.plan.Machines, func(m Machine) bool { return m.Players.Has(p) })
			return given(p, n, r.Fleet.Peers[i].State())
		}
	}
}

// configure sets the configuration of a machine.
func (r *run[S, I]) configure(machine int, c *session.Config) {
	p, m := r.plan, &r.plan.Machines[machine]
	c.TickRate, c.OnLeave, c.HashEvery, c.ChainEvery = p.TickRate, p.OnLeave, p.HashEvery, p.ChainEvery
	c.MaxOrders, c.DropAfter = p.MaxOrders, p.DropAfter
	c.QuorumTimeout, c.MaxPause = p.QuorumTimeout, p.MaxPause
	c.Window, c.Lockstep, c.AutoDelay.On = m.Window, m.Window == 0, m.AutoDelay
	for player := range m.Players.All() {
		c.Delay[player] = m.Delay
	}
	c.Spectators = spectate.Config{Max: p.Hosting.Max, Delay: p.Hosting.Delay, Rate: p.Hosting.Rate, Open: true}
	if p.Hosting.Guarded && !r.options.open {
		c.Spectators.Open, c.Spectators.Token = false, watchToken
	}
	r.configureJoins(machine, c)
	c.Match = r.parameters(1)
	if r.options.configured != nil {
		r.options.configured(machine, c)
	}
}

// parameters returns the parameters of a match.
func (r *run[S, I]) parameters(match uint32) session.Parameters {
	return session.Parameters{Seed: r.plan.Seed + uint64(match), Frames: r.plan.Frames}
}

func (r *run[S, I]) hooks(machine int, h *session.Hooks[S, I]) {
	h.Agreed = func(a *rollback.Agreed[I]) { r.heard(machine, a) }
	h.Start = func(p session.Parameters) (func(*S), error) {
		m := r.machines[machine]
		if r.revenants[machine].stray {
			r.violate(restartsChecker{}, machine, "it begins a match, and the others still play the one before")
			return r.options.Start(p)
		}
		if m.live != nil {
			s := r.Peers[machine].Stats(nil)
			r.tally.match(&s)
		}
		m.match, m.next = uint32(p.Seed-r.plan.Seed), 0
		r.begins(machine)
		return r.options.Start(p)
	}
}

// games returns the games of machines that play a different one, or nil if all play the same.
func (r *run[S, I]) games() func(machine int) rollback.Definition[S, I] {
	broken, from := r.plan.diverges()
	plain, ok := r.game.(rollback.Game[S, I])
	if broken < 0 || !ok || r.options.Games != nil {
		return r.options.Games
	}
	step := plain.Step
	return func(machine int) rollback.Definition[S, I] {
		if machine != broken {
			return nil
		}
		twice := plain
		twice.Step = func(s *S, t *rollback.Tick[I]) {
			step(s, t)
			if int64(t.Frame()) == from && r.machines[machine].match == 1 {
				step(s, t)
			}
		}
		return twice
	}
}

// catchPanic reports a panic, in a step or in the fleet itself, as a violation.
func (r *run[S, I]) catchPanic(work func()) {
	defer func() {
		if p := recover(); p != nil { //detlint:ignore address it is what a report says
			r.violations = append(r.violations, Violation{panicked, r.Now, -1, fmt.Sprint(p)})
		}
	}()
	work()
}

// heard takes an agreed frame of a machine. If the machine is the first to have it, it is played offline.
func (r *run[S, I]) heard(machine int, a *rollback.Agreed[I]) {
	m := r.machines[machine]
	if r.revenants[machine].stray {
		r.violate(restartsChecker{}, machine, "it agrees on frame %d, and has no part in a match", a.Frame)
		return
	}
	x := r.condenser.condense(machine, m.match, a)
	r.now = r.Now
	r.readLog(machine)
	if !m.alone {
		r.goesOnWithout(machine, a.Frame)
	}
	if m.alone {
		m.next = a.Frame + 1
		return
	}
	if a.Frame == 0 && !m.fresh {
		r.attend(&x)
	}
	if m.fresh {
		m.next = a.Frame // before it joins it only watches, and may start from a state
	}
	if rec := r.match(m.match); int(a.Frame) == len(rec.facts) {
		hash, said := r.offline.play(rec.number, r.parameters(rec.number), a)
		rec.facts, rec.end = append(rec.facts, fact{inputs: x.inputs, hash: hash, hashed: a.Hashed}), said
	}
	if r.options.tamper != nil {
		r.options.tamper(&x)
	}
	r.referee.agreed(&x)
}

// sent is called with every datagram.
func (r *run[S, I]) sent(from, to int, b []byte) {
	v := canon.HashBytes(b) + uint64(from)<<8 + uint64(to)
	r.tally.mix(v, r.Now)
	if r.plan.watches(from) || r.plan.watches(to) {
		return
	}
	if r.repeater.records(from, to) {
		r.repeater.record(from, to, r.places[from].addr, b)
	}
	r.tally.datagram(v, len(b), r.Now)
}

// enough completes the digest of what was played.
func (r *run[S, I]) enough() {
	r.tally.complete(func(yield func(session.Stats) bool) {
		for _, p := range r.Peers {
			if !yield(p.Stats(nil)) {
				return
			}
		}
	}, r.Now)
}

// updated processes what a machine has done.
func (r *run[S, I]) updated(machine int) {
	if r.now = r.Now; r.plan.watches(machine) {
		r.showed(r.Fleet.Spectators[machine-len(r.Peers)])
		return
	}
	p := r.Peers[machine]
	if r.revenants[machine].stray {
		strays(r, machine)
		return
	}
	r.readLog(machine)
	if len(r.awaiting) > 0 {
		r.reached(machine)
	}
	if p.Phase() >= session.Ending {
		r.enough()
	}
	for ; r.seen[machine] < len(p.Events); r.seen[machine]++ {
		e := &p.Events[r.seen[machine]]
		if e.What == session.Revoked {
			_ = p.SetToken(joinToken) // the players of a plan invite again at once
		}
		r.tally.mix(canon.HashBytes([]byte(e.String())), r.Now)
		r.tell(machine, e)
		r.stopped = true // a machine may have played everything
	}
	if n := len(p.Events) - keptEvents; n > keptEvents {
		p.Events = append(p.Events[:0], p.Events[n:]...)
		r.seen[machine] = len(p.Events)
	}
	if len(r.violations) > 0 {
		r.stopped = true
	}
}

// tell passes an event to the referee, or the events by which a test replaces it.
func (r *run[S, I]) tell(machine int, e *session.Event) {
	if r.options.retell == nil {
		r.referee.event(machine, e)
		return
	}
	for _, e := range r.options.retell(machine, *e) {
		r.referee.event(machine, &e)
	}
}

// keptEvents is how many events of a machine are kept; there may be up to twice as many.
const keptEvents = 1000

func (r *run[S, I]) result() Result {
	all := r.tally // with the matches that were not over
	for _, p := range r.Peers {
		s := p.Stats(nil)
		all.match(&s)
	}
	t := all.total
	for i, p := range r.Peers {
		s := p.Stats(nil)
		s.Engine.Histogram, s.Links = nil, nil
		m := MachineResult{Phase: p.Phase(), Err: p.Err(), Gone: r.machines[i].gone, Stats: s}
		m.Events = p.Events[max(0, len(p.Events)-keptEvents):]
		for _, rec := range r.matches {
			if o := rec.outcome[i]; o != nil {
				m.Outcomes = append(m.Outcomes, *o)
			}
		}
		t.Machines = append(t.Machines, m)
	}
	t.Violations, t.Length = r.violations, r.Now
	r.resultOfSpectators(&t)
	return t
}

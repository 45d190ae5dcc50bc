package hosted

import (
	"math/rand/v2"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/served"
)

// clientRun is a machine with a client, and what is known about it from outside.
type clientRun[S any, I comparable] struct {
	machine
	r      *run[S, I]
	plan   *Client
	client *served.Client[S, I]
	stay   stay
	acting acting[I]

	naive   naive[S, I]
	known   knowledge[S, I] // what it has been told
	was     knowledge[S, I] // what it had been told when it last showed something
	checked Frame           // the newest state that was compared
	final   Frame           // the newest state that can no longer change
	anew    uint64          // how often it has started again from a state, or received a whole one
	doubt   Frame           // until it knows this frame, its own inputs are not known here
	shows   picture[S]
	bill    shownEffects[S, I]
	paced   paced
	in      presence
	count   ClientResult
}

// presence is a client's part in the matches of the server.
type presence struct {
	process int       // the process of the server whose match it plays, or played last
	any     bool      // it has played one
	had     PlayerSet // the places that it had there
	last    Player    // the last of them
}

// stay is one stay of a client in the match.
type stay struct {
	came   time.Duration // when the client was switched on
	in     bool          // it has begun to play
	inAt   time.Duration
	gone   string // why it is gone, if the plan has caused that
	closed bool
	until  time.Duration // when it was over, if closed
	ended  time.Duration // when the match was over at the server, if it played until then
}

// acting is what a client's player is about to do.
type acting[I comparable] struct {
	pending bool // it was sampled, and the tick has not run
	in      I
	orders  []byte
	random  func(p Player) I
	order   func(p Player) []byte
}

// picture is the last picture that a client has shown.
type picture[S any] struct {
	any   bool
	frame Frame
	state S
}

// come switches a client on.
func (g *clientRun[S, I]) come() error {
	r := g.r
	random := rand.New(rand.NewPCG(r.plan.Seed, uint64(g.number)<<16|uint64(g.lives)))
	cfg := served.ClientConfig{
		Server: r.server.addr, Game: r.about(), Token: r.plan.token(), ID: uint64(g.number) << 32, PerTick: g.plan.PerTick, DropAfter: r.plan.DropAfter,
		Random: random.Uint64, Probe: (*acts[S, I])(g), EffectTolerance: effects.DefaultTolerance, // the same as for the fed engine
	}
	hooks := served.ClientHooks[S, I]{Sample: g.sample, Start: g.startAt}
	if r.plan.Partial {
		hooks.Sight = r.game.Sight
	}
	if r.game.MaxOrders > 0 {
		hooks.Orders = g.order
	}
	game, program := r.gameOf(g.number), &playing[S, I]{}
	game.Step = program.counts(game.Step)
	var err error
	if g.client, err = served.NewClient(game, cfg, hooks); err != nil {
		return err
	}
	program.Client = g.client
	g.machine.switchOn(program, r.now, g.plan.Drift, labour(r.plan, g.plan.Cost))
	if g.forget(); g.in.process == unknown {
		g.in = presence{} // its new process does not know of a place at another server
	}
	g.count.Lives++
	return nil
}

// forget begins another stay.
func (g *clientRun[S, I]) forget() {
	g.stay = stay{came: g.r.now}
	g.acting.pending, g.known.any, g.was.any, g.shows.any, g.anew, g.doubt = false, false, false, false, 0, 0
	g.bill = newPlaybill[S, I]()
	g.paced = paced{}
}

// sample samples the player.
func (g *clientRun[S, I]) sample(p Player) I {
	a := &g.acting
	a.pending, a.orders = true, nil
	if g.r.game.Input == nil {
		a.in = a.random(p)
		return a.in
	}
	m := Moment[S]{Seed: g.r.plan.Seed + uint64(g.number), Player: p, Frame: g.client.Frame(), State: g.client.State()}
	if s, ok := g.client.Shown(g.clock.Local(g.r.now)); ok {
		m.Seen = s.Seen
	}
	a.in = g.r.game.Input(m)
	return a.in
}

func (g *clientRun[S, I]) order(p Player) []byte {
	g.acting.orders = append([]byte(nil), g.acting.order(p)...)
	return g.acting.orders
}

// acts is a rollback.Probe that records which tick runs with which input of the player.
type acts[S any, I comparable] clientRun[S, I]

// TickBegin records the player's input, which the client has just supposed.
func (a *acts[S, I]) TickBegin(f rollback.Frame) {
	g := (*clientRun[S, I])(a)
	if !g.acting.pending {
		return
	}
	g.acting.pending = false
	f += g.client.Counts().Lag // on a slow machine the tick that runs is an older one
	if g.known.any && !g.known.gone.Has(g.naive.player) && f >= g.known.newest {
		g.naive.deeds[f%deedsHeld] = deed[I]{f, true, g.acting.in, g.acting.orders}
	}
}

// TickEnd does nothing: the input is recorded when the tick begins.
func (*acts[S, I]) TickEnd(rollback.Frame) {}

// RollbackBegin does nothing: frames that run again have inputs that are recorded already.
func (*acts[S, I]) RollbackBegin(rollback.Frame, rollback.Frame) {}

// RollbackEnd does nothing, for the same reason.
func (*acts[S, I]) RollbackEnd(rollback.Frame) {}

// plays reports whether the client has the match.
func (g *clientRun[S, I]) plays() bool {
	p := g.client.Phase()
	return p == session.Playing || p == session.Ending
}

// heard checks the client after a datagram.
func (g *clientRun[S, I]) heard(frame Frame) {
	g.compareKnown(frame)
	g.told()
}

// updated checks the client after an update; it was at the given frame before.
func (g *clientRun[S, I]) updated(frame Frame) {
	g.compareKnown(frame)
	if g.known.any && g.plays() {
		if g.client.Frame() != frame {
			g.look()
		}
		g.emitted()
	}
	if g.acting.pending { // the tick has not run yet, and it is not known which tick will use the input
		g.doubt = g.client.Frame() + deedsHeld/8
	}
	g.told()
}

// told takes the client's events.
func (g *clientRun[S, I]) told() {
	for _, e := range g.client.Events() {
		g.r.digestText(e.String())
		switch e.What {
		case event.Started:
			g.stay.in, g.stay.inAt = true, g.r.now
			g.count.Started++
			g.count.entry(g.r.now - g.stay.came)
		case event.Restarted:
			toldOfRestart(g.r, g)
		case event.Desync:
			g.r.violate(checkStates, g.number, "%v", &e)
		case event.Closed:
			g.stay.closed, g.stay.until = true, g.r.now
			g.r.closed(g)
		}
	}
}

// compareKnown records what the client has been told since it was at a frame, and checks it.
func (g *clientRun[S, I]) compareKnown(frame Frame) {
	if !g.plays() {
		return
	}
	r, n := g.r, g.client.Counts()
	newest := g.client.Known()
	switch {
	case !g.known.any:
		g.start(newest)
	case newest == g.known.newest:
	case n.Wholes+n.Resumed != g.anew || newest > frame && newest > g.naive.untold(&g.known, newest)+r.ahead():
		behind := newest > frame
		if behind { // it will never run the ticks that it knew of but had not run yet
			g.bill.miss(min(g.known.newest, g.final), newest)
		} else {
			g.bill.miss(g.known.newest, newest)
		}
		if behind && g.shows.any && newest > g.shows.frame {
			g.shows.any = false
			g.count.Corrections[Resumed]++
		}
		g.naive.take(&g.known, newest, behind)
		g.refeed()
		g.checked = newest - 1
	default:
		g.naive.learn(&g.known, newest)
		g.refeed()
	}
	g.anew, g.final = n.Wholes+n.Resumed, g.client.Inspect().Final()
	g.compare()
}

// ahead returns the maximum number of frames that a client runs beyond the ticks that it knows completely.
func (r *run[S, I]) ahead() Frame { return Frame(max(r.plan.TickRate, 8)) }

// start begins with the first state.
func (g *clientRun[S, I]) start(f Frame) {
	r := g.r
	p, _ := g.client.Player()
	g.naive.player = p
	g.naive.sight = nil
	if r.plan.Partial {
		g.naive.sight = r.game.Sight
		g.naive.feed = g.feed
	}
	g.naive.take(&g.known, f, true)
	g.bill.begin(f)
	g.refeed()
	g.checked = f - 1
}

// compare compares the states that the client knows with the server's.
func (g *clientRun[S, I]) compare() {
	r := g.r
	newest := g.known.newest
	if !r.plan.Partial { // what is received runs with the next tick
		newest = min(newest, g.client.Inspect().Final())
	}
	from := g.checked + 1
	if r.plan.Partial { // not everything about the others was told
		from = max(from, newest)
	}
	for f := from; f <= newest && g.checked != newest; f++ {
		got := g.client.StateAt(f)
		if got == nil && f != newest {
			continue
		}
		g.naive.truth.knows(g.naive.sight, f, g.naive.player, &g.naive.state)
		if g.count.States++; got == nil {
			r.violate(checkStates, g.number, "it knows state %d, and does not hold it", f)
		} else if want := &g.naive.state; !g.naive.truth.values.Equal(got, want) {
			r.violate(checkStates, g.number, "state %d is not what player %d may know of the server's: %v", f, g.naive.player, g.naive.truth.values.Diff(got, want, 3))
		}
	}
	g.checked = max(g.checked+1, newest+1) - 1
}

// look compares what the client shows with the prediction of a naive client, and with what it showed before.
func (g *clientRun[S, I]) look() {
	f, s := g.client.Frame(), g.client.State()
	if g.known.newest >= g.doubt && f >= g.known.newest {
		g.count.Predictions++
		if want, err := g.naive.course(&g.known, f, fork[S, I]{}); err != nil {
			g.r.violate(checkPrediction, g.number, "a naive client at frame %d: %v", f, err)
		} else if !g.naive.truth.values.Equal(s, want) {
			g.r.violate(checkPrediction, g.number, "state %d, from state %d on, is not what a naive client predicts: %v", f, g.known.newest, g.naive.truth.values.Diff(s, want, 3))
		}
	}
	if g.shows.any && g.was.newest >= g.doubt {
		g.corrected()
	}
	g.shows.any, g.shows.frame, g.shows.state = true, f, *s
	g.known.clone(&g.was)
}

// corrected finds out whether the client has corrected what it showed of its own player, and why.
func (g *clientRun[S, I]) corrected() {
	f := g.shows.frame
	is := g.client.StateAt(f)
	if is == nil || g.same(&g.shows.state, is) {
		return
	}
	c, why := g.explain(&g.was, &g.known, f, is)
	if c == unexplained {
		g.r.violate(checkCorrections, g.number, "state %d has another own part than it had, known were %d and %d: %s", f, g.was.newest, g.known.newest, why)
		return
	}
	g.count.Corrections[c]++
}

// same reports whether two states agree in the client's own part.
func (g *clientRun[S, I]) same(a, b *S) bool {
	if g.r.game.Same == nil {
		return g.naive.truth.values.Equal(a, b)
	}
	return g.r.game.Same(a, b, g.naive.player)
}

// emitted takes the changes of effects.
func (g *clientRun[S, I]) emitted() {
	for _, e := range g.client.Effects() {
		for _, e := range g.r.options.retold(g.number, e) {
			if wrong := g.bill.tell(&e, g.happened); wrong != "" {
				g.r.violate(checkEffects, g.number, "%v: %s", &e, wrong)
			}
			switch e.What {
			case effects.Confirmed:
				g.count.Effects++
			case effects.Cancelled, effects.Moved:
				g.count.TakenBack++
			}
		}
	}
	in := g.client.Inspect()
	if f, wrong := g.bill.judge(min(in.Agreed(), in.Final()), g.happened); wrong != "" {
		g.r.violate(checkEffects, g.number, "frame %d: %s", f, wrong)
	}
}

// happened returns the effects of a frame as the client should know them.
func (g *clientRun[S, I]) happened(f Frame) []occurrence {
	if g.r.plan.Partial {
		return g.bill.expected[f%g.bill.ring]
	}
	if m := g.naive.truth.at(f); m != nil {
		return m.effects
	}
	return nil
}

// feed runs a tick as the client knows it, for its effects.
func (g *clientRun[S, I]) feed(f Frame, inputs []I, orders [][]byte, gone PlayerSet) {
	fed := g.bill.fed
	if err := fed.Feed(inputs, orders, gone); err != nil {
		g.r.violate(checkEffects, g.number, "tick %d, fed: %v", f, err)
		return
	}
	list := &g.bill.expected[f%g.bill.ring]
	*list = (*list)[:0]
	for _, e := range fed.Effects() {
		if e.What == effects.Confirmed && !e.Sustained() && e.Frame == f {
			*list = append(*list, occurrenceOf(&e))
		}
	}
}

// refeed loads the state that the client now knows into the fed engine.
func (g *clientRun[S, I]) refeed() {
	if !g.r.plan.Partial {
		return
	}
	if g.bill.fed == nil {
		var err error
		g.bill.fed, err = rollback.New(g.r.game.Game, rollback.Config{Players: g.r.plan.Places, MaxOrders: g.r.game.MaxOrders})
		if err != nil {
			g.r.violate(checkEffects, g.number, "%v", err)
			return
		}
	}
	if _, err := g.bill.fed.Correct(g.known.newest, &g.known.state); err != nil {
		g.r.violate(checkEffects, g.number, "state %d, fed: %v", g.known.newest, err)
	}
	g.bill.fed.Effects()
}

// playing is a client as a [fleet.Program]. It counts the steps of the game, since with partial sight most of them are
// not those of the engine: an update is encoded as a difference from the result of running its ticks on a state that
// the client knows, so the client has to run these ticks, too.
type playing[S any, I comparable] struct {
	*served.Client[S, I]
	steps uint64 // all steps
	first uint64 // steps that are simulated for the first time
	ticks uint64 // as counted by the engine, which starts again with another match
}

// counts returns a step function that counts its calls.
func (c *playing[S, I]) counts(step func(s *S, k *rollback.Tick[I])) func(s *S, k *rollback.Tick[I]) {
	return func(s *S, k *rollback.Tick[I]) {
		c.steps++ //detlint:ignore closure it counts what was simulated, rolled back or not, and the game never sees it
		step(s, k)
	}
}

// Worked returns the work that the client has done. A whole state, from which the client continues, counts as shown
// although no frame has run for it.
func (c *playing[S, I]) Worked() fleet.Work {
	ticks, n := c.Inspect().Stats().Ticks, c.Counts()
	if ticks < c.ticks {
		c.ticks = 0
	}
	c.first, c.ticks = c.first+ticks-c.ticks, ticks
	return fleet.Work{First: c.first, Again: c.steps - c.first, Shown: (n.Wholes+n.Resumed)<<32 | uint64(c.Frame())}
}

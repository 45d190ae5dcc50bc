package fleet

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// calmPlan is a plan in which all goes well.
func calmPlan(players int, frames session.Frame) Plan {
	p := Plan{
		Seed: 1, Matches: 1, Frames: frames, Until: time.Minute, TickRate: 60, HashEvery: 1, ChainEvery: 60,
		DropAfter: 5 * time.Second, Link: netem.Link{Delay: 30 * time.Millisecond},
	}
	for i := range players {
		p.Machines = append(p.Machines, Machine{Players: 1 << i, Window: 8})
	}
	return p
}

// caught reports which checkers complain about a run.
func caught(t *testing.T, p Plan, o Options[ledger, note]) (names []string) {
	t.Helper()
	res, err := Play(ledgerGame(nil), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range res.Violations {
		t.Log(v)
		names = append(names, v.Checker)
	}
	return names
}

// Every checker can fail. Each of these runs contains an error that is not in the
// plan, and the checker for it is among those that complain.
func TestEveryCheckerCanFail(t *testing.T) {
	type options = Options[ledger, note]
	type lies = *run[ledger, note]
	after := func(at time.Duration, do func(r lies)) options {
		done := false
		return options{watch: func(r lies) {
			if !done && r.Now >= at {
				done = true
				do(r)
			}
		}}
	}
	spoiled := func(machine int) rollback.Definition[ledger, note] {
		if machine != 1 {
			return nil
		}
		return ledgerGame(func(l *ledger) { l.Bias |= b2u(l.Frame == 100) })
	}
	broken := calmPlan(2, 300)
	broken.Faults = []Fault{{Kind: Desync, Machine: 1, Value: 100}}
	patient := calmPlan(3, 600)
	patient.DropAfter = 20 * time.Second
	long := calmPlan(2, 2000)
	shown := watchedPlan(2, 900, SpectatorPlan{Hosts: []int{0}}, SpectatorPlan{Hosts: []int{1, 0}, Late: 4 * time.Second})
	hidden := shown.Clone()
	hidden.Hosting.Delay = 60
	crowd := func(do func(r lies)) options { return after(5*time.Second, do) }
	seenBy := func(frame session.Frame, lie func(a *agreement)) options {
		return options{tamper: func(a *agreement) {
			if a.machine == 2 && a.frame == frame {
				lie(a)
			}
		}}
	}
	joined := continuingPlan(3, 600).until(40 * time.Second)
	joined.Machines[2].Joins, joined.Machines[2].Late = true, 2*time.Second
	costly := calmPlan(2, 900)
	costly.Profile, costly.Machines[0].Cost, costly.Machines[1].Cost = Slow, Cost{Frame: time.Millisecond}, Cost{Frame: 30 * time.Millisecond}
	paused := calmPlan(2, 600)
	paused.Faults = []Fault{{Kind: Pause, At: 2 * time.Second, For: 2 * time.Second}}
	hides := session.Frame(0)
	strays, joins := calmPlan(3, 900), continuingPlan(3, 900)
	strays.Faults = []Fault{{Kind: Restart, At: 3 * time.Second, For: 300 * time.Millisecond, Machine: 1, Value: RestartAsBefore}}
	forgets := continuingPlan(3, 900, strays.Faults...)
	joins.Faults = []Fault{{Kind: Restart, At: 3 * time.Second, For: 300 * time.Millisecond, Machine: 1}}
	var lives [3]int
	twins := options{configured: func(machine int, c *session.Config) {
		c.Random = rand.New(rand.NewPCG(1, uint64(machine))).Uint64 // those of the process before
	}}
	far := calmPlan(2, 60) // a goodbye takes long enough to be seen by a look
	far.Link.Delay = 300 * time.Millisecond
	for _, c := range []struct {
		checker, how string
		plan         Plan
		options      options
	}{
		{"inputs", "an input is another one", long, options{tamper: func(a *agreement) {
			if a.machine == 1 && a.frame == 50 {
				a.inputs++
			}
		}}},
		{"states", "a state is another one", long, options{Games: spoiled}},
		{"states", "the game has finished elsewhere", long, options{tamper: func(a *agreement) { a.finished = a.frame == 50 }}},
		{"agreement", "a frame is left out", long, options{tamper: func(a *agreement) { a.frame += session.Frame(b2u(a.frame >= 50)) }}},
		{"agreement", "agreed goes back", long, after(2*time.Second, func(r lies) { r.machines[0].told += 1000 })},
		{"agreement", "a frame is not shown in a pause", paused, options{watch: func(r lies) {
			next := session.Frame(b2u(r.Now > 3*time.Second && r.Now < 3500*time.Millisecond))
			r.machines[0].next += hides - next // as it was, before the match goes on
			hides = next
		}}},
		{"agreement", "an outcome changes", far, options{watch: func(r lies) {
			if len(r.matches) > 0 && r.matches[0].outcome[0] != nil {
				r.matches[0].outcome[0].Frames++
			}
		}}},
		{"losses", "a machine is down", calmPlan(3, 3000), after(3*time.Second, func(r lies) {
			r.Peers[2].Down = true
			r.calm = never // the other checker has nothing to say
		})},
		{"errors", "a session is left", long, after(3*time.Second, func(r lies) { r.Peers[1].Leave("") })},
		{"progress", "a link is cut", patient, after(3*time.Second, func(r lies) { r.Net.Cut(0, 1, true) })},
		{"ends", "nobody has come to the end", long, after(3*time.Second, func(r lies) { r.deadline = r.Now })},
		{"ends", "the match is too short", calmPlan(2, 200), after(time.Second, func(r lies) { r.referee.plan.Frames++ })},
		{"health", "a desync, and all states are equal", long, options{Games: spoiled, tamper: func(a *agreement) { a.hashed = false }}},
		{"health", "no desync, and states differ", broken, options{
			Games:  func(int) rollback.Definition[ledger, note] { return nil },
			tamper: func(a *agreement) { a.hash ^= uint64(b2u(a.machine == 1 && a.frame >= 100)) },
		}},
		{"spectators", "an input is another one", shown, seenBy(50, func(a *agreement) { a.inputs++ })},
		{"spectators", "a state is another one", shown, seenBy(50, func(a *agreement) { a.hash++ })},
		{"spectators", "a frame comes again", shown, seenBy(50, func(a *agreement) { a.frame-- })},
		{"spectators", "a frame is seen too early", shown, seenBy(50, func(a *agreement) { a.frame += 5000 })},
		{"spectators", "a frame is seen that is kept back", shown, crowd(func(r lies) { r.plan.Hosting.Delay = 90 })},
		{"spectators", "a state is seen that is kept back", hidden, options{watch: func(r lies) {
			if w := r.watchers[0]; r.Now > 5*time.Second {
				w.spectatorView = ahead{w.spectatorView}
			}
		}}},
		{"spectators", "an end is another one", shown, after(17*time.Second, func(r lies) { r.watchers[0].outcomes[0].Hash++ })},
		{"spectators", "it is left", shown, crowd(func(r lies) { r.Fleet.Spectators[0].Leave("") })},
		{"spectators", "the game is another one", shown, options{Games: func(machine int) rollback.Definition[ledger, note] {
			if machine != 2 {
				return nil
			}
			return ledgerGame(func(l *ledger) { l.Bias |= b2u(l.Frame == 100) })
		}}},
		{"spectators", "it hears nothing", shown.until(time.Minute), crowd(func(r lies) { r.Net.Cut(0, 2, true) })},
		{"service", "it stands still", shown.until(time.Minute), crowd(func(r lies) { r.Fleet.Spectators[0].Down = true })},
		{"service", "it is not told that it is live", shown, crowd(func(r lies) { r.watchers[0].live = 7 })},
		{"service", "it does not notice that all are gone", shown, crowd(func(r lies) {
			r.machines[0].dead, r.machines[1].dead = true, true
			r.Fleet.Spectators[0].Down = true
		})},
		{"service", "it is still there at the end", shown, after(8*time.Second, func(r lies) { r.deadline = r.Now })},
		{"entry", "nobody answers a newcomer", joined, after(time.Second, func(r lies) {
			for i := range 2 {
				r.Net.Cut(i, 2, true)
			}
		})},
		{"entry", "a newcomer stands still", joined, after(2*time.Second, func(r lies) { r.Peers[2].Down = true })},
		{"pace", "the match is slower than its slowest machine", costly, after(6*time.Second, func(r lies) { r.Work(1).cost.Frame *= 2 })},
		{"pace", "a picture stays", costly, after(8*time.Second, func(r lies) { r.Work(0).Longest = time.Second })},
		{"restarts", "a process seems to be the one that it was", strays, twins},
		{"restarts", "nobody hears that another process is there", strays, after(3300*time.Millisecond, func(r lies) {
			r.Net.Cut(1, 0, true)
			r.Net.Cut(1, 2, true)
		})},
		{"restarts", "it hears nothing of the match that it has forgotten", forgets, after(3300*time.Millisecond, func(r lies) {
			r.Net.Cut(0, 1, true)
			r.Net.Cut(2, 1, true)
		})},
		{"restarts", "a machine that has not been gone is said to be another one", long, options{retell: func(machine int, e session.Event) []session.Event {
			if machine == 0 && e.What == session.Started {
				return []session.Event{e, {What: session.Restarted, Players: 2}}
			}
			return []session.Event{e}
		}}},
		{"restarts", "a process that has no part in the match plays", long, after(2*time.Second, func(r lies) { r.revenants[1] = restartedProcess{at: r.Now, stray: true} })},
		{"restarts", "it does not end", strays.until(40 * time.Second), after(4*time.Second, func(r lies) { r.Peers[1].Down = true })},
		{"restarts", "nobody lets it join", joins, options{configured: func(machine int, c *session.Config) {
			if lives[machine]++; lives[machine] > 1 {
				c.Token = []byte("that of another match")
			}
		}}},
		{"restarts", "it stands still", joins, after(3800*time.Millisecond, func(r lies) { r.Peers[1].Down = true })},
		{panicked, "the step panics", long, options{Games: func(int) rollback.Definition[ledger, note] {
			return ledgerGame(func(l *ledger) {
				if l.Frame == 100 {
					panic("out of fuel")
				}
			})
		}}},
	} {
		t.Run(c.checker+": "+c.how, func(t *testing.T) {
			if names := caught(t, c.plan, options{}); len(names) > 0 {
				if c.how != "no desync, and states differ" {
					t.Fatalf("the run without the lie fails: %v", names)
				}
			}
			if names := caught(t, c.plan, c.options); !slices.Contains(names, c.checker) {
				t.Errorf("%s has not complained, but %v", c.checker, names)
			}
		})
	}
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// ahead is a spectator that has a state that no host has shown it.
type ahead struct{ spectatorView }

func (a ahead) Stats(links []session.LinkStats) session.Stats {
	s := a.spectatorView.Stats(links)
	s.Frame += 50
	return s
}

// until is the plan with another end.
func (p Plan) until(end time.Duration) Plan {
	p = p.Clone()
	p.Until, p.Frames = end, 7000
	return p
}

// fake is a session that says what the test wants.
type fake struct {
	phase session.Phase
	stats session.Stats
}

func (f *fake) Phase() session.Phase                      { return f.phase }
func (f *fake) Frame() session.Frame                      { return f.stats.Frame }
func (f *fake) Err() error                                { return nil }
func (f *fake) Done() bool                                { return true }
func (f *fake) Log() []session.Entry                      { return nil }
func (f *fake) Paused() (session.Frame, bool)             { return session.NoFrame, false }
func (f *fake) Stats([]session.LinkStats) session.Stats   { return f.stats }
func (f *fake) Outcome() (o session.Outcome, played bool) { return o, false }

// Queues that are too long are noticed, and the longest that are allowed are not.
func TestTheBoundsCheckerCanFail(t *testing.T) {
	for _, c := range []struct {
		what  string
		stats session.Stats
		bad   bool
	}{
		{"all at their bounds", session.Stats{Links: []session.LinkStats{{Pending: 256 << 10, Unacknowledged: 512, Early: 512}}}, false},
		{"a dropped event", session.Stats{DroppedEvents: 1}, true},
		{"a dropped datagram", session.Stats{DroppedDatagrams: 1}, true},
		{"pending", session.Stats{Links: []session.LinkStats{{Pending: 300 << 10}}}, true},
		{"unacknowledged", session.Stats{Links: []session.LinkStats{{Unacknowledged: 513}}}, true},
		{"early", session.Stats{Links: []session.LinkStats{{Early: 513}}}, true},
		{"too many watch", session.Stats{Spectators: spectate.Stats{Spectators: 1}}, true},
		{"the log", session.Stats{Spectators: spectate.Stats{Log: 17 << 20}}, true},
		{"states", session.Stats{Spectators: spectate.Stats{Held: 7}}, true},
		{"datagrams wait", session.Stats{PendingDatagrams: 400}, true},
	} {
		p := calmPlan(2, 60)
		r := newReferee(&p)
		r.machines[0].live, r.machines[1].live = &fake{stats: c.stats}, &fake{}
		r.look()
		if bad := len(r.violations) > 0 && r.violations[0].Checker == "bounds"; bad != c.bad {
			t.Errorf("%s: %v", c.what, r.violations)
		}
	}
}

// Ends that are not one are noticed.
func TestTheEndsCheckerComparesOutcomes(t *testing.T) {
	good := session.Outcome{Match: 1, Summary: session.Summary{Frames: 60, Hash: 1, Chain: 2}}
	for what, change := range map[string]func(o *session.Outcome){
		"":       func(*session.Outcome) {},
		"frames": func(o *session.Outcome) { o.Frames-- },
		"hash":   func(o *session.Outcome) { o.Hash++ },
		"chain":  func(o *session.Outcome) { o.Chain++ },
		"result": func(o *session.Outcome) { o.Result++ },
	} {
		p := calmPlan(3, 60)
		r := newReferee(&p)
		for i, m := range r.machines {
			o := good
			if m.live, m.gone = (&fake{phase: session.Over}), through; i == 2 {
				change(&o)
			}
			r.match(1).outcome[i] = &o
		}
		r.end()
		if (len(r.violations) > 0) != (what != "") {
			t.Errorf("%q: %v", what, r.violations)
		}
	}
}

// All machines detect one whose game diverges, in every mode; none does if nothing is
// hashed.
func TestAllFindADesyncOfThePlan(t *testing.T) {
	for _, players := range few(2, 3, 8, 16) {
		for _, hashEvery := range []int{1, 60, -1} {
			p := calmPlan(players, 400)
			p.HashEvery = hashEvery
			p.Faults = []Fault{{Kind: Desync, Machine: players - 1, Value: 90}}
			res := playLedger(t, p)
			fine(t, p, res)
			want := session.Desynced
			if hashEvery < 0 {
				want = session.Unverified
			}
			for i, m := range res.Machines {
				if len(m.Outcomes) != 1 || m.Outcomes[0].Health != want {
					t.Errorf("%d players, hashed every %d: machine %d: %+v", players, hashEvery, i, m.Outcomes)
				}
			}
		}
	}
}

package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// lateJoin is a skirmish of four armies in which the fourth player comes late, over a path of a mebibyte a second
// and a round trip of 100 ms.
type lateJoin struct {
	units  int           // of all
	at     time.Duration // when the newcomer is switched on
	loss   netem.PPM
	never  bool // it never is
	window int  // 0: lockstep
	auto   bool // the delay is automatic, as it always is in lockstep
	// vanish is the number of bytes sent to the newcomer after which its host is switched off; 0 means never.
	vanish int
}

// joined is what has come of it.
type joined struct {
	fleet *fleet.Fleet[skirmish.World, skirmish.Input]
	took  time.Duration // until the newcomer plays; 0: it does not
	bytes int           // sent to it until then
	// spent is how long the host has worked in each period from the beginning of the join on.
	spent []time.Duration
	waits uint64 // periods in which the others could not run a tick
}

const (
	joinedFor  = 5 * time.Second
	joinPeriod = time.Second / skirmish.TicksPerSecond
)

func (l lateJoin) play(t testing.TB) (j joined) {
	t.Helper()
	const newcomer = 3
	setup := skirmish.Setup{Seed: 7, Size: 256, Players: 4, Units: l.units / 4}
	plan, err := skirmish.NewMap(setup)
	if err != nil {
		t.Fatal(err)
	}
	game, err := skirmish.New(setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	token := []byte("the token of the figures")
	f, err := fleet.New(fleet.Setup[skirmish.World, skirmish.Input]{
		Game: game, Players: 4, Seed: 1, Late: append(staggered(newcomer), l.at),
		Input:  func(rollback.Player, int) (in skirmish.Input) { return in },
		Orders: func(p rollback.Player, n int) []byte { return marching(plan, p, n) },
		Links:  narrowTo(newcomer, l.loss),
		Configure: func(i int, c *session.Config) {
			c.TickRate, c.MaxOrders, c.OnLeave, c.HashEvery = skirmish.TicksPerSecond, skirmish.MaxOrderBytes, session.Continue, 30
			c.Token, c.Spectators = token, spectate.Config{Rate: 4 << 20}
			c.Window, c.Lockstep, c.AutoDelay.On = l.window, l.window == 0, l.auto || l.window == 0
			comesLate(c, i, newcomer)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	j.fleet = f
	last := f.Peers[newcomer]
	last.Down = l.never
	f.Run(l.at)
	before := waitedBy(f.Peers[:newcomer])
	f.OnSend = func(from, to int, b []byte) {
		if to == newcomer && j.took == 0 {
			j.bytes += len(b)
		}
		if l.vanish > 0 && j.bytes >= l.vanish {
			f.Peers[0].Down = true
		}
	}
	j.spent = make([]time.Duration, joinedFor/joinPeriod+1)
	clock := time.Now()
	f.OnUpdate = func(node int) {
		now := time.Now()
		if node == 0 {
			j.spent[(f.Now-l.at)/joinPeriod] += now.Sub(clock)
		}
		clock = now
	}
	f.RunUntil(l.at+joinedFor, func() bool {
		if j.took == 0 && plays(last) {
			j.took = f.Now - l.at
		}
		return false
	})
	f.OnSend, f.OnUpdate = nil, nil
	j.waits = waitedBy(f.Peers[:newcomer]) - before
	return j
}

// marching makes each army march towards the next one, and a part of it to another place every few seconds.
func marching(plan *skirmish.Map, p rollback.Player, n int) (b []byte) {
	if n%(5*skirmish.TicksPerSecond) != 1 {
		return nil
	}
	only := skirmish.Only(0)
	if n > 1 {
		only = skirmish.Only(1 << (n / (5 * skirmish.TicksPerSecond) % 4))
	}
	all := skirmish.Order{Verb: skirmish.Select, Only: only, To: skirmish.Spot{X: 1<<16 - 1, Y: 1<<16 - 1}}
	march := skirmish.Order{Verb: skirmish.March, At: skirmish.SpotOf(plan.Starts[(int(p)+1+n/1000)%len(plan.Starts)].Vec())}
	return march.Append(all.Append(nil))
}

// Rule: a player that joins a skirmish late gets the state compressed, and soon plays; from then on all have the
// same states.
func TestLateJoinOfSkirmish(t *testing.T) {
	l := lateJoin{units: 10_000, at: 20 * time.Second, window: 8}
	bytes := 200_000
	if testing.Short() {
		l.units, l.at, bytes = 1200, 4*time.Second, 60_000
	}
	for _, l.window = range []int{8, 0} {
		const soon = 1500 * time.Millisecond
		j := l.play(t)
		t.Logf("window %d: %d units, %d bytes, plays after %v", l.window, j.fleet.Peers[0].State().Units.Len(), j.bytes, j.took)
		if j.took == 0 || j.took > soon || j.bytes > bytes {
			t.Errorf("window %d: %d bytes, plays after %v", l.window, j.bytes, j.took)
		}
		j.fleet.Run(2 * time.Second)
		for i, p := range j.fleet.Peers {
			if h := p.Stats(nil).Health; h != session.Healthy {
				t.Errorf("window %d: peer %d is %v, at frame %d: %v", l.window, i, h, p.Frame(), p.Err())
			}
		}
	}
}

// Rule: if the host of a newcomer vanishes while it sends the state, the newcomer gets it from another member, and
// plays once the remaining members have noticed that the host is gone.
func TestLateJoinGoesOnElsewhere(t *testing.T) {
	l := lateJoin{units: 1200, at: 4 * time.Second, vanish: 8000}
	for _, l.window = range []int{8, 0} {
		j := l.play(t)
		f, last := j.fleet, j.fleet.Peers[3]
		if !f.Peers[0].Down || j.took > 0 {
			t.Fatalf("window %d: after %d bytes its host is there, or it plays after %v", l.window, j.bytes, j.took)
		}
		f.RunUntil(f.Now+20*time.Second, func() bool { return plays(last) })
		f.Run(2 * time.Second)
		lost := slices.ContainsFunc(last.Events, func(e session.Event) bool { return e.What == session.Lost })
		if !lost || !plays(last) {
			t.Errorf("window %d: it has lost nobody, or does not play: %v", l.window, last.Events)
		}
		for i, p := range f.Peers[1:] {
			if h := p.Stats(nil).Health; h != session.Healthy || p.Err() != nil {
				t.Errorf("window %d: peer %d is %v, at frame %d: %v", l.window, i+1, h, p.Frame(), p.Err())
			}
		}
	}
}

// When a newcomer plays, for docs/benchmarks.md.
func TestSkirmishJoinTimes(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	for _, name := range []string{"rollback", "rollback with an automatic delay", "lockstep"} {
		l := lateJoin{units: 10_000, window: 8, auto: name != "rollback"}
		if name == "lockstep" {
			l.window = 0
		}
		for _, l.at = range []time.Duration{20 * time.Second, 20700 * time.Millisecond, 21400 * time.Millisecond} {
			for _, l.loss = range []netem.PPM{0, netem.Percent, 5 * netem.Percent} {
				if l.loss > 0 && l.at > 20*time.Second {
					break
				}
				j := l.play(t)
				fmt.Printf("%s, after %v, loss %v: plays after %v, %d bytes, %d periods waited in %v\n", name, l.at, l.loss, j.took.Round(time.Millisecond), j.bytes, j.waits, joinedFor)
			}
		}
	}
}

// What a late join costs, for docs/benchmarks.md.
func TestSkirmishJoinFigures(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	const runs = 5
	var b strings.Builder
	b.WriteString("| 1 MiB/s, RTT 100 ms | units | bytes to the newcomer | plays after | periods waited by three players in 5 s | without a newcomer | the giver's work in a tick, more than without: median | longest |\n|---|---|---|---|---|---|---|---|\n")
	for _, window := range []int{8, 0} {
		for _, loss := range []netem.PPM{0, netem.Percent, 5 * netem.Percent} {
			with, without := joined{}, joined{}
			for run := range runs { // all runs are the same, except for what else the machine does
				a := lateJoin{units: 10_000, at: 20 * time.Second, loss: loss, window: window}
				with.least(a.play(t), run)
				if loss == 0 {
					a.never = true
					without.least(a.play(t), run)
				} else if run == 0 {
					break
				}
			}
			name := "rollback"
			if window == 0 {
				name = "lockstep"
			}
			median, longest, waits := "", "", ""
			if loss == 0 {
				m, l := with.more(&without)
				median, longest, waits = fmt.Sprintf("%.2f ms", m.Seconds()*1e3), fmt.Sprintf("%.2f ms", l.Seconds()*1e3), fmt.Sprint(without.waits)
			}
			fmt.Fprintf(&b, "| %s, loss %v | %d | %d | %v | %d | %s | %s | %s |\n", name, loss, with.fleet.Peers[0].State().Units.Len(),
				with.bytes, with.took.Round(time.Millisecond), with.waits, waits, median, longest)
		}
	}
	fmt.Print(b.String())
}

// least returns, for each period, the minimum time that it took in any run.
func (j *joined) least(o joined, run int) {
	if run > 0 {
		for i := range o.spent {
			o.spent[i] = min(o.spent[i], j.spent[i])
		}
	}
	*j = o
}

// more returns how much longer the periods until the newcomer plays took than without one.
func (j *joined) more(without *joined) (median, longest time.Duration) {
	var list []time.Duration
	for i := range int(j.took/joinPeriod) + 1 {
		list = append(list, j.spent[i]-without.spent[i])
	}
	slices.Sort(list)
	return list[len(list)/2], list[len(list)-1]
}

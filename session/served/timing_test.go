package served

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/sequencer"
)

const period = 20 * time.Millisecond

// Rule: the offset of an input is the one at which it was made, and its margin is reported once it is known;
// margins of other ticks are ignored.
func TestMarginsAreOfTicksThatWereMade(t *testing.T) {
	tm := timing{nominal: period}
	tm.begin(100, 5*time.Second)
	if tm.due != 5*time.Second || tm.next != 100 {
		t.Fatal(tm.due, tm.next)
	}
	tm.told([]sequencer.Margin{{Tick: 99, Early: 1}, {Tick: 100, Early: 1}})
	if _, known := tm.lead.Wants(); known {
		t.Error("a margin of a tick that was not made is taken")
	}
	tm.leaves(5*time.Second - 1)
	tm.called(5*time.Second + 7*time.Millisecond) // late, after a picture
	tm.ran(5*time.Second + 7*time.Millisecond)
	if tm.next != 101 || tm.due != 5*time.Second+period {
		t.Errorf("tick %d is due at %v", tm.next, tm.due)
	}
	// It came 3 ms early: its lead when it was due, minus that, is what the picture and the path take.
	tm.told([]sequencer.Margin{{Tick: 100, Early: 3 * time.Millisecond}})
	wants, known := tm.lead.Wants()
	if want := 100*period - 5*time.Second - 3*time.Millisecond + 2*time.Millisecond; !known || wants != want {
		t.Errorf("it wants to be %v ahead, want %v", wants, want)
	}
	tm.stalled()
	if tm.next != 101 || tm.due != 5*time.Second+2*period {
		t.Errorf("after a stall tick %d is due at %v", tm.next, tm.due)
	}
}

// Rule: the time for which an input's tick waited for an owner that was busy with a picture counts as time in
// flight; time for which it waited for other ticks, or for an owner that has paused, does not.
func TestSinceWhenAnInputIsUnderWay(t *testing.T) {
	const ms, due, picture = time.Millisecond, time.Hour, time.Second / 15 // at 15 pictures a second
	for _, c := range []struct {
		what             string
		idle             bool
		back, now, under time.Duration // since the tick was due
	}{
		{"in time", true, 0, 0, 0},
		{"a picture", true, 10 * ms, 10 * ms, 10 * ms},
		{"a picture, and then other ticks", true, 10 * ms, 30 * ms, 10 * ms},
		{"other ticks alone", true, -5 * ms, 30 * ms, 0},
		{"the slowest picture", true, picture, picture, picture},
		{"a pause", true, picture + 1, picture + 1, 0},
		{"a machine that is never done", false, 10 * ms, 30 * ms, 0},
	} {
		tm := timing{nominal: period}
		tm.begin(100, due)
		if tm.leaves(due - 1); !c.idle {
			tm.leaves(due)
		}
		tm.called(due + c.back)
		if got := due + c.now - tm.under(due+c.now); got != c.under {
			t.Errorf("%s: under way for %v, want %v", c.what, got, c.under)
		}
	}
	tm := timing{nominal: period} // all ticks that are made up for after a pause are alike
	tm.begin(100, due)
	tm.leaves(due - 1)
	tm.called(due + time.Second)
	tm.due = due + time.Second - 1
	if got := tm.under(due + time.Second); got != due+time.Second {
		t.Errorf("the last tick after a pause: under way since %v", got-due)
	}
}

// Rule: ticks that a client missed while it slept are skipped, if they are more than it can make up for; and so
// are those that it is behind the wanted lead.
func TestTicksAreLeftOut(t *testing.T) {
	for late, want := range map[time.Duration]Frame{0: 0, pace.MaxDebt(period) - 1: 0, pace.MaxDebt(period): 30, 100*period + 1: 100} {
		tm := timing{nominal: period}
		tm.begin(100, time.Second)
		if skip := tm.resume(time.Second + late); skip != want || tm.due != time.Second+time.Duration(want)*period {
			t.Errorf("%v late: %d are left out, the next one is due at %v", late, skip, tm.due)
		}
	}
	tm := timing{nominal: period}
	tm.begin(100, 2*time.Second) // its offset is 0
	for range 20 {
		tm.ran(tm.due)
	}
	for behind, want := range map[time.Duration]Frame{399 * time.Millisecond: 0, 400 * time.Millisecond: 0, 405 * time.Millisecond: 20, time.Second: 50} {
		k := tm
		var list []sequencer.Margin
		for f := Frame(100); f < 120; f++ {
			list = append(list, sequencer.Margin{Tick: f, Early: 2*time.Millisecond - behind})
		}
		k.told(list)
		if skip := k.behind(); skip != want {
			t.Errorf("%v behind: %d are left out, want %d", behind, skip, want)
		}
	}
	for ahead, waits := range map[time.Duration]bool{400 * time.Millisecond: false, 800 * time.Millisecond: false, 805 * time.Millisecond: true, 1200 * time.Millisecond: true} {
		k := tm
		var list []sequencer.Margin
		for f := Frame(100); f < 120; f++ {
			list = append(list, sequencer.Margin{Tick: f, Early: 2*time.Millisecond + ahead})
		}
		k.told(list)
		k.ahead()
		if want := tm.due + ahead; (k.due == want) != waits || !waits && k.due != tm.due {
			t.Errorf("%v ahead: the next tick is due at %v instead of %v", ahead, k.due, tm.due)
		}
	}
	tm.skip(30)
	if tm.next != 150 || tm.first != 150 {
		t.Errorf("then tick %d follows, and the first with an offset is %d", tm.next, tm.first)
	}
}

// Rule: a server that sleeps makes up for a few ticks, and skips the others: the match goes on later. No client is
// lost because of that.
func TestAServerSleeps(t *testing.T) {
	f := newFixture(t)
	before := f.server.Frame()
	f.now += 200 * time.Millisecond // ten ticks
	f.run(100 * time.Millisecond)
	if n := f.server.Frame() - before; n < 14 || n > 16 {
		t.Errorf("%d ticks in 300 ms", n)
	}
	if n := f.server.Stats(nil).Blocked; n != 0 {
		t.Errorf("%d ticks were left out", n)
	}
	before = f.server.Frame()
	f.now += 3 * time.Second
	f.run(2 * time.Second)
	if n := f.server.Frame() - before; n < 100 || n > 100+30+2 {
		t.Errorf("%d ticks in 5 s, of which it slept for 3", n)
	}
	if f.server.Members().Len() != 2 || f.honest.Err() != nil {
		t.Errorf("%v play: %v", f.server.Members(), f.honest.Err())
	}
	f.unharmed()
}

// Rule: a client that hears nothing runs MaxAhead ticks further, and waits; the player is sampled once per tick.
// Then it is in time again.
func TestAClientWaitsForASilentServer(t *testing.T) {
	f := newFixture(t)
	asked := map[Frame]int{}
	f.honest.hooks.Sample = func(Player) uint16 { asked[f.honest.Frame()]++; return 1 }
	known := f.honest.Known()
	for range 3000 / 5 {
		f.now += 5 * time.Millisecond
		f.honest.Update(f.now)
		for range f.honest.Outgoing() {
		}
	}
	if n := f.honest.Frame() - known; n != Frame(f.honest.cfg.MaxAhead) {
		t.Errorf("it is %d ticks ahead", n)
	}
	if s := f.honest.Stats(nil); s.Stalls < 90 || f.honest.Phase() != session.Playing {
		t.Errorf("%d stalls, %v", s.Stalls, f.honest.Phase())
	}
	f.run(3 * time.Second)
	for tick, n := range asked {
		if n != 1 {
			t.Fatalf("for tick %d the player is asked %d times", tick, n)
		}
	}
	f.unharmed()
}

// Rule: after a sleep of the machine the lead is unknown, and margins of earlier ticks are ignored.
func TestASleepEndsWhatIsKnownOfTheLead(t *testing.T) {
	tm := timing{nominal: period}
	tm.begin(100, time.Second)
	for range 10 {
		tm.ran(tm.due)
	}
	margins := []sequencer.Margin{{Tick: 108, Early: time.Millisecond}, {Tick: 109, Early: time.Millisecond}}
	if tm.told(margins); tm.first != 100 {
		t.Fatal(tm.first)
	}
	if _, known := tm.lead.Wants(); !known {
		t.Fatal("the lead is not known")
	}
	tm.slept()
	tm.told(margins)
	if _, known := tm.lead.Wants(); known || tm.first != 110 || tm.next != 110 {
		t.Errorf("it is known: %v; ticks count from %d on, the next one is %d", known, tm.first, tm.next)
	}
}

// Rule: a client whose server is up to 400 ms ahead of it skips to the server's tick; a client that is farther behind
// has slept, forgets its lead, and runs ahead of the server as at its start.
func TestAServerThatIsAhead(t *testing.T) {
	for _, c := range []struct {
		behind Frame
		slept  bool
	}{{1, false}, {20, false}, {21, true}} {
		f := newFixture(t)
		k := f.other
		ran := k.engine.Frame()
		k.timing.lead, k.timing.next, k.timing.due = pace.Lead{}, ran-c.behind, k.now
		k.skipAhead()
		if got := k.engine.Frame() > ran; got != c.slept || k.timing.next != k.engine.Frame() {
			t.Errorf("%d ticks behind: it runs %d more, and the next one is %d after that", c.behind, k.engine.Frame()-ran, k.timing.next-k.engine.Frame())
		}
	}
}

// Rule: a client skips no farther than it may run ahead of what it knows: one tick less if it runs them all, so that its next
// one can run as well.
func TestHowFarAClientSkips(t *testing.T) {
	for _, lags := range []bool{false, true} {
		f := newFixture(t)
		k := f.other
		most := k.clientMatch.newest + Frame(k.cfg.MaxAhead)
		ran := k.engine.Frame()
		if k.timing.due = k.now + 10*time.Second; lags { // it is far behind the lead that it wants
			k.timing.next++
		}
		from, skipped := k.timing.next, k.timing.skipped
		k.skipAhead()
		want := most
		if !lags {
			want, ran = most-1, most-1
		}
		if k.timing.next != want || k.engine.Frame() != ran || k.timing.skipped-skipped != uint64(want-from) || k.Err() != nil {
			t.Errorf("lags %v: the next tick is %d, want %d; the engine is at %d, want %d: %v", lags, k.timing.next, want, k.engine.Frame(), ran, k.Err())
		}
	}
}

// Rule: a tick that the engine cannot run yet is not played: it is due again a period later, with the same input.
func TestATickThatCannotRunIsDueAgain(t *testing.T) {
	f := newFixture(t)
	k := f.other
	if err := k.clientMatch.reach(k.engine.Frame() + Frame(k.cfg.MaxAhead)); err != nil { // as far as it can
		t.Fatal(err)
	}
	k.clientMatch.newest++ // it learns of a state, and not of the inputs before it
	k.timing.next, k.timing.due = k.engine.Frame(), k.now
	k.timing.slept() // it knows no lead to keep
	next, held := k.timing.next, k.server.ours.inputs.Next()
	for n := range time.Duration(3) {
		if k.tick(); k.timing.next != next || k.engine.Frame() != next || k.server.ours.inputs.Next() != held || k.timing.due != k.now+(n+1)*period || k.Err() != nil {
			t.Fatalf("tick %d: the next one is %d, the engine is at %d; it has inputs up to %d, %d before; due %v later: %v", next, k.timing.next, k.engine.Frame(), k.server.ours.inputs.Next(), held, k.timing.due-k.now, k.Err())
		}
	}
}

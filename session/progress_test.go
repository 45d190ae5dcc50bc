package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/wire/datagram"
)

// Between two frames Progress returns how much of the period has passed; if no frame runs, all
// of it has. It is never more than the whole period, or less than zero.
func TestHowMuchOfAPeriodHasPassed(t *testing.T) {
	s, err := New(sumGame(), Config{Players: 1, TickRate: 100, Match: Parameters{Frames: 20}}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	const period = 10 * time.Millisecond
	tell := func(what string, at, want time.Duration) {
		t.Helper()
		if passed, all := s.Progress(at); passed != want || all != period {
			t.Errorf("%s: %v of %v have passed, want %v", what, passed, all, want)
		}
	}
	tell("before it begins", 0, period)
	s.Update(0)
	next := s.Update(0)
	if s.Phase() != Playing || s.Frame() != 1 || next != period || s.Urgent() {
		t.Fatalf("it is %v, frame %d, until %v", s.Phase(), s.Frame(), next)
	}
	for _, at := range []time.Duration{0, 1, period / 3, period} {
		tell("between two frames", at, at)
	}
	tell("before it", -time.Second, 0)
	tell("too late", 3*period, period)
	if s.Update(period - 1); s.Frame() != 1 {
		t.Errorf("frame %d runs before its time", s.Frame())
	}
	if s.Update(period); s.Frame() != 2 {
		t.Errorf("frame %d does not run when it is due", s.Frame())
	}
	if err := s.Pause(); err != nil {
		t.Fatal(err)
	}
	tell("in a pause", period+1, period)
	if !s.Urgent() {
		t.Error("a pause may end at any time, and it is not urgent to notice")
	}
	if err := s.Unpause(); err != nil {
		t.Fatal(err)
	}
	for now := 2 * period; s.Phase() == Playing; now += period {
		if s.Update(now); now > time.Second {
			t.Fatalf("it does not end: frame %d", s.Frame())
		}
	}
	tell("after the match", time.Second, period)
	if o, over := s.Outcome(); !over || o.Frames != 20 || o.Match != 1 || !o.Told || s.Final() == nil || !s.Urgent() {
		t.Errorf("%+v, %v", o, over)
	}
}

// For a spectator, Progress is that of the frames it shows; while it has nothing to show, all
// of the period has passed.
func TestHowMuchOfAPeriodASpectatorHasSeen(t *testing.T) {
	d := watching(t, 200)
	s := d.spectator
	period := s.Step(d.now)
	nominal := time.Second / 60
	for after, want := range map[time.Duration]time.Duration{
		-time.Second: 0, 0: nominal - period, period / 3: nominal - period + period/3, period: nominal, time.Second: nominal,
	} {
		if passed, all := s.Progress(d.now + after); passed != max(want, 0) || all != nominal {
			t.Errorf("%v after a frame that lasts %v: %v of %v have passed, want %v", after, period, passed, all, want)
		}
	}
	if !d.until(10*time.Second, func() bool { return !s.play.Running() }) {
		t.Fatalf("frame %d", s.Frame())
	}
	if passed, all := s.Progress(d.now); passed != nominal || all != nominal || !s.Urgent() {
		t.Errorf("without a frame: %v of %v", passed, all)
	}
}

// An owner that calls Step for each frame gets one frame per call, and the time to wait: the
// nominal period when alone or in the lobby, and with peers up to four percent more or less.
func TestStepKeepsPace(t *testing.T) {
	alone, err := New(sumGame(), Config{Players: 1}, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Duration(0)
	for want := Frame(0); want < 50; want++ {
		period := alone.Step(now)
		if now += period; period != time.Second/60 || want > 1 && alone.Frame() < want-1 {
			t.Fatalf("frame %d, %v", alone.Frame(), period)
		}
	}
	for lag, want := range map[time.Duration]time.Duration{ // of the others' inputs here, minus that of our inputs there
		0:                      0,
		time.Second / 100:      time.Second / 100 / 2 / 64,
		-time.Second / 100:     -time.Second / 100 / 2 / 64,
		time.Second:            time.Second / 60 / 25,
		-time.Second:           -time.Second / 60 / 25,
		1280 * time.Nanosecond: 10,
	} {
		tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
		tr.reach(Playing)
		m := tr.peers[0]
		near, far := &tr.way(0, 1).lag, &tr.way(0, 2).lag
		*near = lagOf(-time.Hour, -time.Hour) // who is farther counts
		*far = lagOf(30*time.Millisecond+max(lag, 0), 30*time.Millisecond+max(-lag, 0))
		if got := m.period(m.nominal) - m.nominal; got != want {
			t.Errorf("a lag of %v: the period is %v longer, want %v", lag, got, want)
		}
		*near = pace.Lag{}
		near.Measure(-time.Hour, time.Second/60)
		if m.period(m.nominal) != m.nominal {
			t.Error("there is a pace before all have told theirs")
		}
		*near = pace.Lag{}
		near.SetRemote(-1 << 20)
		if m.period(m.nominal) != m.nominal {
			t.Error("there is a pace before all are known")
		}
		tr.way(0, 1).state = gone
		if got := m.period(m.nominal) - m.nominal; got != want {
			t.Errorf("of one that is gone, the period is %v longer, want %v", got, want)
		}
		tr.way(0, 2).state = gone
		if m.period(m.nominal) != m.nominal {
			t.Error("there is a pace without others")
		}
	}
}

// lagOf returns a lag that is known in both directions.
func lagOf(here, there time.Duration) (l pace.Lag) {
	l.Measure(here, time.Second/60)
	l.SetRemote(int32(max(there, -time.Minute) / datagram.SampleUnit))
	return l
}

// The state before the current one is held, too, for drawing between the two, with a window or
// without, unless only one snapshot is requested. In the lobby after the match nothing is
// proposed.
func TestTwoStatesAreHeldToDrawBetween(t *testing.T) {
	for _, c := range []Config{{}, {Window: 2}, {Snapshots: 1}} {
		c.Players, c.Match.Frames = 1, 20
		s, err := New(sumGame(), c, Hooks[sum, uint16]{Sample: func(Player) uint16 { return 1 }})
		if err != nil {
			t.Fatal(err)
		}
		for now := time.Duration(0); s.Frame() < 10; now += s.nominal {
			s.Update(now)
		}
		if held := s.StateAt(s.Frame()-1) != nil; held != (c.Snapshots == 0) || s.StateAt(s.Frame()) == nil {
			t.Errorf("window %d, %d snapshots: the state before is held: %v", c.Window, c.Snapshots, held)
		}
	}
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.run(4 * time.Second)
	for i, p := range tr.peers {
		if p.Phase() != Lobby || tr.proposal(i) != 0 {
			t.Errorf("peer %d is %v, and match %d is proposed", i, p.Phase(), tr.proposal(i))
		}
	}
}

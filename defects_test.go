package tickback_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/netip"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/trace"
	"github.com/tickback/tickback/transport/udp"
)

// Defects that other libraries of this kind have had. More of them are in package
// fleet.

// Fifty sessions left 49 goroutines.
//
// Seen to fail when closing a match does not close its transport.
func TestDefectSessionsLeaveGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	var all []*tickback.Match[counter, uint32]
	for range 25 {
		a, b := onLoopback(t)
		all = append(all, a, b)
	}
	if n := runtime.NumGoroutine(); n < before+40 { // one that another test has left may end meanwhile
		t.Fatalf("%d goroutines for 50 sockets: this tests too little", n-before)
	}
	connected := func() bool {
		n := 0
		for _, m := range all {
			update(t, m)
			if m.View().Running {
				n++
			}
		}
		return n == len(all)
	}
	for start := time.Now(); !connected(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("not all play")
		}
	}
	var closing sync.WaitGroup
	for _, m := range all {
		closing.Go(func() { _ = m.Close() })
	}
	closing.Wait()
	for start := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// onLoopback makes the two peers of a match over real sockets.
func onLoopback(t *testing.T) (a, b *tickback.Match[counter, uint32]) {
	t.Helper()
	var conns [2]*udp.Conn
	for i := range conns {
		c, err := udp.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		c.Notify() // starts a goroutine
		conns[i] = c
	}
	var peers [2]*tickback.Match[counter, uint32]
	for i := range peers {
		m, err := tickback.P2P(counting, tickback.Options[counter, uint32]{
			Transport: conns[i], Peers: tickback.Mesh(tickback.Player(i), conns[1-i].LocalAddr()),
			Sample: func(tickback.Player) uint32 { return 1 }, Timeouts: tickback.Timeouts{Linger: 200 * time.Millisecond},
		})
		if err != nil {
			t.Fatal(err)
		}
		peers[i] = m
	}
	return peers[0], peers[1]
}

// A sync test passed when there was nothing to compare on either side.
//
// Seen to fail when the refusal does not say so.
func TestDefectASyncTestOfNothingPasses(t *testing.T) {
	nothing := rollback.Game[struct{}, uint32]{Step: func(*struct{}, *rollback.Tick[uint32]) {}}
	sample := func(tickback.Player) uint32 { return 0 }
	if _, err := tickback.SyncTest(nothing, 3, tickback.Options[struct{}, uint32]{Sample: sample}); !errors.Is(err, rollback.ErrNothingCompared) {
		t.Errorf("a state without fields: %v", err)
	}
	if _, err := tickback.SyncTest(counting, 0, tickback.Options[counter, uint32]{Sample: sample}); !errors.Is(err, tickback.ErrOptions) {
		t.Errorf("a depth of 0: %v", err)
	}
	m, err := tickback.SyncTest(counting, 3, tickback.Options[counter, uint32]{Players: 1, Sample: sample})
	if err != nil {
		t.Fatal(err)
	}
	for start := time.Now(); m.View().Frame < 10; time.Sleep(time.Millisecond) {
		if update(t, m); time.Since(start) > 10*time.Second {
			t.Fatal("no frame runs")
		}
	}
	if n := m.Stats().Engine.Resimulated; n < 20 {
		t.Errorf("a sync test of depth 3 has simulated %d frames again in 10", n)
	}
}

// Options were documented that could not be installed: each field of Options, one by
// one, with a value that it must not have, or one that changes what is there.
//
// Seen to fail when an option is not handed on to the session.
func TestDefectAnOptionHasNoEffect(t *testing.T) {
	type options = tickback.Options[counter, uint32]
	type match = tickback.Match[counter, uint32]
	// refused says that a value reaches the check of the session.
	loud := counting
	loud.Effects = []effects.Declaration{effects.OneShot[uint32](1, "bang")}
	refused := func(change func(o *options)) bool {
		o := options{Transport: newTube(), Peers: tickback.Mesh(0, netip.MustParseAddrPort("127.0.0.1:9")), Sample: func(tickback.Player) uint32 { return 1 }}
		change(&o)
		_, err := tickback.P2P(loud, o)
		return err != nil
	}
	// unjoined is refused for a match that is joined.
	unjoined := func(change func(o *options)) bool {
		o := joining()
		change(&o)
		_, err := tickback.Join(loud, elsewhere, o)
		return err != nil
	}
	if refused(func(*options) {}) || unjoined(func(*options) {}) {
		t.Fatal("even the defaults are refused")
	}
	// play runs a match of one machine, and reports whether something holds then.
	play := func(change func(o *options), holds func(m *match) bool) bool {
		w := newWatch()
		o := options{Sample: func(tickback.Player) uint32 { return 1 }}
		o.Advanced.Now = w.Now
		change(&o)
		m, err := tickback.Local(counting, o)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			if _, err := m.Update(); err != nil {
				return holds(m)
			}
			w.advance(10 * time.Millisecond)
		}
		return holds(m)
	}
	agreed, sampled, ordered, asked := 0, 0, 0, 0
	does := map[string]func() bool{
		"Players":   func() bool { return refused(func(o *options) { o.Players = 17 }) },
		"Peers":     func() bool { return refused(func(o *options) { o.Peers = nil }) },
		"Transport": func() bool { return refused(func(o *options) { o.Transport = nil }) },
		"Sample": func() bool {
			return play(func(o *options) { o.Sample = func(tickback.Player) uint32 { sampled++; return 1 } }, func(*match) bool { return sampled > 30 })
		},
		"Orders": func() bool {
			return play(func(o *options) { o.MaxOrders, o.Orders = 5, func(tickback.Player) []byte { ordered++; return nil } }, func(*match) bool { return ordered > 30 })
		},
		"MaxOrders": func() bool { return refused(func(o *options) { o.MaxOrders = 5000 }) },
		"GameID":    func() bool { return refused(func(o *options) { o.GameID = string(make([]byte, 65)) }) },
		"Build":     func() bool { return refused(func(o *options) { o.Build = string(make([]byte, 65)) }) },
		"TickRate": func() bool {
			return play(func(o *options) { o.TickRate = 20 }, func(m *match) bool { return m.View().Frame < 14 })
		},
		"Rate": func() bool {
			return play(func(o *options) { o.Rate = tickback.Rate{Frames: 41, Seconds: 2} }, func(m *match) bool { return m.View().Frame < 14 })
		},
		"RunAhead":  func() bool { return refused(func(o *options) { o.RunAhead = 9 }) },
		"Window":    func() bool { return refused(func(o *options) { o.Window = 5000 }) },
		"Lockstep":  func() bool { return refused(func(o *options) { o.Lockstep, o.Window = true, 3 }) },
		"Delay":     func() bool { return refused(func(o *options) { o.Delay[1] = 3 }) },
		"AutoDelay": func() bool { return refused(func(o *options) { o.AutoDelay = tickback.AutoDelay{On: true, Min: 9} }) },
		"OnLeave":   func() bool { return refused(func(o *options) { o.OnLeave = 9 }) },
		"Local":     func() bool { return refused(func(o *options) { o.Local = tickback.SetOf(1) }) },
		"Token": func() bool {
			return refused(func(o *options) { o.OnLeave, o.Token = tickback.Continue, make(tickback.Token, 15) })
		},
		"Reserved": func() bool {
			return refused(func(o *options) {
				o.OnLeave, o.Token, o.Reserved = tickback.Continue, tickback.NewToken(), tickback.SetOf(1)
			})
		},
		"Match": func() bool {
			return play(func(o *options) { o.Match.Frames = 7 }, func(m *match) bool { e, over := m.Outcome(); return over && e.Frames == 7 })
		},
		"Start": func() bool {
			return play(func(o *options) {
				o.Start = func(tickback.Parameters) (func(*counter), error) {
					return func(c *counter) { c.Sum = 1 << 40 }, nil
				}
			}, func(m *match) bool { return m.View().Current.Sum > 1<<40 })
		},
		"Lobby": func() bool {
			return play(func(o *options) { o.Lobby = true }, func(m *match) bool { return m.View().Frame == 0 })
		},
		"Agreed": func() bool {
			return play(func(o *options) { o.Agreed = func(*rollback.Agreed[uint32]) { agreed++ } }, func(*match) bool { return agreed > 30 })
		},
		"Spectators": func() bool { return refused(func(o *options) { o.Spectators.Max = 33 }) },
		"Log": func() bool {
			var said bytes.Buffer
			play(func(o *options) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) }, func(*match) bool { return true })
			return said.Len() > 0
		},
		"Record": func() bool {
			var written bytes.Buffer
			play(func(o *options) { o.Record = &written }, func(m *match) bool { return m.Close() == nil })
			return written.Len() > 100
		},
		"Recording": func() bool {
			return refused(func(o *options) { o.Record, o.Recording.Meta = io.Discard, make([]tickback.MetaField, 100) })
		},
		"Trace": func() bool {
			var written bytes.Buffer
			w := trace.NewWriter(&written)
			play(func(o *options) { o.Trace = w }, func(*match) bool { return true })
			return w.Close() == nil && written.Len() > 1000
		},
		"Timeouts.Connect": func() bool { return refused(func(o *options) { o.Timeouts.Connect = -1 }) },
		"Timeouts.Ready":   func() bool { return refused(func(o *options) { o.Timeouts.Ready = -1 }) },
		"Timeouts.Warn":    func() bool { return refused(func(o *options) { o.Timeouts.Warn = time.Hour }) },
		"Timeouts.Drop":    func() bool { return refused(func(o *options) { o.Timeouts.Drop = time.Hour }) },
		"Timeouts.Linger":  func() bool { return refused(func(o *options) { o.Timeouts.Linger = -1 }) },
		"Timeouts.Quorum":  func() bool { return refused(func(o *options) { o.Timeouts.Quorum = -1 }) },
		"Timeouts.Pause":   func() bool { return refused(func(o *options) { o.Timeouts.Pause = -1 }) },

		"Advanced.HashEvery":       func() bool { return refused(func(o *options) { o.Advanced.HashEvery = 1 << 16 }) },
		"Advanced.ChainEvery":      func() bool { return refused(func(o *options) { o.Advanced.ChainEvery = -1 }) },
		"Advanced.Snapshots":       func() bool { return refused(func(o *options) { o.Advanced.Snapshots = 1 << 20 }) },
		"Advanced.History":         func() bool { return refused(func(o *options) { o.Advanced.History = 1 << 20 }) },
		"Advanced.MaxEffects":      func() bool { return refused(func(o *options) { o.Advanced.MaxEffects = -1 }) },
		"Advanced.EffectTolerance": func() bool { return refused(func(o *options) { o.Advanced.EffectTolerance = 1 << 20 }) },
		"Advanced.Evidence": func() bool {
			return refused(func(o *options) { o.Advanced.Evidence = 1<<30 + 1 })
		},
		"Advanced.MaxState": func() bool { return unjoined(func(o *options) { o.Advanced.MaxState = -1 }) },
		"Advanced.Random": func() bool {
			_ = refused(func(o *options) { o.Advanced.Random = func() uint64 { asked++; return 4 } })
			return asked > 0
		},
		"Advanced.Now": func() bool {
			return play(func(o *options) { o.Advanced.Now = func() time.Time { return time.Unix(5, 0) } }, func(m *match) bool { return m.View().Frame <= 1 })
		},
	}
	seen := 0
	check := func(name string) {
		works, known := does[name]
		switch seen++; {
		case !known:
			t.Errorf("Options.%s is new: say here what it does", name)
		case !works():
			t.Errorf("Options.%s has no effect", name)
		}
	}
	all := reflect.TypeFor[options]()
	for i := range all.NumField() {
		switch f := all.Field(i); f.Name {
		case "Timeouts", "Advanced":
			for k := range f.Type.NumField() {
				check(f.Name + "." + f.Type.Field(k).Name)
			}
		default:
			check(f.Name)
		}
	}
	if seen != len(does) {
		t.Errorf("%d options, and %d are tried", seen, len(does))
	}
}

package ggpo_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// A player who leaves, or is silent for too long, is told once by an event, and in each frame without it by a flag and
// an input of zeros: the same frames at all who go on.
func TestDisconnected(t *testing.T) {
	for name, leave := range map[string]func(l *loop){
		"it closes":               func(l *loop) { ok(t, l.p.backend.Close()); l.stop = true },
		"it is silent":            func(l *loop) { l.stop = true },
		"it disconnects its own":  func(l *loop) { ok(t, l.p.backend.DisconnectPlayer(3)) },
		"it closes in its frame":  func(l *loop) { l.p.onStep = func() { ok(t, l.p.backend.Close()) }; _ = l.p.turn(); l.stop = true },
		"it closes in a callback": func(l *loop) { l.p.onLoad = func(int) { l.p.onLoad = nil; ok(t, l.p.backend.Close()); l.stop = true } },
		"it closes in an event": func(l *loop) {
			l.p.onEvent = func(*ggpo.Event) { l.p.onEvent = nil; ok(t, l.p.backend.Close()); l.stop = true }
		},
	} {
		w, players := meet(t, plan{machines: []int{1, 1, 1}, link: lossy, seed: 7})
		loops := loopsOf(players)
		w.run(4*time.Second, loops, nil)
		w.meanwhile = loops[:2]
		leave(loops[2])
		w.run(12*time.Second, loops[:2], nil)
		if name == "it closes in a callback" || name == "it closes in an event" {
			w.run(6*time.Second, loops, nil)
			w.run(12*time.Second, loops, nil)
		}
		equal(t, 600, players[0], players[1])
		healthy(t, players[:2]...)
		for i, p := range players[:2] {
			if e := p.event(ggpo.EventCodeDisconnectedFromPeer); p.count(ggpo.EventCodeDisconnectedFromPeer) != 1 || e.Player != 3 || e.Text == "" {
				t.Errorf("%s: machine %d is told %d times: %+v", name, i, p.count(ggpo.EventCodeDisconnectedFromPeer), e)
			}
			last := len(p.flags) - 1
			if p.flags[100] != 0 || p.flags[last] != 1<<2 || string(p.inputs[last][6:]) != "\x00\x00\x00" {
				t.Errorf("%s: machine %d: flags %b and then %b, inputs %v", name, i, p.flags[100], p.flags[last], p.inputs[last])
			}
			if n := len(p.sums); n < 600 {
				t.Errorf("%s: machine %d has run %d frames", name, i, n)
			}
		}
	}
}

// Of two, the one that is left goes on alone, as it does with GGPO.
func TestTheLastOneGoesOn(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 8})
	loops := loopsOf(players)
	w.run(3*time.Second, loops, nil)
	w.meanwhile = loops[1:]
	ok(t, players[0].backend.Close())
	before := len(players[1].sums)
	w.run(8*time.Second, loops[1:], nil)
	if n := len(players[1].sums) - before; n < 400 || players[1].event(ggpo.EventCodeDisconnectedFromPeer).Player != 1 {
		t.Errorf("%d frames in 8 s, %+v", n, players[1].events)
	}
}

// The host can disconnect a player, whose machine is told and cannot go on; others cannot.
func TestTheHostDisconnects(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1, 1}, link: lossy, seed: 9})
	loops := loopsOf(players)
	w.run(3*time.Second, loops, nil)
	if err := players[1].backend.DisconnectPlayer(3); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodeUnsupported}) {
		t.Error(err)
	}
	ok(t, players[0].backend.DisconnectPlayer(3))
	w.run(3*time.Second, loops, nil)
	equal(t, 250, players[0], players[1])
	if err := players[0].backend.DisconnectPlayer(3); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePlayerDisconnected}) {
		t.Error(err)
	}
	out := players[2]
	if err := out.turn(); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePlayerDisconnected}) {
		t.Error(err)
	}
	if out.count(ggpo.EventCodeDisconnectedFromPeer) != 2 {
		t.Errorf("the machine that is out is told %v", out.events)
	}
	w.meanwhile = loops[1:2]
	ok(t, players[0].backend.DisconnectPlayer(1))
	host := players[0]
	if last := host.events[len(host.events)-1]; host.count(ggpo.EventCodeDisconnectedFromPeer) != 2 || last.Code != ggpo.EventCodeDisconnectedFromPeer || last.Player != 2 {
		t.Errorf("the host, which then leaves, is told %v", host.events)
	}
	if err := host.turn(); !errors.Is(err, ggpo.Error{Code: ggpo.ErrorCodePlayerDisconnected}) {
		t.Error(err)
	}
	ok(t, host.backend.Close())
}

// The timeouts count from the last datagram of a peer.
func TestDisconnectTimeouts(t *testing.T) {
	w := newWorld(t, 3, 60, netem.Link{Delay: 10 * ms})
	var players []*player
	for i := range 2 {
		p := newPlayer(t, 3, uint64(i))
		b := ggpo.NewPeer(p, 7000, 2, 3)
		p.backend, p.handles = &b, []ggpo.PlayerHandle{ggpo.PlayerHandle(i + 1)}
		ok(t, b.SetOptions(w.ports[i].options(uint64(i))))
		ok(t, b.InitializeConnection(w.ports[i]))
		ok(t, b.SetDisconnectTimeout(2000))
		ok(t, b.SetDisconnectNotifyStart(500))
		for n := 1; n <= 2; n++ {
			who := ggpo.NewRemotePlayer(20, n, ip(n-1), 7000)
			if n == i+1 {
				who = ggpo.NewLocalPlayer(20, n)
			}
			var h ggpo.PlayerHandle
			ok(t, b.AddPlayer(&who, &h))
		}
		b.Start()
		players = append(players, p)
	}
	loops := loopsOf(players)
	w.run(2*time.Second, loops, nil)
	stopped := w.now
	told := map[ggpo.EventCode]time.Duration{}
	players[0].onEvent = func(e *ggpo.Event) { told[e.Code] = w.now - stopped }
	w.run(4*time.Second, loops[:1], nil)
	if d := told[ggpo.EventCodeConnectionInterrupted]; d < 480*ms || d > 600*ms {
		t.Errorf("interrupted after %v", d)
	}
	if e := players[0].event(ggpo.EventCodeConnectionInterrupted); e.DisconnectTimeout < 1400 || e.DisconnectTimeout > 1500 {
		t.Errorf("%+v", e)
	}
	if d := told[ggpo.EventCodeDisconnectedFromPeer]; d < 1980*ms || d > 2200*ms {
		t.Errorf("disconnected after %v", d)
	}
}

// Players are counted from 1 in all that is said, as their handles are, though Tickback's errors below count from 0.
func TestMissingPlayersAreCountedFromOne(t *testing.T) {
	for _, c := range []struct {
		machines []int
		alone    int // the only one of them that runs
		text     string
		missing  tickback.PlayerSet
	}{
		{[]int{1, 1}, 0, "an answer of player 2", tickback.SetOf(1)},
		{[]int{1, 1}, 1, "an answer of player 1", tickback.SetOf(0)},
		{[]int{1, 1, 1}, 0, "an answer of players 2 and 3", tickback.SetOf(1) | tickback.SetOf(2)},
	} {
		w, players := meet(t, plan{machines: c.machines, link: lossy, seed: 50, change: func(_ int, o *ggpo.Options) { o.Connect = time.Second }})
		p := players[c.alone]
		w.run(3*time.Second, loopsOf([]*player{p}), nil)
		err := p.backend.AddLocalInput(p.handles[0], make([]byte, p.size), p.size)
		var late *tickback.TimeoutError
		if !errors.As(err, &late) || late.Players != c.missing || !strings.Contains(err.Error(), c.text) {
			t.Errorf("machine %d of %d: %v, want %q", c.alone, len(c.machines), err, c.text)
		}
		if e := p.event(ggpo.EventCodeDisconnectedFromPeer); !strings.Contains(e.Text, c.text) || !errors.As(e.Err, &late) {
			t.Errorf("machine %d of %d is told %q, want %q", c.alone, len(c.machines), e.Text, c.text)
		}
		ok(t, p.backend.Close())
	}
}

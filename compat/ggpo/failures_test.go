package ggpo_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/compat/ggpo"
	"github.com/tickback/tickback/netem"
)

// What the ports of GGPO are known to fail at.

// Strangers who send noise, and what the players have sent before, disturb nobody.
func TestStrayDatagrams(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Delay: 20 * ms}, seed: 3})
	draw := random(9)
	noise := make([]byte, 1200)
	stranger := w.ports[2]
	copies := 0
	w.run(10*time.Second, loopsOf(players), func() {
		for to := range 2 {
			b := noise[:1+draw()%1200]
			for i := range b {
				b[i] = byte(draw())
			}
			_ = stranger.Send(addr(to), b)
			// A datagram of the other player comes once more, from the stranger and, as a forger can do, from him himself.
			if waiting := w.ports[to].waiting; len(waiting) > 0 {
				copies++
				old := waiting[0]
				w.net.Send(w.now, 2, to, old.bytes)
				w.net.Send(w.now, 1-to, to, old.bytes)
				old.bytes = append([]byte(nil), old.bytes...)
				old.bytes[draw()%uint64(len(old.bytes))] ^= byte(1 + draw()%255)
				w.net.Send(w.now, 1-to, to, old.bytes)
			}
		}
	})
	equal(t, 500, players...)
	healthy(t, players...)
	for i, p := range players {
		s := p.backend.(*ggpo.Peer).Stats()
		if s.Strangers < 1000 || s.Rejected == 0 || copies < 500 {
			t.Errorf("machine %d: %d datagrams of strangers, %d rejected, %d copies: hardly anything was tried", i, s.Strangers, s.Rejected, copies)
		}
		if p.count(ggpo.EventCodeDisconnectedFromPeer) != 0 {
			t.Errorf("machine %d: %v", i, p.event(ggpo.EventCodeDisconnectedFromPeer))
		}
	}
}

// A match begins although nothing gets through at first, and then hardly anything; and although one program starts long
// after the other.
func TestLostHellos(t *testing.T) {
	for name, late := range map[string]time.Duration{"": 0, "the second program starts late, ": 40 * time.Second} {
		w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Down: true}, seed: 4})
		loops := loopsOf(players)
		loops[1].stop = late > 0
		w.run(late, loops, nil)
		loops[1].stop = false
		w.run(5*time.Second, loops, nil)
		ok(t, w.net.SetAll(netem.Link{Delay: 30 * ms, Loss: 70 * netem.Percent}))
		w.run(10*time.Second, loops, nil)
		for i, p := range players {
			if p.count(ggpo.EventCodeRunning) != 1 {
				t.Errorf("%smachine %d does not run after 10 s at 70 %% loss", name, i)
			}
		}
		ok(t, w.net.SetAll(lossy))
		w.run(5*time.Second, loops, nil)
		equal(t, 150, players...)
		healthy(t, players...)
	}
}

// A machine that stops for 2 s holds the other one up for that time, and then both go on together. The other is told.
func TestAHitch(t *testing.T) {
	for slow := range 2 {
		w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 5})
		loops := loopsOf(players)
		w.run(5*time.Second, loops, nil)
		loops[slow].stop = true
		w.run(2*time.Second, loops, nil)
		loops[slow].stop = false
		other := players[1-slow]
		if e := other.event(ggpo.EventCodeConnectionInterrupted); e.Player != other.handleOf(slow) || e.DisconnectTimeout < 3000 || e.DisconnectTimeout > 4300 {
			t.Errorf("machine %d stops: the other is told %+v", slow, e)
		}
		held := len(other.sums)
		w.run(5*time.Second, loops, nil)
		if n := len(other.sums) - held; n < 285 {
			t.Errorf("machine %d has stopped: %d frames in the 5 s after that", slow, n)
		}
		if other.count(ggpo.EventCodeConnectionResumed) != other.count(ggpo.EventCodeConnectionInterrupted) || other.count(ggpo.EventCodeDisconnectedFromPeer) != 0 {
			t.Errorf("machine %d has stopped: %v", slow, other.events)
		}
		equal(t, 400, players...)
		healthy(t, players...)
	}
}

// handleOf returns the handle of the player of a machine, in matches with one player at each.
func (p *player) handleOf(machine int) ggpo.PlayerHandle { return ggpo.PlayerHandle(machine + 1) }

// A clock that is 1 % fast does not tear the machines apart: neither if the loop waits for Period, nor if it follows
// EventCodeTimeSync. Without either, it does, which is the negative control: the faster machine runs as far ahead as it
// may, waits again and again, and is the only one that rolls back.
func TestTimeSyncDrift(t *testing.T) {
	rollbacks := func(kind string) [2]int {
		w, players := meet(t, plan{machines: []int{1, 1}, link: netem.Link{Delay: 40 * ms}, seed: 6, fast: []int{10, 0}})
		loops := loopsOf(players, 10, 0)
		for _, l := range loops {
			l.sync = kind != "Period"
			if kind == "nothing" {
				l.p.onEvent = func(*ggpo.Event) { l.p.resting = 0 }
			}
		}
		length := 40 * time.Second
		if testing.Short() {
			length /= 2
		}
		w.run(20*time.Second, loops, nil) // until they are level
		before := [2]int{players[0].again, players[1].again}
		waited := players[0].waited
		w.run(length, loops, nil)
		equal(t, int(length/time.Second)*80, players...)
		healthy(t, players...)
		fast, err := players[0].backend.GetNetworkStats(2)
		ok(t, err)
		slow, err := players[1].backend.GetNetworkStats(1)
		ok(t, err)
		if kind == "nothing" && (fast.Timesync.LocalFramesBehind > -2 || fast.Timesync.RecommendedWait < 30*ms || slow.Timesync.LocalFramesBehind < 2 || slow.Timesync.RecommendedWait != 0) {
			t.Errorf("%s: %+v and %+v", kind, fast.Timesync, slow.Timesync)
		}
		if waited = players[0].waited - waited; waited > 2 && kind != "nothing" {
			t.Errorf("%s: the fast machine had to wait in %d frames", kind, waited)
		}
		return [2]int{players[0].again - before[0], players[1].again - before[1]}
	}
	fair := func(n [2]int) bool { return n[0] < 2*n[1] && n[1] < 2*n[0] }
	for _, kind := range []string{"Period", "EventCodeTimeSync"} {
		if n := rollbacks(kind); !fair(n) {
			t.Errorf("%s: %d frames again at the fast machine, and %d at the other", kind, n[0], n[1])
		}
	}
	if n := rollbacks("nothing"); fair(n) {
		t.Errorf("without either it is fair, too: %d and %d frames again", n[0], n[1])
	}
}

package ggpo_test

import (
	"bytes"
	"log"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/compat/ggpo"
)

// healthy checks that the peers have compared their states, and found no difference.
func healthy(t *testing.T, players ...*player) {
	t.Helper()
	for i, p := range players {
		s := p.backend.(*ggpo.Peer).Stats()
		if s.Health != tickback.Healthy || p.count(ggpo.EventCodeDesync) != 0 {
			t.Errorf("machine %d is %v after %d frames, %d desyncs", i, s.Health, s.Frame, p.count(ggpo.EventCodeDesync))
		}
	}
}

// Two peers on a bad network roll back, agree on all frames, and are told what a game for GGPO waits for.
func TestTwoPeers(t *testing.T) {
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 1})
	for _, p := range players { // what is stored under the next number may be freed
		p.onSave = func(id int) { delete(p.saved, (id+1)%(ggpo.MaxPredictionFrames+2)) }
	}
	w.run(20*time.Second, loopsOf(players), nil)
	equal(t, 1000, players...)
	healthy(t, players...)
	for i, p := range players {
		if p.loads < 50 || p.again < 100 || p.saves < len(p.sums) {
			t.Errorf("machine %d: %d loads, %d frames again, %d saves of %d frames: there were hardly any rollbacks", i, p.loads, p.again, p.saves, len(p.sums))
		}
		if p.mostState != ggpo.MaxPredictionFrames+1 {
			t.Errorf("machine %d: states are numbered up to %d, want %d", i, p.mostState, ggpo.MaxPredictionFrames+1)
		}
		for _, code := range []ggpo.EventCode{ggpo.EventCodeConnectedToPeer, ggpo.EventCodeSynchronizingWithPeer, ggpo.EventCodeSynchronizedWithPeer, ggpo.EventCodeRunning} {
			if p.count(code) != 1 {
				t.Errorf("machine %d: event %d comes %d times, want once", i, code, p.count(code))
			}
		}
		if n := p.count(ggpo.EventCodeTimeSync); n < 3 {
			t.Errorf("machine %d: EventCodeTimeSync comes %d times in 20 s", i, n)
		}
		s, err := p.backend.GetNetworkStats(ggpo.PlayerHandle(2 - i))
		ok(t, err)
		if s.Network.Ping < 55 || s.Network.Ping > 110 || s.Network.KbpsSent == 0 {
			t.Errorf("machine %d: %+v", i, s)
		}
	}
	closeAll(t, players)
	for i, p := range w.ports[:2] {
		if p.closed != 1 {
			t.Errorf("the transport of machine %d was closed %d times", i, p.closed)
		}
	}
}

// With another window, states have so many numbers more or less. Longer paths than the window make frames wait.
func TestWindow(t *testing.T) {
	for _, window := range []int{1, 3, 20} {
		w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 2, change: func(_ int, o *ggpo.Options) { o.Window = window }})
		w.run(5*time.Second, loopsOf(players), nil)
		equal(t, 60, players...)
		healthy(t, players...)
		for i, p := range players {
			if p.mostState != window+1 {
				t.Errorf("a window of %d: machine %d numbers states up to %d", window, i, p.mostState)
			}
		}
	}
}

// A logger gets a line for each event.
func TestSetLogger(t *testing.T) {
	var b bytes.Buffer
	ggpo.SetLogger(log.New(&b, "here: ", 0))
	w, players := meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 3})
	w.run(time.Second, loopsOf(players), nil)
	ggpo.DisableLogs()
	for _, word := range []string{"msg=connected", "msg=started"} {
		if strings.Count(b.String(), word) != 2 {
			t.Errorf("%q is not there for both machines:\n%s", word, &b)
		}
	}
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "here: level=") {
			t.Errorf("%q", line)
		}
	}
	size := b.Len()
	w, players = meet(t, plan{machines: []int{1, 1}, link: lossy, seed: 3})
	w.run(time.Second, loopsOf(players), nil)
	if b.Len() != size {
		t.Error("a session logs though logging is off")
	}
}

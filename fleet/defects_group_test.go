package fleet

import (
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// "In sync" was reported after a desync, when the states had become equal again.
//
// Seen to fail when the chain forgets the states before the newest.
func TestDefectInSyncAfterADesync(t *testing.T) {
	l := desyncing(t, 2, 100, true)
	l.until("the desync", 5*time.Second, func() bool {
		return l.Peers[0].Health() == session.Desynced && l.Peers[1].Health() == session.Desynced
	})
	for len(l.agreed[0][0]) < 280 {
		l.pass(50 * time.Millisecond)
		for i, p := range l.Peers {
			if p.Health() != session.Desynced {
				t.Fatalf("peer %d is %v again", i, p.Health())
			}
		}
	}
	last := len(l.agreed[0][0]) - 1
	if l.agreed[0][0][last].hash != l.agreed[1][0][last].hash {
		t.Fatal("the states are not equal again: this tests too little")
	}
	l.end(1, 10*time.Second)
	for i, p := range l.Peers {
		if o, _ := p.Outcome(); o.Health != session.Desynced {
			t.Errorf("peer %d: %+v", i, o)
		}
	}
}

// The comparison of checksums compared nothing, and said that all was well: without a
// checksum, and where states were saved now and then.
//
// Seen to fail when a verdict is given without a hash.
func TestDefectNothingIsCompared(t *testing.T) {
	l := newLab(t, 2, frames(150), delay(20*time.Millisecond), configure(func(_ int, c *session.Config) { c.HashEvery = -1 }))
	l.end(1, 10*time.Second)
	for i, p := range l.Peers {
		if o, _ := p.Outcome(); o.Health != session.Unverified || p.Health() != session.Unverified {
			t.Errorf("without hashes peer %d is %v", i, o.Health)
		}
	}
	sparse := func(every int) option {
		return configure(func(_ int, c *session.Config) { c.HashEvery, c.Snapshots = every, session.DefaultWindow+1 })
	}
	for _, every := range []int{1, 20, 60} {
		l := newLab(t, 2, frames(300), delay(20*time.Millisecond), sparse(every))
		l.end(1, 10*time.Second)
		l.healthy()
		l = desyncing(t, 2, 100, false, sparse(every))
		l.end(1, 10*time.Second)
		for i, p := range l.Peers {
			if p.Health() != session.Desynced {
				t.Errorf("hashes every %d frames, few snapshots: peer %d is %v", every, i, p.Health())
			}
		}
	}
}

// A hitch that was longer than the time-out for silence panicked.
//
// Seen to fail when nobody is lost for silence.
func TestDefectATimeoutShorterThanAHitchPanics(t *testing.T) {
	for _, players := range []int{2, 3} {
		for _, on := range []session.OnLeave{session.End, session.Continue} {
			if on == session.Continue && players > 2 {
				continue
			}
			l := newLab(t, players, delay(20*time.Millisecond), configure(func(_ int, c *session.Config) {
				c.OnLeave, c.DropAfter, c.WarnAfter, c.Linger = on, time.Second, 400*time.Millisecond, 300*time.Millisecond
			}))
			l.play()
			l.pass(time.Second)
			l.Peers[1].Down = true
			l.pass(2500 * time.Millisecond)
			l.Peers[1].Down = false
			l.pass(session.DefaultQuorumTimeout + 2*time.Second)
			for i, p := range l.Peers {
				if ph := p.Phase(); ph == session.Ending || ph == session.Playing && (on == session.End || p.Frame() < 200) {
					l.dump()
					t.Errorf("%d players, %v: peer %d is %v", players, on, i, ph)
				}
				l.useAll(i)
			}
			for f := range min(len(l.stream(0)), len(l.stream(1))) {
				a, b := l.stream(0)[f], l.stream(1)[f]
				if a.statuses[1] == b.statuses[1] && a.statuses[0] == b.statuses[0] && !equalFrames(a, b) {
					t.Fatalf("frame %d: %+v and %+v", f, a, b)
				}
			}
		}
	}
}

// frozen returns the maximum number of tick periods for which the frames of a peer did not
// advance until it was done with the match.
func (l *lab) frozen(peer int, limit time.Duration) (most int) {
	l.Helper()
	p, since, frame := l.Peers[peer], l.Now, l.Peers[peer].Frame()
	for end := l.Now + limit; l.Now < end; {
		if _, over := p.Outcome(); over || p.Phase() == session.Over {
			return most
		}
		if l.pass(time.Millisecond); p.Frame() != frame {
			since, frame = l.Now, p.Frame()
		}
		most = max(most, int((l.Now-since)/period))
	}
	return most
}

// When a player was removed, the others stood still for 59 to 81 frames, with 4 to 8
// players and 10 percent of loss: here they are through with the match, together, in half
// of that, in the worst of ten runs.
//
// Seen to fail when a machine that leaves does not say so.
func TestDefectARemovalFreezesTheOthers(t *testing.T) {
	for _, players := range few(4, 8) {
		worst, runs := 0, uint64(10)
		if testing.Short() {
			runs = 3
		}
		for seed := range runs {
			l := newLab(t, players, withLoss(30*time.Millisecond, 10*netem.Percent), seeded(seed+1))
			l.play()
			l.pass(2 * time.Second)
			l.Peers[1].Leave("")
			l.send(l.Peers[1])
			worst = max(worst, l.frozen(0, 10*time.Second))
			l.survivors(5*time.Second, 1)
		}
		t.Logf("%d players: frozen for %d frames at most", players, worst)
		if worst > 40 {
			t.Errorf("%d players: frozen for %d frames", players, worst)
		}
	}
}

// When a player crashed, the others froze for two seconds, regardless of their settings:
// here they freeze for as long as a silence may last, and not a quarter of a second more.
//
// Seen to fail when a peer may be silent for two seconds, whatever was set.
func TestDefectACrashFreezesTheOthers(t *testing.T) {
	for _, players := range []int{2, 4} {
		l := newLab(t, players, withLoss(30*time.Millisecond, 10*netem.Percent), configure(func(_ int, c *session.Config) {
			c.DropAfter, c.WarnAfter = time.Second, 500*time.Millisecond
			if players == 2 {
				c.OnLeave = session.Continue
			}
		}))
		l.play()
		l.pass(2 * time.Second)
		before := l.Peers[0].Frame()
		l.Peers[1].Down = true
		if n := l.frozen(0, 5*time.Second); n > 75 {
			t.Errorf("%d players: frozen for %d frames", players, n)
		}
		if f := l.Peers[0].Frame(); players == 2 && f < before+200 {
			t.Errorf("in 5 s it has gone from frame %d to %d", before, f)
		}
	}
}

// Inputs were sent again in the wrong case, which made four packets per frame; and an
// acknowledgement went out for every packet with inputs. Here there is one datagram for each
// frame and peer, with or without loss, however often datagrams arrive.
//
// Seen to fail when what has arrived is acknowledged at once.
func TestDefectPacketsForNothing(t *testing.T) {
	for _, link := range []netem.Link{{Delay: 20 * time.Millisecond}, {Delay: 20 * time.Millisecond, Loss: 20 * netem.Percent, Duplicate: 30 * netem.Percent}} {
		l := newLab(t, 3, over(link))
		l.play()
		l.pass(2 * time.Second)
		r := l.rates()
		arrived := 0
		l.OnReceive = func(_, to int, _ []byte) {
			if to == 0 {
				arrived++
			}
		}
		l.pass(10 * time.Second)
		r.check(t, 10*time.Second, 57, 62, 3*period)
		if arrived < 900 {
			t.Errorf("only %d have arrived: this tests too little", arrived)
		}
	}
}

// The round trip was not smoothed: a single late packet changed it.
//
// Seen to fail when the newest sample is the round trip.
func TestDefectTheRoundTripIsNotSmoothed(t *testing.T) {
	l := newLab(t, 2, over(netem.Link{Delay: 50 * time.Millisecond, Jitter: 20 * time.Millisecond, Distribution: netem.Uniform}))
	l.play()
	l.pass(3 * time.Second)
	least, most := time.Hour, time.Duration(0)
	for range 200 {
		l.pass(50 * time.Millisecond)
		rtt := l.Peers[0].Stats(nil).Links[0].RoundTrip
		least, most = min(least, rtt), max(most, rtt)
	}
	if most-least > 25*time.Millisecond || least < 100*time.Millisecond {
		t.Errorf("the round trip is %v to %v", least, most)
	}
	// One late datagram with a sample, of 300 ms, moves it by an eighth of the difference.
	slow := netem.Link{Delay: 300 * time.Millisecond}
	if err := l.Net.SetLink(1, 0, slow); err != nil {
		t.Fatal(err)
	}
	l.pass(8 * period)
	if err := l.Net.SetLink(1, 0, netem.Link{Delay: 50 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	for range 40 {
		l.pass(10 * time.Millisecond)
		if rtt := l.Peers[0].Stats(nil).Links[0].RoundTrip; rtt > most+40*time.Millisecond {
			t.Fatalf("after one late datagram the round trip is %v", rtt)
		}
	}
}

// What everybody had, agreed, was the limit of prediction, so that three and more players
// stalled at half of the round trip that two can bear. Here all can bear the same.
//
// Seen to fail when a frame runs if it is within the window of what is agreed.
func TestDefectAgreedIsTheLimitOfPrediction(t *testing.T) {
	for _, players := range few(2, 3, 4, 8, 16) {
		t.Run(fmt.Sprintf("%d players", players), func(t *testing.T) {
			l := newLab(t, players, delay(120*time.Millisecond))
			l.play()
			l.pass(5 * time.Second)
			for i, p := range l.Peers {
				st := p.Stats(nil)
				if st.Stalls > 0 || st.Frame < 290 {
					t.Errorf("peer %d: frame %d, %d stalls", i, st.Frame, st.Stalls)
				}
				if ahead := st.Frame - st.Agreed; ahead <= session.DefaultWindow && players > 2 {
					t.Errorf("peer %d: only %d frames are not agreed, this tests too little", i, ahead)
				}
			}
		})
	}
}

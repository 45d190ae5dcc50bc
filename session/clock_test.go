package session

import (
	"testing"
	"time"
)

// Rule: a machine that was asleep does not count that time against its peers, however
// long it was, and in any phase: the session goes on when the machine wakes up.
func TestOnesOwnSleepIsNobodysSilence(t *testing.T) {
	for _, phase := range []Phase{Connecting, Lobby, Starting, Playing} {
		for _, nap := range []time.Duration{6 * time.Second, time.Hour} {
			for _, on := range []OnLeave{End, Continue} {
				tr := newTrio(t, 3, func(c *Config) { c.Lobby, c.OnLeave = true, on })
				if phase == Connecting {
					tr.deaf = true
					tr.run(100 * time.Millisecond)
					tr.deaf = false
				} else {
					tr.reach(phase)
				}
				tr.now += nap
				tr.run(20 * time.Millisecond)
				for i, p := range tr.peers {
					if p.Err() != nil || tr.count(i, Silent)+tr.count(i, Lost)+tr.count(i, Frozen) > 0 {
						t.Errorf("%v, %v, %v: peer %d: %v, events %v", phase, on, nap, i, p.Err(), tr.seen[i])
					}
				}
				if phase == Playing {
					tr.run(5 * time.Second)
					for i, p := range tr.peers {
						if o, over := p.Outcome(); !over || o.Frames != 100 || o.Health != Healthy {
							t.Errorf("%v, %v: peer %d: %+v", on, nap, i, o)
						}
					}
				}
			}
		}
	}
}

// Rule: a session that is rarely updated still notices a dead peer, after a number of
// updates that does not depend on the time between them.
func TestARareUpdateFindsADeadPeer(t *testing.T) {
	for _, on := range []OnLeave{End, Continue} {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby, c.OnLeave = true, on })
		tr.reach(Playing)
		tr.deaf = true
		updates := 0
		for ; tr.count(0, Lost)+tr.count(0, Dropped) == 0; updates++ {
			if updates > 20 {
				t.Fatalf("%v: it is not found after %d updates, %v apart", on, updates, time.Minute)
			}
			tr.now += time.Minute
			tr.peers[0].Update(tr.now)
			tr.seen[0] = append(tr.seen[0], tr.peers[0].Events()...)
		}
		if updates < 5 {
			t.Errorf("%v: it is lost after %d updates, without a chance to be heard", on, updates)
		}
	}
}

// Rule: a clock that jumps, forwards or back, on one machine or on all of them, breaks
// nothing: the match is played to its end, and no reported time is negative.
func TestAClockMayJump(t *testing.T) {
	for _, jump := range []time.Duration{-time.Nanosecond, -time.Second, -time.Hour, -1000 * time.Hour, 3 * time.Second, time.Hour, 1000 * time.Hour} {
		for _, all := range []bool{false, true} {
			tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
			tr.reach(Playing)
			shift := [2]time.Duration{}
			for step := range 3000 {
				if step%50 == 20 && step < 200 {
					shift[0] += jump
					if all {
						shift[1] += jump
					}
				}
				tr.now += 4 * time.Millisecond
				for i, p := range tr.peers {
					next := p.Update(tr.now + shift[i])
					if wait := next - tr.now - shift[i]; wait > time.Second {
						t.Fatalf("after a jump of %v it wants to be called in %v", jump, wait)
					}
					for to, b := range p.Outgoing() {
						j := int(to.Addr().As4()[3]) - 1
						tr.peers[j].Receive(tr.now+shift[j], addrOf(i), append([]byte(nil), b...))
					}
					for _, e := range p.Events() {
						if tr.seen[i] = append(tr.seen[i], e); e.For < 0 {
							t.Errorf("%v", e)
						}
					}
					if passed, period := p.Progress(tr.now + shift[i]); passed < 0 || passed > period {
						t.Errorf("%v of %v have passed", passed, period)
					}
				}
			}
			for i, p := range tr.peers {
				if o, over := p.Outcome(); !over || o.Frames != 100 || o.Health != Healthy {
					t.Errorf("a jump of %v, of all %v: peer %d: %v, %+v, %v", jump, all, i, p.Phase(), o, tr.seen[i])
				}
				for _, l := range p.Stats(nil).Links {
					if l.RoundTrip < 0 || l.Quiet < 0 {
						t.Errorf("a jump of %v: %+v", jump, l)
					}
				}
			}
		}
	}
}

package session

import (
	"testing"
	"time"
)

// seldom lets time pass for machines whose owners call them at this interval: each runs everything that is
// due, like a machine that is fast enough.
func (tr *trio) seldom(d, every time.Duration) {
	for end := tr.now + d; tr.now < end; tr.now += every {
		for _, p := range tr.peers {
			for next := p.Update(tr.now); next <= tr.now && p.Phase() == Playing; next = p.Update(tr.now) {
				tr.carry()
			}
			tr.carry()
			p.Events()
			p.Effects()
		}
	}
}

// Rule: at every tick rate a machine that is fast enough plays at that rate, however few pictures its owner
// shows: at the highest rate the window limits that to 120 ms.
func TestWhoShowsFewPicturesPlaysAtTheTickRate(t *testing.T) {
	for _, rate := range []int{20, 60, 240, MaxTickRate} {
		for _, every := range []time.Duration{time.Second / 30, time.Second / 20} {
			tr := newTrio(t, 2, func(c *Config) { c.TickRate = rate })
			tr.run(500 * time.Millisecond)
			tr.seldom(2*time.Second, every)
			before, began := tr.peers[0].Frame(), tr.now
			tr.seldom(9*time.Second, every)
			got, want := int(tr.peers[0].Frame()-before), int((tr.now-began)*time.Duration(rate)/time.Second)
			if got < want*97/100 || got > want*103/100 {
				t.Errorf("%d Hz, a call every %v: %d frames ran in the time of %d", rate, every, got, want)
			}
		}
	}
}

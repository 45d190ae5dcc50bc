package session

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Step sends at most one datagram per peer and call, in every phase; and received data
// is answered with at most one.
func TestStepSendsOneDatagram(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Match.Frames = 200 })
	sent := 0
	for step := range 400 {
		for i, p := range tr.peers {
			p.Step(tr.now)
			counts := [3]int{}
			for to, b := range p.Outgoing() {
				j := int(to.Addr().As4()[3]) - 1
				if datagram.IsSession(b) {
					counts[j]++
					sent++
				}
				tr.peers[j].Receive(tr.now, addrOf(i), slices.Clone(b))
			}
			if slices.Max(counts[:]) > 1 {
				t.Fatalf("step %d: peer %d, %v, has sent %v", step, i, p.Phase(), counts)
			}
			tr.carry()
			p.Events()
		}
		if tr.now += 16 * time.Millisecond; step == 350 {
			tr.peers[2].Leave("")
		}
	}
	if o, ok := tr.peers[0].Outcome(); !ok || o.Frames != 200 || o.Health != Healthy || sent < 6*200 {
		t.Errorf("%v %+v, %d datagrams", ok, o, sent)
	}
}

// A message that a machine leaves is answered with one datagram: the acknowledgement.
func TestALeaveIsAnsweredOnce(t *testing.T) {
	for _, players := range []int{2, 3} {
		for _, on := range []OnLeave{End, Continue} {
			for _, phase := range []Phase{Lobby, Starting, Playing, Ending} {
				if phase >= Playing {
					continue // the log answers, in its own time
				}
				tr := newTrio(t, players, func(c *Config) { c.Lobby, c.OnLeave = true, on })
				tr.reach(phase)
				leaver := tr.peers[1]
				leaver.Leave("bye")
				var leave []byte
				for to, b := range leaver.Outgoing() {
					if to == addrOf(0) {
						leave = slices.Clone(b)
					}
				}
				tr.peers[0].Receive(tr.now, addrOf(1), leave)
				n := map[netip.AddrPort]int{}
				for to := range tr.peers[0].Outgoing() {
					n[to]++
				}
				if n[addrOf(1)] != 1 || n[addrOf(2)] > 1 {
					t.Errorf("%d players, %v, %v: %v", players, on, phase, n)
				}
			}
		}
	}
}

// While no frame can run, since it is not decided where the match ends, nothing moves
// between two states: all of the tick period has passed.
func TestNothingMovesWhileNothingRuns(t *testing.T) {
	tr := newTrio(t, 3, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.forge = func(from, to int, b []byte) []byte {
		if from == 1 || to == 1 {
			return nil // it does not take part in the decision
		}
		return b
	}
	tr.peers[2].Leave("")
	seen := 0
	for range 100 {
		tr.run(4 * time.Millisecond)
		m := tr.peers[0]
		if m.Phase() != Playing || !m.pacing.schedule.Blocked() {
			continue
		}
		seen++
		for ms := range time.Duration(40) {
			if passed, period := m.Progress(tr.now + ms*time.Millisecond); passed != period {
				t.Fatalf("%v of %v have passed", passed, period)
			}
		}
	}
	if seen < 50 {
		t.Errorf("it stood still %d times", seen)
	}
}

// Poll says when there is something to do, and then does it: an owner that calls it at
// exactly that time is not told "now" again and again. (A session that was leaving
// once had to contact a peer that had answered and then sent nothing else, and did
// not.)
func TestPollDoesWhatItSaysIsDue(t *testing.T) {
	tr := newTrio(t, 3, nil)
	p := tr.peers[0]
	for now, calls, left := time.Duration(0), 0, false; now < 3*time.Second; calls++ {
		if calls > 4000 {
			t.Fatalf("%d calls in %v, in phase %v", calls, now, p.Phase())
		}
		next := p.Update(now)
		for to, b := range p.Outgoing() {
			if b[0] == datagram.KindHello && !left {
				h, _ := datagram.ConsumeHello(b)
				// The peer answers, and sends nothing more.
				w := datagram.Welcome{Version: datagram.Version, Nonce: 9, Attempt: h.Attempt, Items: tr.peers[1].items}
				w.Items.Own = 1 << (to.Addr().As4()[3] - 1)
				p.Receive(now, to, datagram.Key(h.Nonce).Seal(w.Append(nil), 0, 0))
			}
		}
		if now > 500*time.Millisecond && !left {
			left = true
			p.Leave("enough")
		}
		now = max(next, now+time.Nanosecond)
	}
}

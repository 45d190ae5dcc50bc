package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// maxSteps bounds the steps of a fuzzed schedule.
const maxSteps = 16

// Whatever happens to three peers (loss, delay, cuts, hangs, moves, leaves, in any order),
// they never agree on different frames, an outcome is what was agreed, and once the network is whole
// again, nobody hangs.
//
// Each step is two bytes: what happens to which peer, and to what extent.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte{1, 0, 5})
	f.Add([]byte{1, 0x00, 20, 0x13, 200, 0x24, 100})
	f.Add([]byte{2, 0x05, 100, 0x16, 255, 0x05, 0, 0x27, 3})
	f.Add([]byte{3, 0x04, 90, 0x14, 30, 0x24, 200, 0x01, 20, 0x07, 1, 0x17, 1})
	f.Add([]byte{4, 0x08, 1, 0x02, 30, 0x17, 9, 0x26, 250})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1 {
			return
		}
		l := newLab(t, 3, frames(60), delay(20*time.Millisecond), seeded(uint64(data[0])),
			configure(func(_ int, c *session.Config) { // so that there is little to simulate
				c.DropAfter, c.WarnAfter, c.Linger = time.Second, 300*time.Millisecond, 300*time.Millisecond
				c.ConnectTimeout = 2 * time.Second
			}))
		for n := 1; n+1 < len(data) && n < 2*maxSteps; n += 2 {
			l.step(data[n]&15, int(data[n]>>4)%3, int(data[n+1]))
		}
		l.recover()
		l.settle()
	})
}

// step is one thing that happens to a peer.
func (l *lab) step(what byte, peer, much int) {
	other := (peer + 1 + much%2) % 3
	p := l.Peers[peer]
	link := l.Net.Link(peer, other)
	switch what {
	case 0:
		link.Delay = time.Duration(much) * time.Millisecond
	case 1:
		link.Loss = netem.PPM(much%50) * netem.Percent
	case 2:
		link.Jitter, link.Distribution, link.Reorder = time.Duration(much%60)*time.Millisecond, netem.Exponential, much%2 == 0
	case 3:
		link.Duplicate, link.Corrupt = netem.PPM(much%30)*netem.Percent, netem.PPM(much/30)*netem.Percent
	case 4:
		l.pass(time.Duration(4*much) * time.Millisecond) // up to a second
	case 5:
		l.Net.Cut(peer, other, much%3 > 0)
	case 6:
		p.Down = much%3 > 0
	case 7:
		if much%4 == 0 {
			p.Leave("fuzz")
		}
	case 8:
		_ = p.SetDelay(session.Player(peer), much%20)
	default:
		l.pass(time.Duration(much) * time.Millisecond)
	}
	if link.Jitter == 0 {
		link.Distribution = netem.None
	}
	if err := l.Net.SetLink(peer, other, link); err != nil {
		l.Fatal(err)
	}
}

// recover makes the network whole and wakes everybody.
func (l *lab) recover() {
	if err := l.Net.SetAll(netem.Link{Delay: 20 * time.Millisecond}); err != nil {
		l.Fatal(err)
	}
	for i, p := range l.Peers {
		p.Down = false
		for j := range l.Peers {
			if i != j {
				l.Net.Cut(i, j, false)
			}
		}
	}
}

// settle waits until everybody is over or in the lobby after the match, and checks
// that nobody has agreed on anything else than the others.
func (l *lab) settle() {
	l.Helper()
	l.until("an end of everything", 60*time.Second, func() bool {
		return l.all(func(p *Peer[ledger, note]) bool {
			_, ended := p.Outcome()
			return ended || p.Phase() == session.Over
		})
	})
	var longest []agreedFrame
	for i, p := range l.Peers {
		if len(l.agreed[i]) == 0 {
			continue
		}
		s := l.agreed[i][0]
		for f := range min(len(s), len(longest)) {
			if !equalFrames(s[f], longest[f]) {
				l.dump()
				l.Fatalf("peer %d: frame %d is agreed as %+v, elsewhere as %+v", i, f, s[f], longest[f])
			}
		}
		if len(s) > len(longest) {
			longest = s
		}
		if o, ok := p.Outcome(); ok && (int(o.Frames) != len(s) || o.Health == session.Desynced) {
			l.dump()
			l.Fatalf("peer %d: %+v, and %d frames were agreed", i, o, len(s))
		}
	}
	l.offline(0, longest)
}

package peer

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// path is one direction of a connection, for which every eighth datagram of the other end reports the newest that has
// arrived.
type path struct {
	carried
	now          time.Duration
	next, newest uint64 // the newest is counted from one
	known        int    // holes
}

// send sends a datagram, and reports whether the path has just turned out to be a black hole.
func (p *path) send(size int, arrives bool) bool {
	p.now += 20 * time.Millisecond
	if size > datagram.MinSize {
		p.note(p.next, p.now, 50*time.Millisecond)
	} else {
		p.noteSmall(p.next)
	}
	if p.next++; arrives {
		p.newest = p.next
	}
	if p.next%8 == 0 && p.newest > 0 {
		p.sample(p.newest - 1)
	}
	return p.narrowed(&p.known)
}

// A path that loses many datagrams of all sizes is no black hole, however its datagrams are mixed.
func TestALossyPathIsNoBlackHole(t *testing.T) {
	for _, c := range []struct{ large, lost int }{{100, 60}, {50, 50}, {30, 40}, {100, 0}, {0, 100}} {
		p, r := path{}, rand.New(rand.NewPCG(1, uint64(c.large)))
		for range 20_000 {
			size := datagram.MinSize
			if r.IntN(100) < c.large {
				size++
			}
			if p.send(size, r.IntN(100) >= c.lost) {
				t.Errorf("%d %% large, %d %% lost: a black hole after %d", c.large, c.lost, p.next)
				break
			}
		}
	}
}

// An end that hears nothing from the other one knows nothing about the path.
func TestSilenceIsNoBlackHole(t *testing.T) {
	c := carried{}
	for n := range uint64(1000) {
		c.note(n, time.Duration(n)*20*time.Millisecond, time.Millisecond)
		if c.holes > 0 {
			t.Fatalf("a black hole after %d", n)
		}
	}
}

// A path that carries only small datagrams is a black hole, once it has had the time to show that, and many large ones; even
// if large ones had arrived before, and the last one that has arrived is one of them.
func TestABlackHole(t *testing.T) {
	for _, before := range []uint64{0, 1, 100, 5000} {
		for _, share := range []uint64{1, 2, 4} { // one in so many is large
			p := path{}
			for range before {
				if p.send(datagram.MaxSize, true) {
					t.Fatalf("%d before: one while all arrive", before)
				}
			}
			began, found := p.now, false
			for !found && p.next < before+2000 {
				size := datagram.MinSize
				if p.next%share == 0 {
					size = p.most(datagram.MaxSize)
				}
				found = p.send(size, size == datagram.MinSize)
			}
			if took := p.now - began; !found || took < holeAfter-160*time.Millisecond || took > time.Duration(max(share*share, 4))*holeTold*8*20*time.Millisecond+holeAfter {
				t.Errorf("%d before, one in %d: found %v after %v", before, share, found, took)
			}
			if p.narrowed(&p.known) {
				t.Error("it is told twice")
			}
			if p.send(datagram.MaxSize, false) || p.most(datagram.MaxSize) != datagram.MaxSize {
				t.Error("what was found still counts")
			}
		}
	}
}

// While it is in doubt whether a path carries large datagrams, every second one is small; once a large one has arrived, none is.
func TestInDoubtEverySecondDatagramIsSmall(t *testing.T) {
	p, small, row, longest := path{}, 0, 0, 0
	for range 200 {
		size := p.most(datagram.MaxSize)
		if row++; size == datagram.MinSize {
			small, row = small+1, 0
		} else if p.now > 400*time.Millisecond {
			longest = max(longest, row)
		}
		if p.send(size, size == datagram.MinSize) {
			break
		}
	}
	if longest > 1 || small < 20 {
		t.Errorf("%d small ones until %v, and %d large ones in a row", small, p.now, longest)
	}
	p = path{}
	for n := range 200 {
		if p.most(datagram.MaxSize) != datagram.MaxSize {
			t.Fatalf("datagram %d is small, and the path carries all", n)
		}
		p.send(datagram.MaxSize, true)
	}
	if p = (path{}); p.most(100) != 100 {
		t.Error("the limit is lost")
	}
}

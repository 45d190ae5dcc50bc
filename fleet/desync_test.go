package fleet

import (
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// A peer whose game computes something else, once, in one bit: all notice it, there is an
// event for each, and the verdict stays until the end of the match.
func TestADesyncIsFoundByAll(t *testing.T) {
	for _, players := range few(2, 3, 8, 16) {
		for _, at := range []uint32{1, 59, 60, 200, 299, 300} {
			for _, heals := range []bool{false, true} {
				l := desyncing(t, players, at, heals)
				l.end(1, time.Minute)
				for i, p := range l.Peers {
					o, _ := p.Outcome()
					if p.Health() != session.Desynced || o.Health != session.Desynced || count(p, session.Desync) != 1 {
						l.dump()
						t.Fatalf("%d players, at %d: peer %d is %v, outcome %v, %d events", players, at, i, p.Health(), o.Health, count(p, session.Desync))
					}
				}
			}
		}
	}
}

// desyncing makes a fleet in which the state of the last peer has another value in
// one frame; from the next frame on it is right again, if it heals.
func desyncing(t *testing.T, players int, at uint32, heals bool, options ...option) *lab {
	l := newLab(t, players, append([]option{frames(300), withLoss(30*time.Millisecond, 2*netem.Percent)}, options...)...)
	bad := ledgerGame(func(l *ledger) {
		switch l.Frame {
		case at:
			l.Bias ^= 1
		case at + 1:
			if heals {
				l.Bias ^= 1
			}
		}
	})
	// The fleet gives the same game to all: replace the last one.
	last := players - 1
	s := l.setup
	s.Game = bad
	p, err := newPeer(&s, last)
	if err != nil {
		t.Fatal(err)
	}
	l.Peers[last] = p
	return l
}

// With hashes at an interval, or without any, matches are played: then they are
// healthy, and unverified.
func TestHealthWithFewHashesAndNone(t *testing.T) {
	for every, want := range map[int]session.Health{60: session.Healthy, 20: session.Healthy, -1: session.Unverified} {
		l := newLab(t, 3, frames(400), delay(20*time.Millisecond), configure(func(_ int, c *session.Config) { c.HashEvery = every }))
		l.end(1, 20*time.Second)
		l.same(0, l.Peers...)
		for i, p := range l.Peers {
			if o, _ := p.Outcome(); o.Health != want {
				t.Errorf("HashEvery %d: peer %d is %v", every, i, o.Health)
			}
		}
	}
	// For longer than values are kept.
	for _, every := range []int{-1, 1} {
		l := newLab(t, 2, frames(1200), delay(20*time.Millisecond), configure(func(_ int, c *session.Config) { c.ChainEvery, c.HashEvery = 1, every }))
		l.end(1, 60*time.Second)
		l.same(0, l.Peers...)
	}
}

// The health is known within a second or two of play, not only at the end.
func TestHealthIsKnownSoon(t *testing.T) {
	l := newLab(t, 4, delay(30*time.Millisecond))
	l.play()
	l.pass(1500 * time.Millisecond)
	l.healthy()
}

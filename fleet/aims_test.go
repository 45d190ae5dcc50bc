package fleet_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// A frame costs few bytes, and one datagram to each peer.
func TestAFrameTakesFewBytes(t *testing.T) {
	for _, c := range []struct {
		n            int
		p            path
		bytes, least float64 // minimum: below it, the measurement itself is broken
	}{
		{2, perfect, 17, 12},
		{4, perfect, 55, 36},
		{8, perfect, 140, 84},
		{2, far, 22, 12},
		{4, far, 70, 36},
		{8, far, 175, 84},
	} {
		bytes, packets := traffic(t, c.n, c.p, 20*time.Second)
		if bytes > c.bytes || bytes < c.least || packets > 1.02*float64(c.n-1) || packets < 0.98*float64(c.n-1) {
			t.Errorf("%d players, %v: %.1f bytes and %.2f datagrams in a frame, at most %.0f are wanted", c.n, c.p, bytes, packets, c.bytes)
		}
	}
}

// Matches stall only when nothing that could help has arrived: hardly ever with
// the losses that people have, and never on a path of 122 ms without loss.
func TestMatchesHardlyStall(t *testing.T) {
	matches := 4
	if testing.Short() {
		matches = 1
	}
	for _, c := range []struct {
		n int
		p path
	}{{2, lossy}, {4, near}, {2, farthest}, {3, farthest}, {4, farthest}, {8, farthest}} {
		if s := measureStalls(t, c.n, c.p, matches, 20*time.Second); s.runs > 0 || s.unhealthy > 0 {
			t.Errorf("%d players, %v: %+v", c.n, c.p, s)
		}
	}
	// The negative control: bursts do stall them, and no protocol could have
	// helped.
	s := measureStalls(t, 2, bursty, matches, time.Minute)
	if s.runs == 0 || s.excess > s.runs/20 {
		t.Errorf("bursts: %+v", s)
	}
}

// A match starts one and a half round trips after the first datagram, and soon
// even if a fifth of the datagrams is lost.
func TestMatchesStartSoon(t *testing.T) {
	matches := 200
	if testing.Short() {
		matches = 20
	}
	for _, c := range []struct {
		n           int
		p           path
		median, p99 time.Duration
	}{
		{2, far, 155 * time.Millisecond, 155 * time.Millisecond},
		{8, far, 155 * time.Millisecond, 155 * time.Millisecond},
		{2, awful, 600 * time.Millisecond, 600 * time.Millisecond},
		{8, awful, 800 * time.Millisecond, 800 * time.Millisecond},
	} {
		s := starts(t, c.n, c.p, matches)
		if s[matches/2] > c.median || s[matches*99/100] > c.p99 || s[0] < 145*time.Millisecond {
			t.Errorf("%d players, %v: %v at the median, %v at 99 %%, at least %v", c.n, c.p, s[matches/2], s[matches*99/100], s[0])
		}
	}
}

// Two peers roll back about equally often, whatever their paths and clocks.
func TestRollbacksAreFair(t *testing.T) {
	matches := 20
	if testing.Short() {
		matches = 3
	}
	for _, equal := range []bool{true, false} {
		if m := mean(fairness(t, 2, equal, matches)); m > 5 {
			t.Errorf("the shares lie %.1f points apart", m)
		}
	}
}

// A path that carries less than is needed slows the match down, and has no other
// effect: frames go on, and the peers go on comparing.
func TestANarrowWaySlowsTheMatch(t *testing.T) {
	f, err := fleet.New(fleet.Setup[tinyState, uint32]{
		Game: tiny, Players: 2, Seed: 1, Input: heldInput,
		Link: netem.Link{Delay: 30 * time.Millisecond, Bandwidth: 2000, Overhead: netem.OverheadIPv4},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.Run(time.Minute)
	for i, p := range f.Peers {
		s := p.Stats(nil)
		if s.Frame < 1200 || s.Frame > 3400 || s.Stalls == 0 || s.Health != session.Healthy {
			t.Errorf("peer %d: frame %d after a minute, %d stalls, %v", i, s.Frame, s.Stalls, s.Health)
		}
	}
}

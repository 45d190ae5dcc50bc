package fleet_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// parting is how a machine leaves in a figure.
type parting string

const (
	nobody  parting = "nobody goes"
	leaves  parting = "leave"
	kicked  parting = "kick"
	crashes parting = "crash"
)

// gaps records for how long each peer runs no frame.
type gaps struct {
	frame [session.MaxPlayers]session.Frame
	since [session.MaxPlayers]time.Duration // when it ran its newest frame
	worst [session.MaxPlayers]time.Duration
	from  time.Duration // only gaps that end later count
}

// watch updates the gaps of a peer that has done something.
func (g *gaps) watch(f *fleet.Fleet[tinyState, uint32], node int) {
	if at := f.Peers[node].Frame(); at != g.frame[node] {
		if f.Now > g.from {
			g.worst[node] = max(g.worst[node], f.Now-max(g.since[node], g.from))
		}
		g.frame[node], g.since[node] = at, f.Now
	}
}

// freezes returns for how long survivors of matches ran no frame because a machine left:
// one time for each survivor of each match, beyond a tick period; 0 means no freeze.
func freezes(t *testing.T, n int, p path, how parting, matches int) (sorted []time.Duration) {
	t.Helper()
	const period = time.Second / 60
	for seed := range matches {
		r := rand.New(rand.NewPCG(uint64(seed), 77))
		g := gaps{from: time.Hour}
		f, err := fleet.New(fleet.Setup[tinyState, uint32]{
			Game: tiny, Players: n, Seed: uint64(seed), Input: heldInput, Link: p.link(), Late: staggered(n),
			Configure: func(_ int, c *session.Config) { c.OnLeave = session.Continue },
		})
		if err != nil {
			t.Fatal(err)
		}
		f.OnUpdate = func(node int) { g.watch(f, node) }
		f.Run(3*time.Second + time.Duration(r.IntN(1000))*time.Millisecond)
		who := 1 + r.IntN(n-1) // the host cannot kick itself; others are alike
		if how != kicked && r.IntN(n) == 0 {
			who = 0
		}
		g.from = f.Now
		span := 3 * time.Second
		switch how {
		case leaves:
			f.Peers[who].Leave("")
		case kicked:
			if err := f.Peers[0].Kick(session.PlayerSet(1)<<who, ""); err != nil {
				t.Fatal(err)
			}
		case crashes:
			f.Peers[who].Down = true
			span += session.DefaultDropAfter
		}
		f.Run(span)
		for i, peer := range f.Peers {
			if i == who {
				continue
			}
			if peer.Phase() != session.Playing || how != nobody && len(peer.Log()) == 0 {
				t.Errorf("%v, %d players, %v, seed %d: peer %d: %v, %v, log %v", how, n, p, seed, i, peer.Phase(), peer.Err(), peer.Log())
			}
			worst := max(g.worst[i], f.Now-g.since[i]) - period
			if worst < period/4 { // that is pacing
				worst = 0
			}
			sorted = append(sorted, worst)
		}
	}
	slices.Sort(sorted)
	return sorted
}

// A machine that leaves, or is kicked, freezes no other. A crash freezes the others for no
// longer than the limit of silence, three round trips and 50 ms, even if one datagram in
// ten is lost.
func TestAFreezeIsShort(t *testing.T) {
	matches := 8
	if testing.Short() {
		matches = 2
	}
	for _, n := range []int{3, 4, 8} {
		for _, rtt := range []time.Duration{50 * time.Millisecond, 150 * time.Millisecond, 250 * time.Millisecond} {
			s := freezes(t, n, path{rtt: rtt, loss: 10 * netem.Percent}, crashes, matches)
			if longest := s[len(s)-1]; longest > session.DefaultDropAfter+3*rtt+50*time.Millisecond || longest < session.DefaultDropAfter/2 {
				t.Errorf("%d players, RTT %v: a crash stops the rest for %v", n, rtt, longest)
			}
			if rtt > 150*time.Millisecond {
				continue // farther than a window of 8 frames reaches
			}
			for _, how := range []parting{leaves, kicked} {
				if s := freezes(t, n, path{rtt: rtt}, how, matches); s[len(s)-1] > 0 {
					t.Errorf("%d players, RTT %v: a %s stops the rest for %v", n, rtt, how, s[len(s)-1])
				}
			}
		}
	}
}

// The freezes of survivors, for docs/benchmarks.md. They come from seeds, so that they are
// the same on every machine.
func TestFreezeFigures(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	const matches = 100
	var b strings.Builder
	row := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	row("| survivors run no frame for | players | RTT | loss | not at all | median | 99 %% | longest |\n|---|---|---|---|---|---|---|---|")
	for _, how := range []parting{nobody, leaves, kicked, crashes} {
		for _, n := range []int{3, 4, 8} {
			for _, rtt := range []time.Duration{50, 150, 250} {
				for _, loss := range []netem.PPM{0, 10 * netem.Percent} {
					s := freezes(t, n, path{rtt: rtt * time.Millisecond, loss: loss}, how, matches)
					none := 0
					for none < len(s) && s[none] == 0 {
						none++
					}
					row("| %s | %d | %d ms | %v | %.1f %% | %d ms | %d ms | %d ms |", how, n, rtt, loss,
						100*float64(none)/float64(len(s)), s[len(s)/2].Milliseconds(), s[len(s)*99/100].Milliseconds(), s[len(s)-1].Milliseconds())
				}
			}
		}
	}
	fmt.Print(b.String())
}

package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// bulky is a game with a state of a given size: as many bytes as are encoded, and a sum.
type bulky[B any] struct {
	Sum  uint64
	Bulk B
}

func bulkyGame[B any](fill func(b *B)) rollback.Game[bulky[B], uint32] {
	return rollback.Game[bulky[B], uint32]{
		Init: func(s *bulky[B]) { fill(&s.Bulk) },
		Step: func(s *bulky[B], t *rollback.Tick[uint32]) {
			for p := range t.Players() {
				s.Sum = s.Sum*31 + uint64(t.Input(p))
			}
		},
	}
}

// noise fills a state with data that cannot be compressed.
func noise(b []byte) {
	x := uint64(88172645463325252)
	for i := range b {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b[i] = byte(x)
	}
}

// gallery is a match of two, and a number of spectators that watch player 0 from a time
// on, each over a link of its own.
func gallery[S any](t *testing.T, game rollback.Definition[S, uint32], watchers int, late time.Duration, link netem.Link) *fleet.Fleet[S, uint32] {
	t.Helper()
	s := fleet.Setup[S, uint32]{
		Game: game, Players: 2, Seed: 5, Input: heldInput, Late: staggered(2),
		Configure: func(_ int, c *session.Config) { c.Spectators = spectate.Config{Max: 32, Rate: 4 << 20} },
		Links: func(from, to int) netem.Link {
			if from < 2 && to < 2 {
				return near.link()
			}
			return link
		},
	}
	for range watchers {
		s.Spectators = append(s.Spectators, fleet.SpectatorSetup{Hosts: []int{0}, Late: late})
	}
	f, err := fleet.New(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// played is what two players have done: frames, stalls, and periods without a frame.
type played struct {
	frames  [2]session.Frame
	stalls  [2]uint64
	blocked [2]uint64
}

func playedBy[S any](f *fleet.Fleet[S, uint32]) (p played) {
	for i, peer := range f.Peers {
		s := peer.Stats(nil)
		p.frames[i], p.stalls[i], p.blocked[i] = s.Frame, s.Stalls, s.Blocked
	}
	return p
}

// crowdRow plays eleven minutes with a spectator that comes at a given time, and perhaps
// dies at minute 10, and the same without spectators. The work of all machines in the
// ten seconds after minute 10 is measured in turn, and its ratio is that of the medians.
func crowdRow[S any](t *testing.T, game rollback.Definition[S, uint32], late time.Duration, down bool) (with, alone played, ratio float64) {
	link := netem.Link{Delay: 25 * time.Millisecond, Bandwidth: 1 << 20}
	both := []*fleet.Fleet[S, uint32]{gallery(t, game, 1, late, link), gallery(t, game, 0, 0, link)}
	for _, f := range both {
		f.Run(10 * time.Minute)
	}
	both[0].Spectators[0].Down = down
	var work [2][]time.Duration
	for range 600 { // a tick period each
		for i, f := range both {
			began := time.Now()
			f.Run(time.Second / 60)
			work[i] = append(work[i], time.Since(began))
		}
	}
	for i, f := range both {
		f.Run(50 * time.Second)
		slices.Sort(work[i])
	}
	return playedBy(both[0]), playedBy(both[1]), float64(work[0][300]) / float64(work[1][300])
}

// startRow returns how long it takes until a spectator that comes during a match is
// live.
func startRow[S any](t *testing.T, game rollback.Definition[S, uint32], rtt time.Duration) time.Duration {
	const late = 20 * time.Second
	f := gallery(t, game, 1, late, netem.Link{Delay: rtt / 2, Loss: netem.Percent, Bandwidth: 1 << 20})
	live := func() bool {
		return slices.ContainsFunc(f.Spectators[0].Events, func(e session.Event) bool { return e.What == session.Live })
	}
	if !f.RunUntil(late+time.Minute, live) {
		t.Fatal("it is not live after a minute")
	}
	return f.Now - late
}

// The figures of spectators, for docs/benchmarks.md. Those in virtual time are the same
// on every machine.
func TestFiguresOfSpectators(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	var b strings.Builder
	row := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	small := bulkyGame(func(b *[80]byte) { noise(b[:]) })
	medium := bulkyGame(func(b *[64<<10 - 8]byte) { noise(b[:]) })
	large := bulkyGame(func(b *[1<<20 - 8]byte) { noise(b[:]) })

	row("| two players, state of 1 MiB, 11 minutes, RTT 50 ms, jitter 20 ms, loss 1%% | frames | stalls | without it | work of a tick period |\n|---|---|---|---|---|")
	for _, c := range []struct {
		name string
		late time.Duration
		down bool
	}{{"one comes at minute 10", 10 * time.Minute, false}, {"one dies at minute 10", 0, true}, {"one never comes", 10 * time.Minute, true}} {
		p, alone, ratio := crowdRow(t, large, c.late, c.down)
		row("| %s | %d, %d | %d, %d | the same | %.2f |", c.name, p.frames[0], p.frames[1], p.stalls[0], p.stalls[1], ratio)
		if p != alone {
			t.Errorf("%s: %+v, and alone %+v", c.name, p, alone)
		}
	}
	row("\n| from the first datagram until live, 1 MiB/s, loss 1%% | 88 B | 64 KiB | 1 MiB |\n|---|---|---|---|")
	for _, rtt := range []time.Duration{20, 50, 100} {
		rtt *= time.Millisecond
		row("| RTT %v | %v | %v | %v |", rtt, startRow(t, small, rtt).Round(time.Millisecond),
			startRow(t, medium, rtt).Round(time.Millisecond), startRow(t, large, rtt).Round(time.Millisecond))
	}
	row("\n| what a host sends its live spectators in a second | datagrams | bytes |\n|---|---|---|")
	for _, n := range []int{1, 32} {
		f := gallery(t, small, n, 0, netem.Link{Delay: 25 * time.Millisecond})
		f.Run(20 * time.Second)
		before := f.Peers[0].Stats(nil).Spectators
		f.Run(time.Minute)
		after := f.Peers[0].Stats(nil).Spectators
		row("| %d | %.1f | %.0f |", n, float64(after.Datagrams-before.Datagrams)/60, float64(after.Bytes-before.Bytes)/60)
	}
	fmt.Print(b.String())
}

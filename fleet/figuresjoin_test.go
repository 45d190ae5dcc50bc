package fleet_test

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

// joinAt is when the newcomer of a figure is switched on.
const joinAt = 4 * time.Second

// joinMatch plays a match of three, which a fourth one joins: it has to get a state of a mebibyte, over a
// path of a mebibyte a second. It returns how long it took until the newcomer played, and in how many tick
// periods the others waited in the ten seconds from joinAt on.
func joinMatch(t *testing.T, seed uint64, loss netem.PPM, comes bool) (took time.Duration, blocked uint64) {
	t.Helper()
	const newcomer = 3
	token := []byte("the token of the figures")
	f, err := fleet.New(fleet.Setup[bulky[[1<<20 - 8]byte], uint32]{
		Game: bulkyGame(func(b *[1<<20 - 8]byte) { noise(b[:]) }), Players: 4, Seed: seed, Input: heldInput,
		Late:  append(staggered(newcomer), joinAt),
		Links: narrowTo(newcomer, loss),
		Configure: func(i int, c *session.Config) {
			c.OnLeave, c.HashEvery, c.Spectators = session.Continue, 60, spectate.Config{Rate: 4 << 20}
			c.Token = token
			c.Evidence = -1
			comesLate(c, i, newcomer)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	last := f.Peers[newcomer]
	last.Down = !comes
	f.Run(joinAt)
	before := waitedBy(f.Peers[:newcomer])
	f.RunUntil(joinAt+10*time.Second, func() bool {
		if took == 0 && plays(last) {
			took = f.Now - joinAt
		}
		return false
	})
	return took, waitedBy(f.Peers[:newcomer]) - before
}

// narrowTo returns links with a round trip of 100 ms, where those to the newcomer carry a mebibyte a second.
func narrowTo(newcomer int, loss netem.PPM) func(from, to int) netem.Link {
	return func(_, to int) netem.Link {
		l := netem.Link{Delay: 50 * time.Millisecond, Loss: loss}
		if to == newcomer {
			l.Bandwidth = 1 << 20
		}
		return l
	}
}

// comesLate configures peer i so that the newcomer comes late, and asks the first two for its place.
func comesLate(c *session.Config, i, newcomer int) {
	if i == newcomer {
		c.Peers, c.Join = nil, &session.Join{Hosts: []netip.AddrPort{fleet.Addr(0), fleet.Addr(1)}}
		return
	}
	c.Reserved = 1 << newcomer
	c.Peers = slices.DeleteFunc(c.Peers, func(p session.Peer) bool { return p.Players.Has(session.Player(newcomer)) })
}

// plays reports whether a newcomer has joined, and runs frames of the match.
func plays[S any, I comparable](p *fleet.Peer[S, I]) bool {
	return slices.ContainsFunc(p.Events, func(e session.Event) bool { return e.What == session.Joined && p.Frame() >= e.Frame })
}

// waitedBy returns the number of tick periods in which these peers could not run a frame.
func waitedBy[S any, I comparable](peers []*fleet.Peer[S, I]) (n uint64) {
	for _, p := range peers {
		n += p.Stats(nil).Blocked
	}
	return n
}

// How long it takes to join, and what it costs the players, for docs/benchmarks.md.
func TestJoinFigures(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	const matches = 6
	var b strings.Builder
	b.WriteString("| a state of 1 MiB, 1 MiB/s, RTT 100 ms | joins | plays after: median | longest | periods waited by three players in 10 s | without a newcomer |\n|---|---|---|---|---|---|\n")
	for _, loss := range []netem.PPM{0, netem.Percent, 5 * netem.Percent} {
		var times []time.Duration
		var with, without uint64
		for seed := range uint64(matches) {
			took, n := joinMatch(t, seed, loss, true)
			if with += n; took > 0 {
				times = append(times, took)
			}
			_, n = joinMatch(t, seed, loss, false)
			without += n
		}
		slices.Sort(times)
		if len(times) == 0 {
			t.Fatalf("loss %v: nobody has joined", loss)
		}
		fmt.Fprintf(&b, "| loss %v | %d of %d | %v | %v | %.1f | %.1f |\n", loss, len(times), matches,
			times[len(times)/2].Round(time.Millisecond), times[len(times)-1].Round(time.Millisecond), float64(with)/matches, float64(without)/matches)
	}
	fmt.Print(b.String())
}

package fleet_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/fleet"
	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

var printFigures = flag.Bool("fleet.figures", false, "measure in virtual time, and print the tables of docs/benchmarks.md")

// tinyState is the game of the figures: almost nothing, so that the measurements are
// those of the library.
type tinyState struct{ Sum uint64 }

func tinyStep(s *tinyState, t *rollback.Tick[uint32]) {
	for p := range t.Players() {
		s.Sum = s.Sum*31 + uint64(t.Input(p))
	}
}

var tiny = rollback.Game[tinyState, uint32]{Step: tinyStep}

// heldInput changes in every sixth frame, all four bytes of it.
func heldInput(p session.Player, n int) uint32 {
	x := uint32(n/6)*2654435761 + uint32(p)*40503
	x ^= x >> 15
	return x * 2246822519
}

// staggered starts peers at times with different phases.
func staggered(n int) (late []time.Duration) {
	for i := range n {
		late = append(late, time.Duration(i)*3700*time.Microsecond)
	}
	return late
}

// path is the impairment of a figure: of each direction.
type path struct {
	rtt, jitter time.Duration // a jitter of 20 ms is 20 ms more or less
	loss        netem.PPM
	burst       netem.Burst
}

func (p path) link() netem.Link {
	l := netem.Link{Delay: p.rtt/2 - p.jitter, Loss: p.loss, Burst: p.burst}
	if p.jitter > 0 {
		l.Jitter, l.Distribution, l.Reorder = p.jitter, netem.Uniform, true
	}
	return l
}

func (p path) String() string {
	s := fmt.Sprintf("RTT %d ms", p.rtt.Milliseconds())
	if p.jitter > 0 {
		s += fmt.Sprintf(", jitter %d ms", p.jitter.Milliseconds())
	}
	if p.loss > 0 {
		s += fmt.Sprintf(", loss %v", p.loss)
	}
	if p.burst.Begin > 0 {
		s += ", bursts"
	}
	return s
}

func figureFleet(t *testing.T, n int, p path, seed uint64) *fleet.Fleet[tinyState, uint32] {
	t.Helper()
	f, err := fleet.New(fleet.Setup[tinyState, uint32]{
		Game: tiny, Players: n, Seed: seed, Input: heldInput, Link: p.link(), Late: staggered(n),
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// traffic returns what a peer sends per frame, to all others together.
func traffic(t *testing.T, n int, p path, length time.Duration) (bytes, packets float64) {
	f := figureFleet(t, n, p, 5)
	f.Run(length)
	for _, peer := range f.Peers {
		s := peer.Stats(nil)
		bytes += float64(s.Bytes) / float64(s.Frame) / float64(n)
		packets += float64(s.Datagrams) / float64(s.Frame) / float64(n)
	}
	return bytes, packets
}

// stalls are the stalls of all peers of some matches.
type stalls struct {
	runs, periods, excess uint64
	minutes               float64 // of one peer
	unhealthy             int
}

// measureStalls plays matches, and determines for each stall whether a datagram sent
// after the awaited input was made had arrived: then a better protocol would not
// have stalled (excess).
func measureStalls(t *testing.T, n int, p path, matches int, length time.Duration) (total stalls) {
	for seed := range matches {
		f := figureFleet(t, n, p, uint64(seed))
		o := newOracle(f)
		f.Run(length)
		total.excess += o.excess
		for _, peer := range f.Peers {
			s := peer.Stats(nil)
			total.runs += s.Stalls
			total.periods += s.Blocked
			total.minutes += length.Minutes()
			if s.Health != session.Healthy {
				total.unhealthy++
			}
		}
	}
	return total
}

// oracle knows when each datagram was sent, and when each input was made.
type oracle struct {
	fleet  *fleet.Fleet[tinyState, uint32]
	sent   [session.MaxPlayers][session.MaxPlayers]map[uint16]time.Duration
	newest [session.MaxPlayers][session.MaxPlayers]time.Duration // to, from: when the newest that has arrived was sent
	made   [session.MaxPlayers][]time.Duration                   // by player and frame
	stalls [session.MaxPlayers]uint64
	links  []session.LinkStats
	excess uint64
}

func newOracle(f *fleet.Fleet[tinyState, uint32]) *oracle {
	o := &oracle{fleet: f}
	f.OnSend = func(from, to int, b []byte) {
		o.look(from)
		if b[0]&0x80 != 0 {
			if o.sent[from][to] == nil {
				o.sent[from][to] = map[uint16]time.Duration{}
			}
			o.sent[from][to][uint16(b[1])|uint16(b[2])<<8] = f.Now
		}
	}
	f.OnReceive = func(from, to int, b []byte) {
		if b[0]&0x80 != 0 {
			o.newest[to][from] = max(o.newest[to][from], o.sent[from][to][uint16(b[1])|uint16(b[2])<<8])
		}
	}
	return o
}

// look records what has happened at a peer that sends: it does so in every tick
// period.
func (o *oracle) look(i int) {
	engine := o.fleet.Peers[i].Inspect()
	for next := engine.Next(session.Player(i)); len(o.made[i]) < int(next); {
		o.made[i] = append(o.made[i], o.fleet.Now)
	}
	s := o.fleet.Peers[i].Stats(o.links[:0])
	o.links = s.Links
	runs := s.Stalls
	if runs == o.stalls[i] {
		return
	}
	o.stalls[i] = runs
	for j := range o.fleet.Peers {
		next := int(engine.Next(session.Player(j)))
		if j != i && next == int(engine.Confirmed()) && next < len(o.made[j]) && o.newest[i][j] >= o.made[j][next] {
			o.excess++
			return
		}
	}
}

// starts returns the time from the first datagram until all play.
func starts(t *testing.T, n int, p path, matches int) (sorted []time.Duration) {
	for seed := range matches {
		f, err := fleet.New(fleet.Setup[tinyState, uint32]{Game: tiny, Players: n, Seed: uint64(seed), Input: heldInput, Link: p.link()})
		if err != nil {
			t.Fatal(err)
		}
		f.RunUntil(20*time.Second, func() bool {
			return !slices.ContainsFunc(f.Peers, func(p *fleet.Peer[tinyState, uint32]) bool { return p.Phase() != session.Playing })
		})
		sorted = append(sorted, f.Now)
	}
	slices.Sort(sorted)
	return sorted
}

// fairness returns how far apart the shares of resimulated frames are, in percentage
// points, between the tenth and the thirtieth second of matches of two whose paths
// take 20 to 80 ms, equal or not, and whose clocks are up to 0.1 % apart.
func fairness(t *testing.T, n int, equal bool, matches int) (sorted []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for seed := range matches {
		var delays [session.MaxPlayers][session.MaxPlayers]time.Duration
		late, drift := make([]time.Duration, n), make([]int64, n)
		for i := range n {
			late[i], drift[i] = time.Duration(r.IntN(1000))*time.Millisecond, int64(r.IntN(1000))-500
			for j := range n {
				if delays[i][j] = 20*time.Millisecond + time.Duration(r.IntN(60_000_000)); equal && j < i {
					delays[i][j] = delays[j][i]
				}
			}
		}
		f, err := fleet.New(fleet.Setup[tinyState, uint32]{
			Game: tiny, Players: n, Seed: uint64(seed), Input: heldInput, Late: late, Drift: drift,
			Links: func(from, to int) netem.Link { return netem.Link{Delay: delays[from][to]} },
		})
		if err != nil {
			t.Fatal(err)
		}
		f.Run(11 * time.Second)
		before := make([]uint64, n)
		for i, p := range f.Peers {
			before[i] = p.Stats(nil).Engine.Resimulated
		}
		f.Run(20 * time.Second)
		var sum uint64
		var all []uint64
		for i, p := range f.Peers {
			all = append(all, p.Stats(nil).Engine.Resimulated-before[i])
			sum += all[i]
		}
		sorted = append(sorted, 100*float64(slices.Max(all)-slices.Min(all))/float64(max(sum, 1)))
	}
	slices.Sort(sorted)
	return sorted
}

func mean(v []float64) (m float64) {
	for _, x := range v {
		m += x / float64(len(v))
	}
	return m
}

var (
	perfect  = path{}
	far      = path{rtt: 100 * time.Millisecond}
	lossy    = path{rtt: 100 * time.Millisecond, jitter: 20 * time.Millisecond, loss: 5 * netem.Percent}
	near     = path{rtt: 50 * time.Millisecond, jitter: 20 * time.Millisecond, loss: netem.Percent}
	bursty   = path{rtt: 100 * time.Millisecond, jitter: 20 * time.Millisecond, burst: netem.Burst{Begin: netem.Percent, End: 20 * netem.Percent, Loss: 80 * netem.Percent}}
	farthest = path{rtt: 245 * time.Millisecond}
	awful    = path{rtt: 100 * time.Millisecond, loss: 20 * netem.Percent}
)

// The figures, for docs/benchmarks.md. They come from seeds, so that they are the
// same on every machine.
func TestFigures(t *testing.T) {
	if !*printFigures {
		t.Skip("-fleet.figures prints them")
	}
	var b strings.Builder
	row := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	row("| in a frame, to all others | 2 players | 4 players | 8 players | 16 players |\n|---|---|---|---|---|")
	for _, p := range []path{perfect, far, lossy} {
		line := "| " + p.String()
		for _, n := range []int{2, 4, 8, 16} {
			bytes, packets := traffic(t, n, p, time.Minute)
			line += fmt.Sprintf(" | %.1f bytes, %.2f datagrams", bytes, packets)
		}
		row("%s |", line)
	}
	row("\n| stalls of a peer in a minute, window 8 | runs | periods | beyond the oracle |\n|---|---|---|---|")
	for _, c := range []struct {
		n int
		p path
	}{{2, lossy}, {4, near}, {2, bursty}, {4, bursty}, {8, bursty}, {2, farthest}, {3, farthest}, {4, farthest}, {8, farthest}, {16, bursty}, {16, farthest}} {
		s := measureStalls(t, c.n, c.p, 20, 2*time.Minute)
		row("| %d players, %v | %.3f | %.3f | %.3f |", c.n, c.p, float64(s.runs)/s.minutes, float64(s.periods)/s.minutes, float64(s.excess)/s.minutes)
		if s.unhealthy > 0 {
			t.Errorf("%d players, %v: %d peers are not healthy", c.n, c.p, s.unhealthy)
		}
	}
	row("\n| from the first datagram until all play | median | 99 %% | longest of 1000 |\n|---|---|---|---|")
	for _, p := range []path{far, awful} {
		for _, n := range []int{2, 4, 8, 16} {
			s := starts(t, n, p, 1000)
			row("| %d players, %v | %v | %v | %v |", n, p, s[500].Round(time.Millisecond), s[990].Round(time.Millisecond), s[999].Round(time.Millisecond))
		}
	}
	row("\n| shares of resimulated frames apart, in points | mean | median | largest of 200 |\n|---|---|---|---|")
	for _, n := range []int{2, 4} {
		for _, equal := range []bool{true, false} {
			s := fairness(t, n, equal, 200)
			name := map[bool]string{true: "the same both ways", false: "another in each direction"}[equal]
			row("| %d players, ways of 20 to 80 ms, %s | %.2f | %.2f | %.2f |", n, name, mean(s), s[100], s[199])
		}
	}
	fmt.Print(b.String())
}

package membership

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	seed  = flag.Uint64("membership.seed", 0, "run the network of this seed only")
	seeds = flag.Int("membership.seeds", 150, "how many networks to run")
)

// network is 3 to 8 members, and newcomers, in virtual time: streams that keep the
// order and delay, and a peer that is not heard for a while is accused, wrongly or
// not.
type network struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand
	now   time.Duration
	begin LogState
	nodes []*node
	lines map[[2]int][]letter
	cut   map[[2]int]bool
	log   []Entry    // what anybody has decided first
	after []LogState // each entry of it
	ids   uint64
	quiet int  // how often a peer has had nothing to decide
	split bool // the last two have dropped each other: there are two matches
}

// node is a peer of the network: its local match, and when it last heard each
// other one.
type node struct {
	local
	i       int
	applied int // entries, from the beginning of the match
	heard   map[int]time.Duration
	due     time.Duration // when it wants to be polled
}

type letter struct {
	at     time.Duration
	from   PlayerSet
	packet string
}

const tickTime = 16 * time.Millisecond

func newNetwork(t *testing.T, seed uint64) *network {
	n := &network{t: t, seed: seed, rng: rand.New(rand.NewPCG(seed, 0)), lines: map[[2]int][]letter{}, cut: map[[2]int]bool{}}
	var members []PlayerSet
	for p, left := 0, 3+n.rng.IntN(6); p < left; {
		size := 1 + n.rng.IntN(6)/5
		members = append(members, PlayerSet((1<<min(p+size, left)-1)&^(1<<p-1)))
		p += size
	}
	n.begin = Begin(members, 0)
	for _, m := range members {
		n.add(m, n.begin, 0, 0)
	}
	return n
}

func (n *network) add(me PlayerSet, s LogState, id uint64, applied int) *node {
	x := &node{i: len(n.nodes), applied: applied, heard: map[int]time.Duration{}}
	x.up = true
	for p := range x.next {
		x.next[p] = 1
	}
	x.core = New(me, s, &x.local, Config{ID: id, Kickers: 0xFF, retry: 60 * time.Millisecond, grace: 600 * time.Millisecond})
	n.nodes = append(n.nodes, x)
	return x
}

func (n *network) fail(format string, args ...any) {
	n.t.Helper()
	n.t.Fatalf("seed %d (-membership.seed=%d), at %v: %s", n.seed, n.seed, n.now, fmt.Sprintf(format, args...))
}

// current returns the newest peer with these players, which is up.
func (n *network) current(s PlayerSet) *node {
	for i := len(n.nodes) - 1; i >= 0; i-- {
		if x := n.nodes[i]; x.up && x.core.me == s {
			return x
		}
	}
	return nil
}

// flush applies what a peer has decided, and sends what it has to send.
func (n *network) flush(x *node) {
	for e, ok := x.core.Next(); ok; e, ok = x.core.Next() {
		n.decided(x, e)
	}
	for _, s := range x.drain() {
		if to := n.current(s.to); to != nil {
			way := [2]int{x.i, to.i}
			line, at := n.lines[way], n.now+time.Duration(20+n.rng.IntN(80))*time.Millisecond
			if len(line) > 0 {
				at = max(at, line[len(line)-1].at)
			}
			n.lines[way] = append(line, letter{at, x.core.me, s.packet})
		}
	}
}

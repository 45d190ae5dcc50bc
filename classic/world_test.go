package classic_test

import (
	"cmp"
	"flag"
	"iter"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/tickback/tickback/classic"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/rollback"
)

var oneSeed = flag.Uint64("classic.seed", 0, "run the random tests with this seed only")

// seeds calls run with some seeds, each of which is printed if it fails.
func seeds(t *testing.T, run func(t *testing.T, seed uint64)) {
	n := uint64(8)
	if testing.Short() {
		n = 3
	}
	for seed := uint64(1); seed <= n; seed++ {
		if *oneSeed != 0 {
			seed, n = *oneSeed, *oneSeed
		}
		run(t, seed)
		if t.Failed() {
			t.Fatalf("replay with -classic.seed=%d", seed)
		}
	}
}

type (
	match  = classic.Match[duel.State, duel.Input]
	config = classic.Config[duel.State, duel.Input]
)

var (
	hostAt  = netip.MustParseAddrPort("192.0.2.1:7000")
	joinAt  = netip.MustParseAddrPort("192.0.2.2:7000")
	awayAt  = netip.MustParseAddrPort("192.0.2.3:7000")
	noDelay = network{}
	lan     = network{delay: 2 * time.Millisecond, jitter: time.Millisecond}
	bad     = network{delay: 15 * time.Millisecond, jitter: 40 * time.Millisecond, loss: 20, duplicates: 10}
)

// side is whatever plays: a match, or the independent peer.
type side interface {
	Receive(now time.Duration, from netip.AddrPort, datagram []byte)
	Advance(now time.Duration) time.Duration
	Outgoing() iter.Seq2[netip.AddrPort, []byte]
	Done() bool
}

// network is how datagrams travel. Jitter reorders.
type network struct {
	delay, jitter    time.Duration
	loss, duplicates int // percent
}

type flying struct {
	at       time.Duration
	from, to netip.AddrPort
	bytes    []byte
}

// node is a machine with a side on it. It is on from start to end, and does nothing
// during a hitch.
type node struct {
	side
	address            netip.AddrPort
	start, end         time.Duration
	hitchFrom, hitchTo time.Duration
	next               time.Duration
}

// world is a network in virtual time.
type world struct {
	network
	now    time.Duration
	rng    *rand.Rand
	nodes  []*node
	flying []flying
	seen   func(f flying) // every datagram sent
}

const epoch = 17 * time.Hour // times are since anything

func newWorld(seed uint64, n network) *world {
	return &world{network: n, now: epoch, rng: rand.New(rand.NewPCG(seed, 1))}
}

func (w *world) add(address netip.AddrPort, s side) *node {
	n := &node{side: s, address: address, end: time.Duration(1 << 62)}
	w.nodes = append(w.nodes, n)
	return n
}

func (w *world) chance(percent int) bool { return w.rng.IntN(100) < percent }

func (w *world) send(from, to netip.AddrPort, b []byte) {
	f := flying{from: from, to: to, bytes: slices.Clone(b)}
	if w.seen != nil {
		w.seen(f)
	}
	copies := 1
	switch {
	case w.chance(w.loss):
		copies = 0
	case w.chance(w.duplicates):
		copies = 2
	}
	for range copies {
		f.at = w.now + w.delay
		if w.jitter > 0 {
			f.at += time.Duration(w.rng.Int64N(int64(w.jitter)))
		}
		w.flying = append(w.flying, f)
	}
}

func (w *world) deliver(n *node) {
	var here []flying
	w.flying = slices.DeleteFunc(w.flying, func(f flying) bool {
		mine := f.to == n.address && f.at <= w.now
		if mine {
			here = append(here, f)
		}
		return mine
	})
	slices.SortStableFunc(here, func(a, b flying) int { return cmp.Compare(a.at, b.at) })
	for _, f := range here {
		n.Receive(w.now, f.from, f.bytes)
	}
	if len(here) > 0 {
		n.next = w.now
	}
}

// run lets time pass, a millisecond at a time.
func (w *world) run(d time.Duration) {
	w.until(d, func() bool { return false })
}

// until lets time pass until something is so, and reports whether it came to that
// in this time.
func (w *world) until(d time.Duration, so func() bool) bool {
	for end := w.now + d; w.now < end; w.now += time.Millisecond {
		for _, n := range w.nodes {
			if t := w.now - epoch; t < n.start || t >= n.end || t >= n.hitchFrom && t < n.hitchTo {
				continue
			}
			w.deliver(n)
			if w.now >= n.next {
				n.next = n.Advance(w.now)
			}
			for to, b := range n.Outgoing() {
				w.send(n.address, to, b)
			}
		}
		if so() {
			return true
		}
	}
	return false
}

// over lets time pass until all sides are done.
func (w *world) over(t testing.TB) {
	t.Helper()
	if !w.until(2*time.Minute, func() bool {
		return !slices.ContainsFunc(w.nodes, func(n *node) bool { return w.now-epoch < n.end && !n.Done() })
	}) {
		t.Fatal("the match does not end")
	}
}

// player gives inputs that change now and then, and keeps them.
type player struct {
	rng     *rand.Rand
	held    duel.Input
	samples []duel.Input
}

func newPlayer(seed uint64) *player { return &player{rng: rand.New(rand.NewPCG(seed, 2))} }

func (p *player) sample(rollback.Player) duel.Input {
	if p.rng.IntN(5) == 0 {
		p.held = duel.Input(p.rng.Uint32()) // also buttons that mean nothing
	}
	p.samples = append(p.samples, p.held)
	return p.held
}

// inputs are those of the first n frames, with an input delay.
func (p *player) inputs(n, delay int) []duel.Input {
	return append(make([]duel.Input, delay), p.samples...)[:n]
}

// offline plays a match of these inputs alone.
func offline(t testing.TB, a, b []duel.Input) duel.State {
	t.Helper()
	s, err := duel.New(1)
	if err != nil {
		t.Fatal(err)
	}
	for f := range a {
		duel.Step(&s, [2]duel.Input{a[f], b[f]})
	}
	return s
}

// duelConfig is a match of the duel against the other address.
func duelConfig(t testing.TB, host bool, frames rollback.Frame, p *player) config {
	t.Helper()
	game, err := duel.Game(1)
	if err != nil {
		t.Fatal(err)
	}
	peer := hostAt
	if host {
		peer = joinAt
	}
	return config{
		Game: game, Host: host, Peer: peer, Frames: frames,
		Buttons:  func(i duel.Input) uint16 { return uint16(i) },
		Input:    func(b uint16) duel.Input { return duel.Input(b) },
		Checksum: duel.Checksum,
		Sample:   p.sample,
	}
}

func newMatch(t testing.TB, cfg config) *match {
	t.Helper()
	m, err := classic.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wantResult checks the end of a match.
func wantResult(t testing.TB, m *match, want uint32) {
	t.Helper()
	got, ok := m.Result()
	if m.Phase() != classic.Over || m.Err() != nil || !ok || got != want {
		t.Errorf("player %d: %v, %v, result %#x, %v; want over with %#x", m.Local(), m.Phase(), m.Err(), got, ok, want)
	}
}

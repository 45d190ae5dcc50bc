package session_test

import (
	"flag"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
)

var seedFlag = flag.Uint64("session.seed", 1, "seed of the random tests")

// machine is what players and spectators have in common.
type machine interface {
	Receive(at time.Duration, from netip.AddrPort, b []byte)
	Update(now time.Duration) time.Duration
	Events() []session.Event
	Phase() session.Phase
	Urgent() bool
}

// theatre is players and spectators in virtual time.
type theatre[S any] struct {
	testing.TB
	net      *netem.Datagrams
	now      time.Duration
	players  []*session.Session[S, uint16]
	watchers []*session.Spectator[S, uint16]
	nodes    []node
	streams  [][]uint64 // by node: hash of everything agreed, frame by frame
	// reference is the player whose stream is compared with the others.
	reference int
	// tap, if given, is called with every datagram that is sent, and drops it by
	// returning false.
	tap func(from, to int, b []byte) bool
	// start, if given, is the hook of all.
	start func(p session.Parameters) (func(s *S), error)
	// alias maps a node to the node whose IP address it shares.
	alias    map[int]int
	samePort bool // and its port, too
}

type node struct {
	machine
	down   bool
	wake   time.Duration
	events []session.Event
	hold   session.SpectatorInvariants
	out    func(func(netip.AddrPort, []byte))
}

const maxNodes = 48

func nodeAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 7000)
}

// open makes a theatre whose players admit spectators. All links are like this one.
func open[S any](tb testing.TB, game rollback.Definition[S, uint16], players int, link netem.Link, change func(i int, c *session.Config)) *theatre[S] {
	tb.Helper()
	return openEach(tb, func(int) rollback.Definition[S, uint16] { return game }, players, link, change)
}

// openEach is open with a game for each player.
func openEach[S any](tb testing.TB, game func(i int) rollback.Definition[S, uint16], players int, link netem.Link, change func(i int, c *session.Config)) *theatre[S] {
	tb.Helper()
	net, err := netem.NewDatagrams(maxNodes, 7, 0)
	if err != nil {
		tb.Fatal(err)
	}
	th := &theatre[S]{TB: tb, net: net, streams: make([][]uint64, maxNodes)}
	for i := range maxNodes {
		for j := range maxNodes {
			if i != j {
				th.link(i, j, link)
			}
		}
	}
	for i := range players {
		random := rand.New(rand.NewPCG(*seedFlag, uint64(i)))
		c := session.Config{
			GameID: "theatre", Players: players, Local: rollback.SetOf(rollback.Player(i)), MaxOrders: 64,
			Random: random.Uint64, Match: session.Parameters{Seed: 5, Frames: 1200}, Spectators: spectate.Config{Max: 32},
		}
		for j := range players {
			if j != i {
				c.Peers = append(c.Peers, session.Peer{Players: rollback.SetOf(rollback.Player(j)), Addr: nodeAddr(j)})
			}
		}
		if change != nil {
			change(i, &c)
		}
		input, count := uint16(0), 0
		s, err := session.New(game(i), c, session.Hooks[S, uint16]{
			Sample: func(rollback.Player) uint16 {
				if random.IntN(6) == 0 {
					input = uint16(random.Uint32())
				}
				return input
			},
			Orders: func(rollback.Player) []byte {
				count++
				orders := make([]byte, count%40/38*(count%c.MaxOrders))
				for k := range orders {
					orders[k] = byte(random.Uint32())
				}
				return orders
			},
			Start:  th.begin,
			Agreed: th.record(i),
		})
		if err != nil {
			tb.Fatal(err)
		}
		th.players = append(th.players, s)
		th.add(s, func(send func(netip.AddrPort, []byte)) {
			for to, b := range s.Outgoing() {
				send(to, b)
			}
		})
	}
	return th
}

func (th *theatre[S]) begin(p session.Parameters) (func(s *S), error) {
	if th.start == nil {
		return nil, nil
	}
	return th.start(p)
}

func (th *theatre[S]) link(from, to int, link netem.Link) {
	if err := th.net.SetLink(from, to, link); err != nil {
		th.Fatal(err)
	}
}

// record stores a hash of each agreed frame of a node.
func (th *theatre[S]) record(i int) func(a *rollback.Agreed[uint16]) {
	return func(a *rollback.Agreed[uint16]) {
		h := uint64(a.Frame)
		for p, in := range a.Inputs {
			h = h*0x9E3779B97F4A7C15 + uint64(in)<<8 + uint64(a.Statuses[p])
			for _, c := range a.Orders[p] {
				h = h*31 + uint64(c) + 1
			}
		}
		h = h*0x9E3779B97F4A7C15 + a.Hash // of every state, unless the test says otherwise
		for len(th.streams[i]) < int(a.Frame) {
			th.streams[i] = append(th.streams[i], 0) // not seen
		}
		th.streams[i] = append(th.streams[i][:a.Frame], h)
	}
}

func (th *theatre[S]) add(m machine, out func(func(netip.AddrPort, []byte))) int {
	th.nodes = append(th.nodes, node{machine: m, out: out, wake: th.now})
	return len(th.nodes) - 1
}

// watch adds a spectator of some players.
func (th *theatre[S]) watch(game rollback.Definition[S, uint16], hosts []int, change func(c *session.SpectatorConfig)) int {
	th.Helper()
	i := len(th.nodes)
	c := session.SpectatorConfig{GameID: "theatre", MaxOrders: 64, Random: rand.New(rand.NewPCG(10, uint64(i))).Uint64}
	for _, h := range hosts {
		c.Hosts = append(c.Hosts, nodeAddr(h))
	}
	if change != nil {
		change(&c)
	}
	s, err := session.NewSpectator(game, c, session.SpectatorHooks[S, uint16]{Start: th.begin, Agreed: th.record(i)})
	if err != nil {
		th.Fatal(err)
	}
	th.watchers = append(th.watchers, s)
	return th.add(s, func(send func(netip.AddrPort, []byte)) {
		for to, b := range s.Outgoing() {
			send(to, b)
		}
	})
}

// until lets time pass until a condition holds, or the time is up, and reports
// which.
func (th *theatre[S]) until(d time.Duration, done func() bool) bool {
	for end := th.now + d; th.now < end; {
		next, who := end, -1
		for i := range th.nodes {
			if n := &th.nodes[i]; !n.down && n.wake < next {
				next, who = n.wake, i
			}
		}
		if at, ok := th.net.Next(); ok && at <= next {
			th.now = max(th.now, at)
			th.deliver()
			continue
		}
		if th.now = max(th.now, next); who < 0 {
			break
		}
		n := &th.nodes[who]
		n.wake = max(n.Update(th.now), th.now+time.Nanosecond)
		news := n.Events()
		n.events = append(n.events, news...)
		if s, ok := n.machine.(session.Watched); ok {
			n.hold.See(th, s, th.now, news)
		}
		th.send(who)
		if done != nil && done() {
			return true
		}
	}
	return done != nil && done()
}

func (th *theatre[S]) run(d time.Duration) { th.until(d, nil) }

func (th *theatre[S]) deliver() {
	d, ok := th.net.Receive(th.now)
	if !ok || d.To >= len(th.nodes) || th.nodes[d.To].down {
		return
	}
	n := &th.nodes[d.To]
	n.Receive(d.At, th.addr(d.From), d.Payload)
	if th.send(d.To); n.Urgent() {
		n.wake = min(n.wake, th.now)
	}
}

// addr is where a node is.
func (th *theatre[S]) addr(i int) netip.AddrPort {
	if twin, ok := th.alias[i]; ok && th.samePort {
		return nodeAddr(twin)
	} else if ok {
		return netip.AddrPortFrom(nodeAddr(twin).Addr(), 8000)
	}
	return nodeAddr(i)
}

func (th *theatre[S]) send(from int) {
	th.nodes[from].out(func(to netip.AddrPort, b []byte) {
		a := to.Addr().As4()
		i := int(a[2])<<8 + int(a[3])
		for twin, of := range th.alias {
			if of == i && to == th.addr(twin) {
				i = twin
			}
		}
		if i < maxNodes && (th.tap == nil || th.tap(from, i, b)) {
			th.net.Send(th.now, from, i, b)
		}
	})
}

// saw returns the first event of a kind that a node has had, or nil.
func (th *theatre[S]) saw(node int, what session.What) *session.Event {
	for i := range th.nodes[node].events {
		if e := &th.nodes[node].events[i]; e.What == what {
			return e
		}
	}
	return nil
}

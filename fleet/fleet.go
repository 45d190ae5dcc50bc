package fleet

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
)

// Setup describes a match of peers that run one game over a virtual network.
type Setup[S any, I comparable] struct {
	// Game is the game that all peers play.
	Game rollback.Definition[S, I]
	// Games, if given, returns the game of one node; nil means Game.
	Games func(node int) rollback.Definition[S, I]
	// Seats are the players of each peer: the first has player 0. Nil means Players peers with
	// one player each.
	Seats   []rollback.PlayerSet
	Players int
	// Input returns what a player does when asked for the n-th time.
	Input func(p rollback.Player, n int) I
	// Orders, if given, returns the orders of a player when asked for the n-th time.
	Orders func(p rollback.Player, n int) []byte
	// Configure, if given, changes the configuration of a peer.
	Configure func(peer int, c *session.Config)
	// Hooks, if given, changes the hooks of a peer.
	Hooks func(peer int, h *session.Hooks[S, I])
	// Link is the link from each peer to each other one.
	Link netem.Link
	// Links, if given, returns the link from one node to another instead.
	Links func(from, to int) netem.Link
	// Seed decides everything random.
	Seed uint64
	// Late is how much later than the first peer each peer starts; nil means that all start at once.
	Late []time.Duration
	// Drift is the deviation of each peer's clock, in parts per million, positive if it is fast; nil means that all clocks
	// are right.
	Drift []int64
	// Spectators describes the spectators. In the network they come after the peers: spectator i is node len(Seats) + i
	// for Games and Links. Configure must allow them.
	Spectators []SpectatorSetup
	// ConfigureSpectator, if given, changes the configuration of a spectator, and SpectatorHooks its
	// hooks.
	ConfigureSpectator func(watcher int, c *session.SpectatorConfig)
	SpectatorHooks     func(watcher int, h *session.SpectatorHooks[S, I])
	// Costs, if given, returns how long the work of a node takes; the zero value means no time.
	Costs func(node int) Cost
	// Frame makes each peer look at the network only when a frame is due, like a game that draws in step with the screen.
	// Otherwise a peer wakes up when a datagram that it is waiting for arrives.
	Frame bool
}

// Fleet is a match in progress.
type Fleet[S any, I comparable] struct {
	Peers      []*Peer[S, I]
	Spectators []*Spectator[S, I]
	Net        *netem.Datagrams
	Now        time.Duration // the virtual time

	frame  bool
	setup  Setup[S, I]
	places []*place // the places of all nodes
	// OnSend, if given, is called with every datagram that is sent, and OnReceive with every one that arrives. Nodes are
	// the peers, followed by the spectators.
	OnSend, OnReceive func(from, to int, datagram []byte)
	// mute, if given, reports whether the datagrams of a node never leave it.
	mute func(node int) bool
	// OnUpdate, if given, is called whenever a peer or a spectator has done something; its newest events are at the end of
	// its Events.
	OnUpdate func(node int)
}

// Peer is one machine.
type Peer[S any, I comparable] struct {
	*session.Session[S, I]
	Index int
	// Down means that the machine does nothing and receives nothing: it hangs, or is gone.
	Down bool
	// Events are the events of the peer's session.
	Events []session.Event

	place
	inputs []int // samples by player
	lives  uint64
}

// New makes the peers. They have not started yet.
func New[S any, I comparable](s Setup[S, I]) (*Fleet[S, I], error) {
	if s.Seats == nil {
		for p := range s.Players {
			s.Seats = append(s.Seats, rollback.SetOf(rollback.Player(p)))
		}
	}
	nodes := len(s.Seats) + len(s.Spectators)
	net, err := netem.NewDatagrams(nodes, s.Seed, 0)
	if err != nil {
		return nil, err
	}
	f := &Fleet[S, I]{Net: net, frame: s.Frame, setup: s}
	for from := range nodes {
		for to := range nodes {
			link := s.Link
			if s.Links != nil {
				link = s.Links(from, to)
			}
			if from == to {
				continue
			}
			if err := net.SetLink(from, to, link); err != nil {
				return nil, err
			}
		}
	}
	for i := range s.Seats {
		p, err := newPeer(&s, i)
		if err != nil {
			return nil, fmt.Errorf("peer %d: %w", i, err)
		}
		f.Peers, f.places = append(f.Peers, p), append(f.places, &p.place)
	}
	for i := range s.Spectators {
		w, err := newSpectator(&s, i)
		if err != nil {
			return nil, fmt.Errorf("watcher %d: %w", i, err)
		}
		f.Spectators, f.places = append(f.Spectators, w), append(f.places, &w.place)
	}
	return f, nil
}

// Addr returns the address of a node, which is a peer or a spectator.
func Addr(node int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(node + 1)}), 7000)
}

func newPeer[S any, I comparable](s *Setup[S, I], i int) (*Peer[S, I], error) {
	p := &Peer[S, I]{Index: i, place: place{addr: Addr(i)}, inputs: make([]int, session.MaxPlayers)}
	if s.Late != nil {
		p.clock.Late = s.Late[i]
	}
	if s.Drift != nil {
		p.clock.Drift = s.Drift[i]
	}
	p.wake = p.clock.Late
	return p, p.switchOn(s, nil)
}

// switchOn gives a peer a new session, as a machine without any memory; change, if given, makes the last changes to its
// configuration.
func (p *Peer[S, I]) switchOn(s *Setup[S, I], change func(c *session.Config)) (err error) {
	if p.Session, err = newSession(s, p, change); err == nil {
		p.labour = s.labour(p.Index, p.Stats(nil).Nominal)
	}
	return err
}

// newSession makes the session of a peer.
func newSession[S any, I comparable](s *Setup[S, I], p *Peer[S, I], change func(c *session.Config)) (*session.Session[S, I], error) {
	i := p.Index
	random := rand.New(rand.NewPCG(s.Seed, uint64(i)+1+p.lives<<16))
	cfg := session.Config{GameID: "fleet", Players: s.Players, Local: s.Seats[i], Random: random.Uint64}
	for j, players := range s.Seats {
		if j != i {
			cfg.Peers = append(cfg.Peers, session.Peer{Players: players, Addr: Addr(j)})
		}
	}
	if s.Configure != nil {
		s.Configure(i, &cfg)
	}
	hooks := session.Hooks[S, I]{Sample: func(player rollback.Player) I {
		n := p.inputs[player]
		p.inputs[player]++
		return s.Input(player, n)
	}}
	if s.Orders != nil {
		hooks.Orders = func(player rollback.Player) []byte { return s.Orders(player, p.inputs[player]-1) }
	}
	if s.Hooks != nil {
		s.Hooks(i, &hooks)
	}
	if change != nil {
		change(&cfg)
	}
	return session.New(s.game(i), cfg, hooks)
}

// game returns the game of a node.
func (s *Setup[S, I]) game(node int) rollback.Definition[S, I] {
	if s.Games != nil {
		if other := s.Games(node); other != nil {
			return other
		}
	}
	return s.Game
}

// labour returns the workload of a node, or nil if its work takes no time.
func (s *Setup[S, I]) labour(node int, period time.Duration) *Workload {
	if s.Costs == nil {
		return nil
	}
	return NewLabour(s.Costs(node), period)
}

// Worked returns the work that the peer has done.
func (p *Peer[S, I]) Worked() Work {
	s := p.Inspect().Stats()
	return Work{s.Ticks, s.Resimulated, s.Ticks}
}

// Work returns the workload of a node, or nil if its work takes no time.
func (f *Fleet[S, I]) Work(node int) *Workload { return f.places[node].labour }

// Run advances the virtual time by d.
func (f *Fleet[S, I]) Run(d time.Duration) { f.RunUntil(f.Now+d, func() bool { return false }) }

// RunUntil advances the virtual time until end or until done, which is called whenever a machine has done something,
// returns true. It reports whether done did.
func (f *Fleet[S, I]) RunUntil(end time.Duration, done func() bool) bool {
	for {
		next, node := end, -1
		for i, p := range f.Peers {
			if !p.Down && !p.hung && p.wake < next {
				next, node = p.wake, i
			}
		}
		for _, w := range f.Spectators {
			if !w.Down && !w.hung && w.wake < next {
				next, node = w.wake, w.Index
			}
		}
		if f.deliver(next, end) {
			continue // a machine has received what it waits for, and may act earlier now
		}
		f.Now = max(f.Now, next)
		switch {
		case node < 0:
			return done()
		case node < len(f.Peers):
			f.update(f.Peers[node])
		default:
			f.show(f.Spectators[node-len(f.Peers)])
		}
		if done() {
			return true
		}
	}
}

// deliver delivers the datagrams that arrive before a machine next acts by itself, and reports whether a datagram has
// woken up a machine earlier.
func (f *Fleet[S, I]) deliver(next, end time.Duration) (woken bool) {
	for {
		at, ok := f.Net.Next()
		if !ok || at > next || at >= end {
			return false
		}
		f.Now = max(f.Now, at)
		d, ok := f.Net.Receive(f.Now)
		if !ok {
			return false
		}
		if d.To >= len(f.Peers) {
			if f.arrive(&d) {
				return true
			}
			continue
		}
		p := f.Peers[d.To]
		if p.Down || d.At < p.clock.Late {
			continue
		}
		if !p.listens() {
			p.socket.Keep(d.At, f.places[d.From].addr, d.Payload)
			continue
		}
		if f.OnReceive != nil {
			f.OnReceive(d.From, d.To, d.Payload)
		}
		p.Receive(p.clock.Local(d.At), f.places[d.From].addr, d.Payload)
		f.send(p)
		// A spectator's datagrams are answered at once and do not advance a match: they must not decide when a peer looks at
		// the network.
		if !f.frame && d.From < len(f.Peers) && p.Urgent() {
			p.wake = min(p.wake, f.Now)
			return true
		}
	}
}

func (f *Fleet[S, I]) update(p *Peer[S, I]) {
	if p.labour != nil {
		p.wake = p.labour.Update(p, &p.clock, f.Now, func() { f.resume(p.Index) })
	} else {
		p.wake = max(p.clock.Global(p.Update(p.clock.Local(f.Now))), f.Now+1)
	}
	f.send(p)
	p.Events = append(p.Events, p.Session.Events()...)
	if f.OnUpdate != nil {
		f.OnUpdate(p.Index)
	}
}

func (f *Fleet[S, I]) send(p *Peer[S, I]) {
	for to, b := range p.Outgoing() {
		if p.labour == nil || !p.labour.Hold(to, b) {
			f.transmit(p.Index, to, b)
		}
	}
}

// at returns the node at an address, or -1.
func (f *Fleet[S, I]) at(addr netip.AddrPort) int {
	for i, p := range f.places {
		if p.addr == addr {
			return i
		}
	}
	return -1
}

// Move gives a node another address.
func (f *Fleet[S, I]) Move(node int, addr netip.AddrPort) { f.places[node].addr = addr }

// Stop stops the process of a node, as SIGSTOP does, until [Fleet.Hang] lets it go on. Unlike with Hang, no arrival
// times are recorded: the process later reads everything that its socket had room for, and treats that moment as the
// time of arrival.
func (f *Fleet[S, I]) Stop(node int) {
	f.places[node].stopped = true
	f.Hang(node, true)
}

// Jump makes the clock of a node jump, back if by is negative.
func (f *Fleet[S, I]) Jump(node int, by time.Duration) { f.places[node].clock.Shift += by }

// Inject delivers a datagram to a peer as if it came from this address.
func (f *Fleet[S, I]) Inject(peer int, from netip.AddrPort, datagram []byte) {
	p := f.Peers[peer]
	switch {
	case p.Down || f.Now < p.clock.Late:
	case !p.listens():
		p.socket.Keep(f.Now, from, datagram)
	default:
		p.Receive(p.clock.Local(f.Now), from, datagram)
		f.send(p)
		if !f.frame && p.Urgent() {
			p.wake = min(p.wake, f.Now)
		}
	}
}

// Hang makes a node do nothing, while arriving datagrams wait in its socket as far as there is room; or lets it go on.
func (f *Fleet[S, I]) Hang(node int, hung bool) {
	at := f.places[node]
	if at.hung = hung; hung {
		return
	}
	stopped := at.stopped
	at.stopped = false
	if stopped {
		for i := range at.socket {
			at.socket[i].At = f.Now
		}
	}
	if at.listens() {
		f.read(node)
	}
}

// resume makes a node that has finished its work send its datagrams, and read those that have arrived in the meantime.
func (f *Fleet[S, I]) resume(node int) {
	at := f.places[node]
	for _, d := range at.labour.Held() {
		f.transmit(node, d.From, d.Datagram)
	}
	f.read(node)
}

// read makes a node read the datagrams in its socket.
func (f *Fleet[S, I]) read(node int) {
	at := f.places[node]
	for i := range at.socket {
		d := &at.socket[i]
		if node < len(f.Peers) {
			if p := f.Peers[node]; !p.Down {
				p.Receive(p.clock.Local(d.At), d.From, d.Datagram)
				f.send(p)
			}
		} else if w := f.Spectators[node-len(f.Peers)]; !w.Down {
			w.Receive(w.clock.Local(d.At), d.From, d.Datagram)
			f.say(w)
		}
	}
	at.socket = at.socket[:0]
}

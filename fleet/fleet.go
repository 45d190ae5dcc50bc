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

// Setup is a match of peers that run one game over a virtual network.
type Setup[S any, I comparable] struct {
	// Game is what all peers play.
	Game rollback.Definition[S, I]
	// Games, if given, is what one peer plays instead; nil is Game.
	Games func(peer int) rollback.Definition[S, I]
	// Seats is who plays at each peer: the first has player 0. Nil is Players
	// peers with one player each.
	Seats   []rollback.PlayerSet
	Players int
	// Input is what a player does when asked for the n-th time.
	Input func(p rollback.Player, n int) I
	// Orders, if given, are those of a player when asked for the n-th time.
	Orders func(p rollback.Player, n int) []byte
	// Configure, if given, changes the configuration of a peer.
	Configure func(peer int, c *session.Config)
	// Hooks, if given, changes the hooks of a peer.
	Hooks func(peer int, h *session.Hooks[S, I])

	// Link is the way from each peer to each other one.
	Link netem.Link
	// Links, if given, is the way from one peer to another one instead.
	Links func(from, to int) netem.Link
	// Seed decides everything that happens by chance.
	Seed uint64
	// Late is how much later than the first each peer starts; nil is not at all.
	Late []time.Duration
	// Drift is by how many parts per million the clock of each peer is too fast;
	// nil is not at all.
	Drift []int64
	// Frame says that the owner of each peer looks at the network only when a frame
	// is due, as a game does that draws in step with the screen. Otherwise it wakes up when
	// a datagram arrives that it waits for.
	Frame bool
}

// Fleet is a match in progress.
type Fleet[S any, I comparable] struct {
	Peers []*Peer[S, I]
	Net   *netem.Datagrams
	Now   time.Duration // virtual

	frame bool
	// OnSend, if given, sees every datagram that is sent, and OnReceive every one
	// that arrives.
	OnSend, OnReceive func(from, to int, datagram []byte)
	// OnUpdate, if given, is called whenever a peer has done something; its newest
	// events are the last of its Events.
	OnUpdate func(peer int)
}

// Peer is one machine.
type Peer[S any, I comparable] struct {
	*session.Session[S, I]
	Index int
	// Down is a machine that does nothing, and hears nothing: it hangs, or is gone.
	Down bool
	// Events is what has happened to it.
	Events []session.Event

	addr   netip.AddrPort
	drift  int64
	late   time.Duration
	wake   time.Duration // when it does something next
	inputs []int         // samples by player
	hung   bool
	socket []waiting // what has arrived while it hung
}

// waiting is a datagram in the socket of a peer that does not look.
type waiting struct {
	at       time.Duration
	from     netip.AddrPort
	datagram []byte
}

// maxWaiting is how many datagrams a socket holds: about what 200 KiB of the usual
// system do, which accounts for more than the bytes of a datagram.
const maxWaiting = 256

// New makes the peers. None has done anything yet.
func New[S any, I comparable](s Setup[S, I]) (*Fleet[S, I], error) {
	if s.Seats == nil {
		for p := range s.Players {
			s.Seats = append(s.Seats, rollback.SetOf(rollback.Player(p)))
		}
	}
	net, err := netem.NewDatagrams(len(s.Seats), s.Seed, 0)
	if err != nil {
		return nil, err
	}
	f := &Fleet[S, I]{Net: net, frame: s.Frame}
	for from := range s.Seats {
		for to := range s.Seats {
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
		f.Peers = append(f.Peers, p)
	}
	return f, nil
}

// Addr returns the address of a peer.
func Addr(peer int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(peer + 1)}), 7000)
}

func newPeer[S any, I comparable](s *Setup[S, I], i int) (*Peer[S, I], error) {
	random := rand.New(rand.NewPCG(s.Seed, uint64(i)+1))
	p := &Peer[S, I]{Index: i, addr: Addr(i), inputs: make([]int, rollback.MaxPlayers)}
	if s.Late != nil {
		p.late = s.Late[i]
	}
	if s.Drift != nil {
		p.drift = s.Drift[i]
	}
	p.wake = p.late
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
	game := s.Game
	if s.Games != nil {
		if other := s.Games(i); other != nil {
			game = other
		}
	}
	var err error
	p.Session, err = session.New(game, cfg, hooks)
	return p, err
}

// local returns what the peer's own clock shows.
func (p *Peer[S, I]) local(t time.Duration) time.Duration {
	t -= p.late
	return t + t/1_000_000*time.Duration(p.drift) + t%1_000_000*time.Duration(p.drift)/1_000_000
}

// global returns when the peer's own clock shows a time, or a moment later.
func (p *Peer[S, I]) global(local time.Duration) time.Duration {
	t := local - local/1_000_000*time.Duration(p.drift) + p.late
	for p.local(t) < local {
		t += max(local-p.local(t), 1)
	}
	return t
}

// Run lets time pass.
func (f *Fleet[S, I]) Run(d time.Duration) { f.RunUntil(f.Now+d, func() bool { return false }) }

// RunUntil lets time pass until a time or a condition, which is looked at
// whenever a peer has done something, and reports whether it was the condition.
func (f *Fleet[S, I]) RunUntil(end time.Duration, done func() bool) bool {
	for {
		next, peer := end, -1
		for i, p := range f.Peers {
			if !p.Down && !p.hung && p.wake < next {
				next, peer = p.wake, i
			}
		}
		if f.deliver(next, end) {
			continue // somebody has got what it waits for, and may be earlier now
		}
		f.Now = max(f.Now, next)
		if peer < 0 {
			return done()
		}
		f.update(f.Peers[peer])
		if done() {
			return true
		}
	}
}

// deliver delivers what arrives until somebody does something by itself, and
// reports whether somebody has been woken up earlier.
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
		p := f.Peers[d.To]
		if p.Down || d.At < p.late {
			continue
		}
		if p.hung {
			p.keep(d.At, f.Peers[d.From].addr, d.Payload)
			continue
		}
		if f.OnReceive != nil {
			f.OnReceive(d.From, d.To, d.Payload)
		}
		p.Receive(p.local(d.At), f.Peers[d.From].addr, d.Payload)
		f.send(p)
		if !f.frame && p.Urgent() {
			p.wake = min(p.wake, f.Now)
			return true
		}
	}
}

func (f *Fleet[S, I]) update(p *Peer[S, I]) {
	next := p.Update(p.local(f.Now))
	p.wake = max(p.global(next), f.Now+1)
	f.send(p)
	p.Events = append(p.Events, p.Session.Events()...)
	if f.OnUpdate != nil {
		f.OnUpdate(p.Index)
	}
}

func (f *Fleet[S, I]) send(p *Peer[S, I]) {
	for to, b := range p.Outgoing() {
		i := -1
		if to.Addr().Is4() { // anybody else has another kind of address
			a := to.Addr().As4()
			i = int(a[3]) - 1
		}
		if i < 0 || i >= len(f.Peers) || f.Peers[i].addr != to {
			i = f.at(to)
		}
		if i < 0 {
			continue
		}
		if f.OnSend != nil {
			f.OnSend(p.Index, i, b)
		}
		f.Net.Send(f.Now, p.Index, i, b)
	}
}

// at returns who is at an address, or -1.
func (f *Fleet[S, I]) at(addr netip.AddrPort) int {
	for i, p := range f.Peers {
		if p.addr == addr {
			return i
		}
	}
	return -1
}

// Move gives a peer another address.
func (f *Fleet[S, I]) Move(peer int, addr netip.AddrPort) { f.Peers[peer].addr = addr }

// Hang makes a peer do nothing, while what arrives waits for it, as far as a socket
// has room; or lets it go on.
func (f *Fleet[S, I]) Hang(peer int, hung bool) {
	p := f.Peers[peer]
	p.hung = hung
	if hung {
		return
	}
	for i := range p.socket {
		if w := &p.socket[i]; !p.Down {
			p.Receive(p.local(w.at), w.from, w.datagram)
			f.send(p)
		}
	}
	p.socket = p.socket[:0]
}

// keep puts a datagram where it waits.
func (p *Peer[S, I]) keep(at time.Duration, from netip.AddrPort, datagram []byte) {
	if len(p.socket) < maxWaiting {
		p.socket = append(p.socket, waiting{at, from, append([]byte(nil), datagram...)})
	}
}

package fleet

import (
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/session"
)

// SpectatorSetup is a spectator of a [Setup].
type SpectatorSetup struct {
	// Hosts are the peers that it watches, in the order in which they are tried.
	Hosts []int
	// Late is how much later than the first peer it is switched on.
	Late time.Duration
	// Drift is the deviation of its clock, in parts per million, positive if it is fast.
	Drift int64
}

// Spectator is a machine that watches.
type Spectator[S any, I comparable] struct {
	*session.Spectator[S, I]
	// Index is its node in the network: spectators follow the peers.
	Index int
	// Down means that the machine does nothing and receives nothing.
	Down bool
	// Events are the events of the spectator's session.
	Events []session.Event

	place
}

func newSpectator[S any, I comparable](s *Setup[S, I], w int) (*Spectator[S, I], error) {
	node := len(s.Seats) + w
	random := rand.New(rand.NewPCG(s.Seed, uint64(node)+1))
	at := &s.Spectators[w]
	m := &Spectator[S, I]{Index: node, place: place{addr: Addr(node), clock: LocalClock{Late: at.Late, Drift: at.Drift}, wake: at.Late}}
	cfg := session.SpectatorConfig{GameID: "fleet", Random: random.Uint64}
	for _, h := range at.Hosts {
		cfg.Hosts = append(cfg.Hosts, Addr(h))
	}
	if s.ConfigureSpectator != nil {
		s.ConfigureSpectator(w, &cfg)
	}
	var hooks session.SpectatorHooks[S, I]
	if s.SpectatorHooks != nil {
		s.SpectatorHooks(w, &hooks)
	}
	var err error
	if m.Spectator, err = session.NewSpectator(s.game(node), cfg, hooks); err == nil {
		m.labour = s.labour(node, m.Stats(nil).Nominal)
	}
	return m, err
}

// Worked returns the work that the spectator has done.
func (w *Spectator[S, I]) Worked() Work {
	s := w.Inspect().Stats()
	return Work{s.Ticks, s.Resimulated, s.Ticks}
}

// arrive delivers a datagram to a spectator, and reports whether that has woken it up earlier.
func (f *Fleet[S, I]) arrive(d *netem.Delivery[[]byte]) (woken bool) {
	w := f.Spectators[d.To-len(f.Peers)]
	from := f.places[d.From].addr
	switch {
	case w.Down || d.At < w.clock.Late:
		return false
	case !w.listens():
		w.socket.Keep(d.At, from, d.Payload)
		return false
	}
	if f.OnReceive != nil {
		f.OnReceive(d.From, d.To, d.Payload)
	}
	w.Receive(w.clock.Local(d.At), from, d.Payload)
	f.say(w)
	if !f.frame && w.Urgent() {
		w.wake = min(w.wake, f.Now)
		return true
	}
	return false
}

// show makes a spectator do what is due.
func (f *Fleet[S, I]) show(w *Spectator[S, I]) {
	if w.labour != nil {
		w.wake = w.labour.Update(w, &w.clock, f.Now, func() { f.resume(w.Index) })
	} else {
		w.wake = max(w.clock.Global(w.Update(w.clock.Local(f.Now))), f.Now+1)
	}
	f.say(w)
	w.Events = append(w.Events, w.Spectator.Events()...)
	if f.OnUpdate != nil {
		f.OnUpdate(w.Index)
	}
}

// say sends the datagrams of a spectator.
func (f *Fleet[S, I]) say(w *Spectator[S, I]) {
	for to, b := range w.Outgoing() {
		if w.labour == nil || !w.labour.Hold(to, b) {
			f.transmit(w.Index, to, b)
		}
	}
}

// transmit sends one datagram.
func (f *Fleet[S, I]) transmit(from int, to netip.AddrPort, b []byte) {
	i := -1
	if to.Addr().Is4() { // other addresses do not contain the number of a node
		a := to.Addr().As4()
		i = int(a[3]) - 1
	}
	if i < 0 || i >= len(f.places) || f.places[i].addr != to {
		i = f.at(to)
	}
	if i < 0 || f.mute != nil && f.mute(from) {
		return
	}
	if f.OnSend != nil {
		f.OnSend(from, i, b)
	}
	f.Net.Send(f.Now, from, i, b)
}

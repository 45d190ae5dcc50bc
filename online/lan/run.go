//go:build !js

package lan

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

const (
	// lookEvery is how often the links are checked for due work.
	lookEvery = 50 * time.Millisecond
	// lookAfter is after how many datagrams they are checked if more keep arriving.
	lookAfter = 256
)

// linkOwner is a transport as its links see it. The lock is held.
type linkOwner Transport

func (m *linkOwner) greet(id uint32, g *greeting) {
	_ = m.signal.Signal(id, g.encode()) // it is repeated
}

func (m *linkOwner) send(to netip.AddrPort, p probe) {
	b := p.encode()
	_ = m.conn.Send(to, b[:]) // other addresses may work
}

// run moves datagrams and does what is due, until Close.
func (t *Transport) run() {
	defer close(t.done)
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	var buf [inbox.MaxDatagram]byte
	for {
		select {
		case <-t.stop:
			return
		case <-ticker.C:
			t.look(time.Now())
		case <-t.conn.Notify():
			for t.drain(buf[:]) {
				t.look(time.Now())
			}
		}
	}
}

// drain handles what has arrived. It reports whether there may be more.
func (t *Transport) drain(buf []byte) bool {
	for range lookAfter {
		n, from, at, ok := t.conn.Receive(buf)
		if !ok {
			return false
		}
		if isProbe(buf[:n]) {
			t.probed(buf[:n], from, at)
		} else {
			t.arrived(buf[:n], from, at)
		}
	}
	select {
	case <-t.stop:
		return false
	default:
		return true
	}
}

// arrived handles a datagram of a match, if it comes from a peer.
func (t *Transport) arrived(b []byte, from netip.AddrPort, at time.Time) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	ring := t.rings[t.routes[from]]
	if ring == nil {
		t.stats.strangers.Add(1)
		return
	}
	if t.queue.Push(ring, b, at) {
		t.stats.overflowed.Add(1)
	}
}

func (t *Transport) probed(b []byte, from netip.AddrPort, at time.Time) {
	p, ok := decodeProbe(b)
	if !ok || p.to != t.mine {
		t.stats.strangers.Add(1)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.links {
		before := l.state
		if l.probed(p, from, at) {
			t.reroute(l)
			t.tell(l, before)
			return
		}
	}
	t.stats.strangers.Add(1)
}

// reroute updates the addresses from which datagrams of a peer are accepted. The lock is held.
func (t *Transport) reroute(l *link) {
	addr := peers.AddrOf(l.id)
	for from, who := range t.routes {
		if who == addr {
			delete(t.routes, from)
		}
	}
	for _, from := range l.routes {
		t.routes[from] = addr
	}
}

func (t *Transport) look(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.links {
		before := l.state
		l.look(now)
		t.tell(l, before)
	}
}

// tell logs a change of a peer's state.
func (t *Transport) tell(l *link, before peers.State) {
	if l.state != before {
		t.log.Info("peer "+l.state.String(), "peer", l.id, "address", l.best.String(), "reason", l.reason.String())
	}
}

//go:build !js

package lan

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/online/internal/inbox"
	"github.com/tickback/tickback/online/peers"
)

const (
	// lookEvery is the interval at which the links are checked for due work.
	lookEvery = 50 * time.Millisecond
	// lookAfter is the number of datagrams after which they are checked if more keep arriving.
	lookAfter = 256
)

// linkOwner is a transport in the role that its links need. The lock is held.
type linkOwner Transport

func (m *linkOwner) greet(id uint32, g *greeting) {
	_ = m.signal.Signal(id, g.encode()) // it is sent again if it is lost
}

func (m *linkOwner) send(to netip.AddrPort, p probe) {
	b := p.encode()
	_ = m.conn.Send(to, b[:]) // an error does not matter, since other addresses may work
}

// run moves datagrams and does the work that is due, until Close.
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

// drain handles the datagrams that have arrived. It reports whether there may be more.
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
	addr := t.routes[from]
	l := t.links[addr]
	if l == nil {
		t.stats.strangers.Add(1)
		return
	}
	t.queue.Push(l.ring, addr, b, at)
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
		before := l.status.State()
		if l.probed(p, from, at) {
			t.routes.set(peers.AddrOf(l.id), l.routes)
			t.tell(l, before)
			return
		}
	}
	t.stats.strangers.Add(1)
}

func (t *Transport) look(now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.links {
		before := l.status.State()
		l.look(now)
		t.tell(l, before)
	}
}

// tell logs a change of the state of a peer.
func (t *Transport) tell(l *link, before peers.State) {
	if p := l.status.Peer(time.Time{}); p.State != before {
		t.log.Info("peer "+p.State.String(), "peer", l.id, "address", l.best.String(), "reason", p.Reason.String())
	}
}

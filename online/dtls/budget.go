package dtls

import (
	"net/netip"
	"time"
)

// Limits for strangers: machines to which this side has not sent anything first. They know the key and receive at
// their address, so these limits guard against misbehaving friends and leaked tokens.
const (
	// maxHalfOpen limits concurrent handshakes with strangers. Each costs some 100 KiB and three goroutines, for
	// handshakeTime at most.
	maxHalfOpen = 16
	// maxHalfOpenNear limits those from one network, so that no network takes all of them.
	maxHalfOpenNear = 4
	// A handshake costs about a millisecond: after the first few, strangers get 2 % of a processor.
	handshakesAtOnce    = 32
	handshakesPerSecond = 20
	// foreignPerSecond limits the answers to machines with another key.
	foreignPerSecond = 20
)

// network returns what an address shares with its neighbours: a /24 of IPv4, or a /56 of IPv6, which is the most that
// one customer gets.
func network(a netip.Addr) netip.Prefix {
	bits := 56
	if a.Is4() {
		bits = 24
	}
	p, _ := a.WithZone("").Prefix(bits) // both lengths are right
	return p
}

// bucket is a token bucket: it has a burst and a rate per second.
type bucket struct {
	size, rate float64
	level      float64 // what has been taken and not yet refilled
	at         time.Time
}

func (b *bucket) take(now time.Time) bool {
	b.level = max(0, b.level-b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level+1 > b.size {
		return false
	}
	b.level++
	return true
}

// admits reports whether a handshake with a stranger may begin now.
func (t *Transport) admits(who *peer, now time.Time) bool {
	all, near, net := 0, 0, network(who.addr.Addr())
	for _, p := range t.peers {
		if p.pending != nil && p.stranger && p != who {
			all++
			if net.Contains(p.addr.Addr().WithZone("")) {
				near++
			}
		}
	}
	if all >= maxHalfOpen || near >= maxHalfOpenNear || !t.strangers.take(now) {
		t.counts.refused.Add(1)
		return false
	}
	return true
}

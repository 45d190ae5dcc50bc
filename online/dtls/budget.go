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
	// maxHalfOpenNear limits concurrent handshakes with strangers from one network, so that no single network takes
	// all of them.
	maxHalfOpenNear = 4
	// A handshake costs about a millisecond: after the first few, strangers get 2 % of a processor.
	handshakesAtOnce    = 32
	handshakesPerSecond = 20
	// foreignPerSecond limits the answers to machines with another key.
	foreignPerSecond = 20
)

// network returns the part of an address that it shares with its neighbours: a /24 of IPv4, or a /56 of IPv6, which is
// the most that one customer gets.
func network(a netip.Addr) netip.Prefix {
	bits := 56
	if a.Is4() {
		bits = 24
	}
	p, _ := a.WithZone("").Prefix(bits) // there is no error: both lengths are valid
	return p
}

// bucket is a token bucket: it has a burst and a rate per second.
type bucket struct {
	size, rate float64
	level      float64 // the amount that has been taken and not yet refilled
	at         time.Time
}

// take takes one, if there is one.
func (b *bucket) take(now time.Time) bool {
	b.level = max(0, b.level-b.rate*now.Sub(b.at).Seconds())
	b.at = now
	if b.level+1 > b.size {
		return false
	}
	b.level++
	return true
}

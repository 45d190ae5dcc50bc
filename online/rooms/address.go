//go:build !js

package rooms

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// addressOf returns the origin of an address, with or without a port. All texts that are not addresses share one
// origin.
func addressOf(text string) shares.Origin {
	ip, err := netip.ParseAddr(text)
	if err != nil {
		ap, err := netip.ParseAddrPort(text)
		if err != nil {
			return shares.Origin{}
		}
		ip = ap.Addr()
	}
	return shares.Of(ip)
}

// visitor counts what an address, or a prefix of many addresses, has here, and what it has done recently.
type visitor struct {
	connections, rooms, empty int // empty counts rooms to which nobody is connected
	connects, messages        bucket
}

func (v *visitor) has() bool { return v.connections > 0 || v.rooms > 0 }

// maxIdleVisitors limits how many visitors without a connection or room are kept: their buckets matter until they are
// full, which takes a minute or two. Including those with a connection or a room, this limits the table for any
// number of clients: at 150 bytes each, 5 MB in addition to 300 bytes for each connection and each room.
const maxIdleVisitors = 1 << 15

// visitors are the addresses and prefixes that have connections or rooms here, or had them recently.
type visitors struct {
	near, wide map[netip.Prefix]*visitor
}

func newVisitors() visitors {
	return visitors{map[netip.Prefix]*visitor{}, map[netip.Prefix]*visitor{}}
}

// of returns the visitors for an origin's address and for its wider prefix.
func (v visitors) of(o shares.Origin) (near, wide *visitor) {
	return at(v.near, o.Near), at(v.wide, o.Wide)
}

func at(table map[netip.Prefix]*visitor, p netip.Prefix) *visitor {
	found := table[p]
	if found == nil {
		found = &visitor{}
		table[p] = found
	}
	return found
}

// sweep removes visitors that have nothing here and whose buckets are full. If there are too many, it removes all
// that have nothing here.
func (v visitors) sweep(b *budget, now time.Time) {
	forget(v.near, b.nearConnects, b.nearMessages, now)
	forget(v.wide, b.wideConnects, b.wideMessages, now)
}

func forget(table map[netip.Prefix]*visitor, connects, messages flow, now time.Time) {
	idle := 0
	for p, at := range table {
		switch {
		case at.has():
		case at.connects.full(connects, now) && at.messages.full(messages, now):
			delete(table, p)
		default:
			idle++
		}
	}
	if idle < maxIdleVisitors {
		return
	}
	for p, at := range table { // drops all of them; a client with that many addresses would not need to use one twice anyway
		if !at.has() {
			delete(table, p)
		}
	}
}

// crowded reports whether a table must be swept before another visitor is added.
func (v visitors) crowded(b *budget) bool { return max(len(v.near), len(v.wide)) >= b.maxVisitors }

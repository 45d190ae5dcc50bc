package udp

import (
	"net/netip"
	"sync"
	"sync/atomic"
)

const (
	// maxCorrespondents is the maximum number of addresses to which a socket remembers having sent: several times the
	// peers and spectators of a match.
	maxCorrespondents = 64

	// stranger is the number of an address that is not a correspondent.
	stranger = 0
)

// correspondents are the addresses to which a socket has sent, numbered from 1. A program that plays in real time sends
// to all its peers again and again. The list is read without a lock, and rarely changes. When it is full, it is
// cleared; the important addresses are added again with the next datagram to them.
type correspondents struct {
	mu    sync.Mutex // held by writers
	table atomic.Pointer[map[netip.AddrPort]byte]
}

// number returns the number of an address, or stranger.
func (c *correspondents) number(a netip.AddrPort) byte {
	if t := c.table.Load(); t != nil {
		return (*t)[a]
	}
	return stranger
}

// add remembers an address.
func (c *correspondents) add(a netip.AddrPort) {
	if c.number(a) != stranger {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.number(a) != stranger {
		return
	}
	next := make(map[netip.AddrPort]byte)
	if t := c.table.Load(); t != nil && len(*t) < maxCorrespondents {
		for known, n := range *t {
			next[known] = n
		}
	}
	next[a] = byte(len(next) + 1)
	c.table.Store(&next)
}

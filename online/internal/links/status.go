// Package links has what the transports between the peers of a room share: the state of each connection, and the
// numbers of the peers.
package links

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/tickback/tickback/online/peers"
)

// FailAfter is after how long without a connection the state is Failed.
const FailAfter = 12 * time.Second

// Status is the state of the connection to a peer. Its methods may be called by several goroutines at once. Make one
// with [NewStatus].
type Status struct {
	mu     sync.Mutex
	peer   peers.Peer // without For
	since  time.Time  // when the state began
	broken time.Time  // when the connection was last lost, or the search for the peer began
}

// NewStatus returns that of a peer for which the search begins.
func NewStatus(id uint32, now time.Time) *Status {
	return &Status{peer: peers.Peer{ID: id, Addr: peers.AddrOf(id)}, since: now, broken: now}
}

// Peer returns the state, for users of the transport.
func (s *Status) Peer(now time.Time) peers.Peer {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.peer
	p.For = now.Sub(s.since)
	return p
}

// State returns the state alone.
func (s *Status) State() peers.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peer.State
}

// Broken returns when the connection was last lost, or the search for the peer began.
func (s *Status) Broken() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.broken
}

// Enter sets the state, and reports whether it or the reason has changed.
func (s *Status) Enter(state peers.State, reason peers.Reason, now time.Time) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.enter(state, reason, now)
}

func (s *Status) enter(state peers.State, reason peers.Reason, now time.Time) (changed bool) {
	p := &s.peer
	if p.State == state && p.Reason == reason {
		return false
	}
	switch {
	case state == peers.Connected:
		p.Connections++
	case p.State == peers.Connected:
		s.broken = now
	}
	p.State, p.Reason, s.since = state, reason, now
	return true
}

// Restart begins the search anew, for another transport of the same peer.
func (s *Status) Restart(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.enter(peers.Connecting, peers.NoReason, now)
	s.broken = now
}

// Fail enters Failed if the peer has not been connected for that long: since it is gone, has never answered, or answers
// and is blocked, for which the transport has its own reason. It reports whether anything has changed.
func (s *Status) Fail(after time.Duration, answered bool, blocked peers.Reason, now time.Time) (changed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &s.peer
	switch {
	case p.State == peers.Connected || p.Reason == peers.Unsupported || now.Sub(s.broken) < after:
		return false
	case p.Connections > 0:
		return s.enter(peers.Failed, peers.Gone, now)
	case !answered:
		return s.enter(peers.Failed, peers.NoAnswer, now)
	}
	return s.enter(peers.Failed, blocked, now)
}

// Others returns these numbers in ascending order and each once, without our own and 0, and most of them at most.
func Others(self uint32, ids []uint32, most int) []uint32 {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id uint32) bool { return id == 0 || id == self })
	return ids[:min(len(ids), most)]
}

// Sort orders peers by their numbers.
func Sort(list []peers.Peer) {
	slices.SortFunc(list, func(a, b peers.Peer) int { return cmp.Compare(a.ID, b.ID) })
}

package session

import (
	"net/netip"
	"slices"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
)

// Join says where to find a running match to join.
type Join struct {
	// Hosts are members of the match that have the Token, too. They are tried in turn until one answers.
	Hosts []netip.AddrPort
	// MaxState is the maximum size of a state that is accepted, in bytes; 0 means 64 MiB.
	MaxState int
}

// joins checks and completes the configuration of a newcomer.
func (c *Config) joins(all PlayerSet) error {
	j := *c.Join
	j.Hosts = slices.Clone(j.Hosts)
	for i, a := range j.Hosts {
		if j.Hosts[i] = peer.Unmapped(a); !a.IsValid() || a.Port() == 0 {
			return refusef("Join.Hosts[%d] is no address", i)
		}
	}
	c.Join = &j
	switch {
	case c.Token == nil:
		return refusef("who joins needs the Token of the match")
	case len(j.Hosts) == 0:
		return refusef("Join.Hosts: there must be one machine at least")
	case len(c.Peers) > 0 || c.Reserved != 0:
		return refusef("who joins learns from the hosts who plays: there must be no Peers and nobody Reserved")
	case c.Local == 0 || c.Local&^all != 0:
		return refusef("Local has %v: who joins says whose places it wants, and the match has %d players", c.Local, c.Players)
	case c.OnLeave != Continue:
		return refusef("matches with OnLeave End cannot be joined")
	case j.MaxState < 0 || j.MaxState > spectate.MaxState:
		return refusef("Join.MaxState is %d, must be 0 to %d", j.MaxState, spectate.MaxState)
	case c.Lobby:
		return refusef("who joins is in the lobby only after the match: Lobby must be false")
	}
	c.Reserved = all &^ c.Local // until we know which players are there
	return nil
}

package session

import (
	"net/netip"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// spectateMatch gives the spectators' host access to the match.
type spectateMatch struct{ *admitting }

// Items returns the items that a spectator or newcomer compares.
func (s spectateMatch) Items() datagram.Items { return s.items }

// Marshals reports whether the game can encode a state.
func (s spectateMatch) Marshals() bool { return s.sim.Marshals() }

// Marshal appends the encoding of the newest final state, and returns its number.
func (s spectateMatch) Marshal(b []byte) ([]byte, uint32, error) {
	if s.audience.Match() != s.match.Number() {
		return nil, 0, nil // the simulation is that of the next match
	}
	encoded, f, err := s.sim.marshal(b)
	return encoded, uint32(f), err
}

// Hash returns ok false if the match compares no states.
func (s spectateMatch) Hash(after uint32) (hash uint64, frame uint32, ok bool) {
	f := s.sim.Final()
	if f <= Frame(after) || s.cfg.HashEvery <= 0 || s.audience.Match() != s.match.Number() {
		return 0, 0, false
	}
	h, err := s.sim.HashOf(f)
	return h, uint32(f), err == nil
}

// Admit admits a newcomer if there is a place for it. Otherwise it returns the reason.
func (s spectateMatch) Admit(players uint16, id uint64, from netip.AddrPort) string {
	if s.audience.Match() != s.match.Number() && s.phase == Playing {
		return "this machine has joined the match itself, and cannot show it (yet): ask another one"
	}
	if s.Joined(players, id) {
		return "" // it has joined, but lacks inputs of players that have left
	}
	// The newcomer has proved that it is at this address and knows the token, so the previous peer there is gone.
	if l := s.linkTo(from); l != nil && s.newcomerOf(l) == nil {
		s.replaced(l)
	}
	return s.whyNotJoin(PlayerSet(players), id)
}

// Joined reports whether a newcomer with these players and this ID has joined the match.
func (s spectateMatch) Joined(players uint16, id uint64) bool {
	if !s.logged() {
		return false
	}
	p, state := PlayerSet(players), s.match.Log().State()
	return p != 0 && state.Has(p) && state.IDs[lowest(p)] == id
}

// MayJoin reports whether a newcomer with these players and this ID may still join by a decision that has begun.
func (s spectateMatch) MayJoin(players uint16, id uint64) bool {
	return s.logged() && s.match.Log().MayJoin(PlayerSet(players), id)
}

// openToSpectators creates the spectators' host, if the config admits spectators or newcomers.
func (m *admitting) openToSpectators() {
	if !m.cfg.Spectators.Enabled() && m.cfg.Token == nil {
		return
	}
	m.open(spectate.NewHost(m.cfg.Spectators, m.cfg.Token, spectateMatch{m}, m.shape(), m.nominal, admission.NewGate(m.cfg.Random), &m.out))
	m.holdMore(spectate.MaxOutgoing)
	m.setEncoding()
}

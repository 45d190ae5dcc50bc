package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// receiveElsewhere is a session datagram that is not from where its sender was:
// the peer has another address now, or somebody sends on what the peer has sent.
// Only the peer itself can answer a challenge. The datagram is not looked at.
func (m *Machine) receiveElsewhere(at time.Duration, from netip.AddrPort, b []byte) {
	for _, l := range m.links {
		if !l.alive() || l.Addr == from {
			continue
		}
		_, sequence, ok := l.Open(b)
		if !ok {
			continue
		}
		if l.Window.Has(sequence) {
			return // somebody sends it again
		}
		if m.linkTo(from) == nil {
			l.Challenge(at, from, len(b), m.cfg.Random, &m.out)
		}
		return
	}
	m.reject(m.linkTo(from))
}

// receivePath is a challenge of a peer that has seen us move, or the answer to one
// of ours.
func (m *Machine) receivePath(from *link, addr netip.AddrPort, b []byte) {
	for _, l := range m.links {
		if !l.alive() {
			continue
		}
		c, ok, err := l.OpenPath(b)
		if !ok {
			continue
		}
		switch {
		case err != nil:
			m.reject(from)
		case c.Kind == datagram.KindChallenge:
			// Whoever sends it on from elsewhere shall not get an answer.
			if from == l || from == nil && addr == l.Vouched.Addr && m.lostTouch(l) {
				l.Answer(addr, c.Token, &m.out)
			}
		case from == nil && l.Proves(addr, c.Token):
			m.events.add(Event{What: Moved, Players: l.players, Text: addr.String()})
			m.vouch(l)
		}
		return
	}
	m.reject(from)
}

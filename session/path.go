package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// receiveElsewhere takes a session datagram from an address that is not its sender's: the peer
// has another address now, or somebody forwards what the peer has sent. Only the peer itself can
// answer a challenge. The content of the datagram is not used.
func (m *base) receiveElsewhere(at time.Duration, from netip.AddrPort, b []byte) {
	for _, l := range m.links {
		if !l.alive() || l.Addr == from {
			continue
		}
		_, sequence, ok := l.Open(b)
		if !ok {
			continue
		}
		if l.Window.Has(sequence) {
			return // a copy
		}
		if m.linkTo(from) == nil {
			l.Challenge(at, from, len(b), m.cfg.Random, &m.out)
		}
		return
	}
	m.reject(m.linkTo(from))
}

// receivePath takes a challenge of a peer that has seen us at another address, or the answer to one
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
			// A machine that forwards it from elsewhere must not get an answer.
			if from == l || from == nil && addr == l.ReportedAddr.Addr && l.LostTouch(m.now, m.cfg.DropAfter) {
				l.Answer(addr, c.Token, &m.out)
			}
		case from == nil && l.Proves(addr, c.Token):
			m.events.Add(Event{What: Moved, Players: l.players, Text: addr.String()})
			if !m.lateJoin.observing() { // the other peers may have lost it
				m.tell(appendAddr(m.cfg.appendSet(m.begins(messageMoved), l.players), addr), l.players)
			}
		}
		return
	}
	m.reject(from)
}

// Two peers that change their addresses at the same time know only each other's old address. A third
// peer, which follows both, tells each where the other one is. That is no proof: it names an address
// to which we send a challenge, and from which we answer one, only while nothing comes from the
// peer's old address. So a peer that lies about another achieves nothing as long as that one is heard.

// receiveMoved takes the message of a peer that says where another one is.
func (m *base) receiveMoved(from *link, b []byte) error {
	players, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	addr, rest, ok := consumeAddr(b)
	if !ok || len(rest) > 0 {
		return datagram.ErrRange
	}
	if !from.alive() {
		return nil // it is gone
	}
	for _, l := range m.links {
		if l.players == players && l != from && l.alive() && l.Addr != addr {
			l.ReportedAddr = peer.Reported{Addr: addr, At: m.now}
		}
	}
	return nil
}

// lookElsewhere sends a challenge to where other peers say that a silent peer is.
func (m *base) lookElsewhere() {
	for _, l := range m.links {
		if l.alive() && l.LostTouch(m.now, m.cfg.DropAfter) && m.linkTo(l.ReportedAddr.Addr) == nil {
			l.LookElsewhere(m.now, m.cfg.Random, &m.out)
		}
	}
}

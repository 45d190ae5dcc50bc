package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// receiveElsewhere handles a session datagram from an address that is not its sender's: either the peer has a new
// address, or somebody forwards what the peer has sent. Only the peer itself can answer a challenge. The content of
// the datagram is not used.
func (m *play) receiveElsewhere(at time.Duration, from netip.AddrPort, b []byte) {
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

// receivePath handles a challenge from a peer that has received from us at another address, or the answer to one of
// ours.
func (m *play) receivePath(from *link, addr netip.AddrPort, b []byte) {
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
			// A machine elsewhere that forwards the challenge must not get an answer.
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

// Two peers that change their addresses at the same time know only each other's old address. A third peer, which
// follows both, tells each of them the address of the other. That is no proof: it names an address to which we send
// a challenge, and from which we answer one, only while nothing arrives from the peer's old address. So a peer that
// lies about another one has no effect while that one is heard.

// receiveMoved handles the message of a peer that reports the new address of another one.
func (m *play) receiveMoved(from *link, b []byte) error {
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

// lookElsewhere sends a challenge to the address that other peers report for a silent peer.
func (m *play) lookElsewhere() {
	for _, l := range m.links {
		if l.alive() && l.LostTouch(m.now, m.cfg.DropAfter) && m.linkTo(l.ReportedAddr.Addr) == nil {
			l.LookElsewhere(m.now, m.cfg.Random, &m.out)
		}
	}
}

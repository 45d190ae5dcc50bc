package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// path is an address at which a peer may be now.
type path struct {
	addr   netip.AddrPort
	token  uint64
	at     time.Duration // of the last challenge
	credit int           // bytes that have come from there, less those that went there
}

// challengeInterval is the shortest time between two challenges for one peer.
const challengeInterval = 50 * time.Millisecond

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
			m.challenge(l, at, from, len(b))
		}
		return
	}
	m.reject(m.linkTo(from))
}

// challenge asks for a proof at an address from which a datagram of so many bytes has
// come. It never sends more there than has come from there: a peer, too, may lie about
// where it is.
func (m *Machine) challenge(l *link, at time.Duration, addr netip.AddrPort, size int) {
	p := &l.path
	if p.addr != addr {
		*p = path{addr: addr, token: m.cfg.Random(), at: p.at}
	}
	p.credit = min(p.credit+size, datagram.MaxSize)
	if p.credit < datagram.PathSize || at < p.at+challengeInterval || m.out.Full() {
		return
	}
	p.at = at
	p.credit -= datagram.PathSize
	m.sendPath(l, addr, datagram.Challenge{Kind: datagram.KindChallenge, Token: p.token})
}

func (m *Machine) sendPath(l *link, to netip.AddrPort, c datagram.Challenge) {
	m.out.Seal(l.Out.Seal(c.Append(m.out.Bytes), m.out.Start(), 0), to)
}

// receivePath is a challenge of a peer that has seen us move, or the answer to one
// of ours.
func (m *Machine) receivePath(from *link, addr netip.AddrPort, b []byte) {
	for _, l := range m.links {
		if !l.alive() {
			continue
		}
		body, ok := l.In.Open(b, 0)
		if !ok {
			continue
		}
		c, err := datagram.ConsumeChallenge(body)
		switch {
		case err != nil:
			m.reject(from)
		case c.Kind == datagram.KindChallenge:
			// Whoever sends it on from elsewhere shall not get an answer.
			known := from == l || from == nil && addr == l.vouched.addr && m.lostTouch(l)
			if known && !m.out.Full() {
				m.sendPath(l, addr, datagram.Challenge{Kind: datagram.KindAnswer, Token: c.Token})
			}
		case l.path.addr == addr && l.path.token == c.Token && from == nil:
			l.Addr, l.path, l.vouched = addr, path{}, vouched{}
			m.events.add(Event{What: Moved, Players: l.players, Text: addr.String()})
			m.vouch(l)
		}
		return
	}
	m.reject(from)
}

package session

import (
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Two peers that change their addresses at the same time know of each other only where
// they were. With a third one they find each other again: it follows both, and tells each
// where the other one is. That is no proof. It names an address to which we send a challenge,
// and from which we answer one, only while nothing comes from where the peer was. So a peer
// that lies about another achieves nothing as long as that one is heard.

// vouch tells the others where a peer is that was followed to another address.
func (m *Machine) vouch(moved *link) {
	for _, l := range m.links {
		if l != moved && l.state == connected && !l.aside {
			m.post(l, appendAddr(append(m.begins(messageMoved), byte(moved.players)), moved.Addr))
		}
	}
}

// receiveMoved is another peer that says where a third one is.
func (m *Machine) receiveMoved(from *link, b []byte) error {
	if len(b) == 0 {
		return datagram.ErrShort
	}
	addr, rest, ok := consumeAddr(b[1:])
	if !ok || len(rest) > 0 {
		return datagram.ErrRange
	}
	if !from.alive() {
		return nil // it has no part in this any more
	}
	for _, l := range m.links {
		if l.players == PlayerSet(b[0]) && l != from && l.alive() && l.Addr != addr {
			l.Vouched = peer.Vouched{Addr: addr, At: m.now}
		}
	}
	return nil
}

// lostTouch reports whether a peer may be where another one says.
func (m *Machine) lostTouch(l *link) bool { return l.alive() && l.LostTouch(m.now, m.cfg.DropAfter) }

// lookElsewhere asks for a proof where others say that a peer is.
func (m *Machine) lookElsewhere() {
	for _, l := range m.links {
		if m.lostTouch(l) && m.linkTo(l.Vouched.Addr) == nil {
			l.LookElsewhere(m.now, m.cfg.Random, &m.out)
		}
	}
}

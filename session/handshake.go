package session

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/wire/datagram"
)

// lobbying connects the peers and starts matches.
type lobbying struct {
	joining
	watched time.Duration // when watch last ran
}

// welcomeInterval is the minimum time between two answers to Hellos of a peer that is known to have an answer. It
// is shorter than the interval of Hellos.
const welcomeInterval = 10 * time.Millisecond

// welcomeRoom is how many datagrams may be waiting when a Hello is answered. The rest of the room is for our own
// datagrams.
const welcomeRoom = maxOutgoing / 2

// connectPeers sends Hellos to peers that have not answered, and starts a match that is due.
func (m *lobbying) connectPeers() {
	// Not immediately after the last match, so that the owner sees its outcome first.
	if next := m.lobby.Next(); next != nil && m.phase == Lobby {
		m.takeProposal(m.host(), next)
	}
	for _, l := range m.links {
		m.sendHello(l)
	}
	m.startWhenReady()
}

// doubtful reports whether a peer has answered, but no authentic datagram from it has arrived yet.
func (l *link) doubtful() bool { return l.state == connected && !l.Proven() }

// receiveHello answers a Hello. It changes nothing else, since anybody can have sent the Hello.
func (m *lobbying) receiveHello(l *link, from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || l == nil || m.out.Full() {
		m.reject(l)
		return
	}
	if m.phase == Over && m.allTold() {
		return // as if no session were here
	}
	// Anybody can send Hellos. Until the peer has an answer, its own Hellos must get through; after that, our own
	// datagrams must.
	if m.out.Len() >= welcomeRoom || l.Proven() && m.now < l.welcomed+welcomeInterval {
		return
	}
	l.welcomed = m.now
	w := datagram.Welcome{Version: datagram.Version, Nonce: l.Nonce, Attempt: hello.Attempt, Items: m.items, Engaged: m.engaged(l, hello.Nonce)}
	if p := m.lobby.At(); !w.Engaged.Earlier && m.cfg.host() && p != nil && len(p.Offer.Data) <= datagram.MaxOffer {
		// The answer must not be larger than the Hello, nor than the path carries.
		if w.Offer = &p.Offer; !w.OfferFits(min(len(b), l.Most())) {
			w.Offer = nil // the offer follows on the control stream
		}
	}
	m.out.Seal(datagram.Key(hello.Nonce).Seal(w.Append(m.out.Bytes), m.out.Start(), 0), from)
	if w.Engaged.Earlier {
		m.askProcess(l)
	}
	if l.state == connecting {
		l.HelloSoon(m.now)
	}
}

// receiveWelcome connects a peer if it plays the same game.
func (m *lobbying) receiveWelcome(l *link, at time.Duration, b []byte) {
	if l == nil || m.allTold() {
		return
	}
	if m.identified(l, b) {
		return
	}
	if l.state != connecting && !l.doubtful() {
		if l.state == connected {
			l.AnsweredAgain(b) // an answer to another one of our Hellos
		}
		return
	}
	w, ok := datagram.OpenWelcome(l.Nonce, b)
	if !ok {
		m.reject(l)
		return
	}
	e := admission.Compare(l.players, &m.items, w.Version, &w.Items)
	if claimed := PlayerSet(w.Items.Own); e == nil && claimed != l.players {
		e = &PlaceError{m.cfg.Local, l.players, claimed}
	}
	if e != nil {
		if m.reject(l); !l.notBothMembers {
			m.fail(e)
		}
		return
	}
	if l.engaged = w.Engaged; w.Engaged.Earlier {
		// That session may end soon; then we get another answer. But a match that continues when somebody leaves
		// continues without us.
		if w.Engaged.Playing && m.cfg.continues() && !l.notBothMembers && m.phase == Connecting {
			m.fail(l.restarted())
		}
		return
	}
	l.Answered(at, w.Nonce, w.Attempt, m.now+keepAlive)
	if l.state == connected {
		return // the earlier answer was to a copy of our Hello sent by somebody else, or is the same
	}
	l.state, l.Heard = connected, at
	if m.phase == Over {
		m.sendGoodbye(l)
		return
	}
	if l.notBothMembers {
		return
	}
	m.events.Add(Event{What: Connected, Players: l.players})
	m.sendProgress(l)
	if w.Offer != nil && l.players.Has(0) {
		m.takeProposal(l, &lobby.Proposal{Offer: *w.Offer, Founders: m.cfg.everybody() &^ m.cfg.Reserved})
	}
}

// itemsOf returns the items that must be equal at all peers.
func itemsOf(c *Config, inputSize int, state uint64) datagram.Items {
	return datagram.Items{
		Game: c.GameID, Build: c.Build, Platform: c.Platform,
		Players: byte(c.Players), Own: uint16(c.Local), InputSize: byte(inputSize),
		TickRate: uint16(c.TickRate), Rate: c.Rate, MaxOrders: uint16(c.MaxOrders),
		ChainEvery: uint16(c.ChainEvery), HashEvery: uint16(max(c.HashEvery, 0)), Rule: datagram.Rule(c.OnLeave), State: state,
	}
}

// opened ends Connecting when the last peer has proved that it is there, by a datagram whose key depends on our
// nonce, which is new. A Welcome does not prove that, so nothing begins because of Welcomes alone, and no peer is
// dropped that was never there. If the match has begun at other peers, a peer that has proved nothing to us has
// proved itself to them. It may have gone since, and they cannot continue without us: after a time-out we begin,
// and the log decides about that peer.
func (m *lobbying) opened() {
	if m.phase != Connecting {
		return
	}
	begun := m.lobby.Stage() == lobby.Begun
	for _, l := range m.links {
		if l.awaited() && !(begun && m.now-l.Born > m.cfg.DropAfter) {
			return
		}
	}
	if m.lobby.Stage() == lobby.Idle {
		m.enterLobby()
	} else {
		m.enterStarting()
	}
	m.events.Add(Event{What: Open})
}

// awaited reports whether a peer has yet to prove that it is there.
func (l *link) awaited() bool { return l.state == connecting || l.doubtful() }

// engaged returns the answer to the sender of a Hello about an earlier process at its address, which proved with
// another nonce that it was there.
func (m *lobbying) engaged(l *link, nonce uint64) (e datagram.Engaged) {
	if !l.Proven() || nonce == l.Theirs {
		return e
	}
	e.Earlier = true
	e.Playing = m.phase == Playing
	e.Joins = e.Playing && m.cfg.continues() && m.audience != nil && m.audience.Invitation().Good()
	return e
}

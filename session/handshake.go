package session

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/wire/datagram"
)

// lobbying brings the peers together, and has them begin a match.
type lobbying struct {
	joining
	watched time.Duration // when watch last looked
}

// welcomeInterval is the shortest time between two answers to Hellos of a peer that
// is known to have an answer. It is shorter than the interval of Hellos.
const welcomeInterval = 10 * time.Millisecond

// welcomeRoom is how many datagrams may wait to be sent when a Hello is answered. The rest of
// the room is for our own datagrams.
const welcomeRoom = maxOutgoing / 2

// connectPeers asks peers that have not answered, and begins a match that is about to start.
func (m *lobbying) connectPeers() {
	// Not at once when the last match ends, so that the owner sees its outcome first.
	if next := m.lobby.Next(); next != nil && m.phase == Lobby {
		m.takeProposal(m.host(), next)
	}
	for _, l := range m.links {
		m.sendHello(l)
	}
	m.startWhenReady()
}

// doubtful reports whether a peer has answered, but no authentic datagram of it has arrived.
func (l *link) doubtful() bool { return l.state == connected && !l.Proven() }

// receiveHello answers a Hello. It changes nothing else, since anybody can have sent it.
func (m *lobbying) receiveHello(l *link, from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || l == nil || m.out.Full() {
		m.reject(l)
		return
	}
	if m.phase == Over && m.allTold() {
		return // as if nobody were there
	}
	// Anybody can send Hellos. Until the peer has an answer, its own Hellos must not be lost
	// among them; after that our own datagrams must not.
	if m.out.Len() >= welcomeRoom || l.Proven() && m.now < l.welcomed+welcomeInterval {
		return
	}
	l.welcomed = m.now
	w := datagram.Welcome{Version: datagram.Version, Nonce: l.Nonce, Attempt: hello.Attempt, Items: m.items, Engaged: m.engaged(l, hello.Nonce)}
	if p := m.lobby.At(); !w.Engaged.Earlier && m.cfg.host() && p != nil && len(p.Offer.Data) <= datagram.MaxOffer {
		// The answer is not larger than the Hello, or than the path carries.
		if w.Offer = &p.Offer; !w.OfferFits(min(len(b), l.Most())) {
			w.Offer = nil // it comes on the control stream
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

// receiveWelcome connects a peer, if it plays the same game.
func (m *lobbying) receiveWelcome(l *link, at time.Duration, b []byte) {
	if l == nil || m.allTold() {
		return
	}
	if m.identified(l, b) {
		return
	}
	if l.state != connecting && !l.doubtful() {
		if l.state == connected {
			l.AnsweredAgain(b) // one of several Hellos
		}
		return
	}
	body, ok := datagram.Key(l.Nonce).Open(b, 0)
	if !ok {
		m.reject(l)
		return
	}
	w, err := datagram.ConsumeWelcome(body)
	if err != nil {
		m.reject(l)
		return
	}
	e := differs(&m.items, l.players, w.Version, &w.Items)
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
		// That session may end soon, and then we get another answer. But a match that continues
		// when somebody leaves continues without us.
		if w.Engaged.Playing && m.cfg.continues() && !l.notBothMembers && m.phase == Connecting {
			m.fail(l.restarted())
		}
		return
	}
	l.Answered(at, w.Nonce, w.Attempt, m.now+keepAlive)
	if l.state == connected {
		return // an earlier answer was to somebody's copy of our Hello, or is the same
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

// itemsOf returns what our peers must have in common with us.
func itemsOf(c *Config, inputSize int, state uint64) datagram.Items {
	return datagram.Items{
		Game: c.GameID, Build: c.Build, Platform: c.Platform,
		Players: byte(c.Players), Own: uint16(c.Local), InputSize: byte(inputSize),
		TickRate: uint16(c.TickRate), MaxOrders: uint16(c.MaxOrders),
		ChainEvery: uint16(c.ChainEvery), HashEvery: uint16(max(c.HashEvery, 0)), OnLeave: byte(c.OnLeave), State: state,
	}
}

// differs returns the first item in which a machine with these players differs.
func differs(ours *datagram.Items, players PlayerSet, version byte, theirs *datagram.Items) error {
	for _, i := range [...]struct {
		name         string
		ours, theirs any
	}{
		{"protocol version", datagram.Version, int(version)},
		{"game", ours.Game, theirs.Game},
		{"build", ours.Build, theirs.Build},
		{"platform", platform(ours.Platform), platform(theirs.Platform)},
		{"number of players", ours.Players, theirs.Players},
		{"size of an input in bytes", ours.InputSize, theirs.InputSize},
		{"tick rate", ours.TickRate, theirs.TickRate},
		{"limit of orders in bytes", orNone(ours.MaxOrders), orNone(theirs.MaxOrders)},
		{"interval of comparisons", ours.ChainEvery, theirs.ChainEvery},
		{"interval of hashes", orNone(ours.HashEvery), orNone(theirs.HashEvery)},
		{"rule for who leaves", OnLeave(ours.OnLeave), OnLeave(theirs.OnLeave)},
		{"hash of state 0", hex(ours.State), hex(theirs.State)},
	} {
		if i.ours != i.theirs {
			return &MismatchError{players, i.name, quote(i.ours), quote(i.theirs)}
		}
	}
	return nil
}

type (
	// hex is a hash, which is shown in hexadecimal.
	hex uint64
	// orNone is a number of which 0 means that there is none.
	orNone uint16
	// platform is what floats depend on, and empty without floats.
	platform string
)

// quote puts the value of an item into words.
func quote(v any) string {
	switch v := v.(type) {
	case orNone:
		if v == 0 {
			return "none"
		}
	case platform:
		if v == "" {
			return "none, since there are no floats"
		}
		return fmt.Sprintf("%q", string(v))
	case string:
		return fmt.Sprintf("%q", v)
	case hex:
		return fmt.Sprintf("%016x", uint64(v))
	}
	return fmt.Sprint(v)
}

// opened ends Connecting when the last peer has proved that it is there, by a datagram whose key
// takes our nonce, which is new. A Welcome does not prove that, so that nothing begins with Welcomes
// alone, and no peer is dropped that was never there. If the match has begun at others, a peer that
// has proved nothing to us has done so to them. It may have ended since, and they cannot continue
// without us: after a time we begin, and the log decides about that peer.
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

// awaited reports whether a peer has not yet proved that it is there.
func (l *link) awaited() bool { return l.state == connecting || l.doubtful() }

// engaged returns what the sender of a Hello is told about an earlier process at its address, which
// has proved that it was there, with another nonce.
func (m *lobbying) engaged(l *link, nonce uint64) (e datagram.Engaged) {
	if !l.Proven() || nonce == l.Theirs {
		return e
	}
	e.Earlier = true
	e.Playing = m.phase == Playing
	e.Joins = e.Playing && m.cfg.continues() && m.audience != nil && m.audience.HasToken()
	return e
}

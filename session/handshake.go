package session

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// welcomeInterval is the shortest time between two answers to Hellos of a peer that
// has shown that it has one: less than between two Hellos.
const welcomeInterval = 10 * time.Millisecond

// welcomeRoom is how many datagrams may wait to be sent when a Hello is answered:
// the rest of the room is for our own.
const welcomeRoom = maxOutgoing / 2

// assemble goes on with peers that have not answered, and with a match that is
// about to start.
func (m *Machine) assemble() {
	// Not as soon as the last match ends: its owner shall see the outcome first.
	if next := m.lobby.next; next != nil && m.phase == Lobby {
		m.lobby.next = nil
		m.receiveOffer(m.host(), next, m.lobby.later)
	}
	for _, l := range m.links {
		if (l.state == connecting || l.doubtful()) && m.now >= l.HelloDue() {
			m.sendHello(l)
		}
	}
	m.barrier()
}

// doubtful reports whether a peer has answered, and nothing that it sends makes
// sense, or nothing comes.
func (l *link) doubtful() bool { return l.state == connected && !l.Proven() }

// sendHello asks a peer to answer. A newcomer is given up after DropAfter.
func (m *Machine) sendHello(l *link) { l.Hello(m.now, m.cfg.DropAfter, &m.out) }

// receiveHello answers. It changes nothing else, for anybody can have sent it:
// only a peer that also gets the answer can go on.
func (m *Machine) receiveHello(l *link, from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || l == nil || m.out.Full() {
		m.reject(l)
		return
	}
	if m.phase == Over && m.Done() {
		return // as if nobody were there
	}
	// Anybody can send Hellos. Until the peer has an answer, its own must not be lost
	// among them; from then on our own datagrams must not.
	if m.out.Len() >= welcomeRoom || l.Proven() && m.now < l.welcomed+welcomeInterval {
		return
	}
	l.welcomed = m.now
	w := datagram.Welcome{Version: datagram.Version, Nonce: l.Nonce, Attempt: hello.Attempt, Items: m.items(), Engaged: m.engaged(l, hello.Nonce)}
	if o := m.lobby.offer; !w.Engaged.Earlier && m.cfg.host() && o != nil && len(o.Data) <= datagram.MaxOffer {
		// As much as came, or less if we know that less gets there.
		if w.Offer = o; !w.OfferFits(min(len(b), l.Most())) {
			w.Offer = nil // it comes on the control stream
		}
	}
	m.out.Seal(datagram.Key(hello.Nonce).Seal(w.Append(m.out.Bytes), m.out.Start(), 0), from)
	if l.state == connecting {
		l.HelloSoon(m.now)
	}
}

// receiveWelcome connects a peer, if it plays the same game.
func (m *Machine) receiveWelcome(l *link, at time.Duration, b []byte) {
	if l == nil || m.Done() {
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
	if e := m.compare(l, &w); e != nil {
		if m.reject(l); !l.aside {
			m.fail(e)
		}
		return
	}
	if l.engaged = w.Engaged; w.Engaged.Earlier {
		m.turnedAway(l)
		return
	}
	l.Answered(at, w.Nonce, w.Attempt, m.now+keepAlive)
	if l.state == connected {
		return // the answer before was to somebody else's copy of our Hello, or is this one
	}
	l.state, l.Heard = connected, at
	if m.phase == Over {
		m.sayGoodbye(l)
		return
	}
	if l.aside {
		return
	}
	m.events.add(Event{What: Connected, Players: l.players})
	m.greet(l)
	if w.Offer != nil && l.players.Has(0) {
		m.receiveOffer(l, w.Offer, m.everybody()&^m.cfg.Reserved)
	}
}

// items returns what our peers must have in common with us.
func (m *Machine) items() datagram.Items {
	c := &m.cfg
	return datagram.Items{
		Game: c.GameID, Build: c.Build, Platform: c.Platform,
		Players: byte(c.Players), Own: byte(c.Local), InputSize: byte(m.sim.inputSize()),
		TickRate: uint16(c.TickRate), MaxOrders: uint16(c.MaxOrders),
		ChainEvery: uint16(c.ChainEvery), HashEvery: uint16(max(c.HashEvery, 0)), OnLeave: byte(c.OnLeave), State: m.lobby.initial,
	}
}

// compare returns the first item in which a peer differs from us.
func (m *Machine) compare(l *link, w *datagram.Welcome) error {
	if err := m.differs(l.players, w.Version, &w.Items); err != nil {
		return err
	}
	return m.comparePlace(l, PlayerSet(w.Items.Own))
}

// differs returns the first item that a machine with these players has otherwise.
func (m *Machine) differs(players PlayerSet, version byte, theirs *datagram.Items) error {
	ours := m.items()
	return firstDifference(players, []itemPair{
		{"protocol version", datagram.Version, int(version)},
		{"game", ours.Game, theirs.Game},
		{"build", ours.Build, theirs.Build},
		{"platform", ours.Platform, theirs.Platform},
		{"number of players", ours.Players, theirs.Players},
		{"size of an input in bytes", ours.InputSize, theirs.InputSize},
		{"tick rate", ours.TickRate, theirs.TickRate},
		{"limit of orders in bytes", ours.MaxOrders, theirs.MaxOrders},
		{"interval of comparisons", ours.ChainEvery, theirs.ChainEvery},
		{"interval of hashes", ours.HashEvery, theirs.HashEvery},
		{"rule for who leaves", OnLeave(ours.OnLeave), OnLeave(theirs.OnLeave)},
		{"hash of state 0", hex(ours.State), hex(theirs.State)},
	})
}

// itemPair is an item as we have it, and as a peer has it.
type itemPair struct {
	name         string
	ours, theirs any
}

// firstDifference returns the first item that a peer has otherwise, or nil.
func firstDifference(players PlayerSet, items []itemPair) error {
	for _, i := range items {
		if i.ours != i.theirs {
			return &MismatchError{players, i.name, quote(i.ours), quote(i.theirs)}
		}
	}
	return nil
}

// hex is a hash, to be shown as one.
type hex uint64

func quote(v any) string {
	switch v := v.(type) {
	case string:
		return fmt.Sprintf("%q", v)
	case hex:
		return fmt.Sprintf("%016x", uint64(v))
	}
	return fmt.Sprint(v)
}

// opened goes on when the last peer has proved that it is there: with a datagram whose
// key nobody has who has not got our nonce, which is new. A Welcome does not show that, so
// that nothing starts on Welcomes alone, and nobody is dropped who was never there.
func (m *Machine) opened() {
	if m.phase != Connecting {
		return
	}
	for _, l := range m.links {
		if l.awaited() && !m.startsWithout(l) {
			return
		}
	}
	if m.lobby.offer != nil {
		m.enterStarting()
	} else {
		m.enterLobby()
	}
	m.events.add(Event{What: Open})
}

// awaited reports whether nothing shows yet that a peer is there.
func (l *link) awaited() bool { return l.state == connecting || l.doubtful() }

// startsWithout reports whether the match begins though a peer has not shown us that it is
// there. To others it has, since they play: it may have ended meanwhile, and they cannot go
// on without us. The log says what becomes of it.
func (m *Machine) startsWithout(l *link) bool {
	return m.lobby.begun && m.now-l.Born > m.cfg.DropAfter
}

package session

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// attempts are the Hellos to a peer that has not answered.
type attempts struct {
	next   time.Duration
	total  int
	last   byte // the number of the newest, in its low bits
	sentAt [256]time.Duration
}

// helloInterval is how long after so long without an answer the next Hello is
// sent: at first often, so that a lost one costs little, then patiently.
func helloInterval(since time.Duration) time.Duration {
	switch {
	case since < time.Second:
		return 25 * time.Millisecond
	case since < 5*time.Second:
		return 100 * time.Millisecond
	}
	return 250 * time.Millisecond
}

// welcomeInterval is the shortest time between two answers to Hellos of a peer:
// less than between two Hellos.
const welcomeInterval = 10 * time.Millisecond

// assemble goes on with peers that have not answered, and with a match that is
// about to start.
func (m *Machine) assemble() {
	// Not as soon as the last match ends: its owner shall see the outcome first.
	if next := m.lobby.next; next != nil && m.phase == Lobby {
		m.lobby.next = nil
		m.receiveOffer(m.host(), next)
	}
	for _, l := range m.links {
		if l.state == connecting && m.now >= l.attempts.next {
			m.sendHello(l)
		}
	}
	m.barrier()
}

func (m *Machine) sendHello(l *link) {
	a := &l.attempts
	a.next = m.now + helloInterval(m.now-beginning)
	a.total++
	a.last++
	a.sentAt[a.last] = m.now
	if m.out.full() {
		return
	}
	hello := datagram.Hello{Version: datagram.Version, Nonce: l.nonce, Attempt: a.last}
	m.out.seal(hello.Append(m.out.bytes), l.addr)
}

// receiveHello answers. It changes nothing else, for anybody can have sent it:
// only a peer that also gets the answer can go on.
func (m *Machine) receiveHello(l *link, from netip.AddrPort, b []byte) {
	hello, err := datagram.ConsumeHello(b)
	if err != nil || l == nil || m.out.full() {
		m.reject(l)
		return
	}
	if m.phase == Over && m.Done() {
		return // as if nobody were there
	}
	if m.now < l.welcomed+welcomeInterval {
		return // anybody can send Hellos; our own datagrams need the room
	}
	l.welcomed = m.now
	w := datagram.Welcome{Version: datagram.Version, Nonce: l.nonce, Attempt: hello.Attempt, Items: m.items()}
	if o := m.lobby.offer; m.cfg.host() && o != nil && len(o.Data) <= datagram.MaxOffer {
		w.Offer = o
	}
	m.out.seal(datagram.Key(hello.Nonce).Seal(w.Append(m.out.bytes), m.out.start(), 0), from)
	if a := &l.attempts; l.state == connecting {
		// It is there: ask now, but not more often than anybody's Hellos should make us.
		a.next = min(a.next, max(m.now, a.sentAt[a.last]+helloInterval(0)))
	}
}

// receiveWelcome connects a peer, if it plays the same game.
func (m *Machine) receiveWelcome(l *link, at time.Duration, b []byte) {
	if l == nil || l.state != connecting || m.Done() {
		return // an answer to one of several Hellos
	}
	body, ok := datagram.Key(l.nonce).Open(b, 0)
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
		m.fail(e)
		return
	}
	l.in, l.out = datagram.KeyOf(w.Nonce, l.nonce), datagram.KeyOf(l.nonce, w.Nonce)
	if a := &l.attempts; a.last-w.Attempt < byte(min(a.total, 255)) {
		l.rtt.add(at - a.sentAt[w.Attempt])
	}
	l.channel.SetTimeout(l.rtt.timeout(m.nominal))
	l.state, l.heard = connected, at
	if m.phase == Over {
		m.sayGoodbye(l)
		return
	}
	m.events.add(Event{What: Connected, Players: l.players})
	m.greet(l)
	if w.Offer != nil && l.players.Has(0) {
		m.receiveOffer(l, w.Offer)
	}
	m.opened()
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
	ours, theirs := m.items(), &w.Items
	for _, item := range [...]struct {
		name         string
		ours, theirs any
	}{
		{"protocol version", datagram.Version, int(w.Version)},
		{"game", ours.Game, theirs.Game},
		{"build", ours.Build, theirs.Build},
		{"platform", ours.Platform, theirs.Platform},
		{"number of players", ours.Players, theirs.Players},
		{"place of the players", l.players, PlayerSet(theirs.Own)},
		{"size of an input in bytes", ours.InputSize, theirs.InputSize},
		{"tick rate", ours.TickRate, theirs.TickRate},
		{"limit of orders in bytes", ours.MaxOrders, theirs.MaxOrders},
		{"interval of comparisons", ours.ChainEvery, theirs.ChainEvery},
		{"interval of hashes", ours.HashEvery, theirs.HashEvery},
		{"rule for who leaves", OnLeave(ours.OnLeave), OnLeave(theirs.OnLeave)},
		{"hash of state 0", hex(ours.State), hex(theirs.State)},
	} {
		if item.ours != item.theirs {
			return &MismatchError{l.players, item.name, quote(item.ours), quote(item.theirs)}
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

// opened goes on when the last peer has connected.
func (m *Machine) opened() {
	if m.phase != Connecting {
		return
	}
	for _, l := range m.links {
		if l.state == connecting {
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

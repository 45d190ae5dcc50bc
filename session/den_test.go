package session

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// liar is a host that says anything that the test wants.
type liar struct {
	items datagram.Items
	pipe  *peer.Pipe
	say   func(l *liar) // once for each spectator who comes
	came  int
	last  uint64 // nonce of the spectator
}

const liarNonce = 77

var liarAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 200}), 7000)

// receive returns what the liar answers.
func (l *liar) receive(now time.Duration, b []byte) (answers [][]byte) {
	switch b[0] {
	case datagram.KindWatch:
		h, _ := datagram.ConsumeHello(b)
		w := datagram.Welcome{Version: datagram.Version, Nonce: liarNonce, Attempt: h.Attempt, Items: l.items}
		return [][]byte{datagram.Key(h.Nonce).Seal(w.Append(nil), 0, 0)}
	case datagram.KindAttach:
		h, err := datagram.ConsumeAttach(b, datagram.SetsOf(int(l.items.Players)))
		if err == nil && (l.pipe == nil || l.last != h.Nonce) {
			l.pipe, l.last = peer.NewPipe(netip.AddrPort{}, liarNonce, h.Nonce, time.Second/60, now), h.Nonce
			l.came++
			l.say(l)
		}
	default:
		if l.pipe != nil {
			_, _ = l.pipe.Receive(now, b)
		}
	}
	return l.flush(now)
}

func (l *liar) flush(now time.Duration) (sent [][]byte) {
	for range 64 {
		if l.pipe == nil || l.pipe.Due(now) > now {
			return sent
		}
		sent = append(sent, l.pipe.Append(nil, now))
	}
	return sent
}

// tell sends a message of a kind.
func (l *liar) tell(kind byte, parts ...any) {
	b := []byte{kind}
	for _, p := range parts {
		b, _ = binary.Append(b, binary.LittleEndian, p)
	}
	_ = l.pipe.Channel.Send(b)
}

// begin says that a match begins.
func (l *liar) begin(match uint32) {
	o := datagram.Offer{Match: match}
	l.tell(1, o.Append(nil))
}

// den is a spectator, a liar, and an honest host that plays alone.
type den struct {
	testing.TB
	liar      *liar
	honest    *Session[sum, uint16]
	spectator *Spectator[sum, uint16]
	now       time.Duration
	events    []Event
	hold      SpectatorInvariants
	truth     [][]byte         // the inputs of the honest host's frames
	chains    map[Frame]uint64 // of its states
	mute      bool             // it is not heard
}

func newDen(tb testing.TB, honest bool, say func(l *liar)) *den {
	tb.Helper()
	n := uint64(5)
	random := func() uint64 { n = n*6364136223846793005 + 1442695040888963407; return n }
	samples, d := uint16(0), &den{TB: tb}
	host, err := New(sumGame(), Config{
		GameID: "sum", Players: 1, MaxOrders: 300, Random: random, Spectators: spectate.Config{Max: 4},
	}, Hooks[sum, uint16]{
		Sample: func(Player) uint16 { samples++; return samples },
		Agreed: func(a *rollback.Agreed[uint16]) {
			d.truth = append(d.truth, binary.LittleEndian.AppendUint16(nil, a.Inputs[0]))
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	c := SpectatorConfig{GameID: "sum", MaxOrders: 300, Random: random, Hosts: []netip.AddrPort{liarAddr}}
	if honest {
		c.Hosts = append(c.Hosts, addrOf(0))
	}
	s, err := NewSpectator(sumGame(), c, SpectatorHooks[sum, uint16]{})
	if err != nil {
		tb.Fatal(err)
	}
	d.liar, d.honest, d.spectator = &liar{items: host.items, say: say}, host, s
	return d
}

var spectatorAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 99}), 7000)

func (d *den) run(span time.Duration) { d.until(span, nil) }

// until lets time pass until a condition holds, or the time is up, and reports
// which.
func (d *den) until(span time.Duration, done func() bool) bool {
	for end := d.now + span; d.now < end; d.now += 4 * time.Millisecond {
		if done != nil && done() {
			return true
		}
		d.honest.Update(d.now)
		d.honest.Events()
		for to, b := range d.honest.Outgoing() {
			if to == spectatorAddr && !d.mute {
				d.spectator.Receive(d.now, addrOf(0), b)
			}
		}
		for _, b := range d.liar.flush(d.now) {
			d.spectator.Receive(d.now, liarAddr, b)
		}
		for before := d.spectator.Frame(); d.spectator.Update(d.now) <= d.now && d.spectator.Frame() != before; before = d.spectator.Frame() {
		}
		news := d.spectator.Events()
		d.events = append(d.events, news...)
		d.hold.See(d, d.spectator, d.now, news)
		d.carry()
	}
	return done != nil && done()
}

// home reports whether the spectator is at the honest host, and has caught up so far
// that nothing from the liar is shown any more.
func (d *den) home() bool {
	s := d.spectator
	return s.Phase() == Playing && s.incoming.follower.Host() == addrOf(0) && s.Health() == Healthy &&
		s.Frame() <= d.honest.Frame() && s.Frame()+60 > d.honest.Frame()
}

func (d *den) carry() {
	var answers [][]byte
	for to, b := range d.spectator.Outgoing() {
		if to == liarAddr {
			answers = append(answers, d.liar.receive(d.now, b)...)
		} else if to == addrOf(0) {
			d.honest.Receive(d.now, spectatorAddr, b)
		}
	}
	for _, b := range answers {
		d.spectator.Receive(d.now, liarAddr, b)
	}
}

// frames sends so many frames without inputs.
func (l *liar) frames(count int) {
	l.tell(5, uint32(count), uint16(count), make([]byte, count))
}

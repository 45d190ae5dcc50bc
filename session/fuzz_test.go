package session

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/datagram"
)

// Ways in which FuzzReceive passes bytes to a session.
const (
	byStranger = iota // from an address that nobody knows
	byPeer            // from a peer's address, as they are
	sealed            // with a true sequence and tag of that peer: a hostile peer
	message           // as a message of that peer's control stream
	moved             // sealed, from a new address
	ways
)

// Whatever arrives, in every phase: nothing panics or hangs, agreed frames stay,
// and datagrams that are not from a peer do not even disturb the match.
//
// The first byte is the phase, the second one the way; then come datagrams, each
// preceded by its length.
func FuzzReceive(f *testing.F) {
	for phase := range Over + 1 {
		for way := range byte(ways) {
			f.Add([]byte{byte(phase), way, 3, 1, 2, 3, 20, 0x1f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		}
	}
	for kind := byte(messageOffer); kind <= messageNewcomer+1; kind++ {
		for _, way := range []byte{message, message + 3*ways} {
			b := []byte{byte(Playing), way, 30, kind, 1, 0, 0, 0}
			for range 26 {
				b = append(b, kind)
			}
			f.Add(b)
		}
	}
	for kind := range byte(desync.Kinds) {
		for step := range byte(5) {
			f.Add([]byte{byte(Playing), message, 9, messageDesync, 1, 0, 0, 0, 10, 0, 0, 0, 30, messageDesync + kind, 1, 0, 0, 0, 1, 0, 0, 0, step, 1, 0, 0, 0, 1, 0, 0, 0})
		}
	}
	hello := datagram.Hello{Version: datagram.Version, Nonce: 5}.Append(nil)
	f.Add(append([]byte{byte(Connecting), byPeer, byte(len(hello) & 255)}, hello...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 {
			return
		}
		phase, way := Phase(data[0])%(Over+1), data[1]%ways
		tr := newTrio(t, 2+int(data[1]/ways)%2, func(c *Config) {
			c.Lobby, c.OnLeave = true, OnLeave(data[1]/ways/2%2)
		})
		tr.reach(phase)
		target := tr.peers[int(data[0]/8)%2]
		agreed := target.sim.Agreed()
		for n, rest := 0, data[2:]; n < 8 && len(rest) > 0; n++ {
			var piece []byte
			k := min(int(rest[0]), len(rest)-1)
			piece, rest = rest[1:1+k], rest[1+k:]
			tr.give(target, way, piece)
			target.Update(tr.now)
			for _, b := range target.Outgoing() {
				if len(b) > datagram.MaxSize {
					t.Fatalf("a datagram of %d bytes", len(b))
				}
			}
			if a := target.sim.Agreed(); target.Phase() == Playing && phase == Playing && a < agreed {
				t.Fatalf("agreed goes back from %d to %d", agreed, a)
			}
		}
		tr.run(40 * time.Millisecond)
		if way < sealed && phase == Playing {
			tr.undisturbed()
		}
	})
}

// give passes bytes to a session in one of the ways.
func (tr *trio) give(to *Session[sum, uint16], way byte, b []byte) {
	l := to.links[0]
	from := tr.peers[lowest(l.players)]
	stranger := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), 1)
	switch way {
	case byStranger:
		to.Receive(tr.now, stranger, b)
	case byPeer:
		to.Receive(tr.now, l.Addr, b)
	case sealed, moved:
		addr := l.Addr
		if way == moved {
			addr = stranger
		}
		b = append([]byte(nil), b...)
		for len(b) < 3 {
			b = append(b, 0)
		}
		if !datagram.IsSession(b) {
			b = l.In.Seal(b, 0, 0)
		} else {
			sequence := l.Window.Next() + uint64(b[1]%4)
			binary.LittleEndian.PutUint16(b[1:], uint16(sequence))
			b = l.In.Seal(b, 0, sequence)
		}
		to.Receive(tr.now, addr, b)
	case message:
		if len(b) == 0 {
			return
		}
		for _, other := range from.links {
			if other.at0() == to.local[0] && other.state == connected {
				_ = other.Channel.Send(b)
				from.sendTo(other)
			}
		}
		tr.carry()
	}
}

func (l *link) at0() Player { return l.List[0] }

// undisturbed checks that a match of 100 frames goes on to its end.
func (tr *trio) undisturbed() {
	tr.Helper()
	tr.run(3 * time.Second)
	for i, p := range tr.peers {
		o, ok := p.Outcome()
		if !ok || o.Frames != 100 || o.Health != Healthy {
			tr.Fatalf("peer %d: %v, frame %d, error %v, outcome %+v", i, p.Phase(), p.Frame(), p.Err(), o)
		}
	}
}

// The wire of the harness carries matches. As a negative control for undisturbed,
// a peer whose own peer lies to it is disturbed.
func TestTheTrioPlays(t *testing.T) {
	for _, players := range []int{2, 3} {
		tr := newTrio(t, players, func(c *Config) { c.Lobby = true })
		for _, phase := range []Phase{Playing} {
			tr.reach(phase)
		}
		tr.undisturbed()
	}
	for phase := range Over + 1 {
		tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
		if tr.reach(phase); tr.peers[0].Phase() != phase {
			t.Errorf("%v, must be %v", tr.peers[0].Phase(), phase)
		}
	}
	tr := newTrio(t, 2, func(c *Config) { c.Lobby = true })
	tr.reach(Playing)
	tr.give(tr.peers[0], message, []byte{99, 1, 0, 0, 0})
	tr.run(time.Second)
	if tr.peers[0].Phase() == Playing {
		t.Error("a message of an unknown kind was taken")
	}
}

package session

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// bait is everything that a stranger may send, of every kind and shape: datagrams that
// follow the protocol as far as possible for a machine that has received nothing, and
// others.
func bait(tr *trio) map[string][]byte {
	attach := datagram.Attach{Nonce: 7}
	seat := datagram.Attach{Nonce: 8, Players: 0b10, ID: 5}
	seat.Prove([]byte("sixteen bytes or"), 9)
	welcome := datagram.Welcome{Version: datagram.Version, Nonce: 3, Attempt: 1, Items: tr.peers[0].items}
	key := datagram.KeyOf(1, 2)
	header := datagram.Header{Sequence: 1}
	all := map[string][]byte{
		"hello":       datagram.Hello{Version: datagram.Version, Nonce: 1, Attempt: 1}.Append(nil),
		"old hello":   datagram.Hello{Version: datagram.Version + 1, Nonce: 1, Attempt: 1}.Append(nil),
		"watch":       datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 1, Attempt: 1}.Append(nil),
		"old watch":   datagram.Hello{Watch: true, Version: datagram.Version + 1, Nonce: 1, Attempt: 1}.Append(nil),
		"small hello": datagram.Hello{Version: datagram.Version, Nonce: 1, Attempt: 1}.AppendPadded(nil, datagram.MinSize),
		"small watch": datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 1, Attempt: 1}.AppendPadded(nil, datagram.MinSize),
		"welcome":     datagram.Key(1).Seal(welcome.Append(nil), 0, 0),
		"challenge":   key.Seal(datagram.Challenge{Kind: datagram.KindChallenge, Token: 1}.Append(nil), 0, 0),
		"answer":      key.Seal(datagram.Challenge{Kind: datagram.KindAnswer, Token: 1}.Append(nil), 0, 0),
		"attach":      key.Seal(attach.Append(nil), 0, 0),
		"seat":        key.Seal(seat.Append(nil), 0, 0),
		"session":     key.Seal(header.Append(nil, datagram.Shape{}), 0, 1),
	}
	for kind := range 256 {
		all[fmt.Sprintf("one byte %02x", kind)] = []byte{byte(kind)}
		b := make([]byte, datagram.MaxSize)
		b[0] = byte(kind)
		copy(b[1:], "TKB\x01")
		all[fmt.Sprintf("long %02x", kind)] = b
	}
	for _, name := range [...]string{"hello", "watch", "small hello", "small watch", "attach", "seat", "session"} {
		b := all[name]
		all["short "+name] = b[:len(b)-1]
		all["long "+name] = append(append([]byte(nil), b...), 0)
	}
	return all
}

// lured is how many bytes a machine sends to an address for a number of bytes from there:
// immediately, and, for a stranger, also later.
func lured(tr *trio, from netip.AddrPort, b []byte, times int) (in, out int) {
	count := func() {
		for _, answer := range tr.sentTo(0, from) {
			out += len(answer)
		}
	}
	for range times {
		tr.sentTo(0, from)
		tr.peers[0].Receive(tr.now, from, b)
		in += len(b)
		count()
		tr.now += 20 * time.Millisecond
		if tr.peers[0].Poll(tr.now); from == elsewhere {
			count()
		}
	}
	return in, out
}

// Whatever a stranger sends, in any phase of the session, its address never gets more
// bytes than it has sent. Anybody may send in the name of a peer's address; that does not
// get it more either, in addition to what it gets anyway.
func TestNothingIsAmplified(t *testing.T) {
	for _, phase := range []Phase{Connecting, Lobby, Starting, Playing, Ending, Over} {
		answered := 0
		for _, from := range []netip.AddrPort{elsewhere, addrOf(1)} {
			fresh := func() *trio {
				tr := newTrio(t, 2, func(c *Config) {
					c.Lobby = true
					c.Spectators, c.Token = spectate.Config{Max: 4}, []byte("sixteen bytes or")
				})
				if phase != Connecting {
					tr.reach(phase)
				}
				return tr
			}
			shared := fresh()
			for name, b := range bait(shared) {
				tr, times := shared, 1
				if b[0] <= datagram.KindAttach {
					tr, times = fresh(), 50
				}
				in, out := lured(tr, from, b, times)
				if out > in {
					t.Errorf("%v: %s from %v: %d bytes bring %d", phase, name, from, in, out)
				}
				answered += out
			}
		}
		if answered == 0 && phase != Over {
			t.Errorf("%v: nothing was answered: this tests nothing", phase)
		}
	}
}

package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// pieces calls f with the parts of data, each preceded by its length.
func pieces(data []byte, f func(b []byte)) {
	for n := 0; n < 12 && len(data) > 0; n++ {
		k := min(int(data[0]), len(data)-1)
		f(data[1 : 1+k])
		data = data[1+k:]
	}
}

// Whatever a host sends, in whatever order, the spectator does not panic, its memory is
// bounded, and it ends up at the honest host.
func FuzzSpectator(f *testing.F) {
	begin := (&datagram.Offer{Match: 1}).Append([]byte{1})
	f.Add(append(append([]byte{byte(len(begin))}, begin...), 5, 4, 0, 0, 0, 0, 9, 5, 2, 0, 0, 0, 2, 0, 0, 0))
	f.Add(append(append([]byte{byte(len(begin))}, begin...), 21, 2, 1, 0, 0, 0, 2, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 3, 3, 1, 2))
	f.Add(append(append([]byte{byte(len(begin))}, begin...), 31, 6))
	f.Add([]byte{1, 7, 1, 8})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDen(t, true, func(l *liar) {
			pieces(data, func(b []byte) { _ = l.pipe.Channel.Send(b) })
			l.tell(99)
		})
		d.until(12*time.Second, func() bool {
			if n := d.spectator.incoming.follower.Buffered(); n > 1<<17 {
				t.Fatalf("%d frames wait", n)
			}
			return d.home()
		})
		if s := d.spectator; s.Phase() == Over || d.liar.came == 0 {
			t.Fatalf("it is %v: %v", s.Phase(), s.Err())
		}
	})
}

// rogue is a spectator that sends anything that the test wants.
type rogue struct {
	addr     netip.AddrPort
	pipe     *peer.Pipe
	key      datagram.Key // of what it sends
	sequence uint64
}

// mangled returns an authentic datagram with some bits flipped and the right tag: mask
// has pairs of a position and bits.
func (r *rogue) mangled(now time.Duration, mask []byte) []byte {
	b := r.pipe.Append(nil, now)
	b = b[:len(b)-datagram.TagSize]
	for i := 0; i+1 < len(mask); i += 2 {
		if at := int(mask[i]) % len(b); at != 1 && at != 2 { // its number belongs to the tag
			b[at] ^= mask[i+1]
		}
	}
	b = r.key.Seal(b, 0, r.sequence)
	r.sequence++
	return b
}

// attach makes a rogue one of the spectators of a host.
func (d *den) attach(port uint16, nonce uint64) *rogue {
	d.Helper()
	r := &rogue{addr: netip.AddrPortFrom(spectatorAddr.Addr(), port)}
	d.now += 50 * time.Millisecond
	d.honest.Receive(d.now, r.addr, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: nonce}.Append(nil))
	for _, b := range d.sentTo(r.addr) {
		body, ok := datagram.Key(nonce).Open(b, 0)
		w, err := datagram.ConsumeWelcome(body)
		if !ok || err != nil {
			d.Fatal("no Welcome")
		}
		d.honest.Receive(d.now, r.addr, datagram.KeyOf(nonce, w.Nonce).Seal(datagram.Attach{Nonce: nonce}.Append(nil), 0, 0))
		r.key = datagram.KeyOf(nonce, w.Nonce)
		r.pipe = peer.NewPipe(r.addr, nonce, w.Nonce, time.Second/60, d.now)
	}
	if r.pipe == nil {
		d.Fatal("no answer")
	}
	return r
}

func (d *den) sentTo(addr netip.AddrPort) (list [][]byte) {
	for to, b := range d.honest.Outgoing() {
		if to == addr {
			list = append(list, append([]byte(nil), b...))
		}
	}
	return list
}

// Whatever a spectator sends, its host plays on, and others can watch.
func FuzzAudience(f *testing.F) {
	request := append([]byte{8}, make([]byte, 40)...)
	f.Add(uint8(0), append([]byte{byte(len(request))}, request...))
	f.Add(uint8(0), []byte{1, 7})
	f.Add(uint8(1), []byte{3, 0, 0, 1, 4, 3, 0, 0, 0x40})
	f.Add(uint8(2), []byte{20, 6, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, way uint8, data []byte) {
		d := newDen(t, true, func(*liar) {})
		d.run(2 * time.Second)
		r := d.attach(5000, 9)
		pieces(data, func(b []byte) {
			switch d.now += 10 * time.Millisecond; way % 3 {
			case 0: // a message
				if len(b) > 0 && r.pipe.Channel.Send(b) == nil {
					d.honest.Receive(d.now, r.addr, r.pipe.Append(nil, d.now))
				}
			case 1: // a datagram with some bits flipped, and the right tag
				d.honest.Receive(d.now, r.addr, r.mangled(d.now, b))
			default: // bytes from somebody else
				from := netip.AddrPortFrom(spectatorAddr.Addr(), 6000)
				d.sentTo(from)
				d.honest.Receive(d.now, from, b)
				for _, answer := range d.sentTo(from) {
					if len(answer) > len(b) {
						t.Fatalf("%d bytes are answered with %d", len(b), len(answer))
					}
				}
			}
			for _, b := range d.sentTo(r.addr) {
				_, _ = r.pipe.Receive(d.now, b)
			}
		})
		frame := d.honest.Frame()
		d.run(time.Second)
		if d.honest.Frame() < frame+50 || d.honest.Err() != nil {
			t.Fatalf("the host is at frame %d, and was at %d: %v", d.honest.Frame(), frame, d.honest.Err())
		}
	})
}

// A machine that lies about its address gets nothing larger than it has sent, and
// leaves nothing behind; the same holds for one that repeats an Attach that it has
// seen.
func TestAnAttachIsGoodForAWhile(t *testing.T) {
	d := newDen(t, true, func(*liar) {})
	d.run(time.Second)
	nonce := uint64(4)
	d.honest.Receive(d.now, spectatorAddr, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: nonce}.Append(nil))
	answers := d.sentTo(spectatorAddr)
	if len(answers) != 1 {
		t.Fatalf("%d answers", len(answers))
	}
	body, _ := datagram.Key(nonce).Open(answers[0], 0)
	w, err := datagram.ConsumeWelcome(body)
	if err != nil {
		t.Fatal(err)
	}
	attach := datagram.KeyOf(nonce, w.Nonce).Seal(datagram.Attach{Nonce: nonce}.Append(nil), 0, 0)
	elsewhere := netip.AddrPortFrom(spectatorAddr.Addr(), 1)
	guests := func(from netip.AddrPort, want int, why string) {
		t.Helper()
		d.honest.Receive(d.now, from, attach)
		if n := d.honest.Stats(nil).Spectators.Spectators; n != want {
			t.Errorf("%s: %d guests", why, n)
		}
	}
	d.honest.Outgoing()
	guests(elsewhere, 0, "from elsewhere")
	guests(spectatorAddr, 1, "from where it belongs")
	guests(spectatorAddr, 1, "again")
	for range 300 {
		d.now += 100 * time.Millisecond
		d.honest.Update(d.now)
		d.sentTo(spectatorAddr)
	}
	guests(spectatorAddr, 0, "half a minute later")
}

// Authentic datagrams of a host with some bits flipped and the right tag: the spectator
// does not panic, and finds the honest host.
func FuzzSpectatorDatagrams(f *testing.F) {
	f.Add([]byte{2, 0, 0x40, 4, 5, 1, 20, 9})
	f.Add([]byte{6, 3, 0xFF, 4, 0xFF, 5, 0x3F})
	f.Fuzz(func(t *testing.T, data []byte) {
		d := newDen(t, true, func(l *liar) {
			l.begin(1)
			l.tell(4, uint32(0))
			l.frames(60)
		})
		d.run(300 * time.Millisecond)
		r := &rogue{pipe: d.liar.pipe, key: datagram.KeyOf(liarNonce, d.liar.last), sequence: d.liar.pipe.Counts.Sent}
		pieces(data, func(mask []byte) {
			d.liar.frames(3)
			d.spectator.Receive(d.now, liarAddr, r.mangled(d.now, mask))
			d.run(20 * time.Millisecond)
		})
		d.liar.pipe, d.liar.say = nil, func(*liar) {}
		d.until(20*time.Second, d.home)
		if s := d.spectator; s.Phase() != Playing || s.incoming.follower.Host() != addrOf(0) {
			t.Fatalf("it is %v at %v: %v", s.Phase(), s.incoming.follower.Host(), s.Err())
		}
	})
}

// Hellos from very many addresses: the answers are bounded and never larger than the
// Hellos, nothing is stored, and the match goes on.
func TestAFloodFromEverywhereIsBounded(t *testing.T) {
	d := newDen(t, true, func(*liar) {})
	d.run(time.Second)
	answers, frame := 0, d.honest.Frame()
	for i := range uint32(50_000) { // in five seconds
		d.now += 100 * time.Microsecond
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)}), 7)
		hello := datagram.Hello{Watch: true, Version: datagram.Version, Nonce: uint64(i)}.Append(nil)
		d.honest.Receive(d.now, from, hello)
		for to, b := range d.honest.Outgoing() {
			if answers++; to != from || len(b) > len(hello) {
				t.Fatalf("%d bytes to %v", len(b), to)
			}
		}
		if i%100 == 0 {
			d.honest.Update(d.now)
			d.honest.Outgoing()
		}
	}
	if s := d.honest.Stats(nil); answers > 1255 || answers < 1000 || s.Spectators.Spectators != 0 || s.Frame < frame+295 {
		t.Errorf("%d answers, %d guests, frame %d after %d", answers, s.Spectators.Spectators, s.Frame, frame)
	}
}

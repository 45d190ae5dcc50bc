package spectate

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// rogue is a newcomer that sends anything that the test wants.
type rogue struct {
	addr netip.AddrPort
	pipe *peer.Pipe
}

// attach asks for a place with the right token, and makes the rogue's end of the stream.
func (h *hall) attach(addr netip.AddrPort, nonce uint64, players uint16, id uint64) *rogue {
	h.Helper()
	h.now += 50 * time.Millisecond
	h.audience.Receive(h.now, addr, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: nonce}.Append(nil))
	for to, b := range h.out.All() {
		body, ok := datagram.Key(nonce).Open(b, 0)
		if to != addr || !ok {
			continue
		}
		w, err := datagram.ConsumeWelcome(body)
		if err != nil {
			h.Fatal(err)
		}
		a := datagram.Attach{Nonce: nonce, Players: players, ID: id}
		a.Prove(hallToken, w.Nonce)
		h.audience.Receive(h.now, addr, datagram.KeyOf(nonce, w.Nonce).Seal(a.Append(nil), 0, 0))
		p := peer.NewPipe(addr, nonce, w.Nonce, hallPeriod, h.now)
		return &rogue{addr, p}
	}
	h.Fatal("no Welcome")
	return nil
}

// say sends a message, whatever it is.
func (h *hall) say(r *rogue, b []byte) {
	if len(b) > 0 && r.pipe.Channel.Send(b) == nil {
		h.audience.Receive(h.now, r.addr, r.pipe.Append(nil, h.now))
	}
}

// Whatever newcomers and strangers send, the memory kept for them is bounded, no address
// gets more bytes than it has sent before it is proved, and others are admitted.
func FuzzSeats(f *testing.F) {
	request := append([]byte{messageRequest}, make([]byte, requestSize)...)
	f.Add(append([]byte{0, byte(len(request))}, request...))
	f.Add([]byte{0, 3, messageRoll, 1, 2, 0, 1, messageRoll, 1, 2, 5, 5})
	f.Add([]byte{2, 42, 6, 1, 2, 3, 4, 5, 6, 7, 8, 1, 9, 9, 9, 9, 9, 9, 9, 9, 3, 1, 0})
	f.Add([]byte{3, 1, 7, 0, 2, messageRoll, 4, 4, 1, 9, 0, 2, messageRoll, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHall(t, Config{Max: 1}, hallToken)
		h.run(100 * time.Millisecond)
		r := h.attach(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 1}), 5), 9, 1, 7)
		for n := 0; n < 200 && len(data) > 1; n++ {
			what, size := data[0], min(int(data[1]), len(data)-2)
			b := data[2 : 2+size]
			data = data[2+size:]
			h.now += 5 * time.Millisecond
			switch what % 4 {
			case 0:
				h.say(r, b)
			case 1:
				h.audience.SendMemberList(7, b[:min(len(b), MaxMemberList)])
			case 2:
				h.stranger(b)
			default:
				h.audience.Update(h.now)
			}
			for to, b := range h.out.All() {
				if to == r.addr {
					_, _ = r.pipe.Receive(h.now, b)
				}
			}
			if n := len(h.seats()); n > 1 {
				t.Fatalf("%d newcomers", n)
			}
		}
		v := h.enter(1, seat(2, 8))
		h.run(time.Second)
		if !v.Attached() || v.frames == 0 {
			t.Fatalf("nobody else is let in: %q", v.reason())
		}
	})
}

// stranger sends what nobody has proved.
func (h *hall) stranger(b []byte) {
	h.Helper()
	from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), 6)
	h.audience.Receive(h.now, from, b)
	for to, answer := range h.out.All() {
		if to == from && len(answer) > len(b) {
			h.Fatalf("%d bytes are answered with %d", len(b), len(answer))
		}
	}
}

// Whatever a host sends to a newcomer, the newcomer does not panic, and the amount of
// waiting data is bounded.
func FuzzNewcomer(f *testing.F) {
	begin := (&datagram.Offer{Match: 1}).Append([]byte{messageBegin})
	f.Add(append(append([]byte{byte(len(begin))}, begin...), 3, messageRoll, 1, 2))
	f.Add([]byte{1, messageRoll})
	f.Add([]byte{2, messageRoll, 1, 1, messageBye, 2, messageRoll, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		h := newHall(t, Config{Max: 1}, hallToken)
		h.audience.broadcast.offer = nil // it says nothing by itself
		v := h.enter(1, seat(1, 7))
		v.deaf = true
		h.run(200 * time.Millisecond)
		g, _ := h.audience.crowd.newcomer(7)
		if g == nil {
			t.Fatal("it is not in")
		}
		for n := 0; n < 300 && len(data) > 0; n++ {
			size := min(int(data[0]), len(data)-1)
			if size > 0 {
				_ = g.pipe.Channel.Send(data[1 : 1+size])
			}
			data = data[1+size:]
		}
		h.run(500 * time.Millisecond)
		if len(v.memberList) > MaxMemberList {
			t.Fatalf("a roll of %d bytes", len(v.memberList))
		}
	})
}

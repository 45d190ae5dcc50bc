package spectate

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a spectator that comes while a match is being set up waits for it; a host that
// starts showing a match late shows it from there on.
func TestAMatchThatBeginsLater(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing = false
	h.audience = NewHost(h.audience.cfg, h.token, h, hallShape, hallPeriod, admission.NewGate(counting(5)), &h.out)
	want(t, "match", h.audience.Match(), 0)
	h.audience.Finish(End{}) // of nothing
	if err := h.audience.Frame(hallFrame(0)); err != nil {
		t.Fatal(err)
	}
	v := h.enter(1, nil)
	h.run(2 * time.Second)
	want(t, "it is in", v.Attached(), true)
	want(t, "items", len(v.items), 0)
	if err := h.audience.BeginAt(&datagram.Offer{Match: 7}, 130); err != nil {
		t.Fatal(err)
	}
	want(t, "match", h.audience.Match(), 7)
	want(t, "frames at the beginning", h.audience.broadcast.visible(true), 130)
	h.frame = 130
	for range 600 {
		if err := h.audience.Frame(hallFrame(h.frame)); err != nil {
			t.Fatal(err)
		}
		h.frame++
		h.run(16 * time.Millisecond)
	}
	want(t, "items", fmt.Sprint(v.items), "[match 7 state]")
	if v.states[0] < 130 || h.frame-v.at > 5 {
		t.Errorf("from state %d on, frame %d of %d", v.states[0], v.at, h.frame)
	}
	w := newHall(t, Config{Max: 4}).enter(1, nil)
	a := h.audience
	a.Close("no match any more")
	h.run(time.Second)
	want(t, "why", v.reason(), "no match any more")
	_ = w
}

// Rule: a host that closes without a match tells the waiting spectators so.
func TestAHostThatClosesWithoutAMatch(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing, h.audience.broadcast.offer = false, nil
	v := h.enter(1, nil)
	h.run(time.Second)
	h.audience.Close(strings.Repeat("x", 300))
	h.run(time.Second)
	if len(v.lost) != 1 || v.lost[0].Error() != "it says: "+strings.Repeat("x", 256) {
		t.Errorf("%v", v.lost)
	}
	want(t, "done", h.audience.Done(), true)
}

// Rule: no more datagrams wait than there is room for, whoever asks; those that did not
// fit are sent later.
func TestTheOutboxIsBounded(t *testing.T) {
	h := newHall(t, Config{Max: 8})
	h.run(5 * time.Second)
	for i := range byte(8) {
		h.enter(i, nil)
	}
	h.run(time.Second)
	to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 9, 9}), 1)
	for h.out.Len() < MaxOutgoing {
		h.out.Seal(append(h.out.Bytes, 0), to)
	}
	for range 100 {
		h.now += 4 * time.Millisecond
		h.play()
		h.audience.Update(h.now)
		h.stranger(datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil)[:0])
		h.audience.Receive(h.now, to, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: 3}.Append(nil))
		for h.out.Len() < MaxOutgoing {
			h.out.Seal(append(h.out.Bytes, 0), to)
		}
		want(t, "datagrams", h.out.Len(), MaxOutgoing)
		if h.now > 6200*time.Millisecond {
			break
		}
	}
	for range h.out.All() {
	}
	h.run(time.Second)
	for _, v := range h.visitors {
		if h.frame-v.at > 5 {
			t.Errorf("it is %d frames behind", h.frame-v.at)
		}
	}
}

// Rule: the host says when to call it again: when something is due, and within a second
// at the latest.
func TestWhenTheHostIsCalledAgain(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.playing = false
	want(t, "nobody is there", h.audience.Update(time.Minute), time.Minute+time.Second)
	h.now = time.Minute
	h.enter(1, nil)
	h.run(time.Second)
	g := h.audience.crowd.list[0]
	now := g.pipe.Sent + time.Millisecond
	if next := h.audience.Update(now); next > g.pipe.Sent+peer.KeepAlive || next <= now {
		t.Errorf("at %v it is %v, and a sign of life is due at %v", now, next, g.pipe.Sent+peer.KeepAlive)
	}
	g.feed.state = &heldState{} // it is catching up: not before there may be room
	if err := g.pipe.Channel.Send([]byte("x")); err != nil {
		t.Fatal(err)
	}
	h.audience.now = now
	want(t, "then", h.audience.next(), now+8*time.Millisecond)
}

// Rule: the list of spectators that come and go is bounded, and is cleared once it was
// fetched.
func TestNewsIsBounded(t *testing.T) {
	a := newHall(t, Config{Max: 4}).audience
	for range 200 {
		a.crowd.tell(News{})
	}
	want(t, "news", len(a.News()), 2*(MaxSpectators+MaxNewcomers))
	want(t, "once more", len(a.News()), 0)
}

// Rule: all that is counted.
func TestWhatIsCounted(t *testing.T) {
	h := newHall(t, Config{Max: 2}, hallToken)
	v := h.enter(1, nil)
	h.enter(2, seat(1, 5))
	h.enter(3, nil)
	h.enter(4, nil).addr = side(7, 7)
	h.run(5 * time.Second)
	sent, size := uint64(0), uint64(0)
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if from == h.addr && b[0] != datagram.KindWelcome {
			sent, size = sent+1, size+uint64(len(b))
		}
		return true
	}
	before, traffic := h.audience.Stats(), v.Traffic()
	h.run(time.Second)
	s := h.audience.Stats()
	if s.Spectators != 2 || s.Newcomers != 1 || s.Leaving != 0 || s.Log != h.audience.broadcast.log.Size() || s.Log == 0 || s.Refused == 0 {
		t.Errorf("%+v", s)
	}
	if refused := s.Refused - before.Refused; s.Datagrams-before.Datagrams+refused != sent || s.Bytes-before.Bytes > size {
		t.Errorf("%d datagrams of %d bytes, in the books %d and %d", sent, size, s.Datagrams-before.Datagrams, s.Bytes-before.Bytes)
	}
	now := v.Traffic()
	if now.Sent <= traffic.Sent || now.Received <= traffic.Received || now.SentBytes < 10*(now.Sent-traffic.Sent) || now.Strangers != 0 {
		t.Errorf("%+v, and then %+v", traffic, now)
	}
	v.Receive(h.now, side(1, 1), []byte{0x80})
	v.Receive(h.now, h.addr, nil)
	v.Receive(h.now, h.addr, []byte{1})
	want(t, "strangers", v.Traffic().Strangers, 3)
	h.visitors[1].away = true
	g, _ := h.audience.crowd.newcomer(5)
	h.audience.dismiss(g, messageBye, "")
	h.audience.Update(h.now)
	if s := h.audience.Stats(); s.Newcomers != 1 || len(h.seats()) != 1 {
		t.Errorf("%+v", s)
	}
	w := h.audience.crowd.at(v.addr)
	h.audience.dismiss(w, messageBye, "x")
	want(t, "leaving", h.audience.Stats().Leaving, 1)
	w.gone = "x"
	want(t, "gone", h.audience.Stats().Leaving, 0)
	if !slices.ContainsFunc(h.news, func(n News) bool { return n.Addr == v.addr && n.Joined && n.Newcomer == Newcomer{} }) {
		t.Errorf("%+v", h.news)
	}
}

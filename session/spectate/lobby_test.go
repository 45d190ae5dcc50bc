package spectate

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: when the next match begins, a spectator gets it from its beginning, whatever part of
// the last one it was getting.
func TestTheNextMatch(t *testing.T) {
	for _, c := range []struct {
		rate  int
		items string
	}{{DefaultRate, "[match 1 state match 2]"}, {50_000, "[match 1 match 2]"}} {
		h := newHall(t, Config{Max: 4, Rate: c.rate})
		h.state = 300_000
		h.run(5 * time.Second)
		v := h.enter(1, nil)
		h.run(time.Second)
		if err := h.audience.Begin(&datagram.Offer{Match: 2}); err != nil {
			t.Fatal(err)
		}
		h.now, h.frame = h.now+time.Millisecond, 0
		for range 600 {
			if err := h.audience.Frame(hallFrame(h.frame)); err != nil {
				t.Fatal(err)
			}
			h.frame++
			h.playing = false
			h.run(16 * time.Millisecond)
		}
		want(t, "items", fmt.Sprint(v.items), c.items)
		want(t, "there", h.frame-v.at <= 5, true)
		want(t, "lost", len(v.lost), 0)
	}
}

// Rule: after a match, a spectator waits for the next one: at a host for a minute, then at
// another one, any number of times.
func TestTheNextMatchIsWaitedFor(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.open(Config{Max: 4})
	h.run(time.Second)
	v := h.wander(1, nil)
	h.run(time.Second)
	for _, o := range h.hosts() {
		o.playing = false
		o.audience.Finish(End{Frames: o.frame})
	}
	var hellos []time.Duration
	h.tap = func(_, _ netip.AddrPort, b []byte) bool {
		if b[0] == datagram.KindWatch {
			hellos = append(hellos, h.now)
		}
		return true
	}
	h.run(190 * time.Second)
	if len(v.lost) < 3 || v.found != len(v.lost)+1 || v.Err() != nil || len(hellos) != len(v.lost) {
		t.Errorf("%v, found %d, %v, %d Hellos", v.lost, v.found, v.Err(), len(hellos))
	}
	for i, why := range v.lost {
		want(t, "why", why, errIdle)
		if i > 0 {
			if gap := hellos[i] - hellos[i-1]; gap < time.Minute || gap > time.Minute+400*time.Millisecond {
				t.Errorf("%v at a host", gap)
			}
		}
	}
}

// Rule: a single spectator gets all of the rate.
func TestOneGuestGetsAllOfTheRate(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 3_000_000
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	h.run(time.Second)
	have, _ := v.Transfer()
	h.run(time.Second)
	if now, _ := v.Transfer(); now-have < 900_000 || now-have > 1<<20 {
		t.Errorf("%d bytes in a second", now-have)
	}
	traffic := v.Traffic()
	if traffic.Sent < traffic.Received/2-10 || traffic.Sent > traffic.Received*2/3 {
		t.Errorf("%d datagrams for %d", traffic.Sent, traffic.Received)
	}
}

// Rule: a spectator that is catching up gets a keep-alive every 250 ms while there is nothing
// for it.
func TestSignsOfLife(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	h.run(time.Second)
	g := h.audience.crowd.at(v.addr)
	g.feed.state = &heldState{bytes: make([]byte, 100)}
	h.audience.outlet.lanes[0].tokens = tokens{have: -1 << 40, rate: 1}
	for range 3 {
		at := g.pipe.Sent + peer.KeepAlive
		sent := g.pipe.Counts.Sent
		h.audience.Update(at - 1)
		want(t, "too early", g.pipe.Counts.Sent, sent)
		h.audience.Update(at)
		want(t, "a sign of life", g.pipe.Counts.Sent, sent+1)
	}
}

// Rule: when a match is shown with a delay, no spectator gets a state that is too new, even if
// it already has some bytes of it.
func TestAStateThatIsTooNewDoesNotGoOn(t *testing.T) {
	h := newHall(t, Config{Max: 4, Delay: 200}, hallToken)
	h.run(20 * time.Second)
	a := h.audience
	if len(a.states.list) < 2 {
		t.Fatalf("%d states", len(a.states.list))
	}
	for i, s := range a.states.list {
		r := request{match: 1, state: s.transfer, have: 1}
		want(t, "a spectator", a.states.stateFor(&r, false, a.now) == s, i == 0)
		want(t, "a newcomer", a.states.stateFor(&r, true, a.now) == s, true)
		s.frame = a.broadcast.visible(false)
		r.state = s.transfer
		want(t, "one that it may just see", a.states.stateFor(&r, false, a.now) == s, true)
		s.frame++
		r.state = s.transfer
		want(t, "one that it may not", a.states.stateFor(&r, false, a.now) == s, false)
		s.frame = 1 << 30
	}
	b := newHall(t, Config{Max: 4})
	b.run(5 * time.Second)
	old := &heldState{transfer: transfer{frame: 5, size: 1, digest: 1}, bytes: []byte("x")}
	soon := &heldState{transfer: transfer{frame: b.frame + 30, size: 1, digest: 1}, bytes: []byte("x")}
	b.audience.states.list = []*heldState{old, soon}
	for _, c := range []struct {
		what string
		r    request
		want bool
	}{
		{"it goes on", request{match: 1, state: old.transfer, have: 1}, true},
		{"it goes on, though it is not agreed", request{match: 1, state: soon.transfer, have: 1}, true},
		{"another match", request{match: 2, state: old.transfer, have: 1}, false},
		{"another state", request{match: 1, state: transfer{frame: 5, size: 1, digest: 2}, have: 1}, false},
		{"nothing of it", request{match: 1, state: old.transfer}, false},
	} {
		want(t, c.what, b.audience.states.stateFor(&c.r, false, b.now).transfer == c.r.state && c.r.have > 0 && c.r.match == 1, c.want)
	}
}

// Rule: a stranger is answered once in 40 ms, however often it asks.
func TestAStrangerIsAnsweredSeldom(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	answers := 0
	for i := range 100 {
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 2, 2}), uint16(i))
		h.audience.Receive(time.Second+time.Duration(i)*4*time.Millisecond, from, datagram.Hello{Watch: true, Version: datagram.Version, Nonce: uint64(i)}.Append(nil))
		answers += h.out.Len()
		for range h.out.All() {
		}
	}
	want(t, "answers in 400 ms", answers, 10)
}

// Rule: a spectator that has no room to send asks later.
func TestASpectatorWithoutRoom(t *testing.T) {
	c := visitorConfig(1)
	c.Out = &peer.Outbox{Most: 2}
	v := NewFollower(c)
	for now := time.Duration(0); now < 2*time.Second; now += 50 * time.Millisecond {
		v.Update(now)
		if c.Out.Len() > 2 {
			t.Fatalf("%d datagrams", c.Out.Len())
		}
	}
	want(t, "datagrams", c.Out.Len(), 2)
	h := newHall(t, Config{Max: 4})
	w := h.enter(1, nil)
	h.run(time.Second)
	for w.cfg.Out.Len() < MaxOutgoing {
		w.cfg.Out.Seal(append(w.cfg.Out.Bytes, 0), hostAddr)
	}
	w.Update(h.now + time.Second)
	w.Leave()
	want(t, "datagrams of one that leaves", w.cfg.Out.Len(), MaxOutgoing)
}

// Rule: the number of spectators that are leaving at a time is bounded, and a spectator that is
// leaving or has left has no place.
func TestWhoHasAPlace(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	a := h.audience
	bring := func(n int, change func(g *spectator)) {
		for range n {
			p := peer.NewPipe(side(1, byte(len(a.crowd.list))), 1, 2, hallPeriod, 0)
			g := &spectator{pipe: p}
			change(g)
			a.crowd.list = append(a.crowd.list, g)
		}
	}
	from := side(2, 1).Addr()
	bring(MaxSpectators-1, func(g *spectator) { g.feed.bye = true })
	room := func() bool {
		g, ok := a.crowd.yield(from, a.cfg.Max, a.now)
		if g != nil {
			a.dismiss(g, messageBye, "x")
		}
		return ok
	}
	want(t, "nobody watches", room(), true)
	bring(3, func(*spectator) {})
	bring(3, func(g *spectator) { g.gone = "x" })
	bring(3, func(g *spectator) { g.feed.newcomer = true })
	want(t, "three watch", room(), true)
	bring(1, func(*spectator) {})
	for _, g := range a.crowd.list {
		want(t, "sent away", g.feed.bye && g.feed.why != "", false)
	}
	want(t, "four watch", room(), true)
	sent := 0
	for _, g := range a.crowd.list {
		if g.feed.why != "" {
			sent++
			want(t, "because", g.feed.why, "x")
		}
	}
	want(t, "sent away", sent, 1)
	want(t, "too many leave", room(), false)
}

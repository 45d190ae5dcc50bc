package served

import (
	"bytes"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// Rule: messages that no server sends are refused: repeated ones, those out of order, and unknown ones.
func TestWhatNoServerSays(t *testing.T) {
	f := newFixture(t)
	over := outcomeOf()
	for name, c := range map[string]struct {
		message []byte
		first   bool // it comes before the match
		want    error
	}{
		"a place in no match":  {appendPlace(nil, 0, 1), true, datagram.ErrKind},
		"the end of no match":  {appendEnd(nil, &over), true, datagram.ErrKind},
		"what there is not":    {[]byte{99}, false, datagram.ErrKind},
		"what a client says":   {appendOrders(nil, 1, []byte{1}), false, datagram.ErrKind},
		"a second match":       {f.server.log.offer.Append([]byte{messageBegin}), false, datagram.ErrRange},
		"half a match":         {[]byte{messageBegin, 1}, true, datagram.ErrRange},
		"a second place":       {appendPlace(nil, 0, 1), false, datagram.ErrRange},
		"a part of no state":   {[]byte{messageChunk, 1}, false, datagram.ErrRange},
		"an answer to nothing": {appendTruth(nil, 1, 1, ""), false, datagram.ErrRange},
		"half an end":          {[]byte{messageEnd, 1, 2}, false, datagram.ErrShort},
	} {
		r := serverLink{cfg: &f.other.cfg}
		if !c.first {
			r.offer, r.placed = &f.server.log.offer, true
		}
		if err := r.message(c.message[0], c.message[1:]); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// Rule: a client reports how long it has waited in vain: for an answer, and for anything once it had one. It
// has nothing to show then, and has made no match that it has not heard of.
func TestAClientThatHearsNothing(t *testing.T) {
	f := newFixture(t)
	alone := newClient(t, countGame(), f.server.cfg.Random, func(c *ClientConfig) { c.ConnectTimeout = 2 * time.Second })
	for _, c := range []struct {
		client   *Client[count, uint16]
		long     time.Duration
		prepared uint32
	}{{alone, 2 * time.Second, 0}, {f.other, 5 * time.Second, 1}} {
		for n := 0; c.client.Phase() != session.Over && n < 9000; n++ {
			f.now += time.Millisecond
			c.client.Update(f.now)
			for range c.client.Outgoing() {
			}
		}
		var lost *LostError
		if !errors.As(c.client.Err(), &lost) || lost.Long < c.long || lost.Long > c.long+50*time.Millisecond {
			t.Errorf("after %v: %v", c.long, c.client.Err())
		}
		if s := c.client.Stats(nil); s.Prepared != c.prepared || s.Match != c.prepared || s.Members != 0 || s.Links[0].Connected || (s.Uptime > 0) != (c.prepared > 0) {
			t.Errorf("%+v", s)
		}
		if s, ok := c.client.Shown(f.now); ok || s.Before != nil {
			t.Error("it has something to show")
		}
	}
}

// Rule: an answer that is not from our server counts as a stranger's, and changes nothing.
func TestAnAnswerOfSomebodyElse(t *testing.T) {
	g := newGate(t, nil)
	c := g.join(home)
	c.Update(0)
	for range 3 {
		c.Receive(0, serverAddr, append([]byte{datagram.KindWelcome}, make([]byte, 90)...))
	}
	if n := c.Stats(nil).Strangers; n != 3 {
		t.Errorf("%d strangers", n)
	}
	g.run(second)
	if c.Phase() != session.Playing || c.Stats(nil).Strangers != 3 {
		t.Errorf("%v, %+v", c.Phase(), c.Stats(nil))
	}
}

// Rule: a client reports which players have joined and left since it plays, once, with the first tick in which
// that is so.
func TestAClientTellsWhoComesAndGoes(t *testing.T) {
	g := newGate(t, nil)
	c := g.enter(home, nil)
	c.Events()
	guest := g.enter(away, nil)
	p, _ := guest.Player()
	from := g.server.clients.of[p].from
	want := func(what event.What, from, to Frame) {
		t.Helper()
		n := 0
		for _, e := range c.Events() {
			if n++; e.What != what || e.Players != rollback.SetOf(p) || e.Frame < from || e.Frame > to {
				t.Errorf("%v, want %v of player %d from tick %d to %d", e, what, p, from, to)
			}
		}
		if n != 1 {
			t.Errorf("%d events", n)
		}
	}
	want(event.Joined, from, from)
	left := g.server.Frame()
	guest.Leave("")
	g.run(100 * time.Millisecond)
	want(event.Left, left, left+1)
}

// Rule: before a client holds a state, its server knows of none, rather than of one that is 0 ticks old.
func TestAClientThatHoldsNothing(t *testing.T) {
	g := newGate(t, nil)
	g.join(home)
	for g.server.Members() == 0 && g.now < second {
		g.run(time.Millisecond)
	}
	if s, ok := g.server.Client(0); !ok || s.Behind != -1 {
		t.Errorf("%+v, %v", s, ok)
	}
	g.run(second)
	if s, ok := g.server.Client(0); !ok || s.Behind < 0 || s.Behind > 3 {
		t.Errorf("%+v, %v", s, ok)
	}
}

// Rule: a Welcome is used for five seconds; after that the client sends a Hello again. ConnectTimeout still counts from
// its first Hello.
func TestAWelcomeIsUsedForSoLong(t *testing.T) {
	for _, c := range []struct {
		silence time.Duration
		used    bool
	}{{5 * time.Second, true}, {5*time.Second + 1, false}} {
		g := newGate(t, nil)
		k := g.join(home)
		g.tap = func(from, _ netip.AddrPort, b []byte) bool { return from != serverAddr && b[0] == datagram.KindAttach }
		g.run(100 * time.Millisecond)
		r := &k.server
		if r.pipe == nil || r.heard {
			t.Fatal("it has no Welcome, or a place")
		}
		begun, nonce := r.caller.Begun, r.caller.Nonce
		r.pipe.Heard = k.now - c.silence
		r.update(k.now)
		if used := r.pipe != nil && r.caller.Nonce == nonce; used != c.used || r.caller.Begun != begun {
			t.Errorf("after %v it is used: %v; the client began after %v", c.silence, used, r.caller.Begun-begun)
		}
	}
}

// Rule: a client accepts the Welcome of a restarted server after 400 ms of silence, or two round trips more if it was
// not admitted yet; earlier it ignores it.
func TestAfterWhatSilenceAServerCountsAsRestarted(t *testing.T) {
	for _, heard := range []bool{true, false} {
		for _, early := range []time.Duration{0, 1} {
			f := newFixture(t)
			c := f.other
			c.server.again.caller.Begin(serverAddr, 99, c.now, peer.HelloInterval)
			c.server.again.caller.Query(c.now, c.server.out)
			restarted := newServer(t, nil)
			restarted.Receive(f.now, otherAddr, hello(c))
			var welcome []byte
			for _, b := range restarted.Outgoing() {
				welcome = bytes.Clone(b)
			}
			r := c.server
			r.again.on, r.heard = true, heard
			patience := 400 * time.Millisecond
			if !heard {
				patience += 2 * r.pipe.RoundTrip.Smoothed
			}
			r.pipe.Heard = c.now - patience + early
			r.welcomedAgain(c.now, welcome)
			if r.again.lost != (early == 0) || r.strangers != c.server.strangers || r.err != nil {
				t.Errorf("heard %v, %v before its time: it counts as restarted: %v; %v", heard, early, r.again.lost, r.err)
			}
		}
	}
}

// hello takes the last datagram that a client sends.
func hello(c *Client[count, uint16]) (last []byte) {
	for _, b := range c.Outgoing() {
		last = bytes.Clone(b)
	}
	return last
}

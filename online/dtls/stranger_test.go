package dtls

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// A machine that has not proved its address gets an answer if it asks for one, and nothing about it is stored. One that
// has proved it becomes a peer if it wants to be connected; otherwise, if it asks, it is told that there is no connection.
func TestWhoBecomesAPeer(t *testing.T) {
	for what, c := range map[string]struct {
		proved        bool
		flags         byte
		stored, reply bool
		says          byte // the flags of the reply
	}{
		"it says nothing":               {false, 0, false, false, 0},
		"it asks":                       {false, flagAsk, false, true, 0},
		"it wants":                      {false, flagWant, false, false, 0},
		"it asks and wants":             {false, flagAsk | flagWant, false, true, 0},
		"proved, it says nothing":       {true, 0, false, false, 0},
		"proved, it asks":               {true, flagAsk, false, true, flagWant},
		"proved, it wants":              {true, flagWant, true, true, flagWant},
		"proved, it asks and wants":     {true, flagAsk | flagWant, true, true, flagWant},
		"it answers somebody else":      {true, flagForeign | flagAsk | flagWant, false, false, 0},
		"it answers somebody else only": {false, flagForeign, false, false, 0},
	} {
		now := time.Now()
		tr, friend := looker(now)
		tr.greeter.self = instance{9} // the higher number: the other side begins the handshake
		var said []hello
		tr.under.(*port).n.onWay(func(d passing) []passing {
			h, rest, _ := parseHeader(d.bytes)
			if g, ok := parseHello(h, rest); ok && d.to == addr(carol) {
				said = append(said, g)
			}
			return nil
		})
		g := hello{header{flags: c.flags, from: instance{2}, to: tr.greeter.self}, cookie{7}}
		if c.proved {
			g.echo = tr.greeter.cookies.give(addr(carol), now)
		}
		tr.greeted(&g, friend.pair, addr(carol), now)
		p := tr.roster.at[addr(carol)]
		if (p != nil) != c.stored || p != nil && (!p.stranger || p.handshake.theirs != g.from || p.handshake.given != g.give) {
			t.Errorf("%s: a peer %v", what, p != nil)
		}
		if (len(said) == 1) != c.reply || len(said) > 1 {
			t.Errorf("%s: %d replies", what, len(said))
		} else if c.reply && (said[0].flags != c.says || said[0].to != g.from || said[0].echo != g.give || said[0].give != tr.greeter.cookies.give(addr(carol), now)) {
			t.Errorf("%s: the reply is %+v", what, said[0])
		}
		if forged := c.flags&flagForeign != 0; forged != (tr.Stats().Forged == 1) || tr.Stats().Forged > 1 {
			t.Errorf("%s: %d are counted as forged", what, tr.Stats().Forged)
		}
	}
}

// Records begin a handshake if they come from its client, which has the lower number, has proved its address, is allowed
// there, and has counted on. Others are counted as forged, and have no effect.
func TestWhoBeginsAHandshake(t *testing.T) {
	self, theirs := instance{5}, instance{2}
	for what, c := range map[string]struct {
		change func(tr *Transport, p *peer, e *envelope)
		begins bool
	}{
		"the client":               {func(*Transport, *peer, *envelope) {}, true},
		"the client of a stranger": {func(tr *Transport, p *peer, _ *envelope) { tr.roster.remove(p) }, true},
		"a newer attempt":          {func(_ *Transport, p *peer, _ *envelope) { p.handshake.theirs, p.handshake.attempt = theirs, 2 }, true},
		"another instance":         {func(_ *Transport, p *peer, _ *envelope) { p.handshake.theirs, p.handshake.attempt = instance{1}, 4 }, true},
		"the server":               {func(_ *Transport, _ *peer, e *envelope) { e.flags = 0 }, false},
		"the higher number":        {func(_ *Transport, _ *peer, e *envelope) { e.from = instance{8} }, false},
		"no proof":                 {func(_ *Transport, _ *peer, e *envelope) { e.echo = cookie{1} }, false},
		"for somebody else":        {func(_ *Transport, _ *peer, e *envelope) { e.to = instance{6} }, false},
		"the address of another": {func(tr *Transport, p *peer, _ *envelope) {
			tr.roster.remove(p)
			tr.keys.pins = map[netip.AddrPort]*pair{addr(bob): {}}
		}, false},
		"a peer with another key": {func(_ *Transport, p *peer, _ *envelope) { p.pair = &pair{} }, false},
		"the same attempt":        {func(_ *Transport, p *peer, _ *envelope) { p.handshake.theirs, p.handshake.attempt = theirs, 3 }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			now := time.Now()
			tr, p := looker(now)
			key := p.pair
			tr.keys.own, tr.greeter.self = NewIdentity(), self
			e := envelope{header{flags: flagClient, from: theirs, to: self, echo: tr.greeter.cookies.give(addr(bob), now)}, 3, []byte{22}}
			c.change(tr, p, &e)
			tr.mu.Lock()
			tr.attempted(&e, key, addr(bob), now, now)
			p = tr.roster.at[addr(bob)]
			if begins := p != nil && p.handshake.pending != nil; begins != c.begins || begins && (p.handshake.attempt != 3 || p.handshake.theirs != theirs) {
				t.Errorf("%s: a handshake begins %v", what, begins)
			}
			if forged, want := tr.Stats().Forged, map[bool]uint64{true: 0, false: 1}[c.begins]; forged != want {
				t.Errorf("%s: %d are counted as forged, want %d", what, forged, want)
			}
			if p != nil {
				tr.remove(p)
			}
			tr.mu.Unlock()
			tr.conns.running.Wait()
		})
	}
}

// A stranger for which there is no room gets neither a place nor a handshake, whichever way it comes, and is counted.
func TestAStrangerWithoutAPlace(t *testing.T) {
	now := time.Now()
	tr, first := looker(now)
	tr.keys.own, tr.greeter.self = NewIdentity(), instance{5}
	first.handshake.wanted.set(now)
	for i := range MaxPeers - 1 {
		tr.insert(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000), first.pair, false, now).handshake.wanted.set(now)
	}
	proof := tr.greeter.cookies.give(addr(carol), now)
	tr.greeted(&hello{header{flags: flagWant, from: instance{2}, to: tr.greeter.self, echo: proof}, cookie{7}}, first.pair, addr(carol), now)
	tr.attempted(&envelope{header{flags: flagClient, from: instance{2}, to: tr.greeter.self, echo: proof}, 1, []byte{22}}, first.pair, addr(carol), now, now)
	if s := tr.Stats(); tr.roster.at[addr(carol)] != nil || s.Refused != 2 || s.Handshakes != 0 || s.Forged != 0 {
		t.Errorf("it has a place: %v, %+v", tr.roster.at[addr(carol)] != nil, s)
	}
}

// An address that somebody else has begun to look for in the meantime is looked for once.
func TestAnAddressIsLookedForOnce(t *testing.T) {
	tr, p := looker(time.Now())
	tr.keys.everybody = p.pair
	if err := tr.want(addr(bob)); err != ErrNotConnected || tr.roster.at[addr(bob)] != p || len(tr.roster.list) != 1 || tr.under.(*port).sent != 0 {
		t.Errorf("%v, and there are %d peers", err, len(tr.roster.list))
	}
}

// A client that begins again too early is not answered yet, and does so again later.
func TestAHandshakeThatBeginsTooEarly(t *testing.T) {
	for after, want := range map[time.Duration]bool{200*time.Millisecond - 1: false, 200 * time.Millisecond: true} {
		synctest.Test(t, func(t *testing.T) {
			now := time.Now()
			tr, p := looker(now)
			tr.keys.own, tr.greeter.self = NewIdentity(), instance{5}
			p.handshake.theirs = instance{2}
			p.handshake.finish(false, now) // the one before has failed
			e := envelope{header{flags: flagClient, from: instance{2}, to: tr.greeter.self, echo: tr.greeter.cookies.give(addr(bob), now)}, 3, []byte{22}}
			tr.mu.Lock()
			tr.attempted(&e, p.pair, addr(bob), now, now.Add(after))
			if got := p.handshake.pending != nil; got != want || tr.Stats().Forged != 0 {
				t.Errorf("%v later: a handshake begins %v, %+v", after, got, tr.Stats())
			}
			tr.remove(p)
			tr.mu.Unlock()
			tr.conns.running.Wait()
		})
	}
}

// A peer that was started again is connected anew as soon as either side wants it, however recently something has
// arrived over the connection with the process before; and a greeting says so.
func TestAConnectionWithTheProcessBefore(t *testing.T) {
	start := time.Now()
	for theirs, want := range map[instance]bool{{1}: false, {2}: true} {
		_, p := looker(start)
		c := &conn{heard: moment{began: start}, opening: envelope{header: header{to: instance{1}}}}
		c.heard.set(start)
		p.handshake.conn.Store(c)
		p.handshake.theirs = theirs
		p.handshake.wanted.set(start)
		if got := p.handshake.due(start); got != want {
			t.Errorf("with the instance %v a connection is due: %v", theirs, got)
		}
		if h := p.handshake.greeting(flagAsk, start); h.flags&flagWant != 0 != want || h.flags&flagAsk == 0 || h.to != theirs {
			t.Errorf("with the instance %v it greets with the flags %b", theirs, h.flags)
		}
	}
}

// A transport that is closed has nothing more to receive, not even what has arrived before.
func TestNothingIsReceivedAfterTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		if err := a.Send(addr(bob), []byte("too late")); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
		b.Close()
		if _, ok := b.has("too late"); ok {
			t.Error("it is received")
		}
		a.Close()
	})
}

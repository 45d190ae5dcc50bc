package dtls

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
)

// A network that takes all places gives way to others, and never takes the place of a peer that the owner sends to,
// even before that is connected. Strangers from different networks are treated alike, and keep their places.
func TestPlacesAreSharedByNetworks(t *testing.T) {
	for _, c := range []struct {
		what    string
		flooder func(i int) string
		room    bool
	}{
		{"of one network", func(i int) string { return fmt.Sprintf("198.51.100.%d:%d", i+1, 1000+i) }, true},
		{"of many pairs", func(i int) string { return fmt.Sprintf("10.1.%d.%d:%d", i/2, 1+i%2, 1000+i) }, true},
		{"of many", func(i int) string { return fmt.Sprintf("10.1.%d.1:%d", i, 1000+i) }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(time.Millisecond), tickback.NewToken()
			a := n.open(t, alice, Config{Token: token})
			friend := netip.MustParseAddrPort("203.0.113.7:7000") // it is not there at the moment
			for i := range MaxPeers - 1 {
				_ = a.Send(friend, []byte("are you there?"))
				n.open(t, c.flooder(i), Config{Token: token}).say(t, a, "let me in")
				time.Sleep(100 * time.Millisecond)
			}
			_ = a.Send(friend, []byte("are you there?"))
			if k := len(a.Peers()); k != MaxPeers {
				t.Fatalf("%s: %d peers", c.what, k)
			}
			b := n.open(t, bob, Config{Token: token})
			_ = b.Send(a.port.where(), []byte("a newcomer"))
			time.Sleep(time.Second)
			a.mu.Lock()
			defer a.mu.Unlock()
			if _, in := a.roster.at[b.port.where()]; in != c.room || len(a.roster.list) != MaxPeers {
				t.Errorf("%s: let in %v, with %d peers", c.what, in, len(a.roster.list))
			}
			if a.roster.at[friend] == nil {
				t.Errorf("%s: the friend has lost its place", c.what)
			}
		})
	}
}

// looker is a transport that is not running, with one peer: the test sets the time.
func looker(now time.Time) (*Transport, *peer) {
	tr := newTransport(newNetwork(0).port(alice), keyring{}, slog.New(slog.DiscardHandler), now)
	_, pair := fromToken(tickback.NewToken())
	return tr, tr.insert(addr(bob), pair, false, now)
}

// A peer that does not answer is greeted eleven times at intervals of a tenth of a second, and then every half a
// second; after a connection it starts over.
func TestWhenOneIsAskedWhoDoesNotAnswer(t *testing.T) {
	start := time.Now()
	tr, p := looker(start)
	asked := func(from time.Time) (at []int) {
		for ms := 0; ms <= 3000; ms++ {
			if now := from.Add(time.Duration(ms) * time.Millisecond); p.handshake.asks(now) {
				p.handshake.greeting(flagAsk, now)
				at = append(at, ms)
			}
		}
		return at
	}
	want := []int{0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1500, 2000, 2500, 3000}
	if got := asked(start); !slices.Equal(got, want) {
		t.Errorf("asked after %v ms, want %v", got, want)
	}
	c := &conn{heard: moment{began: start}}
	p.handshake.pending, p.handshake.needs, p.obstacle = c, start, obstacle{hint: ErrPlain}
	if !tr.completed(p, c, nil) || p.handshake.conn.Load() != c || p.status.connections != 1 || !p.handshake.needs.IsZero() || p.obstacle != (obstacle{}) {
		t.Errorf("after a connection: needs %v, trouble %v", p.handshake.needs, p.obstacle)
	}
	if got := asked(start.Add(time.Minute)); !slices.Equal(got, want) {
		t.Errorf("after a connection asked after %v ms, want %v", got, want)
	}
}

// A machine that says it wants to be connected is believed for two seconds, and a connection is due for three after our
// owner has sent something there.
func TestForHowLongAConnectionIsDue(t *testing.T) {
	start := time.Now()
	_, p := looker(start)
	p.handshake.needs = start
	for at, want := range map[time.Duration]bool{0: true, 2*time.Second - 1: true, 2 * time.Second: false} {
		if got := p.handshake.due(start.Add(at)); got != want {
			t.Errorf("%v after it has said so: due %v", at, got)
		}
	}
	p.handshake.needs = time.Time{}
	p.handshake.wanted.set(start)
	for at, want := range map[time.Duration]bool{0: true, 3*time.Second - 1: true, 3 * time.Second: false} {
		if got := p.handshake.due(start.Add(at)); got != want {
			t.Errorf("%v after the start, when our owner has sent something: due %v", at, got)
		}
	}
}

// A peer no longer counts as a stranger when our owner has sent it something within the last three seconds.
func TestWhoIsNoStranger(t *testing.T) {
	for after, stranger := range map[time.Duration]bool{3*time.Second - 1: false, 3 * time.Second: true} {
		start := time.Now()
		tr, p := looker(start)
		p.stranger, p.handshake.needs = true, start
		p.handshake.wanted.set(start)
		if tr.look(p, start.Add(after)); p.stranger != stranger {
			t.Errorf("%v after our owner has sent something: a stranger %v", after, p.stranger)
		}
	}
}

// The lack of an answer is reported when more than three seconds have passed.
func TestWhenNobodyAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, _ := looker(time.Now())
		for _, c := range []struct {
			wait time.Duration
			want error
		}{{0, nil}, {3 * time.Second, nil}, {1, ErrNoAnswer}} {
			time.Sleep(c.wait)
			if got := tr.Peers()[0].Trouble; got != c.want {
				t.Errorf("after %v: %v, want %v", time.Since(tr.began), got, c.want)
			}
		}
	})
}

// A stranger that there is no room for is refused, and counted once.
func TestARefusedStrangerIsCounted(t *testing.T) {
	start := time.Now()
	tr, first := looker(start)
	first.handshake.wanted.set(start)
	for i := range MaxPeers - 1 {
		tr.insert(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000), first.pair, false, start).handshake.wanted.set(start)
	}
	for i := range uint64(3) {
		if p := tr.insert(addr(carol), first.pair, true, start); p != nil || tr.counts.refused.Load() != i+1 {
			t.Errorf("let in: %v, and %d are counted", p != nil, tr.counts.refused.Load())
		}
	}
}

// A bucket allows as many at once as its size, and one more whenever one has been refilled.
func TestABucketOfHandshakes(t *testing.T) {
	now := time.Now()
	b := bucket{size: 3, rate: 2, at: now}
	for i, want := range []bool{true, true, true, false, false} {
		if got := b.take(now); got != want {
			t.Errorf("number %d at once: %v", i+1, got)
		}
	}
	for _, c := range []struct {
		wait time.Duration
		want bool
	}{{499 * time.Millisecond, false}, {time.Millisecond, true}, {0, false}, {time.Minute, true}, {0, true}, {0, true}, {0, false}} {
		now = now.Add(c.wait)
		if got := b.take(now); got != c.want {
			t.Errorf("%v later: %v", c.wait, got)
		}
	}
}

// There must be exactly one certificate of a peer, with its key.
func TestWhichCertificateIsTaken(t *testing.T) {
	one, other := NewIdentity(), NewIdentity()
	der := func(i *Identity) []byte { return i.certificate.Certificate[0] }
	for what, c := range map[string]struct {
		raw   [][]byte
		taken bool
	}{
		"its own":               {[][]byte{der(one)}, true},
		"none":                  {nil, false},
		"that of another":       {[][]byte{der(other)}, false},
		"its own, and one more": {[][]byte{der(one), der(other)}, false},
		"its own, twice":        {[][]byte{der(one), der(one)}, false},
		"what is none":          {[][]byte{der(one)[:40]}, false},
	} {
		if err := expect(one.Fingerprint())(c.raw, nil); (err == nil) != c.taken || err != nil && err != errStranger {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A peer that has proved its address is at that address from now on, and no obstacle to it remains: it has our token.
func TestWhoHasShownWhereItIsHasNoTrouble(t *testing.T) {
	now := time.Now()
	tr, p := looker(now)
	for _, theirs := range []instance{{1}, {1}, {2}} { // another one is a peer that was started again
		p.obstacle, p.handshake.addr = obstacle{hint: ErrOtherToken, refused: now}, addr(carol)
		tr.proved(p, theirs, addr(bob))
		if p.obstacle != (obstacle{}) || p.handshake.addr != addr(bob) || p.handshake.theirs != theirs {
			t.Errorf("%v is at %v, with %+v", p.handshake.theirs, p.handshake.addr, p.obstacle)
		}
	}
}

// A transport that is being closed no longer looks for any peer.
func TestAClosedTransportLooksForNobody(t *testing.T) {
	tr, _ := looker(time.Now())
	tr.closed = true
	if err := tr.want(addr(carol)); !errors.Is(err, ErrClosed) || tr.roster.at[addr(carol)] != nil {
		t.Errorf("it looks for %v: %v", tr.roster.at[addr(carol)], err)
	}
}

// A peer to which our owner sends nothing is forgotten after the time for which a connection may be idle, and not before.
func TestWhenAPeerIsForgotten(t *testing.T) {
	for after, kept := range map[time.Duration]bool{time.Minute - 1: true, time.Minute: false} {
		start := time.Now()
		tr, p := looker(start)
		p.handshake.wanted.set(start)
		tr.look(p, start.Add(after))
		if (tr.roster.at[addr(bob)] != nil) != kept {
			t.Errorf("%v after our owner has sent something, it is there: %v", after, !kept)
		}
	}
}

// A stranger that does not connect is forgotten when more than five seconds have passed since it wanted to, and a peer
// that is connected when nothing has arrived from it for more than a minute. A handshake that takes place lasts.
func TestWhenAStrangerIsForgotten(t *testing.T) {
	for what, c := range map[string]struct {
		state func(tr *Transport, p *peer)
		after time.Duration
		kept  bool
	}{
		"a stranger":                    {func(_ *Transport, p *peer) { p.stranger = true }, 5 * time.Second, true},
		"a stranger, later":             {func(_ *Transport, p *peer) { p.stranger = true }, 5*time.Second + 1, false},
		"a stranger with a handshake":   {func(tr *Transport, p *peer) { p.stranger, p.handshake.pending = true, made(t, tr, p) }, time.Hour, true},
		"a peer with a handshake":       {func(tr *Transport, p *peer) { p.handshake.pending = made(t, tr, p) }, time.Hour, true},
		"a stranger that is connected":  {func(tr *Transport, p *peer) { p.stranger = true; p.handshake.conn.Store(made(t, tr, p)) }, time.Minute, true},
		"a peer that was connected":     {func(tr *Transport, p *peer) { p.handshake.conn.Store(made(t, tr, p)) }, time.Minute + 1, false},
		"a stranger that was connected": {func(tr *Transport, p *peer) { p.stranger = true; p.handshake.conn.Store(made(t, tr, p)) }, time.Minute + 1, false},
	} {
		start := time.Now()
		tr, p := looker(start)
		p.handshake.needs = start
		c.state(tr, p)
		tr.look(p, start.Add(c.after))
		tr.conns.running.Wait()
		if kept := tr.roster.at[addr(bob)] != nil; kept != c.kept {
			t.Errorf("%s: %v later it is there %v", what, c.after, kept)
		}
	}
}

// made makes a connection with a peer, over which something has arrived when the transport began.
func made(t *testing.T, tr *Transport, p *peer) *conn {
	t.Helper()
	c, err := newConn(tr.under, NewIdentity(), p.pair, envelope{}, addr(bob), connectionID{1})
	if err != nil {
		t.Fatal(err)
	}
	c.heard.began = tr.began
	c.heard.set(tr.began)
	t.Cleanup(func() { c.pion.Close() })
	return c
}

// A peer that our owner wants is asked for an answer if it is not connected, and no handshake takes place; and also if it
// is connected, and nothing has arrived from it for more than a second. Nobody is asked three seconds after our owner has
// last sent something.
func TestWhoIsAsked(t *testing.T) {
	const long = time.Hour
	for what, c := range map[string]struct {
		heard, wanted time.Duration // how long ago
		connected     bool
		pending, asks bool
	}{
		"nobody is there":                {long, 0, false, false, true},
		"nobody is there, and wanted":    {long, 3*time.Second - 1, false, false, true},
		"nobody is there, nor wanted":    {long, 3 * time.Second, false, false, false},
		"a handshake takes place":        {long, 0, false, true, false},
		"it is connected":                {0, 0, true, false, false},
		"it was heard a second ago":      {time.Second, 0, true, false, false},
		"it is silent":                   {time.Second + 1, 0, true, false, true},
		"it is silent in a handshake":    {time.Second + 1, 0, true, true, true},
		"it is silent, and not wanted":   {2 * time.Second, 3 * time.Second, true, false, false},
		"it is silent, and still wanted": {2 * time.Second, 3*time.Second - 1, true, false, true},
	} {
		start := time.Now()
		tr, p := looker(start)
		now := start.Add(long)
		p.handshake.wanted.set(now.Add(-c.wanted))
		if c.connected {
			used := addr(bob)
			conn := &conn{heard: moment{began: start}}
			conn.to.Store(&used)
			conn.heard.set(now.Add(-c.heard))
			p.handshake.conn.Store(conn)
		}
		if c.pending {
			p.handshake.pending = &conn{}
		}
		if tr.look(p, now); (tr.under.(*port).sent > 0) != c.asks {
			t.Errorf("%s: it is asked %v", what, !c.asks)
		}
	}
}

// A peer that our owner has stopped to send to is not interrupted, however long it is silent: nobody expects anything.
func TestWhoIsNotWantedIsNotInterrupted(t *testing.T) {
	for after, want := range map[time.Duration]peers.State{3*time.Second - 1: peers.Interrupted, 3 * time.Second: peers.Connected} {
		start := time.Now()
		tr, p := looker(start)
		used := addr(bob)
		conn := &conn{heard: moment{began: start}}
		conn.to.Store(&used)
		conn.heard.set(start)
		p.handshake.conn.Store(conn)
		p.status.connected(used, start)
		wanted := start.Add(10 * time.Second)
		p.handshake.wanted.set(wanted)
		if tr.look(p, wanted.Add(after)); p.status.state != want {
			t.Errorf("%v after our owner has sent something it is %v, want %v", after, p.status.state, want)
		}
	}
}

// A cookie is sent back as long as it is the newest one, and not longer: after that the other side may no longer know it.
func TestForHowLongACookieIsGivenBack(t *testing.T) {
	start := time.Now()
	for after, given := range map[time.Duration]bool{0: true, 15*time.Second - 1: true, 15 * time.Second: false} {
		tr, p := looker(start)
		p.handshake.given, p.handshake.givenAt = cookie{7}, start
		var said []byte
		tr.under.(*port).n.onWay(func(d passing) []passing {
			said = d.bytes
			return nil
		})
		tr.greet(p, 0, start.Add(after))
		if h, _, ok := parseHeader(said); !ok || (h.echo == cookie{7}) != given {
			t.Errorf("%v later it greets with %x, %v", after, h.echo, ok)
		}
	}
}

// A stranger that is connected, and the only one of its network, gives its place to nobody.
func TestTheOnlyOneOfItsNetworkStays(t *testing.T) {
	now := time.Now()
	tr, p := looker(now)
	p.stranger = true
	p.handshake.conn.Store(&conn{})
	if tr.roster.expendable(now) != nil {
		t.Error("it has given its place away")
	}
	p.handshake.conn.Store(nil) // like one that is not connected and that nobody wants
	if tr.roster.expendable(now) != p {
		t.Error("there is no room")
	}
}

// Datagrams that a connection has no room for are counted, and so are those that belong to none.
func TestWhatIsNotDeliveredIsCounted(t *testing.T) {
	tr, _ := looker(time.Now())
	c := &conn{pipe: newPipe(nil)}
	for range pipeDatagrams + 2 {
		tr.deliver(c, []byte{1}, addr(bob), time.Now())
	}
	tr.deliver(nil, []byte{1}, addr(bob), time.Now())
	if s := tr.Stats(); s.Overflowed != 2 || s.Strangers != 1 {
		t.Errorf("%+v", s)
	}
	tr.unencrypted([]byte{0xFF}, addr(carol))
	if s := tr.Stats(); s.Strangers != 2 {
		t.Errorf("with one in another format: %+v", s)
	}
	tr.foreigner(header{}, nil, 1, addr(carol))
	if s := tr.Stats(); s.Strangers != 3 {
		t.Errorf("with one of another key: %+v", s)
	}
}

// A hello with another key from the address of a peer is not answered. It is reported as the reason why the peer does
// not connect.
func TestAnotherKeyAtTheAddressOfAPeer(t *testing.T) {
	now := time.Now()
	tr, p := looker(now)
	_, other := fromToken(tickback.NewToken())
	for _, key := range []*pair{other, p.pair} {
		p.obstacle.hint = nil
		before := tr.under.(*port).sent
		tr.greeted(&hello{header: header{flags: flagAsk, from: newInstance()}}, key, addr(bob), now)
		answered, own := tr.under.(*port).sent > before, key == p.pair
		if answered != own || own != (p.obstacle.hint == nil) || !own && !errors.Is(p.obstacle.hint, ErrOtherToken) {
			t.Errorf("with its own key: %v; answered: %v; the reason: %v", own, answered, p.obstacle.hint)
		}
	}
}

// A peer that was started again ends the handshake with the previous process: nothing more is sent in it.
func TestAHandshakeWithTheOneBeforeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := looker(time.Now())
		tr.keys.own = NewIdentity()
		p.handshake.theirs = instance{1}
		tr.dial(p, flagClient, 0, time.Now())
		c := p.handshake.pending
		if c == nil || tr.conns.byID[c.id] != c {
			t.Fatal("there is no handshake")
		}
		tr.mu.Lock()
		tr.proved(p, instance{2}, addr(bob))
		tr.mu.Unlock()
		if p.handshake.pending != nil || !c.quiet.Load() || tr.conns.byID[c.id] != nil || p.handshake.attempt != 0 {
			t.Errorf("it goes on: quiet %v", c.quiet.Load())
		}
		tr.conns.running.Wait()
	})
}

// A client that begins another handshake has given up the one before: the server ends it, and sends nothing more in it.
func TestANewerHandshakeEndsTheOlderOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		tr, p := looker(now)
		tr.keys.own, p.handshake.theirs = NewIdentity(), instance{0, 1}
		tr.dial(p, 0, 1, now)
		c := p.handshake.pending
		tr.mu.Lock()
		e := envelope{header{flags: flagClient, from: p.handshake.theirs, to: tr.greeter.self, echo: tr.greeter.cookies.give(addr(bob), now)}, 2, []byte{22}}
		tr.attempted(&e, p.pair, addr(bob), now, now.Add(retryTime))
		if p.handshake.pending == c || p.handshake.pending == nil || p.handshake.attempt != 2 || !c.quiet.Load() || tr.conns.byID[c.id] != nil || tr.conns.byID[p.handshake.pending.id] != p.handshake.pending {
			t.Errorf("attempt %d; the one before is quiet: %v", p.handshake.attempt, c.quiet.Load())
		}
		tr.remove(p)
		tr.mu.Unlock()
		tr.conns.running.Wait()
	})
}

// A goroutine that waits for a datagram gets the wake-up mark, if that comes first.
func TestAMarkWakesWhoReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPipe(nil)
		got := make(chan error, 1)
		go func() {
			var b [8]byte
			_, _, err := p.ReadFrom(b[:])
			got <- err
		}()
		synctest.Wait() // until it waits
		p.begin()
		if err := <-got; err != errMark {
			t.Error(err)
		}
	})
}

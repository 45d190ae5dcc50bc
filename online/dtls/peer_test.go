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
	"github.com/tickback/tickback/online/internal/inbox"
)

// Whoever takes all places from one network gives way to others, and never takes the place
// of a peer that the owner sends something to, even before it is connected. Strangers from
// networks of their own are all alike, and keep theirs.
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
			if _, in := a.at[b.port.where()]; in != c.room || len(a.peers) != MaxPeers {
				t.Errorf("%s: let in %v, with %d peers", c.what, in, len(a.peers))
			}
			if a.at[friend] == nil {
				t.Errorf("%s: the friend has lost its place", c.what)
			}
		})
	}
}

// looker is a transport that nothing runs, with one peer: the test says what time it is.
func looker(now time.Time) (*Transport, *peer) {
	tr := &Transport{
		under: newNetwork(0).port(alice), log: slog.New(slog.DiscardHandler), self: newInstance(), cookieMaker: newBaker(now), queue: inbox.New(), began: now,
		at: map[netip.AddrPort]*peer{}, conns: map[connectionID]*conn{},
	}
	_, pair := fromToken(tickback.NewToken())
	return tr, tr.insert(addr(bob), pair, now)
}

// Who does not answer is asked eleven times at intervals of a tenth of a second, and then every
// half a second; after a connection it is the same from the beginning.
func TestWhenOneIsAskedWhoDoesNotAnswer(t *testing.T) {
	start := time.Now()
	tr, p := looker(start)
	asked := func(from time.Time) (at []int) {
		before := p.greetings
		for ms := 0; ms <= 3000; ms++ {
			if p.retryHello(from.Add(time.Duration(ms) * time.Millisecond)); p.greetings > before {
				before, at = p.greetings, append(at, ms)
			}
		}
		return at
	}
	want := []int{0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1500, 2000, 2500, 3000}
	if got := asked(start); !slices.Equal(got, want) {
		t.Errorf("asked after %v ms, want %v", got, want)
	}
	c := &conn{t: tr, peer: p}
	p.pending, p.needs, p.obstacle = c, start, obstacle{hint: ErrPlain}
	if !tr.completed(c, nil) || p.conn != c || !p.needs.IsZero() || p.obstacle != (obstacle{}) {
		t.Errorf("after a connection: needs %v, trouble %v", p.needs, p.obstacle)
	}
	if got := asked(start.Add(time.Minute)); !slices.Equal(got, want) {
		t.Errorf("after a connection asked after %v ms, want %v", got, want)
	}
}

// A machine that says it wants to be connected is believed for two seconds, and a connection is due
// for three after our owner has sent something there.
func TestForHowLongAConnectionIsDue(t *testing.T) {
	start := time.Now()
	_, p := looker(start)
	p.needs = start
	for at, want := range map[time.Duration]bool{0: true, 2*time.Second - 1: true, 2 * time.Second: false} {
		if got := p.due(start.Add(at)); got != want {
			t.Errorf("%v after it has said so: due %v", at, got)
		}
	}
	p.needs = time.Time{}
	p.wanted.Store(1)
	for at, want := range map[time.Duration]bool{1: true, 3 * time.Second: true, 3*time.Second + 1: false} {
		if got := p.due(start.Add(at)); got != want {
			t.Errorf("%v after the start, when our owner has sent something: due %v", at, got)
		}
	}
}

// A stranger is none any more when our owner has sent it something within the last three seconds.
func TestWhoIsNoStranger(t *testing.T) {
	for after, stranger := range map[time.Duration]bool{3*time.Second - 1: false, 3 * time.Second: true} {
		start := time.Now()
		tr, p := looker(start)
		p.stranger, p.needs = true, start
		p.wanted.Store(1)
		if tr.look(p, start.Add(1+after)); p.stranger != stranger {
			t.Errorf("%v after our owner has sent something: a stranger %v", after, p.stranger)
		}
	}
}

// That nobody answers is said when more than three seconds have passed.
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

// A stranger for whom there is no place is refused, and counted once.
func TestARefusedStrangerIsCounted(t *testing.T) {
	start := time.Now()
	tr, first := looker(start)
	first.wanted.Store(1)
	for i := range MaxPeers - 1 {
		tr.insert(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000), first.pair, start).wanted.Store(1)
	}
	for i := range uint64(3) {
		if p := tr.insertStranger(addr(carol), first.pair, start); p != nil || tr.counts.refused.Load() != i+1 {
			t.Errorf("let in: %v, and %d are counted", p != nil, tr.counts.refused.Load())
		}
	}
}

// A bucket lets through as many at once as its size, and one more whenever one has come back.
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

// The certificate of a peer is one, and has its key.
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

// A peer that has shown where it is, is there from now on, and nothing stands against it any more: it has
// our token.
func TestWhoHasShownWhereItIsHasNoTrouble(t *testing.T) {
	now := time.Now()
	tr, p := looker(now)
	for _, theirs := range []instance{{1}, {1}, {2}} { // another one is a peer that was started again
		p.obstacle, p.addr = obstacle{hint: ErrOtherToken, refused: now}, addr(carol)
		tr.adoptInstance(p, theirs, addr(bob))
		if p.obstacle != (obstacle{}) || p.addr != addr(bob) || p.theirs != theirs {
			t.Errorf("%v is at %v, with %+v", p.theirs, p.addr, p.obstacle)
		}
	}
}

// A transport that is being closed looks for nobody any more.
func TestAClosedTransportLooksForNobody(t *testing.T) {
	tr, _ := looker(time.Now())
	tr.closed = true
	if err := tr.want(addr(carol)); !errors.Is(err, ErrClosed) || tr.at[addr(carol)] != nil {
		t.Errorf("it looks for %v: %v", tr.at[addr(carol)], err)
	}
}

// A peer to which our owner sends nothing is forgotten after the time for which a connection may be idle, and not before.
func TestWhenAPeerIsForgotten(t *testing.T) {
	for after, kept := range map[time.Duration]bool{time.Minute - 1: true, time.Minute: false} {
		start := time.Now()
		tr, p := looker(start)
		p.wanted.Store(1)
		tr.look(p, start.Add(1+after))
		if (tr.at[addr(bob)] != nil) != kept {
			t.Errorf("%v after our owner has sent something, it is there: %v", after, !kept)
		}
	}
}

// A cookie is given back for as long as it is the newest one, and not longer: then the other side may not know it any more.
func TestForHowLongACookieIsGivenBack(t *testing.T) {
	start := time.Now()
	for after, given := range map[time.Duration]bool{0: true, 15*time.Second - 1: true, 15 * time.Second: false} {
		tr, p := looker(start)
		p.given, p.givenAt = cookie{7}, start
		var said []byte
		tr.under.(*port).n.onWay(func(d passing) []passing {
			said = d.bytes
			return nil
		})
		p.sendHello(0, start.Add(after))
		if h, _, ok := parseHeader(said); !ok || (h.echo == cookie{7}) != given {
			t.Errorf("%v later it greets with %x, %v", after, h.echo, ok)
		}
	}
}

// A stranger that is connected, and the only one of its network, gives its place to nobody.
func TestTheOnlyOneOfItsNetworkStays(t *testing.T) {
	now := time.Now()
	tr, p := looker(now)
	p.stranger, p.conn = true, &conn{}
	if tr.makeRoom(now) || len(tr.peers) != 1 {
		t.Error("it has given its place away")
	}
	p.conn = nil // as one that is not connected does, whom nobody wants
	if !tr.makeRoom(now) || len(tr.peers) != 0 {
		t.Error("there is no room")
	}
}

// What has no room in a connection is counted, and so is what belongs to none.
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
}

// A peer that was started again ends the handshake with the one before: nothing more is said in it.
func TestAHandshakeWithTheOneBeforeEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := looker(time.Now())
		tr.own = NewIdentity()
		p.theirs = instance{1}
		p.dial(true, 1)
		c := p.pending
		if c == nil || tr.conns[c.id] != c {
			t.Fatal("there is no handshake")
		}
		tr.mu.Lock()
		tr.adoptInstance(p, instance{2}, addr(bob))
		tr.mu.Unlock()
		if p.pending != nil || !c.quiet.Load() || tr.conns[c.id] != nil || p.attempt != 0 {
			t.Errorf("it goes on: quiet %v", c.quiet.Load())
		}
		tr.running.Wait()
	})
}

// Who waits for a datagram gets the mark that begins, if that comes first.
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

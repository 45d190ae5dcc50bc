package dtls

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

// Strangers get 32 handshakes at once and 20 in each second after that; machines with another key 20 answers in
// a second.
func TestHowMuchStrangersGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newNetwork(0).open(t, alice, Config{Token: tickback.NewToken()})
		take := func(b *bucket, wait time.Duration) (n int) {
			time.Sleep(wait)
			a.mu.Lock()
			defer a.mu.Unlock()
			for now := time.Now(); b.take(now); {
				n++
			}
			return n
		}
		if at, later := take(&a.strangers, 0), take(&a.strangers, time.Second); at != 32 || later != 20 {
			t.Errorf("%d handshakes at once, %d in the next second", at, later)
		}
		if at, later := take(&a.foreign, 0), take(&a.foreign, time.Second); at != 20 || later != 20 {
			t.Errorf("%d answers at once, %d in the next second", at, later)
		}
		a.Close()
	})
}

// Sixteen handshakes with strangers take place at the same time, four of them with one network: a /24 of IPv4, a
// /56 of IPv6. One more is refused, and counted.
func TestHowManyHandshakesTakePlaceAtOnce(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		others []string
		comes  string
		open   bool
	}{
		"three near":              {[]string{"10.0.0.1:1", "10.0.0.2:1", "10.0.0.255:1"}, "10.0.0.9:1", true},
		"four near":               {[]string{"10.0.0.1:1", "10.0.0.2:1", "10.0.0.3:1", "10.0.0.255:1"}, "10.0.0.9:1", false},
		"four in the next /24":    {[]string{"10.0.1.1:1", "10.0.1.2:1", "10.0.1.3:1", "10.0.1.4:1"}, "10.0.0.9:1", true},
		"four in the /56":         {[]string{"[2001:db8:0:100::1]:1", "[2001:db8:0:101::1]:1", "[2001:db8:0:1ff::1]:1", "[2001:db8:0:1fe::1]:1"}, "[2001:db8:0:110::]:1", false},
		"three there, one beside": {[]string{"[2001:db8:0:100::1]:1", "[2001:db8:0:101::1]:1", "[2001:db8:0:1ff::1]:1", "[2001:db8:0:2fe::1]:1"}, "[2001:db8:0:110::]:1", true},
	} {
		tr, _ := looker(now)
		tr.strangers = bucket{size: 1, at: now}
		for _, at := range c.others {
			p := tr.insert(addr(at), nil, now)
			p.stranger, p.pending = true, &conn{}
		}
		who := tr.insert(addr(c.comes), nil, now)
		who.stranger = true
		if got := tr.admits(who, now); got != c.open || (tr.counts.refused.Load() == 1) == c.open {
			t.Errorf("%s: admitted %v, %d are refused", name, got, tr.counts.refused.Load())
		}
	}
	for n, open := range map[int]bool{15: true, 16: false} {
		tr, _ := looker(now)
		tr.strangers = bucket{size: 1, at: now}
		for i := range n {
			p := tr.insert(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000), nil, now)
			p.stranger, p.pending = true, &conn{}
		}
		who := tr.insert(addr(carol), nil, now)
		who.stranger = true
		if got := tr.admits(who, now); got != open {
			t.Errorf("with %d others: admitted %v", n, got)
		}
	}
}

// A handshake that nobody answers is over after eight seconds, is counted once, and the next one begins later. Until then
// what it says is said again four times a second, and never less often.
func TestHowLongAHandshakeTakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		said := 0
		n.onWay(func(d passing) []passing { // greetings arrive, and nothing else
			if h, _, ok := parseHeader(d.bytes); ok && h.kind == kindHello {
				return []passing{d}
			}
			said++
			return nil
		})
		seek := func() {
			_ = a.Send(addr(bob), []byte("hello"))
			_ = b.Send(addr(alice), []byte("hello"))
		}
		client := a
		eventually(t, "a handshake begins", func() bool {
			if seek(); b.Stats().Handshakes > 0 {
				client = b
			}
			return client.Stats().Handshakes == 1
		})
		began := time.Now()
		eventually(t, "it is over", func() bool { seek(); return client.Stats().Failed > 0 })
		took := time.Since(began)
		if s := client.Stats(); took < 8*time.Second-2*time.Millisecond || took > 8*time.Second+2*time.Millisecond || s.Failed != 1 || s.Handshakes != 1 {
			t.Errorf("over after %v, %+v", took, s)
		}
		if said < 32 || said > 33 { // the last one may be at its end
			t.Errorf("it was said %d times", said)
		}
		failed := time.Now()
		eventually(t, "the next one begins", func() bool { seek(); return client.Stats().Handshakes == 2 })
		if wait := time.Since(failed); wait < 199*time.Millisecond || wait > 230*time.Millisecond { // looked for every 25 ms
			t.Errorf("the next one begins after %v", wait)
		}
		a.Close()
		b.Close()
	})
}

// slowPort is a port at which receiving takes until something happens.
type slowPort struct {
	*port
	until chan struct{}
}

func (p slowPort) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	<-p.until
	return p.port.Receive(buf)
}

// A transport is closed when nothing of it runs any more, and the one below is closed after that.
func TestCloseWaitsForWhatRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := slowPort{newNetwork(0).port(alice), make(chan struct{})}
		tr, err := New(p, Config{Token: tickback.NewToken()})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait() // it receives
		var ended atomic.Bool
		go func() { tr.Close(); ended.Store(true) }()
		synctest.Wait()
		if ended.Load() || p.closed {
			t.Error("it is closed while it still receives")
		}
		close(p.until)
		synctest.Wait()
		if !ended.Load() || !p.closed {
			t.Error("it is not closed")
		}
	})
}

// A connection that cannot even be begun says so, and is no handshake.
func TestAConnectionThatCannotBeMade(t *testing.T) {
	for _, client := range []bool{true, false} {
		tr, p := looker(time.Now())
		tr.own = &Identity{} // without a certificate
		if p.dial(client, 1); p.obstacle.hint == nil || p.pending != nil || len(tr.conns) != 0 || tr.Stats().Handshakes != 0 {
			t.Errorf("client %v: %v, pending %v, %+v", client, p.obstacle.hint, p.pending != nil, tr.Stats())
		}
	}
}

// Datagrams are counted as what became of them, each once, with their bytes.
func TestWhatIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		for i := range uint64(3) { // nobody is connected: the first one makes the peer
			if err := a.Send(addr(bob), []byte("early")); !errors.Is(err, ErrNotConnected) || a.Stats().Unconnected != i+1 {
				t.Errorf("%v, and %d are counted", err, a.Stats().Unconnected)
			}
		}
		a.say(t, b, "hello")
		was, there := a.Stats(), b.Stats()
		for _, text := range []string{"one", "three", "eleven"} {
			if err := a.Send(addr(bob), []byte(text)); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(10 * time.Millisecond)
		is, here := a.Stats(), b.Stats()
		if is.Sent-was.Sent != 3 || is.SentBytes-was.SentBytes != 14 || is.Unconnected != was.Unconnected {
			t.Errorf("sent: was %+v, is %+v", was, is)
		}
		if here.Received-there.Received != 3 || here.ReceivedBytes-there.ReceivedBytes != 14 || here.TooLong != 0 {
			t.Errorf("received: was %+v, is %+v", there, here)
		}
		a.mu.RLock()
		c := a.at[addr(bob)].ready.Load()
		a.mu.RUnlock()
		b.take()
		if err := c.write(addr(bob), make([]byte, MaxDatagram+1)); err != nil { // of a peer that keeps to no bound
			t.Error(err)
		}
		time.Sleep(10 * time.Millisecond)
		if s := b.Stats(); s.TooLong != 1 || s.Received != here.Received || len(b.got) != len(b.take()) {
			t.Errorf("one that is too long: %+v", s)
		}
		a.Close()
		b.Close()
	})
}

// A peer for which there is no place is none.
func TestThereIsNoPlaceForMorePeers(t *testing.T) {
	tr, p := looker(time.Now())
	tr.everybody = p.pair
	p.wanted.Store(tr.sinceBegan())
	for i := range MaxPeers {
		err := tr.want(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000))
		if last := i == MaxPeers-1; last != errors.Is(err, ErrNoPeer) || !last && !errors.Is(err, ErrNotConnected) {
			t.Fatalf("number %d: %v", i+2, err)
		}
	}
	if err := tr.want(netip.AddrPort{}); !errors.Is(err, ErrNoPeer) {
		t.Errorf("no address: %v", err)
	}
}

// A peer that is connected is believed that it has lost the connection when nothing has come from it for more than a second.
func TestWhoIsBelievedThatItHasLostTheConnection(t *testing.T) {
	start := time.Now()
	for silent, want := range map[time.Duration]bool{0: false, time.Second: false, time.Second + 1: true} {
		tr, p := looker(start)
		p.conn = &conn{t: tr, peer: p}
		p.conn.heard.Store(int64(time.Minute))
		now := start.Add(time.Minute + silent)
		p.needs = now
		if got := p.due(now); got != want {
			t.Errorf("silent for %v: %v", silent, got)
		}
	}
}

// A connection that has ended quietly says nothing more, and what is empty is no datagram.
func TestAQuietConnectionSaysNothing(t *testing.T) {
	tr, p := looker(time.Now())
	c := &conn{t: tr, peer: p, addr: p.addr}
	c.to.Store(&c.addr)
	under := tr.under.(*port)
	c.send(nil)
	if under.sent != 0 {
		t.Error("it has sent an empty one")
	}
	record := []byte{recordCID, 1, 2}
	if c.send(record); under.sent != len(record) {
		t.Errorf("it has sent %d bytes", under.sent)
	}
	c.quiet.Store(true)
	if c.send(record); under.sent != len(record) {
		t.Error("it is not quiet")
	}
}

// A pipe takes the longest datagram of UDP and none that is longer, and as many as there is room for; after its end there is
// nothing in it.
func TestWhatAPipeTakes(t *testing.T) {
	p := newPipe(nil)
	long := bytes.Repeat([]byte{7}, udp.MaxDatagram)
	if p.put(append(long, 1), addr(bob), time.Now()) {
		t.Error("it takes one that is too long")
	}
	for i := range 33 {
		if got := p.put(long, addr(bob), time.Now()); got != (i < 32) {
			t.Errorf("number %d: %v", i+1, got)
		}
	}
	b := make([]byte, udp.MaxDatagram+1)
	if n, _, err := p.ReadFrom(b); err != nil || !bytes.Equal(b[:n], long) {
		t.Errorf("%d bytes come out: %v", n, err)
	}
	if p.Close(); len(b) > 0 {
		if n, _, err := p.ReadFrom(b); n != 0 || !errors.Is(err, net.ErrClosed) {
			t.Errorf("after its end: %d bytes, %v", n, err)
		}
	}
}

// near is a transport that reaches loopback only.
type near struct{ *port }

var errFar = errors.New("far")

func (near) Reaches(to netip.AddrPort) error {
	if to.Addr().IsLoopback() {
		return nil
	}
	return errFar
}

// What the transport below never reaches, is not reached; one that does not know it, reaches all.
func TestWhatIsReached(t *testing.T) {
	n := newNetwork(0)
	for _, c := range []struct {
		under tickback.Transport
		far   error
	}{{n.port(alice), nil}, {near{n.port(bob)}, errFar}} {
		tr, err := New(c.under, Config{Token: tickback.NewToken()})
		if err != nil {
			t.Fatal(err)
		}
		if got := tr.Reaches(addr(carol)); got != c.far {
			t.Errorf("%T: %v", c.under, got)
		}
		if got := tr.Reaches(addr("127.0.0.1:7")); got != nil {
			t.Errorf("%T: loopback: %v", c.under, got)
		}
		tr.Close()
	}
}

// What is sent on a connection that has just ended is no datagram of one, and counted as such.
func TestAConnectionThatHasJustEnded(t *testing.T) {
	tr, p := looker(time.Now())
	tr.own = NewIdentity()
	c, err := p.newConn(true, 1)
	if err != nil {
		t.Fatal(err)
	}
	c.pion.Close()
	p.ready.Store(c)
	if err := tr.Send(addr(bob), []byte("late")); !errors.Is(err, ErrNotConnected) || tr.Stats().Unconnected != 1 || tr.Stats().Sent != 0 {
		t.Errorf("%v, %+v", err, tr.Stats())
	}
}

// A peer that our owner sends something to is interrupted when nothing has come from it for more than three seconds, and
// connected again as soon as something does.
func TestWhenAPeerIsInterrupted(t *testing.T) {
	start := time.Now()
	tr, p := looker(start)
	p.conn = &conn{t: tr, peer: p, addr: p.addr}
	p.conn.to.Store(&p.conn.addr)
	p.enter(peers.Connected, start)
	for _, c := range []struct {
		at, heard time.Duration
		want      peers.State
	}{
		{3 * time.Second, 0, peers.Connected},
		{3*time.Second + 1, 0, peers.Interrupted},
		{5 * time.Second, 0, peers.Interrupted},
		{5 * time.Second, 5 * time.Second, peers.Connected},
		{8 * time.Second, 5 * time.Second, peers.Connected},
		{9 * time.Second, 5 * time.Second, peers.Interrupted},
	} {
		p.wanted.Store(int64(c.at)) // our owner goes on
		p.conn.heard.Store(int64(c.heard))
		if tr.look(p, start.Add(c.at)); p.state != c.want {
			t.Errorf("after %v, last heard after %v: %v, want %v", c.at, c.heard, p.state, c.want)
		}
	}
}

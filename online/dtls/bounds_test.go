package dtls

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"os"
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
		if at, later := take(&a.greeter.foreign, 0), take(&a.greeter.foreign, time.Second); at != 20 || later != 20 {
			t.Errorf("%d answers at once, %d in the next second", at, later)
		}
		a.Close()
	})
}

// Up to sixteen handshakes with strangers can take place at the same time, four of them with one network: a /24 of
// IPv4, a /56 of IPv6. Another one is refused, and counted.
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
			p := tr.insert(addr(at), nil, true, now)
			p.handshake.pending = &conn{}
		}
		who := tr.insert(addr(c.comes), nil, true, now)
		if got := tr.admits(who, now); got != c.open {
			t.Errorf("%s: admitted %v", name, got)
		}
	}
	for n, open := range map[int]bool{15: true, 16: false} {
		tr, _ := looker(now)
		for i := range n {
			tr.insert(netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i), 1}), 7000), nil, true, now).handshake.pending = &conn{}
		}
		if got := tr.admits(tr.insert(addr(carol), nil, true, now), now); got != open {
			t.Errorf("with %d others: admitted %v", n, got)
		}
	}
	tr, p := looker(now)
	p.stranger, tr.strangers = true, bucket{}
	if tr.dial(p, flagClient, 0, now) || p.handshake.pending != nil || tr.Stats().Refused != 1 {
		t.Errorf("one too many: %+v", tr.Stats())
	}
}

// A handshake that nobody answers is over after eight seconds, is counted once, and the next one begins later. Until then
// its messages are repeated four times a second, and never less often.
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

// slowPort is a port whose receiving blocks until something happens.
type slowPort struct {
	*port
	until chan struct{}
}

func (p slowPort) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	<-p.until
	return p.port.Receive(buf)
}

// Close returns when nothing of a transport runs any more, and the underlying one is closed after that.
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

// brittle is a port that cannot be closed without an error.
type brittle struct {
	*port
	closed int
}

var errBrittle = errors.New("brittle")

func (p *brittle) Close() error {
	p.closed++
	return errBrittle
}

// Close returns the error of the underlying transport, as often as it is called, and closes that once.
func TestCloseReturnsWhatWentWrong(t *testing.T) {
	under := &brittle{port: newNetwork(0).port(alice)}
	tr, err := New(under, Config{Token: tickback.NewToken()})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tr.Close(); err != errBrittle || under.closed != 1 {
			t.Errorf("%v, and it was closed %d times", err, under.closed)
		}
	}
}

// A transport that cannot be made frees its port. Only one over a socket has an address.
func TestATransportThatCannotBeMade(t *testing.T) {
	socket, err := udp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := socket.LocalAddr()
	socket.Close()
	if tr, err := Listen(at.String(), Config{}); tr != nil || !errors.Is(err, ErrConfig) {
		t.Errorf("without a key: %v, %v", tr, err)
	}
	if tr, err := Listen("256.0.0.1:0", Config{Token: tickback.NewToken()}); tr != nil || err == nil || errors.Is(err, ErrConfig) {
		t.Errorf("at an address that is none: %v, %v", tr, err)
	}
	tr, err := Listen(at.String(), Config{Token: tickback.NewToken()})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if tr.LocalAddr() != at {
		t.Errorf("it is at %v", tr.LocalAddr())
	}
	if other, _ := looker(time.Now()); other.LocalAddr().IsValid() {
		t.Errorf("one without a socket is at %v", other.LocalAddr())
	}
}

// A connection that cannot even be begun reports that, and does not count as a handshake.
func TestAConnectionThatCannotBeMade(t *testing.T) {
	for _, flags := range []byte{flagClient, 0} {
		tr, p := looker(time.Now())
		tr.keys.own = &Identity{} // without a certificate
		if tr.dial(p, flags, 1, time.Now()); p.obstacle.hint == nil || p.handshake.pending != nil || len(tr.conns.byID) != 0 || tr.Stats().Handshakes != 0 {
			t.Errorf("flags %v: %v, pending %v, %+v", flags, p.obstacle.hint, p.handshake.pending != nil, tr.Stats())
		}
	}
}

// Datagrams are counted by what happened to them, each once, with their bytes.
func TestWhatIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		for i := range uint64(3) { // nobody is connected: the first one creates the peer
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
		c := a.roster.at[addr(bob)].handshake.conn.Load()
		a.mu.RUnlock()
		b.take()
		if err := c.write(addr(bob), make([]byte, MaxDatagram+1)); err != nil { // of a peer that respects no limit
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

// A peer that there is no room for is refused.
func TestThereIsNoPlaceForMorePeers(t *testing.T) {
	tr, p := looker(time.Now())
	tr.keys.everybody = p.pair
	p.handshake.wanted.set(time.Now())
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

// A connected peer that claims to have lost the connection is believed if nothing has arrived from it for more than a
// second.
func TestWhoIsBelievedThatItHasLostTheConnection(t *testing.T) {
	start := time.Now()
	for silent, want := range map[time.Duration]bool{0: false, time.Second: false, time.Second + 1: true} {
		_, p := looker(start)
		c := &conn{heard: moment{began: start}}
		c.heard.set(start.Add(time.Minute))
		p.handshake.conn.Store(c)
		now := start.Add(time.Minute + silent)
		p.handshake.needs = now
		if got := p.handshake.due(now); got != want {
			t.Errorf("silent for %v: %v", silent, got)
		}
	}
}

// A connection that has ended quietly sends nothing more, and empty data is no datagram.
func TestAQuietConnectionSaysNothing(t *testing.T) {
	under := newNetwork(0).port(alice)
	c := &conn{under: under, addr: addr(bob)}
	c.to.Store(&c.addr)
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

// A pipe takes datagrams up to the maximum of UDP, and as many as there is room for; after its end it is empty.
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

// near is a transport that only reaches loopback.
type near struct{ *port }

var errFar = errors.New("far")

func (near) Reaches(to netip.AddrPort) error {
	if to.Addr().IsLoopback() {
		return nil
	}
	return errFar
}

// An address that the underlying transport cannot reach counts as unreachable; if the transport cannot tell, all
// addresses count as reachable.
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

// Data sent on a connection that has just ended does not count as one of its datagrams, and is counted accordingly.
func TestAConnectionThatHasJustEnded(t *testing.T) {
	tr, p := looker(time.Now())
	c, err := newConn(tr.under, NewIdentity(), p.pair, envelope{}, addr(bob), connectionID{1})
	if err != nil {
		t.Fatal(err)
	}
	c.pion.Close()
	p.handshake.conn.Store(c)
	if err := tr.Send(addr(bob), []byte("late")); !errors.Is(err, ErrNotConnected) || tr.Stats().Unconnected != 1 || tr.Stats().Sent != 0 {
		t.Errorf("%v, %+v", err, tr.Stats())
	}
}

// A peer that our owner sends to is interrupted when nothing has arrived from it for more than three seconds, and
// connected again as soon as something does.
func TestWhenAPeerIsInterrupted(t *testing.T) {
	start := time.Now()
	tr, p := looker(start)
	used := addr(bob)
	conn := &conn{heard: moment{began: start}}
	conn.to.Store(&used)
	p.handshake.conn.Store(conn)
	p.status.connected(used, start)
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
		p.handshake.wanted.set(start.Add(c.at)) // our owner goes on
		conn.heard.set(start.Add(c.heard))
		if tr.look(p, start.Add(c.at)); p.status.state != c.want {
			t.Errorf("after %v, last heard after %v: %v, want %v", c.at, c.heard, p.status.state, c.want)
		}
	}
}

// A record that up to 1023 others have overtaken is accepted; a later one is dropped.
func TestHowLateARecordMayCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(0), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, carol, Config{Token: token})
		a.say(t, b, "hello")
		for _, c := range []struct {
			text  string
			after int
			taken bool
		}{{"late", 1023, true}, {"too late", 1024, false}} {
			var held []passing
			n.onWay(func(d passing) []passing {
				held = append(held, d)
				return nil
			})
			if err := a.Send(b.port.addr, []byte(c.text)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			n.onWay(nil)
			for i := range c.after {
				if err := a.Send(b.port.addr, []byte{byte(i)}); err != nil {
					t.Fatal(err)
				}
				if i%8 == 7 {
					time.Sleep(time.Microsecond)
					b.take()
				}
			}
			if len(held) != 1 {
				t.Fatalf("%d datagrams are held back", len(held))
			}
			time.Sleep(time.Microsecond)
			n.inject(held[0])
			time.Sleep(time.Microsecond)
			if _, taken := b.has(c.text); taken != c.taken {
				t.Errorf("a record that %d have overtaken is taken: %v", c.after, taken)
			}
		}
		a.Close()
		b.Close()
	})
}

// A deadline ends reads; after it is cleared, the next read returns what has arrived.
func TestADeadlineEndsARead(t *testing.T) {
	p, at := newPipe(nil), time.Unix(9, 0)
	if !p.put([]byte{7}, addr(alice), at) {
		t.Fatal("there is no room")
	}
	if err := p.SetDeadline(at); err != nil {
		t.Fatal(err)
	}
	var b [9]byte
	if _, _, err := p.ReadFrom(b[:]); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	if err := p.SetDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	if n, _, err := p.ReadFrom(b[:]); n != 1 || err != nil || b[0] != 7 {
		t.Errorf("without a deadline: %d bytes, %v", n, err)
	}
}

package dtls

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// chatter lets two send numbered datagrams to each other for a while, at 100 a second, and
// returns how many have arrived, of all that were sent after they were connected.
func chatter(t *testing.T, a, b *end, d time.Duration) (arrived, sent int) {
	t.Helper()
	a.take()
	b.take()
	a.got, b.got = nil, nil
	for i := range int(d / (10 * time.Millisecond)) {
		for _, c := range []struct{ from, to *end }{{a, b}, {b, a}} {
			if c.from.Send(c.to.port.where(), fmt.Appendf(nil, "%d", i)) == nil {
				sent++
			}
		}
		time.Sleep(10 * time.Millisecond)
		a.take()
		b.take()
	}
	time.Sleep(silentTime / 2)
	return len(a.take()) + len(b.take()), sent
}

// An attacker on the path who records everything, and sends all of it again, changed and
// unchanged, from every address, changes nothing: each datagram arrives once, and no other
// one does.
func TestOnTheWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 3))
		n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
		var recorded []passing
		n.onWay(func(d passing) []passing {
			recorded = append(recorded, d)
			out := []passing{d}
			for range 2 { // again, later than the original
				old := recorded[rng.IntN(len(recorded))]
				out = append(out, old)
			}
			bad := recorded[rng.IntN(len(recorded))]
			bad.bytes = bytes.Clone(bad.bytes)
			switch rng.IntN(4) {
			case 0:
				bad.bytes[rng.IntN(len(bad.bytes))] ^= 1 << rng.IntN(8)
			case 1:
				bad.bytes = bad.bytes[:rng.IntN(len(bad.bytes))]
			case 2:
				bad.bytes = append(bad.bytes, byte(rng.Int()))
			case 3:
				bad.bytes[len(bad.bytes)-1]++
				bad.from = addr(mallory)
			}
			old := recorded[rng.IntN(len(recorded))]
			old.from = addr(mallory)
			return append(out, bad, old)
		})
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		b.say(t, a, "hello")
		arrived, sent := chatter(t, a, b, 5*time.Second)
		if arrived != sent || sent != 1000 {
			t.Errorf("%d arrived of %d", arrived, sent)
		}
		for _, e := range []*end{a, b} {
			seen := map[string]bool{}
			for _, d := range e.got {
				if seen[string(d.bytes)] {
					t.Errorf("%q twice", d.bytes)
				}
				seen[string(d.bytes)] = true
			}
			if s := e.Stats(); s.Handshakes != 1 || s.Failed != 0 || s.Forged == 0 || s.Strangers == 0 {
				t.Errorf("%+v", s)
			}
		}
		a.Close()
		b.Close()
	})
}

// An attacker who forwards a datagram from its own address is distinguished, datagram by
// datagram, from the peer at the known address, so that the session can find out where the
// peer is. Only the peer can read what is then sent to that address.
func TestWhereEachDatagramComesFrom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		m := n.port(mallory)
		a.say(t, b, "hello")
		k := 0
		n.onWay(func(d passing) []passing {
			if d.to == addr(bob) {
				if k++; k%3 == 0 {
					d.from = addr(mallory)
				}
			}
			return []passing{d}
		})
		b.got = nil
		for i := range 3000 { // in bursts, so that many wait at the same time
			a.Send(addr(bob), fmt.Appendf(nil, "%d", i))
			if i%20 == 19 {
				time.Sleep(2 * time.Millisecond)
				b.take()
			}
		}
		time.Sleep(10 * time.Millisecond)
		if len(b.take()) != 3000 {
			t.Fatalf("%d arrived: %+v", len(b.got), b.Stats())
		}
		for _, d := range b.got {
			want, i := addr(alice), 0
			if fmt.Sscan(string(d.bytes), &i); i%3 == 2 {
				want = addr(mallory)
			}
			if d.from != want {
				t.Fatalf("number %s comes from %v, want %v", d.bytes, d.from, want)
			}
		}
		n.onWay(nil)
		if err := b.Send(addr(mallory), []byte("who is there?")); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Millisecond)
		var buf [1500]byte
		size, _, _, ok := m.Receive(buf[:])
		if !ok || bytes.Contains(buf[:size], []byte("who")) {
			t.Errorf("%q, %v", buf[:size], ok)
		}
		m.Send(addr(alice), buf[:size])
		time.Sleep(10 * time.Millisecond)
		if from, ok := a.has("who is there?"); !ok || from != addr(mallory) {
			t.Errorf("sent on, it comes from %v, %v", from, ok)
		}
		if b.Stats().Moves != 1 || a.Stats().Moves != 1 {
			t.Errorf("%+v %+v", a.Stats(), b.Stats())
		}
		a.Close()
		b.Close()
	})
}

// A datagram of one peer that an attacker forwards from the address of another one is not
// taken for that one's, and made-up addresses do not displace the real ones.
func TestSentOnFromTheAddressOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b, c := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token}), n.open(t, carol, Config{Token: token})
		a.say(t, b, "hello")
		c.say(t, b, "hello from carol")
		n.onWay(func(d passing) []passing {
			if d.to == addr(bob) && d.from == addr(alice) {
				d.from = addr(carol)
			}
			return []passing{d}
		})
		a.Send(addr(bob), []byte("from carol?"))
		time.Sleep(10 * time.Millisecond)
		if _, ok := b.has("from carol?"); ok || b.Stats().Misplaced != 1 {
			t.Errorf("it is taken for another's: %+v", b.Stats())
		}
		for i := range 100 {
			n.onWay(func(d passing) []passing {
				if d.from == addr(alice) {
					d.from = netip.AddrPortFrom(addr(mallory).Addr(), uint16(1000+i))
				}
				return []passing{d}
			})
			a.Send(addr(bob), []byte("made up"))
			time.Sleep(2 * time.Millisecond)
			b.take()
		}
		n.onWay(nil)
		if err := b.Send(addr(alice), []byte("still there")); err != nil {
			t.Error(err)
		}
		time.Sleep(10 * time.Millisecond)
		if _, ok := a.has("still there"); !ok {
			t.Error("the real address is forgotten")
		}
		b.mu.Lock()
		if len(b.roster.at) > 1+maxPlaces {
			t.Errorf("%d addresses of two peers", len(b.roster.at))
		}
		b.mu.Unlock()
		for _, e := range []*end{a, b, c} {
			e.Close()
		}
	})
}

// A peer whose address changes continues over the same connection, in both directions.
func TestAMove(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		for _, place := range []string{"198.51.100.1:1", "198.51.100.1:2", "[2001:db8::77]:3", alice} {
			a.port.move(place)
			if err := a.Send(addr(bob), []byte(place)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(20 * time.Millisecond)
			if from, ok := b.has(place); !ok || from != addr(place) {
				t.Errorf("%v, %v", from, ok)
			}
			if err := b.Send(addr(place), []byte("to "+place)); err != nil {
				t.Error(err)
			}
			time.Sleep(20 * time.Millisecond)
			if _, ok := a.has("to " + place); !ok {
				t.Error("not found at", place)
			}
		}
		if a.Stats().Handshakes != 1 || b.Stats().Handshakes != 1 || b.Stats().Moves != 3 {
			t.Errorf("%+v %+v", a.Stats(), b.Stats())
		}
		a.Close()
		b.Close()
	})
}

// Our own datagrams, sent back by somebody, do not connect us with anybody.
func TestAMirror(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(5 * time.Millisecond)
		a := n.open(t, alice, Config{Token: tickback.NewToken()})
		var returned atomic.Uint64
		n.onWay(func(d passing) []passing {
			returned.Add(1)
			return []passing{{from: d.to, to: d.from, bytes: d.bytes}}
		})
		for range 100 {
			if err := a.Send(addr(bob), []byte("hello")); err != ErrNotConnected {
				t.Fatal(err)
			}
			time.Sleep(25 * time.Millisecond)
		}
		time.Sleep(6 * time.Second) // until nothing is asked for any more
		if s := a.Stats(); s.Handshakes != 0 || s.Forged == 0 || s.Forged != returned.Load() {
			t.Errorf("%d were sent back: %+v", returned.Load(), s)
		}
		a.Close()
	})
}

// guest is a machine with the token that does everything by hand.
type guest struct {
	*port
	pair *pair
	self instance
}

func (n *testNetwork) guest(at string, token tickback.Token) *guest {
	_, pair := fromToken(token)
	return &guest{n.port(at), pair, newInstance()}
}

func (g *guest) hello(to string, flags byte, theirs instance, echo cookie) {
	h := hello{header{flags: flags, from: g.self, to: theirs, echo: echo}, cookie{1}}
	g.Send(addr(to), h.append(nil, g.pair))
}

// answer decodes the hello that has come back.
func (g *guest) answer(t *testing.T) hello {
	t.Helper()
	var buf [1500]byte
	n, _, _, _ := g.Receive(buf[:])
	return g.parse(t, buf[:n])
}

func (g *guest) parse(t *testing.T, b []byte) hello {
	t.Helper()
	h, rest, isOurs := parseHeader(b)
	a, isHello := parseHello(h, rest)
	if !isOurs || !isHello {
		t.Fatalf("no hello: %x", b)
	}
	return a
}

// hellos reads all hellos that have arrived.
func (g *guest) hellos() (list []hello) {
	var buf [1500]byte
	for {
		n, _, _, ok := g.Receive(buf[:])
		if !ok {
			return list
		}
		h, rest, _ := parseHeader(buf[:n])
		if a, isHello := parseHello(h, rest); isHello {
			list = append(list, a)
		}
	}
}

// A machine that does not receive at the address that it sends from costs nothing: no memory, no handshake, and no more
// bytes than it has sent, whether it knows the token or not.
func TestNothingForAnAddressThatIsNotProved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a := n.open(t, alice, Config{Token: token})
		told, out := 0, 0
		n.onWay(func(d passing) []passing {
			if d.from == addr(alice) {
				out += len(d.bytes)
			} else {
				told += len(d.bytes)
			}
			return []passing{d}
		})
		for i := range 2000 {
			key := token
			if i%4 == 0 {
				key = tickback.NewToken()
			}
			g := n.guest(fmt.Sprintf("198.51.%d.%d:%d", i/250, i%250, 1000+i), key)
			g.hello(alice, flagAsk|flagWant, instance{}, cookie{})
			e := envelope{header{flags: flagClient, from: instance{0, byte(i), 1}, to: a.greeter.self, echo: cookie{byte(i)}}, 1, []byte("client hello")}
			g.Send(addr(alice), e.append(nil, g.pair))
			if i%100 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
		}
		time.Sleep(50 * time.Millisecond)
		// A quarter have another key in both messages; the cookies of the others are wrong.
		if s := a.Stats(); s.Handshakes != 0 || len(a.Peers()) != 0 || s.Strangers != 2*500 || s.Forged != 1500 {
			t.Errorf("%+v, %d peers", s, len(a.Peers()))
		}
		if out > told {
			t.Errorf("%d bytes for %d", out, told)
		}
		// A cookie is only valid at its address, and not for ever.
		g, thief := n.guest(bob, token), n.guest(mallory, token)
		g.hello(alice, flagAsk|flagWant, instance{}, cookie{})
		time.Sleep(5 * time.Millisecond)
		won := g.answer(t)
		thief.hello(alice, flagWant, won.from, won.give)
		time.Sleep(5 * time.Millisecond)
		if len(a.Peers()) != 0 {
			t.Error("a stolen cookie is taken")
		}
		time.Sleep(3 * cookieTime)
		g.hello(alice, flagWant, won.from, won.give)
		time.Sleep(5 * time.Millisecond)
		if len(a.Peers()) != 0 {
			t.Error("an old cookie is taken")
		}
		a.Close()
	})
}

// Guests that prove their addresses, want to be connected and do nothing have a limited
// number of handshakes: few per network, more in total, and not too many per second. Peers
// that we want ourselves are not among them, and neither is a machine that comes when they
// are gone.
func TestHandshakesOfStrangersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a := n.open(t, alice, Config{Token: token})
		flood := func(place func(i int) string, guests int) (open int) {
			for i := range guests {
				g := n.guest(place(i), token)
				g.self = instance{255, 255, byte(i), byte(i >> 8)} // a is the client, which is the most expensive case for it
				g.hello(alice, flagAsk|flagWant, instance{}, cookie{})
				time.Sleep(3 * time.Millisecond)
				h := g.answer(t)
				g.hello(alice, flagWant, h.from, h.give)
			}
			time.Sleep(10 * time.Millisecond)
			a.mu.Lock()
			defer a.mu.Unlock()
			for _, p := range a.roster.list {
				if p.handshake.pending != nil {
					open++
				}
			}
			return open
		}
		if open := flood(func(i int) string { return fmt.Sprintf("198.51.100.%d:%d", i%250, 1000+i) }, 100); open != maxHalfOpenNear {
			t.Errorf("%d handshakes with one network, want %d", open, maxHalfOpenNear)
		}
		if open := flood(func(i int) string { return fmt.Sprintf("[2001:db8:0:7::%x]:%d", i, 1000+i) }, 20); open != 2*maxHalfOpenNear {
			t.Errorf("%d handshakes with two networks, want %d", open, 2*maxHalfOpenNear)
		}
		if open := flood(func(i int) string { return fmt.Sprintf("10.1.%d.1:%d", i%250, 1000+i) }, 200); open != maxHalfOpen {
			t.Errorf("%d handshakes, want %d", open, maxHalfOpen)
		}
		if k := len(a.Peers()); k > MaxPeers || a.Stats().Refused < 100 {
			t.Errorf("%d peers, %+v", k, a.Stats())
		}
		b := n.open(t, bob, Config{Token: token})
		if took := a.timeToSay(t, b, "a friend"); took > time.Second {
			t.Errorf("a friend waits %v", took)
		}
		if s := a.Stats(); s.Handshakes > handshakesAtOnce+handshakesPerSecond*5 {
			t.Errorf("%d handshakes", s.Handshakes)
		}
		time.Sleep(handshakeTime + strangeTime)
		c := n.open(t, carol, Config{Token: token})
		c.say(t, a, "a stranger, later")
		if k := len(a.Peers()); k > 2+maxHalfOpen {
			t.Errorf("%d peers are remembered", k)
		}
		for _, e := range []*end{a, b, c} {
			e.Close()
		}
	})
}

// A record without encryption, such as an alert that would end the connection, does nothing,
// whoever sends it: neither as it is nor in an envelope from a machine that does not know
// the token, nor in one of an earlier handshake.
func TestAlertsAreNotBelieved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		b.say(t, a, "hello")
		fatal := plainAlert
		closing := []byte{21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 98, 0, 2, 1, 0}
		_, wrong := fromToken(tickback.NewToken())
		_, right := fromToken(token)
		for _, alert := range [][]byte{fatal, closing} {
			n.inject(passing{addr(alice), addr(bob), alert})
			for _, client := range []byte{0, flagClient} {
				for attempt := range uint32(3) {
					e := envelope{header{flags: client, from: a.greeter.self, to: b.greeter.self, echo: cookie{1}}, attempt, alert}
					sealed := e.append(nil, wrong)
					copy(sealed[6:], right.id[:])
					n.inject(passing{addr(alice), addr(bob), sealed})
				}
				e := envelope{header{flags: client, from: a.greeter.self, to: b.greeter.self}, 77, alert} // another attempt, without a cookie
				n.inject(passing{addr(alice), addr(bob), e.append(nil, right)})
			}
		}
		time.Sleep(100 * time.Millisecond)
		if arrived, sent := chatter(t, a, b, time.Second); arrived != sent || sent != 200 || b.Stats().Handshakes != 1 {
			t.Errorf("%d of %d arrived, %+v", arrived, sent, b.Stats())
		}
		a.Close()
		b.Close()
	})
}

// Guests that begin again and again, as a different machine each time, have no more
// handshakes per second than allowed, and neither has one that we want ourselves.
func TestHandshakesInASecondAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a := n.open(t, alice, Config{Token: token})
		var guests []*guest
		var cookies []hello
		for i := range maxHalfOpen {
			g := n.guest(fmt.Sprintf("10.%d.0.%d:7", i/maxHalfOpenNear, i), token)
			g.hello(alice, flagAsk|flagWant, instance{}, cookie{})
			time.Sleep(5 * time.Millisecond)
			guests, cookies = append(guests, g), append(cookies, g.answer(t))
		}
		round := func(k int, guests []*guest) {
			for i, g := range guests {
				g.self = instance{byte(k % 2 * 255), byte(k), byte(k >> 8), byte(i)} // server and client
				g.hello(alice, flagWant, cookies[i].from, cookies[i].give)
				if k%2 == 0 {
					e := envelope{header{flags: flagClient, from: g.self, to: cookies[i].from, echo: cookies[i].give}, uint32(k), []byte{22}}
					g.Send(addr(alice), e.append(nil, g.pair))
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		const seconds = 5
		for k := range seconds * 100 {
			round(k, guests)
		}
		if most := uint64(handshakesAtOnce + seconds*handshakesPerSecond + 1); a.Stats().Handshakes > most || a.Stats().Handshakes < most/2 {
			t.Errorf("%d handshakes, at most %d", a.Stats().Handshakes, most)
		}
		time.Sleep(handshakeTime + needTime) // until the others have gone
		before := a.Stats().Handshakes
		for k := range 200 {
			a.Send(addr("10.0.0.0:7"), nil)
			round(k, guests[:1])
		}
		if more := a.Stats().Handshakes - before; more > 2*uint64(time.Second/retryTime)+2 || more == 0 {
			t.Errorf("%d handshakes with one whom we want, in 2 s", more)
		}
		a.Close()
	})
}

// The beginning of a failed handshake, sent again by an attacker on the path when a later
// one has succeeded, begins nothing.
func TestAnEarlierHandshakeSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		var first []passing
		n.onWay(func(d passing) []passing {
			if h, _, ok := parseHeader(d.bytes); ok && h.kind == kindEnvelope {
				if h.flags&flagClient == 0 {
					return nil
				}
				first = append(first, d)
			}
			return []passing{d}
		})
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		for range 200 {
			a.Send(addr(bob), nil)
			time.Sleep(45 * time.Millisecond)
		}
		n.onWay(nil)
		a.say(t, b, "hello")
		before := a.Stats().Handshakes + b.Stats().Handshakes
		if a.Stats().Failed == 0 || len(first) == 0 {
			t.Fatal("no handshake has failed")
		}
		for range 10 {
			for _, d := range first {
				n.inject(d)
			}
			time.Sleep(300 * time.Millisecond)
		}
		if more := a.Stats().Handshakes + b.Stats().Handshakes - before; more != 0 {
			t.Errorf("%d handshakes more", more)
		}
		a.Close()
		b.Close()
	})
}

// plainAlert is a fatal alert that is not encrypted.
var plainAlert = []byte{21, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 99, 0, 2, 2, 40}

// Data after a record, or a record that claims not to be encrypted, comes from an attacker
// on the path, who knows the ID of the connection: none of it is accepted, during the
// handshake or later.
func TestWhatIsNotOneEncryptedRecord(t *testing.T) {
	for _, early := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(time.Millisecond), tickback.NewToken()
			a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
			forged := 0
			evil := func(d passing) []passing {
				out := []passing{d}
				ids := [][]byte{d.bytes[recordIDOffset : recordIDOffset+4]}
				if d.bytes[0] != recordCID {
					// The IDs travel in the clear in the first flights, and any four bytes
					// may be one.
					ids = nil
					for i := headerSize; i+4 < len(d.bytes); i++ {
						ids = append(ids, d.bytes[i:i+4])
					}
				}
				for _, id := range ids {
					record := func(epoch byte, content ...byte) []byte {
						head := append([]byte{recordCID, 0xFE, 0xFD, 0, epoch, 0, 0, 0, 0, 9, byte(forged)}, id...)
						return append(append(head, 0, byte(len(content))), content...)
					}
					for _, bad := range [][]byte{
						record(0, 2, 40, 21), record(0, 1, 0, 21), record(0, 1), record(1), record(2, 1), record(1, plainAlert...),
						append(record(1, 1, 2, 3), plainAlert...), append(record(1, 1, 2, 3), record(0, 2, 40, 21)...),
						append(bytes.Clone(d.bytes), plainAlert...), plainAlert,
					} {
						forged++
						out = append(out, passing{d.from, d.to, bad}, passing{d.to, d.from, bad})
					}
				}
				return out
			}
			if early {
				n.onWay(evil)
			}
			a.say(t, b, "hello")
			b.say(t, a, "hello")
			n.onWay(evil)
			if arrived, sent := chatter(t, a, b, 2*time.Second); arrived != sent || sent != 400 {
				t.Errorf("early: %v: %d of %d arrived", early, arrived, sent)
			}
			if s := b.Stats(); s.Handshakes != 1 || s.Failed != 0 || b.Peers()[0].Connections != 1 {
				t.Errorf("early: %v: %+v", early, s)
			}
			a.Close()
			b.Close()
		})
	}
}

// The datagrams of an earlier match with the same token, sent again to the current players,
// have no effect.
func TestAnEarlierMatchSentAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		var recorded []passing
		n.onWay(func(d passing) []passing {
			recorded = append(recorded, d)
			return []passing{d}
		})
		play := func() (a, b *end) {
			a, b = n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
			a.say(t, b, "an old secret")
			b.say(t, a, "another")
			return a, b
		}
		a, b := play()
		a.Close()
		b.Close()
		n.onWay(nil)
		a, b = play()
		a.got, b.got = nil, nil
		for _, d := range recorded {
			n.inject(d)
			time.Sleep(time.Millisecond)
		}
		if arrived, sent := chatter(t, a, b, time.Second); arrived != sent || sent != 200 {
			t.Errorf("%d of %d arrived", arrived, sent)
		}
		if s := b.Stats(); s.Handshakes != 1 || len(b.Peers()) != 1 || b.Peers()[0].Connections != 1 {
			t.Errorf("%+v", s)
		}
		a.Close()
		b.Close()
	})
}

// Datagrams that arrive faster than they are received are dropped, the oldest first, and
// counted; those that are too long are refused.
func TestQueues(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		for i := range 1000 {
			a.Send(addr(bob), fmt.Appendf(nil, "%d", i))
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Millisecond)
		b.got = nil
		if got := b.take(); len(got) != QueueDatagrams || string(got[QueueDatagrams-1].bytes) != "999" {
			t.Errorf("%d are there", len(got))
		}
		if s := b.Stats(); s.Overflowed != 1000-QueueDatagrams {
			t.Errorf("%+v", s)
		}
		if err := a.Send(addr(bob), make([]byte, MaxDatagram+1)); err != ErrTooLong || a.Stats().TooLong != 1 {
			t.Error(err)
		}
		a.Send(addr(bob), make([]byte, 100))
		time.Sleep(10 * time.Millisecond)
		if _, _, _, ok := b.Receive(make([]byte, 99)); ok || b.Stats().TooLong != 1 {
			t.Error("half a datagram")
		}
		a.Close()
		b.Close()
	})
}

// The longest datagram fits into an Ethernet frame, over IPv6 too, and a path with the
// minimum MTU of IPv6 carries datagrams up to 1198 bytes.
func TestOverhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "hello")
		for _, size := range []int{0, 1, 30, 100, MaxDatagram} {
			wire := 0
			n.onWay(func(d passing) []passing { wire = len(d.bytes); return []passing{d} })
			if err := a.Send(addr(bob), make([]byte, size)); err != nil {
				t.Error(err)
			}
			n.onWay(nil)
			if wire != size+Overhead {
				t.Errorf("%d bytes for %d", wire, size)
			}
		}
		const ipv6, udp, ethernet = 40, 8, 1500
		if MaxDatagram+Overhead+ipv6+udp > ethernet || Overhead != 34 {
			t.Errorf("%d bytes are added", Overhead)
		}
		a.Close()
		b.Close()
	})
}

package dtls

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/transport/udp"
)

func addr(text string) netip.AddrPort { return netip.MustParseAddrPort(text) }

// Two transports that begin at any time, both or one of them, on a network that loses a third of all datagrams, are
// connected in a few seconds, with one handshake if nothing is lost.
func TestTheyMeetThroughLoss(t *testing.T) {
	for seed := range uint64(24) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 1))
			n, token := newNetwork(time.Duration(rng.IntN(150))*time.Millisecond), tickback.NewToken()
			loss := []int{0, 10, 33}[seed%3]
			n.onWay(func(d passing) []passing {
				switch k := rng.IntN(100); {
				case k < loss:
					return nil
				case loss > 0 && k >= 90:
					return []passing{d, d}
				}
				return []passing{d}
			})
			a := n.open(t, alice, Config{Token: token})
			began := time.Now()
			oneSided := seed%2 == 0
			for range rng.IntN(100) {
				a.Send(addr(bob), []byte("early"))
				time.Sleep(25 * time.Millisecond)
			}
			b := n.open(t, bob, Config{Token: token})
			there := time.Now()
			if !oneSided {
				b.Send(addr(alice), []byte("early"))
			}
			a.say(t, b, "from a")
			b.say(t, a, "from b")
			if took := time.Since(there); took > 12*time.Second {
				t.Errorf("seed %d: %v, of %v", seed, took, time.Since(began))
			}
			if s, u := a.Stats(), b.Stats(); loss == 0 && (s.Handshakes != 1 || u.Handshakes != 1 || s.Failed+u.Failed != 0) {
				t.Errorf("seed %d: %+v %+v", seed, s, u)
			}
			a.Close()
			b.Close()
		})
	}
}

// A transport that is started again, at the same address, is connected again, whichever of the two it is, whether it
// sends by itself or only answers, and although the other was not notified.
func TestAPeerIsStartedAgain(t *testing.T) {
	for again := range 8 {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
			a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
			a.say(t, b, "one")
			b.say(t, a, "two")
			n.onWay(func(d passing) []passing { return nil }) // it is killed, and says nothing
			b.Close()
			synctest.Wait()
			n.onWay(nil)
			b = n.open(t, bob, Config{Token: token})
			if again%2 == 0 {
				b.Send(addr(alice), []byte("hello"))
			}
			if took := a.timeToSay(t, b, "three"); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			b.say(t, a, "four")
			if p := a.Peers(); len(p) != 1 || p[0].Connections != 2 || p[0].State != peers.Connected {
				t.Errorf("%+v", p)
			}
			a.Close()
			b.Close()
		})
	}
}

func (e *end) timeToSay(t *testing.T, to *end, text string) time.Duration {
	began := time.Now()
	e.say(t, to, text)
	return time.Since(began)
}

// A peer that has closed its transport is gone at once for the other, and is found again when it is back.
func TestTheEndIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		a.say(t, b, "one")
		b.Close()
		time.Sleep(20 * time.Millisecond)
		if err := a.Send(addr(bob), []byte("two")); err != ErrNotConnected {
			t.Error(err)
		}
		if p := a.Peers()[0]; p.State != peers.Interrupted {
			t.Errorf("the other one is %v", p.State)
		}
		if err := b.Send(addr(alice), nil); !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
		a.Close()
	})
}

// A peer that does not answer is greeted ten times in the first second, as a peer that has just started may need it,
// and twice a second after that, for as long as it is wanted.
func TestHowOftenOneIsAskedWhoDoesNotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(5 * time.Millisecond)
		a, began := n.open(t, alice, Config{Token: tickback.NewToken()}), time.Now()
		const seconds = 20
		var asked [seconds]int
		n.onWay(func(passing) []passing {
			asked[int(time.Since(began)/time.Second)]++
			return nil
		})
		for time.Since(began) < seconds*time.Second-10*time.Millisecond {
			_ = a.Send(addr(bob), nil) // nobody is there
			time.Sleep(10 * time.Millisecond)
		}
		a.Close()
		n.onWay(nil)
		if asked[0] < 8 || asked[0] > 11 {
			t.Errorf("asked %d times in the first second", asked[0])
		}
		for i, count := range asked[3:] {
			if count < 1 || count > 2 {
				t.Errorf("asked %d times in second %d", count, 3+i)
			}
		}
	})
}

// A connection that one side has forgotten, because nothing arrived for a minute, without the other side being
// notified, is made again: whichever of them is the client, and whether the side that has forgotten it sends something
// or not.
func TestAForgottenConnection(t *testing.T) {
	for k := range 8 {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
			a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
			a.say(t, b, "one")
			lost := addr(bob) // b hears nothing, and a hears b
			n.onWay(func(d passing) []passing {
				if d.to == lost || !lost.IsValid() {
					return nil
				}
				return []passing{d}
			})
			for range 59 {
				b.Send(addr(alice), []byte("still here"))
				a.Send(addr(bob), []byte("lost"))
				time.Sleep(time.Second)
			}
			n.mu.Lock()
			lost = netip.AddrPort{} // the goodbye is lost, too
			n.mu.Unlock()
			eventually(t, "it is forgotten", func() bool { return len(b.Peers()) == 0 })
			n.onWay(nil)
			if p := a.Peers(); len(p) != 1 || p[0].Connections != 1 {
				t.Errorf("%+v", p)
			}
			if k%2 == 0 {
				b.Send(addr(alice), []byte("again"))
			}
			if took := a.timeToSay(t, b, "two"); took > 2*time.Second {
				t.Errorf("it took %v", took)
			}
			b.say(t, a, "three")
			a.Close()
			b.Close()
		})
	}
}

// Obstacles are reported: another token, a peer that does not encrypt, no peer.
func TestTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: tickback.NewToken()})
		plain := n.port(carol)
		for range 200 {
			for _, to := range []string{bob, carol, mallory} {
				a.Send(addr(to), []byte("x"))
			}
			plain.Send(addr(alice), append([]byte{1}, "TKB"...))
			time.Sleep(25 * time.Millisecond)
		}
		want := map[string]error{bob: ErrOtherToken, carol: ErrPlain, mallory: ErrNoAnswer}
		for _, p := range a.Peers() {
			if !errors.Is(p.Trouble, want[p.Addr.String()]) || p.State != peers.Connecting {
				t.Errorf("%+v", p)
			}
		}
		var buf [1500]byte
		if n, _, _, ok := plain.Receive(buf[:]); !ok || !Recognize(buf[:n]) {
			t.Error("the plain one cannot see that we encrypt")
		}
		if Recognize([]byte("\x01TKB")) || Recognize(nil) {
			t.Error("plain is taken for encrypted")
		}
		guest := n.port("198.51.100.1:1")
		guest.Send(addr(alice), append([]byte{5}, make([]byte, 1199)...)) // asks to watch
		guest.Send(addr(alice), []byte{5, 0})                             // too short for an answer
		time.Sleep(100 * time.Millisecond)
		if n, _, _, ok := guest.Receive(buf[:]); !ok || !Recognize(buf[:n]) {
			t.Error("a plain stranger cannot see that we encrypt")
		}
		if _, _, _, ok := guest.Receive(buf[:]); ok {
			t.Error("an answer that is longer than the question")
		}
		b.Send(addr(alice), nil)
		time.Sleep(100 * time.Millisecond)
		if p := b.Peers(); len(p) != 1 || p[0].Trouble != ErrOtherToken {
			t.Errorf("the other one knows nothing: %+v", p)
		}
		a.Close()
		b.Close()
	})
}

// refusal returns the error about a token that a transport has for its only peer, if any.
func (e *end) refusal(t *testing.T) *tickback.TokenError {
	t.Helper()
	list := e.Peers()
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	var token *tickback.TokenError
	if errors.As(list[0].Trouble, &token) && !errors.Is(list[0].Trouble, ErrOtherToken) {
		t.Errorf("%v is not about the token of the other side", list[0].Trouble)
	}
	return token
}

// seek sends something to an address for a given time.
func (e *end) seek(to string, span time.Duration) {
	for end := time.Now().Add(span); time.Now().Before(end); time.Sleep(25 * time.Millisecond) {
		e.Send(addr(to), []byte("x"))
	}
}

// Two machines with different tokens each know for certain after three seconds; each of them gets an answer with its
// own cookie. If one gets the right token then, they are connected.
func TestAnotherTokenIsFinal(t *testing.T) {
	for _, mends := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
			a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: tickback.NewToken()})
			for _, e := range []*end{a, b} {
				go e.seek(map[*end]string{a: bob, b: alice}[e], 10*time.Second)
			}
			time.Sleep(refuseTime - 100*time.Millisecond)
			for _, e := range []*end{a, b} {
				if list := e.Peers(); e.refusal(t) != nil || list[0].Trouble != ErrOtherToken {
					t.Errorf("too early: %v", list[0].Trouble)
				}
			}
			if mends {
				b.Close()
				b = n.open(t, bob, Config{Token: token})
				go b.seek(alice, 10*time.Second)
				time.Sleep(2 * time.Second)
				if a.refusal(t) != nil || b.refusal(t) != nil || a.Peers()[0].State != peers.Connected {
					t.Errorf("%+v, %+v", a.Peers(), b.Peers())
				}
			} else {
				time.Sleep(200 * time.Millisecond)
				for _, e := range []*end{a, b} {
					if token := e.refusal(t); token == nil || token.Reason == "" {
						t.Errorf("%+v", e.Peers())
					}
				}
			}
			a.Close()
			b.Close()
			time.Sleep(10 * time.Second) // until nobody seeks any more
		})
	}
}

// A datagram that claims that the other side has another token, and does not have the cookie that was given at its
// address, ends nothing: not with a guess, not with the cookie of another address, not for another instance. An
// attacker on the path can forge it, and a right answer counts more.
func TestAForgedRefusalOfAToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for what, c := range map[string]struct {
			forge func(asked hello) (to instance, echo cookie)
			final bool
		}{
			"a guess":                  {func(asked hello) (instance, cookie) { return asked.from, cookie{1, 2, 3} }, false},
			"no cookie":                {func(asked hello) (instance, cookie) { return asked.from, cookie{} }, false},
			"another instance":         {func(asked hello) (instance, cookie) { return instance{1}, asked.give }, false},
			"what was seen on the way": {func(asked hello) (instance, cookie) { return asked.from, asked.give }, true},
		} {
			n := newNetwork(5 * time.Millisecond)
			a := n.open(t, alice, Config{Token: tickback.NewToken()})
			silent, forger := n.guest(bob, tickback.NewToken()), n.guest(mallory, tickback.NewToken())
			for range 400 {
				a.Send(addr(bob), []byte("x"))
				time.Sleep(25 * time.Millisecond)
				for _, asked := range silent.hellos() {
					to, echo := c.forge(asked)
					h := hello{header{from: forger.self, to: to, echo: echo}, cookie{1}}
					n.inject(passing{addr(bob), addr(alice), h.append(nil, forger.pair)})
				}
			}
			if (a.refusal(t) != nil) != c.final {
				t.Errorf("%s: %+v", what, a.Peers())
			}
			a.Close()
		}
		// The cookie that the forger has got at its own address is useless at another one.
		n := newNetwork(5 * time.Millisecond)
		a := n.open(t, alice, Config{Token: tickback.NewToken()})
		n.guest(bob, tickback.NewToken())
		forger := n.guest(mallory, tickback.NewToken())
		for range 200 {
			a.Send(addr(bob), []byte("x"))
			forger.hello(alice, flagAsk|flagWant, instance{}, cookie{})
			time.Sleep(25 * time.Millisecond)
			for _, answer := range forger.hellos() {
				h := hello{header{from: forger.self, to: answer.from, echo: answer.give}, cookie{1}}
				n.inject(passing{addr(bob), addr(alice), h.append(nil, forger.pair)})
			}
		}
		if a.refusal(t) != nil {
			t.Errorf("%+v", a.Peers())
		}
		a.Close()
	})
}

// An answer to a machine with another key has that machine's request in it, sealed with our key. Machines that have our
// key ignore it: otherwise it would be a way to have greetings sealed.
func TestAnAnswerToAForeignerIsNoGreeting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		member, foreigner := n.guest(carol, token), n.guest(mallory, tickback.NewToken())
		member.hello(bob, flagAsk, instance{}, cookie{})
		time.Sleep(5 * time.Millisecond)
		given := member.answer(t)
		h := hello{header{flags: flagAsk, from: given.from, to: given.from}, given.give} // to have it echoed
		foreigner.Send(addr(alice), h.append(nil, foreigner.pair))
		time.Sleep(5 * time.Millisecond)
		var buf [1500]byte
		size, _, _, ok := foreigner.Receive(buf[:])
		if !ok {
			t.Fatal("no answer")
		}
		before := b.Stats().Forged
		n.inject(passing{addr(carol), addr(bob), buf[:size]})
		time.Sleep(5 * time.Millisecond)
		if b.Stats().Forged != before+1 || len(b.Peers()) != 0 {
			t.Errorf("%+v, %+v", b.Stats(), b.Peers())
		}
		answer := foreigner.parse(t, buf[:size])
		if answer.to != given.from || answer.echo != given.give || answer.flags != flagForeign {
			t.Errorf("%+v", answer)
		}
		a.Close()
		b.Close()
	})
}

// A machine with its own key connects with those that are trusted, each at its address; a member is not taken for
// another one.
func TestFingerprints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(5 * time.Millisecond)
		ids := []*Identity{NewIdentity(), NewIdentity(), NewIdentity()}
		var all []*end
		places := []string{alice, bob, carol}
		for i, id := range ids {
			e := n.open(t, places[i], Config{Identity: id})
			for j, other := range ids {
				f, err := ParseFingerprint(other.Fingerprint().String())
				if err != nil {
					t.Fatal(err)
				}
				e.Trust(f, addr(places[j]))
			}
			all = append(all, e)
		}
		a, b, c := all[0], all[1], all[2]
		a.say(t, b, "one")
		c.say(t, a, "two")
		if err := a.Send(addr(mallory), nil); err != ErrNoPeer {
			t.Error("a stranger: ", err)
		}
		// Carol's machine takes Bob's address, and is not Bob.
		b.Close()
		x := n.open(t, bob, Config{Identity: ids[2]})
		x.Trust(ids[0].Fingerprint(), addr(alice))
		for range 100 {
			x.Send(addr(alice), []byte("it is me, Bob"))
			a.Send(addr(bob), []byte("a secret for Bob"))
			time.Sleep(25 * time.Millisecond)
		}
		if _, ok := a.has("it is me, Bob"); ok {
			t.Error("one member is taken for another")
		}
		if len(x.take()) > 0 {
			t.Error("what is for one member is read by another")
		}
		for _, p := range a.Peers() {
			if p.Addr == addr(bob) && !errors.Is(p.Trouble, ErrOtherToken) {
				t.Errorf("what is wrong with Bob: %v", p.Trouble)
			}
		}
		a.Distrust(ids[2].Fingerprint())
		time.Sleep(20 * time.Millisecond)
		if err := a.Send(addr(carol), nil); err != ErrNoPeer {
			t.Error("who is not trusted any more: ", err)
		}
		for _, e := range []*end{a, c, x} {
			e.Close()
		}
	})
}

// If a member's address is known, greetings of another one from there are counted as forged, each once, and create no
// peer.
func TestGreetingsFromTheAddressOfAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork(5 * time.Millisecond)
		one, two, three := NewIdentity(), NewIdentity(), NewIdentity()
		a, x := n.open(t, alice, Config{Identity: one}), n.open(t, bob, Config{Identity: three})
		a.Trust(two.Fingerprint(), addr(bob))
		a.Trust(three.Fingerprint(), addr(carol))
		x.Trust(one.Fingerprint(), addr(alice))
		var greetings uint64
		n.onWay(func(d passing) []passing {
			if d.to == addr(alice) {
				greetings++
			}
			return []passing{d}
		})
		for range 100 {
			x.Send(addr(alice), []byte("it is me"))
			time.Sleep(25 * time.Millisecond)
		}
		x.Close()
		time.Sleep(time.Second)
		if s := a.Stats(); greetings == 0 || s.Forged != greetings || len(a.Peers()) != 0 {
			t.Errorf("of %d greetings %d are counted, and make %d peers", greetings, s.Forged, len(a.Peers()))
		}
		a.Close()
	})
}

// A member knows all fingerprints, and so the keys with which greetings are sealed: it gets as far as the handshake,
// where it would need the private key. This is tried from both sides.
func TestAMemberPretendsToBeAnother(t *testing.T) {
	for range 4 { // either may be the client
		synctest.Test(t, func(t *testing.T) {
			n := newNetwork(5 * time.Millisecond)
			one, two, liar := NewIdentity(), NewIdentity(), NewIdentity()
			a, x := n.open(t, alice, Config{Identity: one}), n.open(t, bob, Config{Identity: liar})
			a.Trust(two.Fingerprint(), addr(bob))
			pair := pairOf(two.Fingerprint(), one.Fingerprint())
			x.mu.Lock()
			x.keys.keys[pair.id], x.keys.pins[addr(alice)] = pair, pair
			x.mu.Unlock()
			for range 100 {
				a.Send(addr(bob), []byte("a secret"))
				x.Send(addr(alice), []byte("a lie"))
				time.Sleep(25 * time.Millisecond)
			}
			if len(a.take())+len(x.take()) != 0 || a.Peers()[0].Connections != 0 || a.Stats().Handshakes == 0 {
				t.Errorf("%+v, %+v", a.Stats(), a.Peers())
			}
			a.Close()
			x.Close()
		})
	}
}

// Eight transports are connected, each with every other, and Close leaves nothing behind.
func TestEightOfThem(t *testing.T) {
	before := runtime.NumGoroutine()
	var all []*Transport
	token := tickback.NewToken()
	for range 8 {
		e, err := Listen("127.0.0.1:0", Config{Token: token})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		all = append(all, e)
	}
	deadline := time.Now().Add(patience)
	for connected := 0; connected < 8*7; time.Sleep(5 * time.Millisecond) {
		connected = 0
		for _, e := range all {
			for _, o := range all {
				if o != e && e.Send(o.LocalAddr(), []byte("x")) == nil {
					connected++
				}
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d of 56 are connected", connected)
		}
	}
	if n := runtime.NumGoroutine(); n < before+8*7*3 {
		t.Errorf("%d goroutines: the test is blind", n-before)
	}
	for _, e := range all {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// A Config has either a Token or an Identity.
func TestConfig(t *testing.T) {
	for want, c := range map[string]Config{
		"a Token or an Identity is required": {},
		"both a Token and an Identity":       {Token: tickback.NewToken(), Identity: NewIdentity()},
		"token":                              {Token: tickback.NewToken()[:3]},
	} {
		if _, err := Listen("127.0.0.1:0", c); !errors.Is(err, ErrConfig) || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if quiet, err := udp.ListenPolled("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	} else if quiet.Notify() == nil { // as on Linux
		if _, err := New(quiet, Config{Token: tickback.NewToken()}); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), "udp.Listen does") {
			t.Errorf("a transport that does not tell of arrivals: %v", err)
		}
		quiet.Close()
	}
	if _, err := New(nil, Config{Token: tickback.NewToken()}); !errors.Is(err, ErrConfig) {
		t.Error(err)
	}
	if _, err := Listen("nowhere", Config{Token: tickback.NewToken()}); err == nil {
		t.Error("it listens nowhere")
	}
}

// Fingerprints mean nothing to a transport with a token, which decides whom it trusts. And its own fingerprint belongs to
// nobody else.
func TestFingerprintsAreForIdentities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(5*time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, bob, Config{Token: token})
		keys := len(a.keys.keys)
		a.Trust(NewIdentity().Fingerprint(), addr(bob))
		a.Distrust(a.keys.own.fingerprint)
		if len(a.keys.keys) != keys || len(a.keys.pins) != 0 {
			t.Errorf("with a token %d keys, and %d addresses, are known", len(a.keys.keys), len(a.keys.pins))
		}
		a.say(t, b, "all the same")
		own := NewIdentity()
		c := n.open(t, carol, Config{Identity: own})
		c.Trust(own.Fingerprint(), addr(alice))
		if len(c.keys.keys) != 0 || len(c.keys.pins) != 0 {
			t.Error("it trusts itself")
		}
		other := NewIdentity().Fingerprint()
		c.Trust(other, addr(alice))
		c.Trust(other, addr(bob)) // it may be at both
		if len(c.keys.keys) != 1 || len(c.keys.pins) != 2 || c.keys.pins[addr(alice)] != c.keys.pins[addr(bob)] {
			t.Errorf("of one there are %d keys, at %d addresses", len(c.keys.keys), len(c.keys.pins))
		}
		c.Distrust(other)
		if len(c.keys.keys) != 0 || len(c.keys.pins) != 0 {
			t.Errorf("of nobody there are %d keys, at %d addresses", len(c.keys.keys), len(c.keys.pins))
		}
		for _, e := range []*end{a, b, c} {
			e.Close()
		}
	})
}

// A text is a fingerprint if it has its digits, and no other.
func TestWhatIsNoFingerprint(t *testing.T) {
	f := NewIdentity().Fingerprint()
	text := f.String()
	if got, err := ParseFingerprint(text); err != nil || got != f {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"", text[1:], text[2:], text + "00", "zz" + text[2:]} {
		if _, err := ParseFingerprint(text); err == nil || !strings.Contains(err.Error(), "64 hexadecimal digits") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

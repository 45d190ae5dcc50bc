package dtls

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// A cookie is only valid at the exact address for which it was made: its IP address, zone and
// port.
func TestACookieIsForOneAddress(t *testing.T) {
	now := time.Now()
	b := newCookieMaker(now)
	const at = "192.0.2.1:7000"
	c := b.give(addr(at), now)
	if !b.takes(c, addr(at), now) {
		t.Fatal("it does not count at its own address")
	}
	for _, other := range []string{
		"192.0.2.1:7001", "192.0.2.1:7256", "192.0.2.1:0", "192.0.2.2:7000", "[2001:db8::1]:7000", "[::]:7000",
	} {
		if b.takes(c, addr(other), now) {
			t.Errorf("a cookie of %s counts at %s", at, other)
		}
	}
	if in6 := netip.AddrPortFrom(netip.AddrFrom16(addr(at).Addr().As16()), addr(at).Port()); !b.takes(c, in6, now) { // the same, written as IPv6
		t.Error("it does not count at its own address in IPv6 notation")
	}
	one, two := addr("[fe80::1%eth0]:7000"), addr("[fe80::1%eth1]:7000")
	if c := b.give(one, now); !b.takes(c, one, now) || b.takes(c, two, now) {
		t.Error("a cookie counts on another network")
	}
	if newCookieMaker(now).takes(c, addr(at), now) {
		t.Error("a cookie of another machine counts")
	}
	d := c
	d[len(d)-1] ^= 1
	if b.takes(d, addr(at), now) || b.takes(cookie{}, addr(at), now) {
		t.Error("what is no cookie counts")
	}
}

// It is valid in the interval in which it was made and in the next one.
func TestACookieGetsOld(t *testing.T) {
	const interval = 15 * time.Second
	now := time.Now()
	b := newCookieMaker(now)
	for _, c := range []struct {
		given, taken time.Duration
		want         bool
	}{
		{0, 0, true},
		{0, 2*interval - 1, true},
		{0, 2 * interval, false},
		{interval - 1, 2*interval - 1, true},
		{interval - 1, 2 * interval, false},
		{5 * interval, 7*interval - 1, true},
		{5 * interval, 7 * interval, false},
		{5 * interval, 4 * interval, false}, // one of the future is none
	} {
		if got := b.takes(b.give(addr(bob), now.Add(c.given)), addr(bob), now.Add(c.taken)); got != c.want {
			t.Errorf("given after %v, shown after %v: %v", c.given, c.taken, got)
		}
	}
}

// No machine becomes a peer, or gets a handshake, by a cookie that was sent to another port of its
// own IP address: many machines behind one router share it.
func TestACookieOfAnotherPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(time.Millisecond), tickback.NewToken()
		a := n.open(t, alice, Config{Token: token})
		defer a.Close()
		owner, thief := n.guest("198.51.100.1:1000", token), n.guest("198.51.100.1:1001", token)
		owner.hello(alice, flagAsk|flagWant, instance{}, cookie{})
		time.Sleep(5 * time.Millisecond)
		won := owner.answer(t)
		thief.hello(alice, flagWant, won.from, won.give)
		low := envelope{header{flags: flagClient, from: instance{}, to: a.greeter.self, echo: won.give}, 1, []byte("client hello")}
		thief.Send(addr(alice), low.append(nil, thief.pair))
		time.Sleep(5 * time.Millisecond)
		if s := a.Stats(); len(a.Peers()) != 0 || s.Handshakes != 0 {
			t.Errorf("the cookie of one port counts at another: %+v, %d peers", s, len(a.Peers()))
		}
		owner.hello(alice, flagWant, won.from, won.give)
		time.Sleep(5 * time.Millisecond)
		if len(a.Peers()) != 1 {
			t.Error("it does not count at its own")
		}
	})
}

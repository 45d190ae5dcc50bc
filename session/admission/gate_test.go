package admission

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

var stranger = netip.MustParseAddrPort("192.0.2.7:40000")

// attach makes the Attach of a machine that got this Welcome.
func attach(t *testing.T, welcome []byte, nonce uint64) []byte {
	t.Helper()
	body, ok := datagram.Key(nonce).Open(welcome, 0)
	if !ok {
		t.Fatal("the Welcome has a wrong tag")
	}
	w, err := datagram.ConsumeWelcome(body)
	if err != nil {
		t.Fatal(err)
	}
	return datagram.KeyOf(nonce, w.Nonce).Seal(datagram.Attach{Nonce: nonce}.Append(nil), 0, 0)
}

// Rule: an Attach proves the address to which the Welcome went, to the nonce of its Hello, in
// the interval of the Welcome and in the next one.
func TestAnAttachProvesAnAddress(t *testing.T) {
	const nonce = 12345
	sent := 3*welcomeLife + time.Second
	d := NewGate(counting(1))
	front := []byte("what is there before")
	b := d.Welcome(front, sent, stranger, &datagram.Hello{Nonce: nonce}, datagram.Items{Game: "g", Players: 2, InputSize: 1})
	if len(b) <= len(front) || string(b[:len(front)]) != string(front) {
		t.Fatalf("% x", b)
	}
	a := attach(t, b[len(front):], nonce)
	for _, c := range []struct {
		what string
		door *Gate
		now  time.Duration
		from string
		as   uint64
		want bool
	}{
		{"at once", d, sent, "192.0.2.7:40000", nonce, true},
		{"to the end of the next interval", d, 5*welcomeLife - 1, "192.0.2.7:40000", nonce, true},
		{"after it", d, 5 * welcomeLife, "192.0.2.7:40000", nonce, false},
		{"from another port", d, sent, "192.0.2.7:40001", nonce, false},
		{"from another address", d, sent, "192.0.2.8:40000", nonce, false},
		{"with another nonce", d, sent, "192.0.2.7:40000", nonce + 1, false},
		{"at another host", NewGate(counting(500)), sent, "192.0.2.7:40000", nonce, false},
	} {
		ours, ok := c.door.Proved(c.now, netip.MustParseAddrPort(c.from), c.as, a)
		if ok != c.want || ok && ours == 0 {
			t.Errorf("%s: %v", c.what, ok)
		}
	}
}

// Rule: a machine that asks often gets a Welcome every 40 ms at most.
func TestWelcomesAreLimited(t *testing.T) {
	d := NewGate(counting(1))
	hello := datagram.Hello{Nonce: 1}
	for i, ok := range []bool{true, false, false, false, true} {
		now := time.Minute + time.Duration(i)*10*time.Millisecond
		if b := d.Welcome(nil, now, stranger, &hello, datagram.Items{}); (len(b) > 0) != ok {
			t.Errorf("after %d ms: %d bytes", 10*i, len(b))
		}
	}
}

// Rule: the outcome of an attempt is reported by its nonce.
func TestAttemptsAreSpent(t *testing.T) {
	d := NewGate(counting(1))
	d.Spend(7, "no room")
	d.Spend(8, "")
	for nonce, want := range map[uint64]struct {
		why  string
		over bool
	}{7: {"no room", true}, 8: {"", true}, 9: {}} {
		if why, over := d.Spent(nonce); why != want.why || over != want.over {
			t.Errorf("%d: %q %v", nonce, why, over)
		}
	}
}

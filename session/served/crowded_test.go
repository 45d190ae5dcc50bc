package served

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/tickback/tickback/session"
)

// Rule: an address can have as many places as the configuration says. By default that is half of
// them, and any number if there is a token, and for nearby machines.
func TestPlacesForAnAddress(t *testing.T) {
	token := []byte("0123456789abcdef")
	for _, c := range []struct {
		at                  string
		given, want, places int
		token               []byte
	}{
		{"203.0.113.9", 0, 8, 16, nil},
		{"203.0.113.9", 0, 16, 16, token},
		{"203.0.113.9", 3, 3, 16, token},
		{"203.0.113.9", Unlimited, 16, 16, nil},
		{"203.0.113.9", 0, 4, 5, nil},
		{"203.0.113.9", 0, 4, 2, nil},
		{"203.0.113.9", 0, 5, 9, nil},
		{"::ffff:203.0.113.9", 0, 8, 16, nil},
		{"2001:db8::1", 0, 8, 16, nil},
		{"127.0.0.1", 0, 16, 16, nil},
		{"::ffff:127.0.0.1", 0, 16, 16, nil},
		{"::ffff:192.168.1.9", 0, 16, 16, nil},
		{"::ffff:169.254.1.9", 0, 16, 16, nil},
		{"192.168.1.9", 0, 16, 16, nil},
		{"fd8e:711c::9", 0, 16, 16, nil},
		{"fe80::9%eth0", 0, 16, 16, nil},
		{"192.168.1.9", 2, 2, 16, nil},
	} {
		cfg := ServerConfig{Game: Game{Players: c.places}, PerAddress: c.given, Token: c.token}
		if got := cfg.perAddress(netip.MustParseAddr(c.at)); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	same := func(a, b string) bool { return network(netip.MustParseAddr(a)) == network(netip.MustParseAddr(b)) }
	if !same("203.0.113.9", "::ffff:203.0.113.9") || same("203.0.113.9", "203.0.113.8") ||
		!same("2001:db8::1", "2001:db8::ffff:0:0:1") || same("2001:db8::1", "2001:db8:0:1::1") || !same("fe80::9%eth0", "fe80::8") {
		t.Error("what counts as one address is not")
	}
}

// Rule: a machine from an address that has its maximum of places gets none, learns why, and is
// counted. Others get the rest.
func TestAnAddressGetsNotAllPlaces(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.PerAddress = 2 })
	for i, at := range []string{"203.0.113.9:1", "203.0.113.9:2", "203.0.113.9:3", "203.0.113.8:1"} {
		g.join(at)
		g.run(second)
		c := g.clients[netip.MustParseAddrPort(at)]
		var bye *ByeError
		switch out := errors.As(c.Err(), &bye); {
		case out != (i == 2):
			t.Errorf("%s: %v, %v", at, c.Phase(), c.Err())
		case out && !strings.Contains(bye.Reason, "203.0.113.9 has 2 places already"):
			t.Errorf("it is told %q", bye.Reason)
		case !out && c.Phase() != session.Playing:
			t.Errorf("%s: %v", at, c.Phase())
		}
	}
	if n := g.server.Counts(); n.Crowded == 0 || n.Crowded > 100 || n.Refused != n.Crowded || n.Uninvited > 0 {
		t.Errorf("%+v", n)
	}
}

// Rule: whoever comes to a match that is full learns that, even from an address that could have no more places anyway.
func TestAFullMatchIsTheReason(t *testing.T) {
	g := newGate(t, func(c *ServerConfig) { c.PerAddress = 3 }) // which are all
	for _, at := range []string{"203.0.113.9:1", "203.0.113.9:2", "203.0.113.9:3"} {
		g.enter(at, nil)
	}
	c := g.join("203.0.113.9:4")
	g.run(second)
	var bye *ByeError
	if !errors.As(c.Err(), &bye) || bye.Reason != "all places are taken" || g.server.Counts().Crowded != 0 {
		t.Errorf("it is %v: %v; %+v", c.Phase(), c.Err(), g.server.Counts())
	}
}

package udp

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// Addresses resolve to themselves, unmapped and with their zone; names resolve to an address that the socket can reach.
func TestResolve(t *testing.T) {
	v4, both := listen(t, "127.0.0.1:0"), listen(t, ":0")
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for _, c := range []struct {
		resolve func(context.Context, string) (netip.AddrPort, error)
		address string
		want    string // an address, or a part of an error
		is      error
	}{
		{Resolve, "192.0.2.1:7000", "192.0.2.1:7000", nil},
		{Resolve, "[::ffff:192.0.2.1]:7000", "192.0.2.1:7000", nil},
		{Resolve, "[2001:db8::1]:7000", "[2001:db8::1]:7000", nil},
		{Resolve, "[fe80::1%eth7]:7000", "[fe80::1%eth7]:7000", nil},
		{both.Resolve, "192.0.2.1:7000", "192.0.2.1:7000", nil},
		{v4.Resolve, "localhost:7000", "127.0.0.1:7000", nil},
		{v4.Resolve, "[2001:db8::1]:7000", "udp: resolve \"[2001:db8::1]:7000\": the socket cannot reach addresses of this family", ErrFamily},
		{Resolve, ":7000", "it names no host", ErrAddress},
		{Resolve, "0.0.0.0:7000", "it means every address", ErrAddress},
		{Resolve, "192.0.2.1:0", "nobody listens on port 0", ErrAddress},
		{Resolve, "192.0.2.1", "it has no port, as 192.0.2.1:7000 has", ErrAddress},
		{Resolve, "bad name\n:1", `"bad name\n": the name does not resolve`, ErrResolve},
	} {
		got, err := c.resolve(ctx, c.address)
		switch {
		case c.is == nil && (err != nil || got.String() != c.want):
			t.Errorf("%q: %v, %v, want %v", c.address, got, err, c.want)
		case c.is != nil && (!errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v, want %q, which is %v", c.address, err, c.want, c.is)
		}
	}
}

// A socket for IPv6 only cannot reach an IPv4 address.
func TestResolveForIPv6Alone(t *testing.T) {
	v6 := listen(t, "[::1]:0")
	if _, err := v6.Resolve(context.Background(), "127.0.0.1:7000"); !errors.Is(err, ErrFamily) {
		t.Errorf("resolve: %v", err)
	}
	if err := v6.Send(netip.MustParseAddrPort("127.0.0.1:7000"), nil); !errors.Is(err, ErrFamily) {
		t.Errorf("send: %v", err)
	}
}

// A lookup takes no longer than the context allows.
func TestResolveEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Resolve(ctx, "nowhere.invalid:7000")
	if !errors.Is(err, ErrResolve) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

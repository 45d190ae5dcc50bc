//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"
)

// locked is a server whose connections are only counted.
func locked(t *testing.T, cfg Config) *Server {
	t.Helper()
	s, err := NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	t.Cleanup(func() {
		s.mu.Unlock()
		s.Close(t.Context())
	})
	return s
}

// A quarter of all possible connections can be made at once, and a sixteenth per second: clients that come for the
// first time, from anywhere, get all of it.
func TestHowManyMayComeAtOnce(t *testing.T) {
	s := locked(t, Config{MaxConnections: 2048})
	now, from := time.Unix(1000, 0), 0
	come := func() error {
		from++
		return s.admit(addressOf(fmt.Sprintf("10.%d.%d.1", from/250, from%250)), now)
	}
	for round, want := range []int{512, 128, 128} {
		for i := range want {
			if err := come(); err != nil {
				t.Fatalf("round %d, connection %d: %v", round, i, err)
			}
		}
		if err := come(); !errors.Is(err, ErrServerFull) {
			t.Fatalf("round %d, one more: %v", round, err)
		}
		now = now.Add(time.Second)
	}
	if s.hub.stats.Limited[limitAllConnects] != 3 {
		t.Errorf("%v", s.hub.stats.Limited)
	}
}

// A client that comes while nobody else does gets all of its own allowance at once: 120 from an address, and 480 from
// its neighbours together.
func TestWhoComesAloneGetsAllOfItsOwn(t *testing.T) {
	for addresses, want := range map[int]int{1: 120, 250: 480} {
		s, now, let := locked(t, Config{}), time.Unix(1000, 0), 0
		for i := range 1000 {
			if s.admit(addressOf(fmt.Sprintf("10.0.0.%d", i%addresses)), now) == nil {
				let++
			}
		}
		if let != want || s.hub.stats.Limited[limitConnects] != uint64(1000-want) {
			t.Errorf("%d addresses get %d: %v", addresses, let, s.hub.stats.Limited)
		}
	}
}

// A client that is refused because of all others loses nothing of its own allowance, to the last connection; one that
// has nothing of its own left is told that.
func TestWhoIsRefusedForOthersLosesNothing(t *testing.T) {
	now := time.Unix(1000, 0)
	for what, c := range map[string]struct {
		near, wide float64 // used, of 10 and of 40
		want       error
	}{
		"nothing used":         {0, 0, ErrServerFull},
		"all but one":          {9, 9, ErrServerFull},
		"all":                  {10, 10, ErrRate},
		"all of the neighbour": {0, 40, ErrRate},
		"all but one of those": {0, 39, ErrServerFull},
	} {
		s := locked(t, Config{MaxConnections: 1024, ConnectsPerMinute: 10})
		from := addressOf("10.0.0.1")
		near, wide := s.hub.visitors.of(from)
		near.connects, wide.connects = bucket{c.near, now}, bucket{c.wide, now}
		s.all.connects = bucket{256, now}
		if err := s.admit(from, now); !errors.Is(err, c.want) || c.want == ErrServerFull && near.connects.used != c.near {
			t.Errorf("%s: %v, and %v is used", what, err, near.connects.used)
		}
		if len(s.hub.stats.Limited) != 1 || s.all.connects.used != 256 {
			t.Errorf("%s: %v, and %v is used by all", what, s.hub.stats.Limited, s.all.connects.used)
		}
	}
}

// An address may have 64 connections at a time, and its neighbours 256 together.
func TestConnectionsAtATime(t *testing.T) {
	s, now := locked(t, Config{ConnectsPerMinute: 1 << 20, MaxConnections: 1 << 20}), time.Unix(1000, 0)
	for i := range 5 {
		near, wide := s.hub.visitors.of(addressOf(fmt.Sprintf("10.0.0.%d", i)))
		for k := range 65 {
			err := s.admit(addressOf(fmt.Sprintf("10.0.0.%d", i)), now)
			if fits := k < 64 && i < 4; (err == nil) != fits || !fits && !errors.Is(err, ErrRate) {
				t.Fatalf("connection %d of address %d: %v", k, i, err)
			}
			if err == nil {
				near.connections++
				wide.connections++
			}
		}
	}
	if n := s.hub.stats.Limited[limitConnections]; n != 4+65 {
		t.Errorf("%d refusals are counted", n)
	}
}

// The usage of an address or its neighbours is remembered until their allowance is full again, and while they have a
// connection or a room.
func TestVisitorsAreRemembered(t *testing.T) {
	for what, c := range map[string]struct {
		of   func(v *visitor)
		gone time.Duration // after which it is forgotten; 0: never
	}{
		"nothing":      {func(*visitor) {}, 1},
		"a connection": {func(v *visitor) { v.connections = 1 }, 0},
		"a room":       {func(v *visitor) { v.rooms = 1 }, 0},
		"connects":     {func(v *visitor) { v.connects = bucket{4, time.Unix(1000, 0)} }, 2 * time.Second},
		"messages":     {func(v *visitor) { v.messages = bucket{1024, time.Unix(1000, 0)} }, 2 * time.Second},
		"messages, more": {func(v *visitor) {
			v.messages, v.connects = bucket{1536, time.Unix(1000, 0)}, bucket{2, time.Unix(1000, 0)}
		}, 3 * time.Second},
	} {
		s := locked(t, Config{})
		v := s.hub.visitors
		p := netip.MustParsePrefix("10.0.0.1/32")
		v.near[p] = &visitor{}
		c.of(v.near[p])
		if c.gone > time.Second {
			if v.sweep(&s.hub.budget, time.Unix(1000, 0).Add(c.gone-time.Millisecond)); v.near[p] == nil {
				t.Errorf("%s: forgotten before %v", what, c.gone)
			}
		}
		if v.sweep(&s.hub.budget, time.Unix(1000, 0).Add(max(c.gone, time.Hour))); (v.near[p] == nil) != (c.gone > 0) {
			t.Errorf("%s: remembered is %v", what, v.near[p])
		}
		// A /24 has four times as much, and as much time.
		v.wide[p] = &visitor{}
		c.of(v.wide[p])
		if v.sweep(&s.hub.budget, time.Unix(1000, 0).Add(c.gone/4)); (v.wide[p] == nil) != (c.gone > 0) {
			t.Errorf("%s: of neighbours remembered is %v", what, v.wide[p])
		}
	}
}

// Each address and each network that is remembered is counted once.
func TestVisitorsAreCounted(t *testing.T) {
	inVirtualTime(t, Config{}, func(t *testing.T, w *world) {
		for _, from := range []string{"10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.1.1"} {
			w.guest(from)
		}
		if n := w.Stats().Visitors; n != 5 {
			t.Errorf("of three addresses in two networks %d are remembered", n)
		}
	})
}

// Of the addresses that have nothing here 32,768 are remembered; when there are more, none.
func TestHowManyAreRememberedForNothing(t *testing.T) {
	for n, kept := range map[int]int{32767: 32767, 32768: 0} {
		v, c := newVisitors(), Config{}
		if err := c.complete(); err != nil {
			t.Fatal(err)
		}
		b := newBudget(&c)
		now := time.Unix(1000, 0)
		for i := range n {
			p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), 32)
			v.near[p] = &visitor{connects: bucket{10, now}}
		}
		v.near[netip.MustParsePrefix("11.0.0.1/32")] = &visitor{connections: 1}
		if v.sweep(&b, now); len(v.near) != kept+1 {
			t.Errorf("of %d %d are remembered", n, len(v.near)-1)
		}
	}
}

// Clients without an address count as one, however that is written.
func TestAddressesAsTheyAreWritten(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.1": "10.0.0.1/32", "10.0.0.1:80": "10.0.0.1/32", "[2001:db8::1]:80": "2001:db8::/64", "2001:db8::1": "2001:db8::/64",
		"": "invalid Prefix", "host:80": "invalid Prefix", "10.0.0.1:": "invalid Prefix",
	} {
		if got := addressOf(text).Near.String(); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

// Unrequested pongs count like pings.
func TestAFloodOfPongs(t *testing.T) {
	inVirtualTime(t, Config{Burst: 20 * 8, MessagesPerSecond: 1}, func(t *testing.T, w *world) {
		c, err := w.door.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		go io.Copy(io.Discard, c)
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: rooms\r\nFrom: 10.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", Subprotocol)
		synctest.Wait()
		for i := range 21 {
			if st := w.Stats(); st.Connections != 1 || st.Limited[limitPings] != 0 {
				t.Fatalf("after %d pongs: %+v", i, st)
			}
			if _, err := c.Write([]byte{0x8a, 0x80, 0, 0, 0, 0}); err != nil { // an empty pong, masked by nothing
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if st := w.Stats(); st.Connections != 0 || st.Limited[limitPings] != 1 || st.Refused["rate"] != 1 {
			t.Errorf("%+v", st)
		}
	})
}

// The allowance of a network is refilled over time even if others come a lot: a client that comes from it after an hour
// counts as one that comes for the first time.
func TestANetworkThatWasBusyIsForgiven(t *testing.T) {
	s, now := locked(t, Config{MaxConnections: 2048}), time.Unix(1000, 0)
	for i := range 240 { // of 480
		if err := s.admit(addressOf(fmt.Sprintf("10.0.0.%d", i)), now); err != nil {
			t.Fatalf("connection %d of the network: %v", i, err)
		}
	}
	now = now.Add(time.Hour)
	for i := range 500 {
		if err := s.admit(addressOf(fmt.Sprintf("10.%d.%d.1", 1+i/250, i%250)), now); err != nil {
			t.Fatalf("connection %d of others: %v", i, err)
		}
	}
	if err := s.admit(addressOf("10.0.0.252"), now); err != nil {
		t.Errorf("an hour later: %v", err)
	}
}

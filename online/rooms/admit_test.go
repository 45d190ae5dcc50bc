//go:build !js

package rooms

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// fromAnywhere is a configuration whose clients name their own addresses.
func fromAnywhere(cfg Config) Config {
	cfg.Address = func(r *http.Request) string { return r.Header.Get("From") }
	return cfg
}

// come makes a connection from an address, which does not enter a room.
func come(t *testing.T, url, from string) (*websocket.Conn, int) {
	t.Helper()
	c, answer, err := websocket.Dial(within(t), url, &websocket.DialOptions{Subprotocols: []string{Subprotocol}, HTTPHeader: http.Header{"From": {from}}})
	if err != nil && answer == nil {
		t.Fatal(err)
	}
	if err == nil {
		t.Cleanup(func() { c.CloseNow() })
	}
	return c, answer.StatusCode
}

// enters makes a room.
func enters(t *testing.T, c *websocket.Conn) {
	t.Helper()
	if err := c.Write(within(t), websocket.MessageText, encode(request{Kind: kindCreate, Game: "pong", Seats: 2})); err != nil {
		t.Fatal(err)
	}
	if _, b, err := c.Read(within(t)); err != nil {
		t.Fatal(err)
	} else if r, err := decodeReply(b); err != nil || r.Kind != kindWelcome {
		t.Fatalf("%s, %v", b, err)
	}
}

// A school arrives: 30 players behind one address, and 30 more in its /24, each with a page that is loaded twice; and
// all of it once more, because the network was down for a moment.
func TestASchoolComes(t *testing.T) {
	s, _ := serve(t, Config{})
	s.mu.Lock()
	defer s.mu.Unlock()
	now, here := time.Unix(1000, 0), map[int]*visitor{}
	for range 2 {
		for i := range 60 {
			from := addressOf("10.0.0.1:1")
			if i >= 30 {
				from = addressOf(fmt.Sprintf("10.0.0.%d:1", i))
			}
			for range 2 {
				if err := s.admit(from, now); err != nil {
					t.Fatalf("player %d: %v", i, err)
				}
			}
			near, wide := s.hub.visitors.of(from)
			if here[i] == nil { // it stays
				near.connections++
				wide.connections++
				here[i] = near
			}
		}
		for i := range 15 + 30 {
			from := addressOf("10.0.0.1:1")
			if i >= 15 {
				from = addressOf(fmt.Sprintf("10.0.0.%d:1", 30+i))
			}
			q := request{Kind: kindCreate, Game: "g", Seats: 2}
			if _, err := s.hub.enter(&q, from, &fakeLine{t: t}, now); err != nil && i < 30 {
				t.Fatalf("room %d: %v", i, err)
			}
		}
		now = now.Add(30 * time.Second)
	}
}

// Connections of an address and of its neighbours are limited, at a time and per minute; a neighbour
// that comes too often takes nothing from the others.
func TestConnectionsOfAnAddressAndItsNeighbours(t *testing.T) {
	s, _ := serve(t, Config{ConnectsPerMinute: 10, PerAddress: 2})
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Unix(1000, 0)
	for i := range 100 {
		if err := s.admit(addressOf("10.0.0.1:1"), now); (err == nil) != (i < 10) || err != nil && !errors.Is(err, ErrRate) {
			t.Fatalf("connection %d in a minute: %v", i, err)
		}
	}
	for i := range 30 {
		if err := s.admit(addressOf(fmt.Sprintf("10.0.0.%d:1", 2+i)), now); err != nil {
			t.Fatalf("neighbour %d: %v", i, err)
		}
	}
	if err := s.admit(addressOf("10.0.0.99:1"), now); !errors.Is(err, ErrRate) || s.hub.stats.Limited[limitConnects] != 91 {
		t.Errorf("the 41st of a /24: %v, %v", err, s.hub.stats.Limited)
	}
	now = now.Add(6 * time.Second)
	if err := s.admit(addressOf("10.0.0.1:1"), now); err != nil {
		t.Errorf("6 s later: %v", err)
	}
	near, wide := s.hub.visitors.of(addressOf("10.0.1.1:1"))
	near.connections = 2
	if err := s.admit(addressOf("10.0.1.1:1"), now); !errors.Is(err, ErrRate) {
		t.Errorf("the third at a time: %v", err)
	}
	near.connections, wide.connections = 0, 8
	if err := s.admit(addressOf("10.0.1.1:1"), now); !errors.Is(err, ErrRate) || s.hub.stats.Limited[limitConnections] != 2 {
		t.Errorf("the ninth of a /24 at a time: %v", err)
	}
}

// The number of connections that all make at once is limited, and clients that have made many of their
// own lately only get the first of these: a client that comes for the first time is admitted.
func TestConnectionsOfAllTogether(t *testing.T) {
	s, _ := serve(t, Config{MaxConnections: 1024})
	s.mu.Lock()
	defer s.mu.Unlock()
	b, now, let := s.hub.budget.connects, time.Unix(1000, 0), 0
	for range 100 { // from each of four prefixes
		for i := range 4 {
			if s.admit(addressOf(fmt.Sprintf("10.%d.0.1:1", i)), now) == nil {
				let++
			}
		}
	}
	// Each uses the part of its own burst of 120 that the others leave of the common one.
	if own := float64(let) / 4 / 120; math.Abs(float64(let)*3/4/b.burst-(1-own)) > 0.02 {
		t.Errorf("%d are let in at once, of %.0f", let, b.burst)
	}
	if s.admit(addressOf("10.0.0.1:1"), now) == nil {
		t.Error("who has come often is let in")
	}
	if err := s.admit(addressOf("10.200.0.1:1"), now); err != nil {
		t.Errorf("who comes for the first time: %v", err)
	}
	if now = now.Add(time.Second); s.admit(addressOf("10.0.0.1:1"), now) != nil {
		t.Error("a second later who has come often is not let in")
	}
	if s.hub.stats.Limited[limitAllConnects] == 0 {
		t.Errorf("%v", s.hub.stats.Limited)
	}
}

// A connection is admitted if it fits into three allowances: that of its address, that of its neighbours, and the rest
// of the common one that a client with this usage may use. Each holds up to the last connection, and the refusal names
// the first one that is used up: the client's own before the common one.
func TestAllowancesOfConnectionsToTheLast(t *testing.T) {
	s, _ := serve(t, Config{MaxConnections: 1024, ConnectsPerMinute: 120})
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, c := range []struct {
		near, wide, all float64 // recent connections, each included in those of the next column
		want            error
	}{
		// One that has made none may have the last of the 256 of all.
		{0, 0, 255, nil},
		{0, 0, 256, ErrServerFull},
		// One that has used half of its address's allowance gets no further than half of the others'.
		{60, 60, 60 + 127, nil},
		{60, 60, 60 + 128, ErrServerFull},
		// So does one whose neighbours have used half of their 480.
		{0, 240, 255, nil},
		{0, 240, 256, ErrServerFull},
		{0, 120, 120 + 135, nil},
		// The last of an address and of its neighbours.
		{119, 119, 119, nil},
		{120, 120, 120, ErrRate},
		{0, 480, 480, ErrRate},
		// The rest of a client's own allowance decides which refusal it gets when the common one is
		// used up.
		{119, 119, 256, ErrServerFull},
		{120, 120, 256, ErrRate},
		{0, 479, 500, ErrServerFull},
		{0, 480, 500, ErrRate},
	} {
		now, from := time.Unix(1000, 0), addressOf(fmt.Sprintf("10.0.%d.1:1", i))
		near, wide := s.hub.visitors.of(from)
		near.connects, wide.connects = bucket{c.near, now}, bucket{c.wide, now}
		s.all.connects = bucket{c.all, now}
		err := s.admit(from, now)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%v, %v and %v were made: %v, want %v", c.near, c.wide, c.all, err, c.want)
		}
		made := 0.0
		if c.want == nil {
			made = 1
		}
		if s.all.connects.used != c.all+made { // a refusal costs the others nothing
			t.Errorf("%v, %v and %v were made: of all %v after it", c.near, c.wide, c.all, s.all.connects.used)
		}
	}
}

// When all connections are taken, one that sends nothing makes room, and then one of the client that
// has most; a client that has no more than its share keeps them.
func TestTheConnectionsOfAFullServerAreShared(t *testing.T) {
	var clock atomic.Int64
	cfg := fromAnywhere(Config{MaxConnections: 4, Now: func() time.Time { return time.Unix(1000+clock.Load(), 0) }})
	s, url := serve(t, cfg)
	var flood []*websocket.Conn
	for range 3 {
		c, _ := come(t, url, "10.0.0.1")
		enters(t, c)
		flood = append(flood, c)
	}
	silent, _ := come(t, url, "10.0.0.1")
	clock.Add(1)
	first, _ := come(t, url, "10.0.1.1")
	if code := lastWord(t, within(t), silent); code != "server-full" {
		t.Errorf("whoever said nothing hears %q", code)
	}
	enters(t, first)
	second, _ := come(t, url, "10.0.2.1")
	if code := lastWord(t, within(t), flood[2]); code != "server-full" {
		t.Errorf("the newest of whoever has most hears %q", code)
	}
	enters(t, second)
	third, _ := come(t, url, "10.0.3.1")
	if code := lastWord(t, within(t), flood[1]); code != "server-full" {
		t.Errorf("the next one hears %q", code)
	}
	enters(t, third)
	if _, status := come(t, url, "10.0.4.1"); status != http.StatusServiceUnavailable {
		t.Errorf("when nobody has more than a part: %d", status)
	}
	if st := s.Stats(); st.Connections != 4 || st.Displaced != 2 || st.Limited[limitEntry] != 1 || st.Limited[limitAllConnections] != 1 {
		t.Errorf("%+v", st)
	}
}

// Connections that have entered no room are limited: the oldest is closed.
func TestConnectionsThatSayNothingAreFew(t *testing.T) {
	s, url := serve(t, fromAnywhere(Config{MaxConnections: 16}))
	var silent []*websocket.Conn
	for i := range 6 {
		c, _ := come(t, url, fmt.Sprintf("10.0.%d.1", i))
		silent = append(silent, c)
	}
	for _, c := range silent[:2] {
		if code := lastWord(t, within(t), c); code != "server-full" {
			t.Errorf("the oldest hears %q", code)
		}
	}
	if st := s.Stats(); st.Entering != 4 || st.Connections != 4 {
		t.Errorf("%+v", st)
	}
	enters(t, silent[2])
	if st := s.Stats(); st.Entering != 3 || st.Connections != 4 {
		t.Errorf("when one has entered: %+v", st)
	}
}

// Pings count like messages that everybody hears: a client that sends many is cut off. Unrequested
// pongs count as well.
func TestAFloodOfPings(t *testing.T) {
	s, url := serve(t, Config{Burst: 20 * costly, MessagesPerSecond: 1})
	c := raw(t, within(t), url)
	ctx, stop := context.WithCancel(within(t))
	defer stop()
	go func() {
		c.Read(ctx) // pongs, until the server hangs up
		c.CloseNow()
	}()
	pings := 0
	for ; c.Ping(ctx) == nil; pings++ {
		if pings > 100 {
			t.Fatal("it goes on for ever")
		}
	}
	if pings != 20 {
		t.Errorf("%d pings are answered", pings)
	}
	counts(t, s, "the refusal", func(n Stats) bool { return n.Limited[limitPings] == 1 && n.Refused["rate"] == 1 && n.Connections == 0 })
}

// The traffic of an address is limited by what 16 members may send, and that of all together by what
// the server can take: above it a client waits, and is not refused. One that has sent little lately
// waits less.
func TestMessagesOfAnAddressWait(t *testing.T) {
	s, _ := serve(t, Config{})
	s.mu.Lock()
	defer s.mu.Unlock()
	b, now := &s.hub.budget, time.Unix(1000, 0)
	a, neighbour, far := newConn(s, addressOf("10.0.0.1:1"), 1), newConn(s, addressOf("10.0.0.2:1"), 2), newConn(s, addressOf("10.0.1.1:1"), 3)
	if wait := a.spend(b.nearMessages.burst, now); wait != 0 {
		t.Errorf("what an address may send waits %v", wait)
	}
	if wait := a.spend(b.nearMessages.perSecond, now); wait != time.Second {
		t.Errorf("a second's worth more waits %v", wait)
	}
	if wait := neighbour.spend(1, now); wait != 0 {
		t.Errorf("a neighbour waits %v", wait)
	}
	neighbour.wide.messages.used = b.wideMessages.burst
	if wait := neighbour.spend(b.wideMessages.perSecond, now); wait != time.Second {
		t.Errorf("when all of a /24 is used, a neighbour waits %v", wait)
	}
	s.all.messages.used = b.messages.burst
	if wait := far.spend(b.messages.perSecond/2, now); wait != 0 {
		t.Errorf("who has sent little waits %v", wait)
	}
	far.near.messages, far.wide.messages = bucket{}, bucket{}
	far.bucket.used, s.all.messages.used = b.member.burst, b.messages.burst
	if wait := far.spend(b.messages.perSecond/2, now); wait != 500*time.Millisecond {
		t.Errorf("who has sent much waits %v", wait)
	}
	if s.hub.stats.Delayed != 3 {
		t.Errorf("%d have waited", s.hub.stats.Delayed)
	}
}

// A message costs as much as its work: reading it, by the 4 KiB, and telling all members, who count as
// at least eight.
func TestWhatAMessageCosts(t *testing.T) {
	for _, c := range []struct {
		kind           string
		bytes, hearers int
		want           float64
	}{
		{kindSignal, 0, 40, 1}, {kindSignal, 16384, 40, 5}, {kindStatus, 0, 1, 8}, {kindStatus, 0, 40, 40}, {kindKick, 4096, 8, 9},
	} {
		if got := (&request{Kind: c.kind}).cost(c.bytes, c.hearers); got != c.want {
			t.Errorf("%s of %d bytes that %d hear: %v, want %v", c.kind, c.bytes, c.hearers, got, c.want)
		}
	}
}

// The total amount of data waiting for clients is limited: above it a client with more than its share
// waiting is cut off, and clients that read are served.
func TestWhatWaitsForAllIsBounded(t *testing.T) {
	s, _ := serve(t, Config{})
	s.mu.Lock()
	defer s.mu.Unlock()
	big, cut := make([]byte, 60<<10), 0
	for i := range 1000 {
		c := newConn(s, addressOf("10.0.0.1:1"), uint64(i))
		c.cut = func() { cut++ }
		for range 5 {
			c.push(big)
		}
	}
	if n := s.waiting.Load(); n > maxWaiting+1000*int64(len(big)) || cut == 0 {
		t.Errorf("%d MB wait, and %d are cut off", n>>20, cut)
	}
	reader := newConn(s, addressOf("10.0.0.2:1"), 1)
	for range 100 {
		reader.push(big)
		if b, over := reader.next(); len(b) != len(big) || over {
			t.Fatal("who reads is cut off")
		}
	}
}

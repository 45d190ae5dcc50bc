package serve

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/tickback/tickback/online/rooms"
)

// nowhere is a connection that only knows its remote address.
type nowhere struct {
	net.Conn
	from   string
	closed bool
}

type text string

func (text) Network() string  { return "tcp" }
func (t text) String() string { return string(t) }

func (c *nowhere) RemoteAddr() net.Addr { return text(c.from) }

func (c *nowhere) Close() error {
	c.closed = true
	return nil
}

// crowd is a listener whose connections are made by a test.
type crowd struct {
	net.Listener
	next *nowhere
}

func (c *crowd) Accept() (net.Conn, error) { return c.next, nil }

// arrival lets one connection come.
func (c *crowd) arrival(t *testing.T, d *door, from string) (*visit, *nowhere) {
	t.Helper()
	c.next = &nowhere{from: from}
	v, err := d.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return v.(*visit), c.next
}

// When too many connections wait, one of the client that has most is closed: the one that has
// been silent for longest. Clients with few wait undisturbed.
func TestTheDoorIsShared(t *testing.T) {
	var c crowd
	d := newDoor(&c, false)
	_, honest := c.arrival(t, d, "10.0.0.1:1")
	asked, first := c.arrival(t, d, "10.1.0.1:1")
	_, second := c.arrival(t, d, "10.1.0.2:1")
	for i := range maxDoor - 3 {
		c.arrival(t, d, fmt.Sprintf("10.1.0.%d:1", i%256))
	}
	d.served(asked)
	c.arrival(t, d, "10.2.0.1:1")
	if n, pressed := d.stats(); n != maxDoor || pressed != 1 || honest.closed || first.closed || !second.closed {
		t.Errorf("%d wait, %d gave way; %v, %v, %v", n, pressed, honest.closed, first.closed, second.closed)
	}
	for i := range 10 * maxDoor {
		c.arrival(t, d, fmt.Sprintf("10.1.0.%d:1", i%256))
		if n, _ := d.stats(); n != maxDoor || len(d.lines) > maxDoor {
			t.Fatalf("%d wait, of %d prefixes", n, len(d.lines))
		}
	}
	if honest.closed {
		t.Error("whoever has one connection is sent away for those who have a thousand")
	}
}

// When no client has more than its share, the connection that has waited longest is closed; a
// client that has gone has no place, and behind a proxy all count as one.
func TestADoorFullOfStrangers(t *testing.T) {
	for _, trusted := range []bool{false, true} {
		var c crowd
		d := newDoor(&c, trusted)
		oldest, _ := c.arrival(t, d, "10.0.0.1:1")
		_, next := c.arrival(t, d, "10.0.1.1:1")
		for i := range maxDoor - 2 {
			c.arrival(t, d, fmt.Sprintf("10.1.%d.1:1", i%256))
		}
		oldest.Close()
		oldest.Close()
		if n, _ := d.stats(); n != maxDoor-1 {
			t.Errorf("%d wait after one has gone", n)
		}
		c.arrival(t, d, "10.2.0.1:1")
		if next.closed {
			t.Error("somebody gives way though there is a place")
		}
		c.arrival(t, d, "10.2.0.2:1")
		if !next.closed {
			t.Error("the one that has waited longest stays")
		}
		if n := len(d.lines); trusted != (n == 1) {
			t.Errorf("%d prefixes, behind a proxy: %v", n, trusted)
		}
	}
}

// The connection that is closed is the one that a simple count determines: the oldest of the
// prefix that has most, if that has more than its share, the older of two prefixes that have
// equally many, and the oldest of all if no prefix has more than its share.
func TestWhoGivesWay(t *testing.T) {
	for _, prefixes := range []int{maxDoor/doorPart - 2, maxDoor / doorPart, maxDoor/doorPart + 5, 200} {
		random := rand.New(rand.NewPCG(uint64(prefixes), 0))
		var c crowd
		d := newDoor(&c, false)
		type guest struct {
			line int
			conn *nowhere
		}
		var waiting []guest // the oldest first
		lengths := make([]int, prefixes)
		for came := range 4 * maxDoor {
			line := random.IntN(prefixes)
			if came < maxDoor || came%3 > 0 {
				line = came % prefixes // so that many are of one length
			}
			_, conn := c.arrival(t, d, fmt.Sprintf("10.%d.%d.1:1", line/256, line%256))
			if len(waiting) == maxDoor {
				most, out := doorPart, -1
				for i, g := range waiting {
					if n := lengths[g.line]; n > most {
						most, out = n, i
					}
				}
				out = max(out, 0)
				if !waiting[out].conn.closed {
					t.Fatalf("%d prefixes, connection %d: that of prefix %d, which has %d, does not give way",
						prefixes, came, waiting[out].line, lengths[waiting[out].line])
				}
				lengths[waiting[out].line]--
				waiting = slices.Delete(waiting, out, out+1)
			}
			waiting = append(waiting, guest{line, conn})
			lengths[line]++
		}
		for _, g := range waiting {
			if g.conn.closed {
				t.Errorf("%d prefixes: more give way than one for each that comes", prefixes)
				break
			}
		}
	}
}

// A prefix keeps 32 connections when all are taken: one that has more gives way before the connection that has waited
// longest, and one that has not does not.
func TestHowManyConnectionsAPrefixKeeps(t *testing.T) {
	for has, stays := range map[int]bool{32: false, 33: true} {
		var c crowd
		d := newDoor(&c, false)
		_, oldest := c.arrival(t, d, "10.0.0.1:1")
		_, first := c.arrival(t, d, "10.1.0.1:1")
		for range has - 1 {
			c.arrival(t, d, "10.1.0.1:1")
		}
		for i := range maxDoor - 1 - has {
			c.arrival(t, d, fmt.Sprintf("10.2.%d.1:1", i%200))
		}
		c.arrival(t, d, "10.3.0.1:1")
		if oldest.closed == stays || first.closed != stays {
			t.Errorf("beside a prefix with %d connections the oldest one gives way: %v", has, oldest.closed)
		}
	}
}

// running serves until the test ends.
func running(t *testing.T, cfg Config) (s *Server, at string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s = server(t, cfg)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return s, l.Addr().String()
}

// Incomplete requests, however many, prevent nobody from loading the page or entering a room; a WebSocket does not
// count as one.
func TestHalfRequests(t *testing.T) {
	s, at := running(t, Config{Files: page})
	var halves []net.Conn
	for i := range maxDoor + 200 {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-%d: ", i)
		halves = append(halves, c)
	}
	r, err := http.Get("http://" + at + "/")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	c, err := rooms.Enter(t.Context(), "ws://"+at+"/rooms", rooms.Entry{GameID: "pong", Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range maxDoor {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-%d: ", i)
	}
	if _, err := bufio.NewReader(halves[0]).ReadByte(); !errors.Is(err, io.EOF) && !strings.Contains(fmt.Sprint(err), "reset") {
		t.Errorf("the first half request ends with %v", err)
	}
	if n, _ := s.atDoor(); n > maxDoor || c.Err() != nil || s.Rooms().Stats().Connected != 1 {
		t.Errorf("%d connections, the member: %v", n, c.Err())
	}
}

// A header that is too large is refused, and a request is only answered for one of the
// server's host names; /healthz for any.
func TestRequestsThatAreRefused(t *testing.T) {
	s, at := running(t, Config{Files: page, Rooms: rooms.Config{Hosts: []string{"play.example.org"}}})
	for _, c := range []struct {
		path, host, header string
		want               int
	}{
		{"/", "play.example.org", "x", http.StatusOK},
		{"/", at, strings.Repeat("x", maxHeader*2), http.StatusRequestHeaderFieldsTooLarge},
		{"/", "evil.example", "", http.StatusMisdirectedRequest},
		{"/rooms", "evil.example", "", http.StatusMisdirectedRequest},
		{"/healthz", "evil.example", "", http.StatusOK},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+at+c.path, nil)
		r.Host = c.host
		r.Header.Set("X", c.header)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s for %s: %d, want %d", c.path, c.host, answer.StatusCode, c.want)
		}
	}
	beside := httptest.NewServer(s.Metrics())
	defer beside.Close()
	for host, want := range map[string]int{
		"": http.StatusOK, "localhost:9100": http.StatusOK, "192.0.2.1:9100": http.StatusOK, "play.example.org": http.StatusOK,
		"evil.example": http.StatusMisdirectedRequest, "127.0.0.1.evil.example": http.StatusMisdirectedRequest,
	} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, beside.URL, nil)
		r.Host = host
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("the figures for %q: %d, want %d", host, answer.StatusCode, want)
		}
	}
	// What a page on evil.example, whose name leads here, would do.
	_, answer, err := websocket.Dial(t.Context(), "ws://"+at+"/rooms", &websocket.DialOptions{
		Subprotocols: []string{rooms.Subprotocol}, Host: "evil.example", HTTPHeader: http.Header{"Origin": {"http://evil.example"}},
	})
	if err == nil || answer.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("a page by DNS rebinding: %v, %v", answer, err)
	}
}

// A request that never ends is cut off in time: no goroutine waits for ever.
func TestTimesOfARequest(t *testing.T) {
	web := server(t, Config{}).web(http.NotFoundHandler())
	for name, d := range map[string]time.Duration{
		"header": web.ReadHeaderTimeout, "request": web.ReadTimeout, "answer": web.WriteTimeout, "idle": web.IdleTimeout,
	} {
		if d <= 0 || d > time.Minute {
			t.Errorf("%s: %v", name, d)
		}
	}
}

// The first thing that a client learns on an HTTP/2 connection is its limits: 64 requests, and
// 64 KiB in flight.
func TestLimitsOfHTTP2(t *testing.T) {
	ca := newSigner(t)
	_, at := running(t, Config{Files: page, TLS: ca.write(t, t.TempDir(), 1, "play.example.org")})
	c, err := tls.Dial("tcp", at, &tls.Config{RootCAs: ca.pool, ServerName: "play.example.org", NextProtos: []string{"h2"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	fmt.Fprint(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x00\x00\x00\x04\x00\x00\x00\x00\x00") // and no settings of ours
	var head [9]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		t.Fatal(err)
	}
	if kind := head[3]; kind != 4 {
		t.Fatalf("the first frame is of type %d, want SETTINGS", kind)
	}
	b := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
	if _, err := io.ReadFull(c, b); err != nil {
		t.Fatal(err)
	}
	got := map[uint16]uint32{}
	for ; len(b) >= 6; b = b[6:] {
		got[binary.BigEndian.Uint16(b)] = binary.BigEndian.Uint32(b[2:])
	}
	const concurrentStreams, initialWindow = 3, 4 // RFC 9113, 6.5.2
	if got[concurrentStreams] != 64 || got[initialWindow] != 64<<10 {
		t.Errorf("%d requests and %d bytes, want 64 and %d", got[concurrentStreams], got[initialWindow], 64<<10)
	}
}

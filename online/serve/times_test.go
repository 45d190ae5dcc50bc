package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback/online/rooms"
)

// pipes is a listener without a network, whose connections hold nothing: what is not read is not sent.
type pipes struct {
	came   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.came:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// large is a file that no buffer holds.
var large = bytes.Repeat([]byte("0123456789abcdef"), 1<<14)

// inVirtualTime runs a test beside a server: minutes pass at once. stop ends the server, and returns how long that
// takes.
func inVirtualTime(t *testing.T, test func(t *testing.T, dial func() net.Conn, stop func() time.Duration)) {
	t.Helper()
	inVirtualTimeOf(t, Config{Files: fstest.MapFS{"large.bin": {Data: large}, "small.txt": {Data: []byte("small")}}}, test)
}

func inVirtualTimeOf(t *testing.T, cfg Config, test func(t *testing.T, dial func() net.Conn, stop func() time.Duration)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := server(t, cfg)
		p := &pipes{came: make(chan net.Conn), closed: make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, p) }()
		stop := sync.OnceValue(func() time.Duration {
			began := time.Now()
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
			return time.Since(began)
		})
		var open []net.Conn
		test(t, func() net.Conn {
			here, there := net.Pipe()
			p.came <- there
			open = append(open, here)
			return here
		}, stop)
		stop()
		for _, c := range open {
			c.Close()
		}
	})
}

func request(c net.Conn, path string) *bufio.Reader {
	fmt.Fprintf(c, "GET /%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", path)
	return bufio.NewReader(c)
}

// reads reads an answer, and returns how much of it has come.
func reads(r *bufio.Reader) int {
	answer, err := http.ReadResponse(r, nil)
	if err != nil {
		return -1
	}
	defer answer.Body.Close()
	b, _ := io.ReadAll(answer.Body)
	return len(b)
}

// A connection is cut off if it sends no complete header within 5 s, no complete request within 15 s, or nothing for a
// minute after an answer; one that
// does not read its answer within 30 s, or a file within 5 minutes, gets no more of it. Until then it is not.
func TestHowLongAConnectionMayTake(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, dial func() net.Conn, _ func() time.Duration) {
		for what, begin := range map[string]struct {
			after time.Duration
			on    func(c net.Conn)
		}{
			"nothing":       {5 * time.Second, func(net.Conn) {}},
			"half a header": {5 * time.Second, func(c net.Conn) { fmt.Fprint(c, "GET / HTTP/1.1\r\nHo") }},
			"half a request": {15 * time.Second, func(c net.Conn) {
				fmt.Fprint(c, "POST /small.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\nhalf")
			}},
			"an answer": {time.Minute, func(c net.Conn) { reads(request(c, "small.txt")) }},
		} {
			c := dial()
			begin.on(c)
			began := time.Now()
			if _, err := io.Copy(io.Discard, c); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			if took := time.Since(began); took != begin.after {
				t.Errorf("after %s it is cut off in %v, want %v", what, took, begin.after)
			}
		}
		for path, c := range map[string]struct {
			most time.Duration
			size int
		}{"large.bin": {5 * time.Minute, len(large)}, "none": {30 * time.Second, len("not found\n")}} {
			for _, late := range []bool{false, true} {
				r, wait := request(dial(), path), c.most-time.Second
				if late {
					wait = c.most + time.Second
				}
				time.Sleep(wait)
				if n := reads(r); (n == c.size) == late {
					t.Errorf("%s: who reads it after %v gets %d bytes of %d", path, wait, n, c.size)
				}
			}
		}
	})
}

// A header of 16 KiB is read, and one of more than 20 is not.
func TestHowLongAHeaderMayBe(t *testing.T) {
	inVirtualTime(t, func(t *testing.T, dial func() net.Conn, _ func() time.Duration) {
		for size, want := range map[int]int{16 << 10: http.StatusOK, 20<<10 - 100: http.StatusOK, 20<<10 + 100: http.StatusRequestHeaderFieldsTooLarge} {
			c := dial()
			begin := "GET /small.txt HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
			go fmt.Fprint(c, begin, strings.Repeat("x", size-len(begin)-4), "\r\n\r\n")
			answer, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil || answer.StatusCode != want {
				t.Errorf("of %d bytes: %+v, %v", size, answer, err)
			}
		}
	})
}

// A server that ends waits for requests in progress, for 10 s at most, and then cuts them off. If there are none, it
// waits for nothing.
func TestHowLongAServerTakesToEnd(t *testing.T) {
	for _, c := range []struct {
		reads, takes time.Duration
		whole        bool
	}{{0, 0, true}, {9 * time.Second, 9 * time.Second, true}, {11 * time.Second, 10 * time.Second, false}} {
		inVirtualTime(t, func(t *testing.T, dial func() net.Conn, stop func() time.Duration) {
			r, got := request(dial(), "large.bin"), make(chan int, 1)
			if c.reads == 0 {
				got <- reads(r)
			} else {
				go func() {
					time.Sleep(c.reads)
					got <- reads(r)
				}()
			}
			synctest.Wait()
			took := stop()
			// It checks twice a second whether the last one is done.
			if took < c.takes || took > c.takes+600*time.Millisecond || !c.whole && took != c.takes {
				t.Errorf("with a file that is read after %v it takes %v to end, want %v", c.reads, took, c.takes)
			}
			if n := <-got; (n == len(large)) != c.whole {
				t.Errorf("of a file that is read after %v come %d bytes", c.reads, n)
			}
		})
	}
}

// A server with TLS that nobody asks anything ends at once, and leaves nothing behind.
func TestAServerWithTLSEnds(t *testing.T) {
	cfg := Config{Files: page, TLS: newSigner(t).write(t, t.TempDir(), 1, "play.example.org")}
	inVirtualTimeOf(t, cfg, func(t *testing.T, _ func() net.Conn, stop func() time.Duration) {
		synctest.Wait() // it serves
		if took := stop(); took != 0 {
			t.Errorf("it takes %v to end", took)
		}
	})
}

// A client that does not read is cut off by a server that ends, after 10 s, which is logged; one that reads ends it at
// once, and nothing is logged.
func TestWhoIsCutOffAtTheEndIsLogged(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		var said lockedBuffer
		inVirtualTimeOf(t, Config{Files: page, Rooms: rooms.Config{EntryTimeout: time.Minute}, Log: slog.New(slog.NewTextHandler(&said, nil))}, func(t *testing.T, dial func() net.Conn, stop func() time.Duration) {
			c := dial()
			fmt.Fprint(c, "GET /rooms HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
				"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
			r := bufio.NewReader(c)
			if deaf {
				synctest.Wait()
				if took := stop(); took != 10*time.Second {
					t.Errorf("it takes %v to end", took)
				}
				return
			}
			if answer, err := http.ReadResponse(r, nil); err != nil || answer.StatusCode != http.StatusSwitchingProtocols {
				t.Fatalf("%+v, %v", answer, err)
			}
			go func() {
				_, _ = io.Copy(io.Discard, r)
				c.Close()
			}()
			stop()
		})
		if cut := strings.Contains(said.String(), "members were cut off"); cut != deaf {
			t.Errorf("who reads nothing: %v; the log says that it was cut off: %v\n%s", deaf, cut, said.String())
		}
	}
}

// A connection that has made a request counts as waiting for less long than all that have not, whatever network it is
// from: the others are closed first.
func TestWhoAsksHasWaitedForLess(t *testing.T) {
	var c crowd
	d := newDoor(&c, false)
	var visits []*visit
	var conns []*nowhere
	for i := range maxDoor { // each network has its share, and the first one came first
		v, conn := c.arrival(t, d, fmt.Sprintf("10.%d.0.%d:1", i/doorPart, i%doorPart))
		visits, conns = append(visits, v), append(conns, conn)
	}
	for _, v := range visits[:doorPart] {
		d.served(v)
	}
	c.arrival(t, d, "192.0.2.1:1")
	for i, conn := range conns {
		if conn.closed != (i == doorPart) {
			t.Errorf("connection %d of %d: it gives way: %v", i, len(conns), conn.closed)
		}
	}
}

// The rooms of a server log to the log of the server, unless they have one of their own.
func TestRoomsLogWhereTheServerDoes(t *testing.T) {
	var ours, own lockedBuffer
	for _, c := range []struct {
		rooms      *slog.Logger
		ours, have *lockedBuffer
	}{{nil, &ours, &ours}, {slog.New(slog.NewTextHandler(&own, nil)), new(lockedBuffer), &own}} {
		_, at := running(t, Config{Files: page, Log: slog.New(slog.NewTextHandler(c.ours, nil)), Rooms: rooms.Config{Log: c.rooms}})
		if _, err := rooms.Enter(t.Context(), "ws://"+at+"/rooms", rooms.Entry{GameID: "pong", Room: "none"}); err == nil {
			t.Fatal("there is a room")
		}
		if !strings.Contains(c.have.String(), "refused") || c.have != c.ours && strings.Contains(c.ours.String(), "refused") {
			t.Errorf("the rooms log %q, the server %q", c.have, c.ours)
		}
	}
}

// The connection that has waited longest is closed, also among many networks: each request starts its wait again, even
// one that is redirected.
func TestEachRequestBeginsTheWaitAnew(t *testing.T) {
	s := server(t, Config{Files: page})
	for what, h := range map[string]http.Handler{"a page": s.Handler(), "a redirect": s.redirect(text("0.0.0.0:443"))} {
		var c crowd
		d := newDoor(&c, false)
		var visits []*visit
		var conns []*nowhere
		for i := range maxDoor { // each network has one
			v, conn := c.arrival(t, d, fmt.Sprintf("10.%d.%d.1:1", i/256, i%256))
			visits, conns = append(visits, v), append(conns, conn)
		}
		for _, v := range slices.Backward(visits) { // the last one asks first
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Host = "localhost"
			h.ServeHTTP(httptest.NewRecorder(), r.WithContext(remember(r.Context(), v)))
		}
		for i := range 3 {
			c.arrival(t, d, fmt.Sprintf("192.0.%d.1:1", i))
		}
		for i, conn := range conns {
			if conn.closed != (i >= maxDoor-3) {
				t.Errorf("%s: connection %d gives way: %v", what, i, conn.closed)
			}
		}
	}
}

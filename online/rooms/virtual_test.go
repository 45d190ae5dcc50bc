//go:build !js

package rooms

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// world is a server and connections to it in virtual time, without a network: hours pass at
// once, and everything at one moment happens before the next one.
type world struct {
	*Server
	t    *testing.T
	door *door
	web  *http.Client
}

// inVirtualTime runs a test beside a server of its own.
func inVirtualTime(t *testing.T, cfg Config, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, err := NewServer(fromAnywhere(cfg))
		if err != nil {
			t.Fatal(err)
		}
		w := &world{Server: s, t: t, door: &door{came: make(chan net.Conn), closed: make(chan struct{})}}
		w.web = &http.Client{Transport: &http.Transport{DialContext: w.door.dial, DisableKeepAlives: true}}
		server := &http.Server{Handler: s, ReadHeaderTimeout: time.Hour}
		go server.Serve(w.door)
		defer server.Close()
		defer s.Close(t.Context())
		test(t, w)
	})
}

// door is a listener without a network.
type door struct {
	came   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (d *door) Accept() (net.Conn, error) {
	select {
	case c := <-d.came:
		return c, nil
	case <-d.closed:
		return nil, net.ErrClosed
	}
}

func (d *door) Close() error {
	d.once.Do(func() { close(d.closed) })
	return nil
}

func (d *door) Addr() net.Addr { return &net.TCPAddr{} }

func (d *door) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case d.came <- there:
		return here, nil
	case <-d.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// roomy is a connection whose system accepts everything, whether anybody reads or not.
type roomy struct {
	net.Conn
	came chan []byte
	rest []byte
}

func (d *door) dialRoomy(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := d.dial(ctx, network, address)
	if err != nil {
		return nil, err
	}
	r := &roomy{Conn: c, came: make(chan []byte, 1<<10)}
	go func() {
		defer close(r.came)
		for {
			b := make([]byte, 4<<10)
			n, err := c.Read(b)
			if err != nil {
				return
			}
			r.came <- b[:n]
		}
	}()
	return r, nil
}

func (r *roomy) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		r.rest = <-r.came
	}
	if len(r.rest) == 0 {
		return 0, net.ErrClosed
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// guest is a connection that follows no protocol, and reads unless told otherwise.
type guest struct {
	w     *world
	conn  *websocket.Conn
	since time.Time

	mu    sync.Mutex
	heard []reply
	ended time.Duration // after it came; 0: not yet
}

// connect makes a connection that does not read.
func (w *world) connect(from string) (*guest, int) {
	w.t.Helper()
	conn, answer, err := websocket.Dial(w.t.Context(), "ws://rooms/", &websocket.DialOptions{
		Subprotocols: []string{Subprotocol}, HTTPHeader: http.Header{"From": {from}}, HTTPClient: w.web,
	})
	if answer == nil {
		w.t.Fatal(err)
	}
	if err != nil {
		return nil, answer.StatusCode
	}
	w.t.Cleanup(func() { conn.CloseNow() })
	conn.SetReadLimit(maxPush)
	return &guest{w: w, conn: conn, since: time.Now()}, answer.StatusCode
}

// guest makes a connection that reads.
func (w *world) guest(from string) *guest {
	w.t.Helper()
	g, status := w.connect(from)
	if g == nil {
		w.t.Fatalf("the server answers %d", status)
	}
	go g.read()
	return g
}

func (g *guest) read() {
	for {
		_, b, err := g.conn.Read(context.Background())
		g.mu.Lock()
		if err != nil {
			g.ended = max(time.Since(g.since), 1)
			g.mu.Unlock()
			g.conn.CloseNow()
			return
		}
		r, err := decodeReply(b)
		if err != nil {
			panic(err)
		}
		g.heard = append(g.heard, r)
		g.mu.Unlock()
	}
}

// says sends messages, and waits until all their consequences have happened.
func (g *guest) says(list ...request) {
	g.w.t.Helper()
	for _, q := range list {
		if err := g.conn.Write(g.w.t.Context(), websocket.MessageText, encode(q)); err != nil {
			g.w.t.Fatal(err)
		}
	}
	synctest.Wait()
}

// hears returns what has arrived since the last call.
func (g *guest) hears() []reply {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	list := g.heard
	g.heard = nil
	return list
}

// hearsError returns the code of the last error that has arrived, and whether it was the last
// message.
func (g *guest) hearsError() (code string, final bool) {
	for _, r := range g.hears() {
		if r.Kind == kindError {
			code, final = r.Code, r.Final
		}
	}
	return code, final
}

// gone returns how long after it was made the connection has ended, or 0.
func (g *guest) gone() time.Duration {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ended
}

// host makes a room with a connection, and returns its link.
func (w *world) host(from string, q request) (*guest, string) {
	w.t.Helper()
	g := w.guest(from)
	q.Kind, q.Game, q.Seats = kindCreate, "pong", max(q.Seats, 2)
	g.says(q)
	list := g.hears()
	if len(list) != 1 || list[0].Kind != kindWelcome {
		w.t.Fatalf("who makes a room hears %+v", list)
	}
	return g, list[0].State.Room
}

// joins enters a room with a connection.
func (w *world) joins(from, room string) *guest {
	w.t.Helper()
	g := w.guest(from)
	g.says(request{Kind: kindJoin, Game: "pong", Room: room})
	return g
}

// pass lets time pass.
func (w *world) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

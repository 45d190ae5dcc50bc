package serve

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/tickback/tickback/session/shares"
)

// maxDoor limits the connections that are not WebSockets: those that have not sent a complete request yet, those that
// are being answered, and those that wait for the next request. Each holds two goroutines, two buffers, and a header
// of up to maxHeader: 32 KiB, and all of them 32 MiB. A browser opens six.
const maxDoor = 1024

// doorPart is the number of these connections that one prefix keeps when all are taken: enough for five browsers. Its
// connections beyond that may be closed to admit others.
const doorPart = 32

// door is a listener that limits how many connections wait in it. When there are too many, it closes one: of the
// prefix that has most, the one that has waited longest. So a client that opens many connections, and sends nothing or
// a byte a second, cannot keep others out.
type door struct {
	net.Listener
	trusted bool // all connections come from a proxy, which limits its clients

	mu      sync.Mutex
	waiting int
	lines   map[netip.Prefix]*list.List // visits by wide prefix, those that have waited longest first
	number  uint64
	pressed uint64 // the number of connections closed to admit others
}

func newDoor(l net.Listener, trusted bool) *door {
	return &door{Listener: l, trusted: trusted, lines: map[netip.Prefix]*list.List{}}
}

// visit is a connection.
type visit struct {
	net.Conn
	door   *door
	from   shares.Origin
	number uint64        // grows with each connection, and with each request
	place  *list.Element // its element in the line; nil if it is not waiting
}

// Accept accepts the next connection, and adds it to the door.
func (d *door) Accept() (net.Conn, error) {
	c, err := d.Listener.Accept()
	if err != nil {
		return nil, err
	}
	v := &visit{Conn: c, door: d}
	if ap, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil && !d.trusted {
		v.from = shares.Of(ap.Addr())
	}
	if out := d.enter(v); out != nil {
		_ = out.Conn.Close() // the goroutine of the connection notices, and removes it
	}
	return v, nil
}

// enter adds a connection, and returns the one that must be closed to make room for it, or nil.
func (d *door) enter(v *visit) (out *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.waiting >= maxDoor {
		out = d.choose()
		d.remove(out)
		d.pressed++
	}
	line := d.lines[v.from.Wide]
	if line == nil {
		line = list.New()
		d.lines[v.from.Wide] = line
	}
	d.number++
	v.number, v.place = d.number, line.PushBack(v)
	d.waiting++
	return out
}

// choose returns the connection to close: the oldest of the prefix that has most, if that has more than its part,
// otherwise the oldest of all.
func (d *door) choose() (out *visit) {
	most := doorPart
	for _, line := range d.lines {
		v := line.Front().Value.(*visit)
		switch n := line.Len(); {
		case n > most, (n == most || most == doorPart) && (out == nil || v.number < out.number):
			most, out = max(n, most), v
		}
	}
	return out
}

// remove stops counting a connection. The lock is held.
func (d *door) remove(v *visit) {
	if v.place == nil {
		return
	}
	line := d.lines[v.from.Wide]
	line.Remove(v.place)
	v.place = nil
	if d.waiting--; line.Len() == 0 {
		delete(d.lines, v.from.Wide)
	}
}

func (d *door) leave(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(v)
}

// served records that a connection has sent a complete request: its wait begins again, after all others.
func (d *door) served(v *visit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v.place != nil {
		d.number++
		v.number = d.number
		d.lines[v.from.Wide].MoveToBack(v.place)
	}
}

// stats returns the number of connections, and how many have been closed so far to admit others.
func (d *door) stats() (waiting int, pressed uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waiting, d.pressed
}

// Close closes the connection, and ends the visit.
func (v *visit) Close() error {
	v.door.leave(v)
	return v.Conn.Close()
}

type visitKey struct{}

// remember stores the visit in the context of the connection's requests, also through TLS.
func remember(ctx context.Context, c net.Conn) context.Context {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	return context.WithValue(ctx, visitKey{}, c)
}

// asks records that a request is complete.
func asks(r *http.Request) {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok {
		v.door.served(v)
	}
}

// hijacked removes a connection that becomes a WebSocket: the number of WebSockets is limited elsewhere.
func hijacked(c net.Conn, s http.ConnState) {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	if v, ok := c.(*visit); ok && s == http.StateHijacked {
		v.door.leave(v)
	}
}

// Time limits of a connection.
const (
	headerTime   = 5 * time.Second  // for a whole header, or a TLS handshake
	requestTime  = 15 * time.Second // for a whole request: no request has a large body
	answerTime   = 30 * time.Second // for an answer; for files, sendTime
	idleTime     = time.Minute
	shutdownTime = 10 * time.Second
	maxHeader    = 16 << 10

	maxStreams = 64       // concurrent requests on one HTTP/2 connection
	maxReceive = 64 << 10 // bytes in flight to us on one HTTP/2 connection: no request has a large body
)

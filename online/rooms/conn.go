//go:build !js

package rooms

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Bounds of what waits to be sent to one client.
const (
	maxQueue      = 512       // messages: all that a burst of another member can be
	maxQueueBytes = 512 << 10 // some of the largest states
)

// conn is a WebSocket of a client: one goroutine reads, one writes, one pings.
type conn struct {
	server *Server
	socket *websocket.Conn
	from   netip.Prefix
	bucket bucket
	at     seat // guarded by the server's lock

	mu     sync.Mutex
	queue  [][]byte
	bytes  int
	ending bool          // no more is queued: it ends after what is
	wake   chan struct{} // something is queued, or ending
	cut    context.CancelFunc
}

func newConn(s *Server, socket *websocket.Conn, from netip.Prefix) *conn {
	c := &conn{server: s, socket: socket, from: from, wake: make(chan struct{}, 1)}
	c.bucket = newBucket(s.cfg.Burst, float64(s.cfg.MessagesPerSecond), s.cfg.Now())
	return c
}

// serve runs until the connection ends.
func (c *conn) serve() {
	s := c.server
	ctx, cut := context.WithCancel(context.Background())
	defer cut()
	c.cut = cut
	s.mu.Lock()
	s.conns[c] = struct{}{}
	if s.closed { // meanwhile
		c.end(encode(errorReply(&Error{ErrShutdown, ""}, true)))
	}
	s.mu.Unlock()
	var helpers sync.WaitGroup
	helpers.Go(func() { c.write(ctx) })
	helpers.Go(func() { c.ping(ctx) })
	left := c.read(ctx)
	s.mu.Lock()
	s.hub.gone(c.at, c, left, s.cfg.Now())
	s.mu.Unlock()
	c.end(nil)
	helpers.Wait()
	s.mu.Lock()
	delete(s.conns, c)
	s.mu.Unlock()
}

// read handles messages until the connection ends, or the client breaks a rule. It
// reports whether the client has given up its place.
func (c *conn) read(ctx context.Context) (left bool) {
	entry, cancel := context.WithTimeout(ctx, c.server.cfg.EntryTimeout)
	defer cancel()
	b, err := c.message(entry)
	if err != nil {
		return false
	}
	q, err := decodeRequest(b)
	if err == nil {
		err = c.enter(&q)
	}
	for err == nil {
		if b, err = c.message(ctx); err != nil {
			return false
		}
		if q, err = decodeRequest(b); err != nil {
			break
		}
		if q.Kind == kindLeave {
			return true
		}
		err = c.handle(&q)
	}
	c.refuse(err)
	return false
}

// message reads one, and counts it.
func (c *conn) message(ctx context.Context) ([]byte, error) {
	kind, b, err := c.socket.Read(ctx)
	if websocket.CloseStatus(err) == websocket.StatusMessageTooBig {
		c.count(ErrBadMessage)
	}
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		b = nil // no JSON object
	}
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub.stats.MessagesReceived++
	s.hub.stats.BytesReceived += uint64(len(b))
	return b, nil
}

// enter is the first message.
func (c *conn) enter(q *request) error {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return &Error{ErrShutdown, ""}
	}
	at, err := s.hub.enter(q, c.from, c, s.cfg.Now())
	c.at = at
	return err
}

// handle is any other message. A wish that is refused ends nothing; a broken rule does.
func (c *conn) handle(q *request) error {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Now()
	switch {
	case c.at.member.line == nil:
		return &Error{ErrMember, ""} // the room has ended, or it was sent away: it has been told
	case c.at.member.line != line(c):
		return &Error{ErrReplaced, ""} // it is on its way out
	case !c.bucket.take(q.cost(), now):
		return refuse(ErrRate, "more than %d a second", s.cfg.MessagesPerSecond)
	}
	err := s.hub.handle(c.at, q, now)
	if err == nil || codeOf(err) == codeOf(ErrBadMessage) {
		return err
	}
	s.refused(err)
	c.push(encode(errorReply(err, false)))
	return nil
}

// refuse ends the connection with a reason.
func (c *conn) refuse(err error) {
	c.count(err)
	c.end(encode(errorReply(err, true)))
}

func (c *conn) count(err error) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.server.refused(err)
}

// push queues a message. A client that does not read is cut off.
func (c *conn) push(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ending:
	case len(c.queue) >= maxQueue || c.bytes+len(b) > maxQueueBytes:
		c.queue, c.bytes, c.ending = nil, 0, true
		c.server.hub.stats.Refused[codeOf(ErrSlow)]++ // push is called with the server's lock
		c.cut()
	default:
		c.queue = append(c.queue, b)
		c.bytes += len(b)
		c.signal()
	}
}

// end queues a last message, if there is one, and hangs up when all is sent. Only the
// first call counts.
func (c *conn) end(last []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	if last != nil {
		c.queue = append(c.queue, last)
	}
	c.ending = true
	c.signal()
}

func (c *conn) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// next takes a message from the queue. over says that there will be no more.
func (c *conn) next() (b []byte, over bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil, c.ending
	}
	b = c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	c.bytes -= len(b)
	return b, false
}

// write sends what is queued, and hangs up at the end of it.
func (c *conn) write(ctx context.Context) {
	for {
		b, over := c.next()
		switch {
		case over:
			c.hangUp()
			return
		case b != nil:
			if !c.send(ctx, b) {
				c.cut()
				return
			}
		default:
			select {
			case <-c.wake:
			case <-ctx.Done():
				return
			}
		}
	}
}

// hangUp waits a moment for the client to hang up, too.
func (c *conn) hangUp() {
	_ = c.socket.Close(websocket.StatusNormalClosure, "") // it waits 5 s at most
	c.cut()
}

func (c *conn) send(ctx context.Context, b []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, c.server.cfg.WriteTimeout)
	defer cancel()
	if c.socket.Write(ctx, websocket.MessageText, b) != nil {
		return false
	}
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub.stats.MessagesSent++
	s.hub.stats.BytesSent += uint64(len(b))
	return true
}

// ping cuts off who does not answer. Browsers answer pings by themselves; the message
// is for the client, which cannot see them.
func (c *conn) ping(ctx context.Context) {
	every := c.server.cfg.PingEvery
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	hello := encode(reply{Kind: kindPing})
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		c.server.mu.Lock()
		c.push(hello)
		c.server.mu.Unlock()
		waiting, cancel := context.WithTimeout(ctx, every)
		err := c.socket.Ping(waiting)
		cancel()
		if err != nil {
			c.cut()
			return
		}
	}
}

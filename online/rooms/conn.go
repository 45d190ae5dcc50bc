//go:build !js

package rooms

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/tickback/tickback/session/shares"
)

// Limits of the queue for one client.
const (
	maxQueue      = 512       // messages: the largest burst of one other member
	maxQueueBytes = 512 << 10 // enough for some of the largest states
)

// Limits of all queues together: enough if every hundredth client of a full server does not read. Above them, clients
// with more than their share are disconnected.
const (
	maxWaiting  = 64 << 20
	fairWaiting = 8 << 10
)

// conn is the WebSocket of a client: one goroutine reads, one writes, and one pings.
type conn struct {
	server     *Server
	socket     *websocket.Conn
	from       shares.Origin
	near, wide *visitor
	number     uint64    // grows with each connection to the server
	since      time.Time // when it was admitted
	ctx        context.Context
	cut        context.CancelFunc
	bucket     bucket
	at         connSeat    // guarded by the server's lock
	ended      *time.Timer // closes the connection if it does not end in time; also guarded by the server's lock

	mu     sync.Mutex
	queue  [][]byte
	bytes  int
	ending bool          // nothing more is queued, and the connection ends after what is in the queue
	wake   chan struct{} // gets a value when something is queued, or ending is set
}

// newConn makes a connection that was admitted. The server's lock is held.
func newConn(s *Server, from shares.Origin, number uint64) *conn {
	c := &conn{server: s, from: from, number: number, since: s.cfg.Now(), wake: make(chan struct{}, 1)}
	c.near, c.wide = s.hub.visitors.of(from)
	c.ctx, c.cut = context.WithCancel(context.Background())
	return c
}

// serve serves the connection until it ends.
func (c *conn) serve(socket *websocket.Conn) {
	s, ctx := c.server, c.ctx
	defer c.cut()
	c.socket = socket
	var helpers sync.WaitGroup
	helpers.Go(func() { c.write(ctx) })
	helpers.Go(func() { c.ping(ctx) })
	left := c.read(ctx)
	s.mu.Lock()
	s.hub.gone(c.at, c, left, s.cfg.Now())
	s.mu.Unlock()
	c.end(nil)
	helpers.Wait()
	c.drain()
}

// read handles messages until the connection ends, or the client breaks a rule. It reports whether the client has
// given up its place.
func (c *conn) read(ctx context.Context) (left bool) {
	entry, cancel := context.WithTimeout(ctx, c.server.cfg.EntryTimeout)
	defer cancel()
	b, err := c.message(entry)
	if err != nil {
		return false
	}
	q, err := decodeRequest(b)
	if err == nil {
		err = c.enter(&q, len(b))
	}
	for err == nil {
		if b, err = c.message(ctx); err != nil {
			return false
		}
		q, err = decodeRequest(b)
		switch {
		case err != nil: // it is refused
		case q.Kind == kindLeave:
			return true
		default:
			err = c.handle(&q, len(b))
		}
	}
	c.refuse(err)
	return false
}

// message reads one message, and counts it.
func (c *conn) message(ctx context.Context) ([]byte, error) {
	kind, b, err := c.socket.Read(ctx)
	if errors.Is(err, websocket.ErrMessageTooBig) {
		c.count(ErrBadMessage)
	}
	if err != nil {
		return nil, err
	}
	if kind != websocket.MessageText {
		b = nil // not a JSON object
	}
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hub.stats.MessagesReceived++
	s.hub.stats.BytesReceived += uint64(len(b))
	return b, nil
}

// enter handles the first message.
func (c *conn) enter(q *request, bytes int) error {
	s := c.server
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return &Error{ErrShutdown, ""}
	}
	at, err := s.hub.enter(q, c.from, c, s.cfg.Now())
	c.at = at
	hearers := 0
	if err == nil {
		s.entered(c)
		hearers = len(at.room.members)
	}
	wait := c.spend(q.cost(bytes, hearers), s.cfg.Now())
	s.mu.Unlock()
	c.pause(wait)
	return err
}

// handle handles any other message. A refused request does not end the connection; a broken rule does.
func (c *conn) handle(q *request, bytes int) error {
	wait, err := c.handled(q, bytes)
	c.pause(wait)
	return err
}

func (c *conn) handled(q *request, bytes int) (wait time.Duration, err error) {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Now()
	m := c.at.member
	cost := q.cost(bytes, len(c.at.room.members))
	switch {
	case m.line == nil:
		return 0, &Error{ErrMember, ""} // the room has ended, or the member was kicked; the end has already been sent
	case m.line != line(c):
		return 0, &Error{ErrReplaced, ""} // the connection is being closed
	case !c.bucket.take(cost, s.hub.budget.member, now):
		return 0, s.hub.limited(limitMessages, ErrRate, "more than %d a second", s.cfg.MessagesPerSecond)
	}
	wait = c.spend(cost, now)
	err = s.hub.handle(c.at, q, now)
	if err == nil || codeOf(err) == codeOf(ErrBadMessage) {
		return wait, err
	}
	s.refused(err)
	c.push(encode(errorReply(err, false)))
	return wait, nil
}

// spend charges the cost of a message to the address that it came from, its network, and all clients together, and
// returns how long this client must wait before the next one. A part of the common budget is reserved for connections
// that have sent little recently. The lock is held.
func (c *conn) spend(cost float64, now time.Time) time.Duration {
	s, b := c.server, &c.server.hub.budget
	allowed := b.messages.burst
	if c.bucket.used <= b.member.burst/4 {
		allowed *= 2
	}
	wait := max(
		c.near.messages.charge(cost, b.nearMessages.burst, b.nearMessages, now),
		c.wide.messages.charge(cost, b.wideMessages.burst, b.wideMessages, now),
		s.all.messages.charge(cost, allowed, b.messages, now),
	)
	if wait > 0 {
		s.hub.stats.Delayed++
	}
	return wait
}

// pause delays a client that sends a lot.
func (c *conn) pause(d time.Duration) {
	if d > 0 {
		pause(d, c.ctx.Done())
	}
}

// pinged counts a ping of the client. Browsers never send one, and programs rarely. It reports whether to answer.
func (c *conn) pinged(context.Context, []byte) bool {
	s := c.server
	s.mu.Lock()
	now := s.cfg.Now()
	wait, good := c.spend(costly, now), c.bucket.take(costly, s.hub.budget.member, now)
	if !good {
		s.refused(s.hub.limited(limitPings, ErrRate, "pings"))
		c.cut()
	}
	s.mu.Unlock()
	c.pause(wait)
	return good
}

func (c *conn) ponged(ctx context.Context, b []byte) { c.pinged(ctx, b) }

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

// push queues a message. A client that does not read is disconnected.
func (c *conn) push(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.server.waiting.Load() + int64(len(b))
	switch {
	case c.ending:
	case len(c.queue) >= maxQueue || c.bytes+len(b) > maxQueueBytes || all > maxWaiting && c.bytes > fairWaiting:
		c.empty()
		c.ending = true
		stats := &c.server.hub.stats // the caller of push holds the server's lock
		stats.Refused[codeOf(ErrSlow)]++
		stats.Limited[limitUnread]++
		c.cut()
	default:
		c.queue = append(c.queue, b)
		c.bytes += len(b)
		c.server.waiting.Add(int64(len(b)))
		c.signal()
	}
}

// empty discards the queue. The connection's lock is held.
func (c *conn) empty() {
	c.server.waiting.Add(-int64(c.bytes))
	c.queue, c.bytes = nil, 0
}

// drain discards what could not be sent before the connection ended.
func (c *conn) drain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.empty()
}

// end queues a last message, if there is one, and hangs up when everything is sent. Only the first call has an
// effect.
func (c *conn) end(last []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending {
		return
	}
	if last != nil {
		c.queue = append(c.queue, last)
		c.bytes += len(last)
		c.server.waiting.Add(int64(len(last)))
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

// next takes a message from the queue. over means that there will be no more.
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
	c.server.waiting.Add(-int64(len(b)))
	return b, false
}

// write sends the queued messages, and then hangs up.
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

// hangUp waits briefly for the client to hang up, too.
func (c *conn) hangUp() {
	_ = c.socket.Close(websocket.StatusNormalClosure, "") // this takes at most 5 s
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

// ping disconnects clients that do not answer. Browsers answer pings by themselves; the message is for the client
// program, which does not see the pings.
func (c *conn) ping(ctx context.Context) {
	every := c.server.cfg.PingEvery
	ticker := time.NewTicker(every)
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

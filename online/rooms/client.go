package rooms

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Client is a member of a room. Its methods may be called by several goroutines at once, and none waits for the
// server. Make one with [Enter], and close it.
type Client struct {
	connector connector // only the goroutine of the connection uses it

	mu      sync.Mutex
	place   place
	said    statements
	inbox   inbox
	out     *outbox // nil if not connected
	leaving bool    // Close was called
	err     error   // the reason why the client has ended

	cancel context.CancelFunc
	done   chan struct{}
}

// Enter makes a room, joins one, or comes back to one, on the server at url ("ws://" or "wss://"). ctx only limits
// how long that takes.
//
// Errors: [*MismatchError], [*TakenError], and [*Error] with one of this package's ErrX.
func Enter(ctx context.Context, url string, e Entry) (*Client, error) {
	return enterBy(ctx, url, e, dial)
}

// enterBy is like Enter, with another function to connect, for tests.
func enterBy(ctx context.Context, url string, e Entry, dial func(context.Context, string) (socket, error)) (*Client, error) {
	if e.Patience == 0 {
		e.Patience = DefaultPatience
	}
	c := &Client{connector: connector{url: url, dial: dial, entry: e, instance: newInstance()}, done: make(chan struct{})}
	c.inbox.notify = make(chan struct{}, 1)
	s, r, err := c.connector.connect(ctx)
	if err != nil {
		return nil, err
	}
	c.welcome(r)
	running, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	go c.run(running, s)
	return c, nil
}

// welcome stores the server's information about this member, and reports it.
func (c *Client) welcome(r *reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.place.welcome(r)
	c.connector.returnBy(c.place.ticket())
	c.out = newOutbox()
	c.inbox.add(Event{Kind: Changed})
}

// run maintains the connection, and reconnects after a loss, until the client is closed.
func (c *Client) run(ctx context.Context, s socket) {
	defer close(c.done)
	for {
		err := c.talk(ctx, s)
		s.close()
		if !c.ending(ctx) && !final(err) {
			c.lost(Event{Kind: Away, Err: err})
			var r *reply
			if s, r, err = c.connector.again(ctx, err); err == nil {
				c.welcome(r)
				c.found()
				continue
			}
		}
		if c.ending(ctx) {
			err = &Error{ErrClosed, ""}
		}
		c.lost(Event{Kind: Closed, Err: err})
		return
	}
}

// ending reports whether the connection ends because we want it to.
func (c *Client) ending(ctx context.Context) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.leaving || ctx.Err() != nil
}

// final reports whether an error would occur again with another connection.
func final(err error) bool {
	for _, e := range []error{ErrUnreachable, ErrRate, ErrServerFull, ErrSlow} {
		if errors.Is(err, e) {
			return false
		}
	}
	return true
}

// talk exchanges messages until the connection ends.
func (c *Client) talk(ctx context.Context, s socket) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c.mu.Lock()
	out, silence := c.out, 3*c.place.ping+5*time.Second
	c.mu.Unlock()
	var writer sync.WaitGroup
	writer.Go(func() {
		out.send(ctx, s)
		s.close() // makes the reading goroutine end, too
	})
	defer writer.Wait()
	defer stop()
	for {
		waiting, cancel := context.WithTimeout(ctx, silence)
		b, err := s.read(waiting)
		cancel()
		if err != nil {
			return unreachable(err)
		}
		r, err := decodeReply(b)
		if err != nil {
			return err
		}
		if err := c.hear(&r); err != nil {
			return err
		}
	}
}

// hear handles a message. If the message is the server's last one, it is returned as an error.
func (c *Client) hear(r *reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Kind == kindState:
		c.place.changed(r)
		c.connector.returnBy(c.place.ticket()) // the room may have a new ID
		c.inbox.add(Event{Kind: Changed})
	case r.Kind == kindICE:
		c.place.renewed(r)
		c.inbox.add(Event{Kind: Renewed})
	case r.Kind == kindSignal:
		c.inbox.add(Event{Kind: Signalled, From: r.From, Data: r.Data})
	case r.Kind == kindError && r.Final:
		return errorOf(r, c.connector.entry)
	case r.Kind == kindError:
		c.inbox.add(Event{Kind: Refused, Err: errorOf(r, c.connector.entry)})
	}
	return nil
}

// lost handles the loss of the connection, for a while or for good, and reports it.
func (c *Client) lost(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.out = nil; e.Kind == Closed {
		c.err = e.Err
	}
	c.inbox.add(e)
}

// found handles a restored connection: it sends the messages again that the server may have missed.
func (c *Client) found() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox.add(Event{Kind: Back})
	if me, ok := c.place.me(); ok {
		for _, q := range c.said.missed(&me, c.place.state.Match) {
			c.out.add(encode(q))
		}
	}
}

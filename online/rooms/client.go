package rooms

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"sync"
	"time"
)

// Client is a member of a room. Its methods may be called by several goroutines at once, and none waits for the
// server. Make one with [Enter], and close it.
type Client struct {
	url      string
	dial     func(ctx context.Context, url string) (socket, error)
	entry    Entry
	instance string

	mu      sync.Mutex
	you     uint32
	secret  string
	token   string
	ice     []ICEServer
	ping    time.Duration
	state   State
	status  string // to be sent to the server again
	playing uint32
	ended   uint32 // the newest match that we have reported as no longer played here
	inbox   inbox
	out     *outbox // nil: not connected
	leaving bool    // Close was called
	err     error   // why the client has ended

	cancel context.CancelFunc
	done   chan struct{}
}

// Enter makes a room, joins one, or comes back to one, on the server at url ("ws://" or "wss://"). ctx only limits
// how long that takes.
//
// Errors: [*MismatchError] and [*Error] with one of this package's ErrX.
func Enter(ctx context.Context, url string, e Entry) (*Client, error) {
	return enterBy(ctx, url, e, dial)
}

// enterBy is Enter with another function to connect, for tests.
func enterBy(ctx context.Context, url string, e Entry, dial func(context.Context, string) (socket, error)) (*Client, error) {
	if e.Patience == 0 {
		e.Patience = DefaultPatience
	}
	c := &Client{url: url, dial: dial, entry: e, instance: newInstance(), done: make(chan struct{})}
	c.inbox.notify = make(chan struct{}, 1)
	s, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	running, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	go c.run(running, s)
	return c, nil
}

// newInstance returns a random text that distinguishes this client from one that comes back in its place.
func newInstance() string {
	var b [9]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// connect connects to the server and enters the room.
func (c *Client) connect(ctx context.Context) (socket, error) {
	c.mu.Lock()
	q, err := c.entry.request(c.instance)
	c.mu.Unlock()
	if err != nil {
		return nil, err
	}
	s, err := c.dial(ctx, c.url)
	if err != nil {
		return nil, err
	}
	if err := c.greet(ctx, s, &q); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// greet sends the first message, and handles the answer.
func (c *Client) greet(ctx context.Context, s socket, q *request) error {
	if err := s.write(ctx, encode(q)); err != nil {
		return unreachable(err)
	}
	for {
		b, err := s.read(ctx)
		if err != nil {
			return unreachable(err)
		}
		r, err := decodeReply(b)
		switch {
		case err != nil:
			return err
		case r.Kind == kindError:
			return errorOf(&r, c.entry)
		case r.Kind == kindWelcome:
			c.welcome(&r)
			return nil
		}
	}
}

// welcome stores what the server says about this member.
func (c *Client) welcome(r *reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.you, c.secret, c.token, c.ice, c.state = r.You, r.Secret, r.Token, r.ICE, *r.State
	c.ping = time.Duration(min(max(r.Ping, 1000), 3600_000)) * time.Millisecond
	c.entry.Ticket = ticket(c.state.Room, c.secret)
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
			c.lost(err)
			if s, err = c.again(ctx, err); err == nil {
				c.found()
				continue
			}
		}
		if c.ending(ctx) {
			err = &Error{ErrClosed, ""}
		}
		c.over(err)
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
	out, silence := c.out, 3*c.ping+5*time.Second
	c.mu.Unlock()
	var writer sync.WaitGroup
	writer.Go(func() {
		out.send(ctx, s)
		s.close() // so that the reading goroutine ends, too
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

// hear handles a message. An error is the server's last message.
func (c *Client) hear(r *reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Kind == kindState:
		c.state, c.token = *r.State, r.Token
		c.entry.Ticket = ticket(c.state.Room, c.secret) // the room may have got another ID
		c.inbox.add(Event{Kind: Changed})
	case r.Kind == kindICE:
		c.ice = r.ICE
		c.inbox.add(Event{Kind: Renewed})
	case r.Kind == kindSignal:
		c.inbox.add(Event{Kind: Signalled, From: r.From, Data: r.Data})
	case r.Kind == kindError && r.Final:
		return errorOf(r, c.entry)
	case r.Kind == kindError:
		c.inbox.add(Event{Kind: Refused, Err: errorOf(r, c.entry)})
	}
	return nil
}

// lost handles the loss of the connection.
func (c *Client) lost(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = nil
	c.inbox.add(Event{Kind: Away, Err: err})
}

// found handles a connection that is restored: it sends the server what it may have missed.
func (c *Client) found() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inbox.add(Event{Kind: Back})
	me, ok := c.state.Member(c.you)
	if !ok {
		return
	}
	if me.Status != c.status {
		c.out.add(encode(request{Kind: kindStatus, Data: c.status}))
	}
	switch {
	case me.Playing != 0 && me.Playing <= c.ended: // and not a match that began in the meantime
		c.out.add(encode(request{Kind: kindEnded, Match: me.Playing}))
	case c.playing != 0 && c.playing == c.state.Match && me.Playing != c.playing:
		c.out.add(encode(request{Kind: kindPlaying, Match: c.playing}))
	}
}

// Delays between two attempts to reconnect.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 5 * time.Second
	dialTime  = 15 * time.Second
)

// again tries to reconnect until it succeeds, the server refuses for good, or patience ends, in which case it returns
// why.
func (c *Client) again(ctx context.Context, why error) (socket, error) {
	ctx, cancel := context.WithTimeout(ctx, c.entry.Patience)
	defer cancel()
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		select {
		case <-ctx.Done():
			return nil, why
		case <-time.After(wait):
		}
		try, done := context.WithTimeout(ctx, dialTime)
		s, err := c.connect(try)
		done()
		if err == nil {
			return s, nil
		}
		if final(err) {
			return nil, err
		}
	}
}

// over marks the client as ended, and reports it.
func (c *Client) over(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out, c.err = nil, err
	c.inbox.add(Event{Kind: Closed, Err: err})
}

// unreachable wraps the error of a connection in one of this package.
func unreachable(err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return err
	}
	return &Error{ErrUnreachable, clip(err.Error(), maxText)}
}

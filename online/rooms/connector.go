package rooms

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"time"
)

// connector connects to the server and enters the room, again if need be.
type connector struct {
	url      string
	dial     func(ctx context.Context, url string) (socket, error)
	entry    Entry
	instance string
}

// newInstance returns a random text that distinguishes this client from one that comes back in its place.
func newInstance() string {
	var b [9]byte
	rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// returnBy sets the ticket with which the room is entered again.
func (c *connector) returnBy(ticket string) { c.entry.Ticket = ticket }

// connect connects to the server and enters the room. It returns the server's welcome.
func (c *connector) connect(ctx context.Context) (socket, *reply, error) {
	q, err := c.entry.request(c.instance)
	if err != nil {
		return nil, nil, err
	}
	s, err := c.dial(ctx, c.url)
	if err != nil {
		return nil, nil, err
	}
	r, err := c.greet(ctx, s, &q)
	if err != nil {
		s.close()
		return nil, nil, err
	}
	return s, r, nil
}

// greet sends the first message, and waits for the welcome.
func (c *connector) greet(ctx context.Context, s socket, q *request) (*reply, error) {
	if err := s.write(ctx, encode(q)); err != nil {
		return nil, unreachable(err)
	}
	for {
		b, err := s.read(ctx)
		if err != nil {
			return nil, unreachable(err)
		}
		r, err := decodeReply(b)
		switch {
		case err != nil:
			return nil, err
		case r.Kind == kindError:
			return nil, errorOf(&r, c.entry)
		case r.Kind == kindWelcome:
			return &r, nil
		}
	}
}

// Delays between two attempts to reconnect, and the time limit of an attempt.
const (
	firstWait = 250 * time.Millisecond
	lastWait  = 5 * time.Second
	dialTime  = 15 * time.Second
)

// again tries to reconnect until it succeeds, the server refuses for good, or the client's patience ends. Then it
// returns the reason as an error.
func (c *connector) again(ctx context.Context, why error) (socket, *reply, error) {
	ctx, cancel := context.WithTimeout(ctx, c.entry.Patience)
	defer cancel()
	for wait := firstWait; ; wait = min(2*wait, lastWait) {
		select {
		case <-ctx.Done():
			return nil, nil, why
		case <-time.After(wait):
		}
		try, done := context.WithTimeout(ctx, dialTime)
		s, r, err := c.connect(try)
		done()
		if err == nil {
			return s, r, nil
		}
		if final(err) {
			return nil, nil, err
		}
	}
}

// unreachable wraps the error of a connection in one of this package.
func unreachable(err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return err
	}
	return &Error{ErrUnreachable, clip(err.Error(), maxText)}
}

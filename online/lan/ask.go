//go:build !js

package lan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
)

var (
	// ErrNobody means that nothing answers at an address.
	ErrNobody = errors.New("lan: nobody hosts there")
	// ErrNoHost means that something answers at an address, but it is not a host of a Tickback game.
	ErrNoHost = errors.New("lan: what answers there hosts no game of Tickback")
)

// AskError says that no game was found at an address. It wraps [ErrNobody] or [ErrNoHost].
type AskError struct {
	Address string // "host:port"
	Reason  error  // ErrNobody or ErrNoHost
	Cause   error  // the error of the network; nil if something answered
}

// Error names the address and the cause, in one line.
func (e *AskError) Error() string {
	text := e.Reason.Error() + ": " + e.Address
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns the reason and the cause.
func (e *AskError) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Reason}
	}
	return []error{e.Reason, e.Cause}
}

// root returns the informative part of an error of package net.
func root(err error) error {
	var (
		detail *url.Error
		op     *net.OpError
		call   *os.SyscallError
		name   *net.DNSError
	)
	if errors.As(err, &detail) {
		err = detail.Err
	}
	if errors.As(err, &op) {
		err = op.Err
	}
	if errors.As(err, &call) {
		err = call.Err
	}
	switch {
	case errors.As(err, &name):
		return errors.New("there is no machine of this name")
	case errors.Is(err, context.DeadlineExceeded):
		return errors.New("no answer")
	}
	return err
}

// askTime limits a query, in addition to its context.
const askTime = 5 * time.Second

// Ask queries the host at an address, in a form that [ParseAddress] accepts, and returns its offer. Errors:
// [ErrAddress], [*AskError].
func Ask(ctx context.Context, address string) (Offer, error) {
	at, err := ParseAddress(address)
	if err != nil {
		return Offer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, pageOf(at)+"offer", nil)
	if err != nil {
		return Offer{}, fmt.Errorf("%w: %q", ErrAddress, address)
	}
	request.Host = askedAs
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true, MaxResponseHeaderBytes: 16 << 10},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(request)
	if err != nil {
		return Offer{}, &AskError{at, ErrNobody, root(err)}
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxOffer+1))
	if err != nil || answer.StatusCode != http.StatusOK {
		return Offer{}, &AskError{at, ErrNoHost, nil}
	}
	o, err := decodeOffer(text)
	if err != nil || o.Room == "" {
		return Offer{}, &AskError{at, ErrNoHost, nil}
	}
	o.Address = at
	return o, nil
}

// Join joins the room of a host. The offer is one that [Ask] returned, or one that a [Search] found, in which case
// Join asks the host first. cfg.GameID has to be that of the offer. The errors are those of Ask and of online.Join.
func Join(ctx context.Context, o Offer, cfg online.Config) (*online.Room, error) {
	if o.Room == "" {
		var err error
		if o, err = Ask(ctx, o.Address); err != nil {
			return nil, err
		}
	}
	cfg.Transport = overUDP(":0", cfg.Log)
	return online.Join(ctx, pageOf(o.Address)+"#"+url.Values{"room": {o.Room}}.Encode(), cfg)
}

// overUDP returns a function that makes the transport of a room.
func overUDP(listen string, log *slog.Logger) func(uint32, peers.Signaler) (online.Transport, error) {
	return func(self uint32, s peers.Signaler) (online.Transport, error) {
		return NewTransport(listen, self, s, log)
	}
}

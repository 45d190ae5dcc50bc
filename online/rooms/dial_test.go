//go:build !js

package rooms

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// Rule: an error of the connection says what has gone wrong, and nothing of the layers between.
func TestErrorsOfConnectionsAreShort(t *testing.T) {
	closes := func(code websocket.StatusCode, reason string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			s, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{Subprotocol}})
			if err == nil {
				_ = s.Close(code, reason)
			}
		}
	}
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		want    string
	}{
		{"no room server", http.NotFound, "what answers there is no room server (404 Not Found)"},
		{"closed with a reason", closes(websocket.StatusPolicyViolation, "too old"), "it has closed the connection: too old"},
		{"closed without one", closes(websocket.StatusNormalClosure, ""), "it has closed the connection"},
		{"cut", func(w http.ResponseWriter, r *http.Request) {
			s, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{Subprotocol}})
			if err == nil {
				_ = s.CloseNow()
			}
		}, "it has closed the connection"},
	} {
		server := httptest.NewServer(c.handler)
		err := enterOnce(t.Context(), server.URL)
		server.Close()
		if !errors.Is(err, ErrUnreachable) || !strings.HasSuffix(err.Error(), ": "+c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}

	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond) // nobody accepts: it always passes
	defer stop()
	if err := enterOnce(ctx, "http://"+l.Addr().String()); !errors.Is(err, ErrUnreachable) || !strings.HasSuffix(err.Error(), ": it does not answer in time") {
		t.Errorf("silent: %v", err)
	}
	l.Close()
	if err := enterOnce(t.Context(), "http://"+l.Addr().String()); !errors.Is(err, ErrUnreachable) || strings.Contains(err.Error(), "WebSocket") {
		t.Errorf("nobody there: %v", err)
	}
}

// The cause of an error is what a layer below says, without the words of those above it; an error of this package is not
// replaced by another one.
func TestTheCauseOfAnError(t *testing.T) {
	plain := errors.New("a word")
	network := &net.OpError{Op: "dial", Net: "tcp", Err: plain}
	for _, c := range []struct{ err, want error }{
		{nil, nil},
		{plain, plain},
		{&url.Error{Op: "Get", URL: "http://x/", Err: plain}, plain},
		{&url.Error{Op: "Get", URL: "http://x/", Err: network}, network},
	} {
		if got := cause(c.err); got != c.want {
			t.Errorf("of %v it is %v, want %v", c.err, got, c.want)
		}
	}
	full := &Error{ErrFull, "words"}
	if got := unreachable(full); got != error(full) {
		t.Errorf("%v has become %v", full, got)
	}
	if got := unreachable(plain); !errors.Is(got, ErrUnreachable) || !strings.HasSuffix(got.Error(), ": a word") {
		t.Errorf("%v has become %v", plain, got)
	}
}

// enterOnce opens a WebSocket and reads one message.
func enterOnce(ctx context.Context, url string) error {
	s, err := dial(ctx, "ws"+strings.TrimPrefix(url, "http"))
	if err != nil {
		return err
	}
	defer s.close()
	if _, err = s.read(ctx); err != nil {
		return unreachable(err)
	}
	return nil
}

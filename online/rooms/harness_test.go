//go:build !js

package rooms

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// patience bounds every wait of these tests, which end as soon as the awaited
// condition holds.
const patience = 20 * time.Second

// serve runs a server on loopback until the test ends.
func serve(t *testing.T, cfg Config) (s *Server, url string) {
	t.Helper()
	s, err := NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error("closing:", err)
		}
		web.Close()
	})
	return s, "ws" + strings.TrimPrefix(web.URL, "http")
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// enter enters a room, and closes the client at the end of the test.
func enter(t *testing.T, url string, e Entry) *Client {
	t.Helper()
	if e.GameID == "" {
		e.GameID, e.Build = "pong", "1"
	}
	c, err := Enter(within(t), url, e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// until waits for a condition that events cause.
func until(t *testing.T, c *Client, what string, done func(e Event) bool) {
	t.Helper()
	ctx := within(t)
	if done(Event{}) {
		return
	}
	for {
		for e, ok := c.Receive(); ok; e, ok = c.Receive() {
			if done(e) {
				return
			}
		}
		select {
		case <-c.Notify():
		case <-ctx.Done():
			t.Fatalf("waiting for %s: %+v, error %v", what, c.State(), c.Err())
		}
	}
}

// sees waits until the room as seen by a client meets a condition.
func sees(t *testing.T, c *Client, what string, as func(s *State) bool) {
	t.Helper()
	until(t, c, what, func(Event) bool { s := c.State(); return as(&s) })
}

// hears waits for an event of a kind.
func hears(t *testing.T, c *Client, kind EventKind) (found Event) {
	t.Helper()
	until(t, c, "an event", func(e Event) bool { found = e; return e.Kind == kind })
	return found
}

// empties waits until a server has no rooms.
func empties(t *testing.T, s *Server) {
	t.Helper()
	counts(t, s, "no room", func(n Stats) bool { return n.Rooms == 0 })
}

// counts waits until the server's counts meet a condition.
func counts(t *testing.T, s *Server, what string, so func(Stats) bool) {
	t.Helper()
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for ctx := within(t); !so(s.Stats()); {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			t.Fatalf("waited for %s: %+v", what, s.Stats())
		}
	}
}

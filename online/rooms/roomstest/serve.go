//go:build !js

// Package roomstest runs a server of rooms for tests. Only tests import it.
package roomstest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/tickback/tickback/online/rooms"
)

// closeTime is how long a closing server waits for its clients.
const closeTime = time.Minute

// Serve runs a server of rooms on loopback until the test ends, and returns the address that its page would have. The
// server may be closed earlier.
func Serve(t testing.TB, cfg rooms.Config) (page string, server *rooms.Server) {
	t.Helper()
	s, err := rooms.NewServer(cfg)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/rooms", s)
	web := httptest.NewServer(mux)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		_ = s.Close(ctx) // an error means that some clients had to be disconnected
		web.Close()
	})
	return web.URL + "/", s
}

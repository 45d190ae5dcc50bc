//go:build !js

package browsertest

import (
	"context"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"

	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/online/serve"
)

// Serve serves a folder with a page, and rooms, on loopback until the test ends or stop is called. stop may be called
// more than once.
func Serve(t testing.TB, dir string, cfg rooms.Config) (url string, stop func()) {
	t.Helper()
	s, err := serve.New(serve.Config{Files: os.DirFS(dir), Rooms: cfg, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return "http://" + l.Addr().String() + "/", stop
}

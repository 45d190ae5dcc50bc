package serve

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/tickback/tickback/online/rooms"
)

// lockedBuffer is a log that two goroutines use; said is full once it has a line.
// Its buffer has a name: embedded, it would be read without the lock.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
	said chan struct{}
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.said <- struct{}{}:
	default:
	}
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Run says where the page is, serves it, and ends with its context.
func TestRun(t *testing.T) {
	log := &lockedBuffer{said: make(chan struct{}, 1)}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, "127.0.0.1:0", Config{
			Files: fstest.MapFS{"index.html": {Data: []byte("a page")}}, Log: slog.New(slog.NewTextHandler(log, nil)),
		})
	}()
	select {
	case <-log.said:
	case err := <-ended:
		t.Fatal(err)
	}
	url := regexp.MustCompile(`msg=play at=(http://\S+)`).FindStringSubmatch(log.String())
	if url == nil {
		t.Fatalf("the log is %q", log.String())
	}
	r, err := http.Get(url[1])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if b, err := io.ReadAll(r.Body); err != nil || string(b) != "a page" {
		t.Errorf("%q, %v", b, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// An address that cannot be used is an error, and nothing keeps running.
func TestRunWithoutAnAddress(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := Run(context.Background(), l.Addr().String(), Config{}); err == nil {
		t.Error("it serves at an address that somebody else has")
	}
	if err := Run(context.Background(), "127.0.0.1:0", Config{Rooms: rooms.Config{MaxRooms: -1}}); err == nil {
		t.Error("it serves with a config that is none")
	}
}

//go:build !js

package rooms

import (
	"bufio"
	"net"
	"net/http"
	"sync"
	"time"
)

// The limit of the bytes that one connection may send, including frames that are not messages, such as empty ones.
// Beyond the limit, reading from the connection is delayed, which slows down its sender. A player who connects to 47
// others at once sends 4 KiB to each.
const (
	maxBytesAtOnce    = 256 << 10
	maxBytesPerSecond = 32 << 10
)

var byteFlow = flow{maxBytesAtOnce, maxBytesPerSecond}

// throttled is a connection that is read at a limited rate.
type throttled struct {
	net.Conn
	bucket bucket
	now    func() time.Time
	closed chan struct{}
	once   sync.Once
}

func throttle(c net.Conn, now func() time.Time) *throttled {
	return &throttled{Conn: c, now: now, closed: make(chan struct{})}
}

// Read reads some bytes, and then waits for as long as the rate requires for them. Only one goroutine may read at a
// time.
func (t *throttled) Read(b []byte) (int, error) {
	n, err := t.Conn.Read(b)
	if wait := t.bucket.charge(float64(n), byteFlow.burst, byteFlow, t.now()); wait > 0 {
		pause(wait, t.closed)
	}
	return n, err
}

// Close closes the connection, which also ends a wait.
func (t *throttled) Close() error {
	t.once.Do(func() { close(t.closed) })
	return t.Conn.Close()
}

// pause waits for d, or until ended is closed.
func pause(d time.Duration, ended <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-ended:
	}
}

// throttler throttles the connection that a WebSocket takes over.
type throttler struct {
	http.ResponseWriter
	now func() time.Time
}

// Hijack takes over the connection, and throttles it.
func (t throttler) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	return throttle(c, t.now), rw, nil
}

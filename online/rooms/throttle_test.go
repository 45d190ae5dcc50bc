//go:build !js

package rooms

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
)

// fastConn sends for ever, as fast as it is read.
type fastConn struct{ net.Conn }

func (fastConn) Read(b []byte) (int, error) { return len(b), nil }
func (fastConn) Close() error               { return nil }

// 256 KiB are read at once, whatever they are: 32 KiB more in each second after that, and the end of the connection ends
// a wait.
func TestBytesOfAConnection(t *testing.T) {
	now := time.Unix(100, 0)
	c := throttle(fastConn{}, func() time.Time { return now })
	b := make([]byte, 4<<10)
	for range 256 << 10 / len(b) {
		if _, err := c.Read(b); err != nil {
			t.Fatal(err)
		}
	}
	if wait := c.bucket.charge(32<<10, byteFlow.burst, byteFlow, now); wait != time.Second {
		t.Errorf("a second's worth more waits %v", wait)
	}
	read := make(chan error)
	go func() {
		_, err := c.Read(b)
		read <- err
	}()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if err := <-read; err != nil { // and not after a second
		t.Error(err)
	}
	c.Close() // twice is no panic
}

// A connection whose bytes form no message is cut off if it has not entered in time,
// however busy it is.
func TestFramesThatAreNoMessage(t *testing.T) {
	s, url := serve(t, Config{EntryTimeout: 50 * time.Millisecond})
	c := raw(t, within(t), url)
	w, err := c.Writer(within(t), websocket.MessageText)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil { // each is a frame without the end of the message
		_, err = io.WriteString(w, "x")
	}
	counts(t, s, "its end", func(n Stats) bool { return n.Connections == 0 && n.MessagesReceived == 0 })
	if errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// A client that does not even read that it is connected is cut off as well.
func TestWhoDoesNotReadThatItIsConnected(t *testing.T) {
	inVirtualTime(t, Config{EntryTimeout: 7 * time.Second}, func(t *testing.T, w *world) {
		c, err := w.door.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
			"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n")
		synctest.Wait()
		if n := w.Stats().Connections; n != 1 {
			t.Errorf("%d connections", n)
		}
		time.Sleep(30 * time.Second) // for the answer, for the first message, and to report that it has not come
		synctest.Wait()
		if n := w.Stats().Connections; n != 0 {
			t.Errorf("%d connections afterwards", n)
		}
	})
}

// A client that has to wait does, and no longer than its connection lasts.
func TestAClientWaits(t *testing.T) {
	s, _ := serve(t, Config{})
	s.mu.Lock()
	c := newConn(s, addressOf("10.0.0.1:1"), 1)
	s.mu.Unlock()
	began := time.Now()
	if c.pause(20 * time.Millisecond); time.Since(began) < 20*time.Millisecond {
		t.Error("it does not wait")
	}
	c.cut()
	c.pause(time.Hour)
}

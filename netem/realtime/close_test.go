package realtime_test

import (
	"bytes"
	"errors"
	"net"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
)

// running reports whether a goroutine of the package is left. One that has just finished may take a moment to end.
func running(patience time.Duration) bool {
	buf := make([]byte, 1<<20)
	for deadline := time.Now().Add(patience); ; time.Sleep(ms) {
		found := bytes.Contains(buf[:runtime.Stack(buf, true)], []byte("created by github.com/tickback/tickback/netem/realtime.Wrap "))
		if !found || !time.Now().Before(deadline) {
			return found
		}
	}
}

// Close sends nothing more, waits until the goroutine has ended, closes the transport once and returns its error each
// time. Nothing is sent afterwards.
func TestCloseLeavesNothingBehind(t *testing.T) {
	if running(10 * time.Second) {
		t.Fatal("another test has left a goroutine")
	}
	i, m := wrap(t, netem.Link{Delay: time.Hour})
	send(t, i, bob, "never sent")
	if !running(0) {
		t.Error("there is no goroutine: the test is blind")
	}
	if err := i.Close(); err != errClose {
		t.Error(err)
	}
	if running(10 * time.Second) {
		t.Error("the goroutine is left")
	}
	if err := i.Close(); err != errClose || m.closes != 1 {
		t.Errorf("%v, closed %d times", err, m.closes)
	}
	if err := i.Send(bob, nil); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if len(m.all()) != 0 || i.Stats().InFlight() != 1 {
		t.Errorf("sent %v", m.all())
	}
}

// If a Send of the transport hangs until the transport is closed, Close does not hang, and neither that datagram nor
// those due after it count as failures.
func TestCloseWhileTheTransportHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.hang = make(chan struct{})
		m.fail = net.ErrClosed
		i, err := realtime.Wrap(m, netem.Link{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		send(t, i, bob, "hangs")
		send(t, i, bob, "due, and not sent")
		synctest.Wait()
		if err := i.Close(); err != errClose {
			t.Error(err)
		}
		if len(m.all()) != 1 || i.Err() != nil || i.Stats().Failed != 0 {
			t.Errorf("sent %v, %v", m.all(), i.Err())
		}
	})
}

// Any number of goroutines may call Close at the same time.
func TestClosingAtOnce(t *testing.T) {
	i, m := wrap(t, netem.Link{})
	var closers sync.WaitGroup
	for range 3 {
		closers.Go(func() {
			if err := i.Close(); err != errClose {
				t.Error(err)
			}
		})
	}
	closers.Wait()
	if m.closes != 1 {
		t.Errorf("closed %d times", m.closes)
	}
}

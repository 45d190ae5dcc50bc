package udp

import (
	"fmt"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"time"
)

// lazily opens a socket of Listen that is polled until somebody asks it to tell of datagrams.
func lazily(t testing.TB, address string) *Conn {
	t.Helper()
	c := opened(t, Listen, address)
	if c.backlog == nil {
		t.Skip("a goroutine reads every socket of this system")
	}
	return c
}

// Rule: a socket of Listen has no goroutine until Notify is called. What it has read by then, and what waits in the system,
// is returned once and in order, with its sender and time; and then it tells of what arrives.
func TestASocketBeginsToTell(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(address, func(t *testing.T) {
			before := runtime.NumGoroutine()
			a, b := lazily(t, address), lazily(t, address)
			if n := runtime.NumGoroutine(); n > before {
				t.Errorf("two sockets have %d goroutines", n-before)
			}
			buf := make([]byte, MaxDatagram)
			const early = batchDatagrams + 20
			began := time.Now()
			for i := range early {
				send(t, b, a.LocalAddr(), fmt.Sprint("datagram ", i))
			}
			if n, _, _, ok := a.Receive(buf); !ok || string(buf[:n]) != "datagram 0" { // reads a batch
				t.Fatalf("%q came first", buf[:n])
			}
			bell := a.Notify()
			if bell == nil || a.Notify() != bell {
				t.Fatal("it has not one channel")
			}
			for i := 1; i < early; i++ {
				text, from, at := receive(t, a)
				if text != fmt.Sprint("datagram ", i) || from != b.LocalAddr() || at.Before(began.Add(-time.Second)) || at.After(time.Now()) {
					t.Fatalf("%q came from %v at %v, and not datagram %d", text, from, at, i)
				}
			}
			if n, _, _, ok := a.Receive(buf); ok {
				t.Fatalf("%q came twice", buf[:n])
			}
			send(t, b, a.LocalAddr(), "late")
			<-bell
			if text, _, _ := receive(t, a); text != "late" {
				t.Errorf("%q came", text)
			}
			send(t, a, b.LocalAddr(), "back")
			if text, from, _ := receive(t, b); text != "back" || from != a.LocalAddr() {
				t.Errorf("%q came from %v", text, from)
			}
			if s := a.Stats(); s.Received != early+1 || s.Overflowed != 0 || s.ReadErrors != 0 || s.TooLong != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Rule: a socket of ListenPolled never tells, and neither does one that was closed before it was asked to.
func TestWhoNeverTells(t *testing.T) {
	a, b := lazily(t, "127.0.0.1:0"), listenPolled(t, "127.0.0.1:0")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if a.Notify() != nil || b.Notify() != nil {
		t.Error("it tells")
	}
}

// Rule: many can ask at once, while others receive, send, wait and close: all get the same channel, no datagram comes twice,
// and Close leaves no goroutine.
func TestManyAskASocketToTell(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 20 {
		a, b := lazily(t, "127.0.0.1:0"), lazily(t, "127.0.0.1:0")
		for i := range 30 {
			send(t, b, a.LocalAddr(), fmt.Sprint(i))
		}
		var all sync.WaitGroup
		var mu sync.Mutex
		bells, came := map[<-chan struct{}]bool{}, map[string]int{}
		for range 4 {
			all.Go(func() {
				bell := a.Notify()
				mu.Lock()
				defer mu.Unlock()
				bells[bell] = true
			})
			all.Go(func() {
				buf := make([]byte, 10)
				for range 10 {
					if n, _, _, ok := a.Receive(buf); ok {
						mu.Lock()
						came[string(buf[:n])]++
						mu.Unlock()
					}
					_ = a.Send(b.LocalAddr(), buf[:1])
					a.Wait(time.Microsecond, true)
				}
			})
		}
		all.Wait()
		for text, times := range came {
			if times > 1 {
				t.Errorf("%q came %d times", text, times)
			}
		}
		if len(bells) != 1 || bells[nil] {
			t.Errorf("%d channels, or none", len(bells))
		}
		all.Go(func() { b.Notify() })
		all.Go(func() { b.Close() })
		a.Close()
		all.Wait()
	}
	await(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// Rule: those to whom a socket has sent before it began to tell are its correspondents in a flood.
func TestASocketKnowsItsCorrespondentsBeforeItTells(t *testing.T) {
	a, b := lazily(t, "127.0.0.1:0"), lazily(t, "127.0.0.1:0")
	send(t, a, b.LocalAddr(), "x")
	a.Notify()
	flood := netip.MustParseAddrPort("127.0.0.1:9")
	a.arrived([]byte("wanted"), b.LocalAddr(), time.Now())
	for range 2 * QueueDatagrams {
		a.arrived([]byte("flood"), flood, time.Now())
	}
	if text, _, _ := receive(t, a); text != "wanted" {
		t.Errorf("%q came first", text)
	}
}

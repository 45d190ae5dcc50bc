//go:build linux && (amd64 || arm64 || arm || riscv64 || loong64)

package udp

import (
	"bytes"
	"net/netip"
	"testing"
	"time"
)

func polled(t testing.TB, address string) *Conn {
	t.Helper()
	c := listenPolled(t, address)
	if c.backlog == nil {
		t.Skip("this system does not read many datagrams at once")
	}
	return c
}

// next polls until a datagram is there.
func next(t testing.TB, c *Conn, buf []byte) (n int, from netip.AddrPort, at time.Time) {
	t.Helper()
	await(t, "a datagram has come", func() (ok bool) {
		n, from, at, ok = c.Receive(buf)
		return ok
	})
	return n, from, at
}

// Rule: a polled socket returns the same datagrams and addresses as another one, in their order, even many more than it
// reads at once.
func TestAPolledSocketIsASocket(t *testing.T) {
	for _, c := range []struct{ polled, other, loopback string }{
		{"127.0.0.1:0", "127.0.0.1:0", "127.0.0.1"},
		{":0", "127.0.0.1:0", "127.0.0.1"},
		{"[::1]:0", "[::1]:0", "::1"},
		{":0", "[::1]:0", "::1"},
	} {
		t.Run(c.polled+" "+c.other, func(t *testing.T) {
			a, b := polled(t, c.polled), listen(t, c.other)
			buf := make([]byte, MaxDatagram)
			if _, _, _, ok := a.Receive(buf); ok {
				t.Fatal("something came before anything was sent")
			}
			const many = 3*batchDatagrams + 5
			for i := range many {
				if err := b.Send(on(c.loopback, a), bytes.Repeat([]byte{byte(i)}, 1+i*11)); err != nil {
					t.Fatal(err)
				}
			}
			for i := range many {
				n, from, _ := next(t, a, buf)
				if n != 1+i*11 || buf[0] != byte(i) || buf[n-1] != byte(i) || from != b.LocalAddr() {
					t.Fatalf("datagram %d has %d bytes %x..., from %v", i, n, buf[0], from)
				}
			}
			send(t, a, b.LocalAddr(), "back")
			if text, from, _ := receive(t, b); text != "back" || from != on(c.loopback, a) {
				t.Errorf("%q came from %v", text, from)
			}
			if s := a.Stats(); s.Received != many || s.Sent != 1 || s.ReadErrors != 0 || s.TooLong != 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Rule: the arrival time of a datagram is when the system received it, not when it is read. This holds from a moment
// after the socket was opened, since the system begins to record times in the background.
func TestAPolledDatagramHasTheTimeOfItsArrival(t *testing.T) {
	a, b := polled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	noted := func() (after time.Duration, ok bool) {
		before := time.Now()
		send(t, b, a.LocalAddr(), "x")
		sent := time.Now()
		time.Sleep(30 * time.Millisecond)
		_, _, at := next(t, a, make([]byte, 10))
		return at.Sub(sent), !at.Before(before.Add(-10*time.Millisecond)) && !at.After(sent.Add(10*time.Millisecond))
	}
	await(t, "the system notes when a datagram arrives", func() bool {
		_, ok := noted()
		return ok
	})
	for range 3 {
		if after, ok := noted(); !ok {
			t.Errorf("it has arrived %v after it was sent", after)
		}
	}
}

// Rule: a datagram that is too long, or does not fit, is dropped and counted, and the next one is returned.
func TestAPolledSocketDropsWhatIsTooLong(t *testing.T) {
	a, b := polled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	if _, err := b.reading.socket.WriteToUDPAddrPort(make([]byte, MaxDatagram+1), a.LocalAddr()); err != nil {
		t.Fatal(err)
	}
	send(t, b, a.LocalAddr(), "eleven bytes")
	send(t, b, a.LocalAddr(), "ten bytes!")
	if n, _, _ := next(t, a, make([]byte, 10)); n != 10 {
		t.Errorf("%d bytes", n)
	}
	if s := a.Stats(); s.TooLong != 2 {
		t.Errorf("%+v", s)
	}
}

// Rule: a polled socket that is closed returns nothing more, and its port is free.
func TestAPolledSocketCloses(t *testing.T) {
	a, b := polled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	send(t, b, a.LocalAddr(), "x")
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, _, ok := a.Receive(make([]byte, 10)); ok {
		t.Error("a datagram came after Close")
	}
	polled(t, a.LocalAddr().String())
}

// Rule: receiving from a polled socket allocates nothing.
func TestAPolledSocketAllocatesNothing(t *testing.T) {
	a, b := polled(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	buf := make([]byte, MaxDatagram)
	one := func() {
		send(t, b, a.LocalAddr(), "x")
		for {
			if _, _, _, ok := a.Receive(buf); ok {
				return
			}
		}
	}
	one()
	if n := testing.AllocsPerRun(100, one); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

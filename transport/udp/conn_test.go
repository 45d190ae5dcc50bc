package udp

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for something that should happen at once.
const patience = 10 * time.Second

// listen opens a socket that a goroutine reads, which is closed with the test. Without IPv6 on this machine, tests that need it are skipped.
func listen(t testing.TB, address string) *Conn {
	t.Helper()
	c := opened(t, Listen, address)
	c.Notify()
	return c
}

// opened opens a socket in one of the available ways.
func opened(t testing.TB, open func(string) (*Conn, error), address string) *Conn {
	t.Helper()
	c, err := open(address)
	if err != nil {
		if strings.HasPrefix(address, "[") {
			t.Skipf("no IPv6 on this machine: %v", err)
		}
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// receive waits for a datagram, blocked on Notify as a caller would be.
func receive(t testing.TB, c *Conn) (string, netip.AddrPort, time.Time) {
	t.Helper()
	buf := make([]byte, MaxDatagram)
	for deadline := time.After(patience); ; {
		if n, from, at, ok := c.Receive(buf); ok {
			return string(buf[:n]), from, at
		}
		select {
		case <-c.Notify():
		case <-deadline:
			t.Fatal("nothing has arrived")
		}
	}
}

// await waits until a condition holds.
func await(t testing.TB, what string, so func() bool) {
	t.Helper()
	for start := time.Now(); !so(); time.Sleep(time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatal("not so: ", what)
		}
	}
}

func send(t testing.TB, c *Conn, to netip.AddrPort, text string) {
	t.Helper()
	if err := c.Send(to, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

// on returns the address of a socket that may listen on every address, at a loopback address.
func on(loopback string, c *Conn) netip.AddrPort {
	return netip.AddrPortFrom(netip.MustParseAddr(loopback), c.LocalAddr().Port())
}

// Datagrams go both ways, in either family, and between sockets of one family and of both. Addresses are in their usual
// form, never mapped.
func TestDatagramsGoBothWays(t *testing.T) {
	for _, c := range []struct{ a, b, loopback string }{
		{"127.0.0.1:0", "127.0.0.1:0", "127.0.0.1"},
		{"localhost:0", "0.0.0.0:0", "127.0.0.1"},
		{":0", "127.0.0.1:0", "127.0.0.1"},
		{"[::1]:0", "[::1]:0", "::1"},
		{"[::]:0", "[::1]:0", "::1"},
		{"[::1]:0", ":0", "::1"},
	} {
		t.Run(c.a+" "+c.b, func(t *testing.T) {
			a, b := listen(t, c.a), listen(t, c.b)
			before := time.Now()
			send(t, a, on(c.loopback, b), "there")
			text, from, at := receive(t, b)
			if text != "there" || from != on(c.loopback, a) {
				t.Errorf("%q from %v, want %q from %v", text, from, "there", on(c.loopback, a))
			}
			if at.Before(before) || at.After(time.Now()) {
				t.Errorf("it arrived at %v, sent at %v", at, before)
			}
			send(t, b, from, "")
			if text, from, _ := receive(t, a); text != "" || from != on(c.loopback, b) {
				t.Errorf("%q from %v, want an empty datagram from %v", text, from, on(c.loopback, b))
			}
		})
	}
}

// A mapped address is the IPv4 address in it.
func TestMappedAddressesAreUnmapped(t *testing.T) {
	a, b := listen(t, ":0"), listen(t, "127.0.0.1:0")
	send(t, a, netip.MustParseAddrPort("[::ffff:127.0.0.1]:1"), "x")
	mapped := netip.AddrPortFrom(netip.MustParseAddr("::ffff:127.0.0.1"), a.LocalAddr().Port())
	send(t, b, mapped, "x")
	if _, from, _ := receive(t, a); from != b.LocalAddr() {
		t.Errorf("from %v, want %v", from, b.LocalAddr())
	}
}

// A datagram of 1500 bytes passes, and a longer one is neither sent nor received.
func TestLongDatagramsAreRefused(t *testing.T) {
	a, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	if err := a.Send(b.LocalAddr(), make([]byte, MaxDatagram+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("sending: %v", err)
	}
	long := bytes.Repeat([]byte{7}, 4000)
	stranger, err := net.Dial("udp", b.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	for _, n := range []int{MaxDatagram + 1, len(long), MaxDatagram} {
		if _, err := stranger.Write(long[:n]); err != nil {
			t.Fatal(err)
		}
	}
	if text, _, _ := receive(t, b); text != string(long[:MaxDatagram]) {
		t.Errorf("%d bytes came", len(text))
	}
	if s := b.Stats(); s.TooLong != 2 || s.Received != 1 || s.ReceivedBytes != MaxDatagram {
		t.Errorf("%+v", s)
	}
}

// Datagrams that nobody receives are dropped, oldest first, and counted.
func TestUnreceivedDatagramsAreCounted(t *testing.T) {
	const more = 50
	a, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	for i := range QueueDatagrams + more {
		send(t, a, b.LocalAddr(), string([]byte{byte(i >> 8), byte(i)}))
		await(t, "it has arrived", func() bool { return b.Stats().Received == uint64(i+1) })
	}
	if text, _, _ := receive(t, b); text != string([]byte{0, more}) {
		t.Errorf("the first is %q, want number %d", text, more)
	}
	if n := b.Stats().Overflowed; n != more {
		t.Errorf("%d dropped, want %d", n, more)
	}
}

// Errors can be distinguished, are one line, and name the address.
func TestErrorsNameTheReason(t *testing.T) {
	v4 := listen(t, "127.0.0.1:0")
	listening := func(address string) error {
		c, err := Listen(address)
		if err == nil {
			c.Close()
		}
		return err
	}
	for _, c := range []struct {
		err  error
		is   error
		text string
	}{
		{listening(v4.LocalAddr().String()), ErrInUse, "udp: listen on " + v4.LocalAddr().String() + ": the port is in use"},
		{listening("127.0.0.1"), ErrAddress, "udp: listen on \"127.0.0.1\": bad address: it has no port, as 127.0.0.1:7000 has"},
		{listening("host1"), ErrAddress, "as host1:7000 has"},
		{listening("[::1]"), ErrAddress, "as [::1]:7000 has"},
		{listening("127.0.0.1:http"), ErrAddress, "the port is no number"},
		{listening("127.0.0.1:65536"), ErrAddress, "the port is no number"},
		{listening("::1:7000"), ErrAddress, "too many colons"},
		{listening("no such name:0"), ErrResolve, "\"no such name\": the name does not resolve: "},
		{listening("192.0.2.77:0"), nil, "udp: listen on 192.0.2.77:0: "},
		{v4.Send(netip.MustParseAddrPort("[::1]:7000"), nil), ErrFamily, "udp: send to [::1]:7000: the socket cannot reach"},
		{v4.Send(netip.AddrPort{}, nil), ErrAddress, "bad address"},
		{v4.Send(netip.MustParseAddrPort("127.0.0.1:0"), nil), ErrAddress, "udp: send to 127.0.0.1:0: bad address"},
	} {
		switch {
		case c.err == nil:
			t.Errorf("no error, want %q", c.text)
		case c.is != nil && !errors.Is(c.err, c.is), !strings.Contains(c.err.Error(), c.text), strings.Contains(c.err.Error(), "\n"):
			t.Errorf("%q, want %q, which is %v", c.err, c.text, c.is)
		}
	}
	if s := v4.Stats(); s.SendErrors != 3 || s.Sent != 0 {
		t.Errorf("%+v", s)
	}
}

// After Close nothing can be sent or received; closing again has no effect.
func TestClosedSocket(t *testing.T) {
	a, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	send(t, a, b.LocalAddr(), "x")
	await(t, "it has arrived", func() bool { return b.Stats().Received == 1 })
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := b.Send(a.LocalAddr(), nil); !errors.Is(err, ErrClosed) || !errors.Is(err, net.ErrClosed) {
		t.Errorf("sending: %v", err)
	}
	if _, _, _, ok := b.Receive(make([]byte, MaxDatagram)); ok {
		t.Error("something was received")
	}
	again, err := Listen(b.LocalAddr().String())
	if err != nil {
		t.Errorf("the port is not free: %v", err)
	} else {
		again.Close()
	}
}

// Closing while others send, receive and close.
func TestCloseWhileInUse(t *testing.T) {
	a, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for a.Send(b.LocalAddr(), []byte("x")) == nil {
			}
		})
		all.Go(func() {
			buf := make([]byte, MaxDatagram)
			for a.Stats().SendErrors == 0 {
				b.Receive(buf)
			}
		})
	}
	await(t, "much has arrived", func() bool { return b.Stats().Received > 100 })
	for range 2 {
		all.Go(func() { b.Close() })
	}
	await(t, "the port is free", func() bool { return errors.Is(b.Send(a.LocalAddr(), nil), ErrClosed) })
	a.Close()
	all.Wait()
}

// Sockets leave nothing behind.
func TestCloseLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	var open []*Conn
	for range 50 {
		c, err := Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
	}
	if n := runtime.NumGoroutine(); open[0].backlog != nil && n > before+25 {
		t.Errorf("%d goroutines, though nobody has asked 50 sockets to tell of datagrams", n-before)
	}
	for _, c := range open {
		c.Notify()
	}
	// Goroutines of an earlier test may end meanwhile.
	if n := runtime.NumGoroutine(); n < before+25 {
		t.Errorf("%d goroutines, want one for each of 50 sockets", n-before)
	}
	for _, c := range open {
		c.Close()
	}
	await(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// Sending and receiving allocate nothing, and neither does the goroutine that reads.
func TestTrafficAllocatesNothing(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(address, func(t *testing.T) {
			a, b := listen(t, address), listen(t, address)
			buf, datagram := make([]byte, MaxDatagram), make([]byte, 1200)
			if n := testing.AllocsPerRun(200, func() {
				if err := a.Send(b.LocalAddr(), datagram); err != nil {
					t.Fatal(err)
				}
				for {
					if _, _, _, ok := b.Receive(buf); ok {
						return
					}
					<-b.Notify()
				}
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// Rule: a socket knows what it can never reach: the other family, and the network if it is bound to this machine.
func TestWhatASocketCanNeverReach(t *testing.T) {
	for _, c := range []struct {
		listen, to string
		want       error
	}{
		{"127.0.0.1:0", "127.0.0.1:7", nil},
		{"127.0.0.1:0", "127.9.9.9:7", nil},
		{"127.0.0.1:0", "[::ffff:127.0.0.1]:7", nil},
		{"127.0.0.1:0", "192.0.2.1:7", ErrLoopback},
		{"127.0.0.1:0", "[::1]:7", ErrFamily},
		{"127.0.0.1:0", "[2001:db8::1]:7", ErrFamily},
		{"127.0.0.1:0", "127.0.0.1:0", ErrAddress},
		{"127.0.0.1:0", "0.0.0.0:7", ErrAddress},
		{"127.0.0.1:0", "224.0.0.1:7", ErrAddress},
		{"0.0.0.0:0", "192.0.2.1:7", nil},
		{"0.0.0.0:0", "127.0.0.1:7", nil},
		{"0.0.0.0:0", "[2001:db8::1]:7", ErrFamily},
		{"[::1]:0", "[::1]:7", nil},
		{"[::1]:0", "[2001:db8::1]:7", ErrLoopback},
		{"[::1]:0", "127.0.0.1:7", ErrFamily},
		{"[::]:0", "192.0.2.1:7", ErrFamily},
		{"[::]:0", "[2001:db8::1]:7", nil},
		{":0", "192.0.2.1:7", nil},
	} {
		conn, err := Listen(c.listen)
		if err != nil && c.listen[0] == '[' {
			continue // a machine without IPv6
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Reaches(netip.MustParseAddrPort(c.to)); !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("from %s to %s: %v, want %v", c.listen, c.to, err, c.want)
		}
		conn.Close()
	}
}

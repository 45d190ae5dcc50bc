package memory_test

import (
	"bytes"
	"errors"
	"net"
	"net/netip"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/memory"
)

var _ tickback.Transport = (*memory.Conn)(nil)

// Datagrams arrive in order, from the sender's address.
func TestDatagramsArrive(t *testing.T) {
	n := memory.New()
	a, b := n.Open(), n.Open()
	if a.LocalAddr() == b.LocalAddr() || !memory.Owns(a.LocalAddr()) || memory.Owns(netip.MustParseAddrPort("127.0.0.1:1")) {
		t.Fatal(a.LocalAddr(), b.LocalAddr())
	}
	buf := make([]byte, 2048)
	if _, _, _, ok := b.Receive(buf); ok {
		t.Error("something has come before it was sent")
	}
	for round := range 3 {
		for i := range memory.Queue {
			if err := a.Send(b.LocalAddr(), []byte{byte(round), byte(i)}); err != nil {
				t.Fatal(err)
			}
		}
		<-b.Notify()
		for i := range memory.Queue {
			size, from, at, ok := b.Receive(buf)
			if !ok || from != a.LocalAddr() || at.IsZero() || !bytes.Equal(buf[:size], []byte{byte(round), byte(i)}) {
				t.Fatalf("round %d, %d: %v from %v, %v", round, i, buf[:size], from, ok)
			}
		}
		if _, _, _, ok := b.Receive(buf); ok {
			t.Error("more has come than was sent")
		}
	}
}

// A datagram for which there is no room, or no receiver, gives an error that says so.
func TestWhatCannotArrive(t *testing.T) {
	n := memory.New()
	a, b := n.Open(), n.Open()
	for range memory.Queue {
		if err := a.Send(b.LocalAddr(), make([]byte, memory.MaxDatagram)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Send(b.LocalAddr(), nil); !errors.Is(err, memory.ErrFull) {
		t.Error(err)
	}
	if err := a.Send(b.LocalAddr(), make([]byte, memory.MaxDatagram+1)); !errors.Is(err, memory.ErrTooLong) {
		t.Error(err)
	}
	if _, _, _, ok := b.Receive(make([]byte, 10)); ok {
		t.Error("a long datagram fits into a short buffer")
	}
	b.Close()
	if err := a.Send(b.LocalAddr(), nil); !errors.Is(err, memory.ErrNobody) {
		t.Error(err)
	}
	a.Close()
	a.Close()
	if err := a.Send(b.LocalAddr(), nil); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// Once the queues have grown nothing is allocated.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	n := memory.New()
	a, b := n.Open(), n.Open()
	datagram, buf := make([]byte, 100), make([]byte, 200)
	turn := func() {
		for range 5 {
			_ = a.Send(b.LocalAddr(), datagram)
		}
		for _, _, _, ok := b.Receive(buf); ok; _, _, _, ok = b.Receive(buf) {
		}
	}
	turn()
	turn()
	if n := testing.AllocsPerRun(100, turn); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

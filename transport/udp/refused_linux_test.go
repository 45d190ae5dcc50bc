package udp

import (
	"syscall"
	"testing"
)

// If nobody listens at the destination of a datagram, that is counted, and has no other effect: the next datagrams are
// sent and received. Linux reports it only to sockets that ask.
func TestRefusalIsNoFailure(t *testing.T) {
	a, gone, b := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	raw, err := a.reading.socket.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_IP, syscall.IP_RECVERR, 1)
	}); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	const times = 20
	for range times {
		send(t, a, gone.LocalAddr(), "anybody there?")
	}
	await(t, "it was refused", func() bool { return a.Stats().Refused > 0 })
	send(t, a, b.LocalAddr(), "x")
	_, from, _ := receive(t, b)
	send(t, b, from, "y")
	if text, _, _ := receive(t, a); text != "y" {
		t.Errorf("%q came", text)
	}
	if s := a.Stats(); s.SendErrors != 0 || s.ReadErrors != 0 {
		t.Errorf("%+v", s)
	}
}

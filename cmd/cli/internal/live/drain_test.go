package live

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/transport/udp"
)

// Datagrams that were sent before the end arrive, however slow the network is.
func TestGoodbyesAreSent(t *testing.T) {
	var ends [2]*udp.Conn
	for i := range ends {
		var err error
		if ends[i], err = udp.Listen("127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		defer ends[i].Close()
	}
	impaired, err := realtime.Wrap(ends[0], netem.Link{Delay: 50 * time.Millisecond}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := impaired.Send(ends[1].LocalAddr(), []byte("bye")); err != nil {
		t.Fatal(err)
	}
	if err := (Drained{impaired}).Close(); err != nil {
		t.Error(err)
	}
	var b [16]byte
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if n, from, _, ok := ends[1].Receive(b[:]); ok {
			if string(b[:n]) != "bye" || from == (netip.AddrPort{}) {
				t.Errorf("%q from %v", b[:n], from)
			}
			return
		}
	}
	t.Error("nothing came")
}

package room

import (
	"net/netip"

	"github.com/tickback/tickback/netem"
	"github.com/tickback/tickback/netem/realtime"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/peers"
	"github.com/tickback/tickback/online/webrtc"
)

// impaired is a transport of a room, of which what is sent goes through a bad network.
type impaired struct {
	online.Transport
	network *realtime.Impaired
}

func (t *impaired) Send(to netip.AddrPort, datagram []byte) error {
	return t.network.Send(to, datagram)
}
func (t *impaired) Close() error { return t.network.Close() }

// through returns what makes such transports.
func through(link netem.Link) func(self uint32, signal peers.Signaler) (online.Transport, error) {
	return func(self uint32, signal peers.Signaler) (online.Transport, error) {
		t, err := webrtc.New(webrtc.Config{Self: self, Signaler: signal})
		if err != nil {
			return nil, err
		}
		network, err := realtime.Wrap(t, link, uint64(self))
		if err != nil {
			t.Close()
			return nil, err
		}
		return &impaired{Transport: t, network: network}, nil
	}
}

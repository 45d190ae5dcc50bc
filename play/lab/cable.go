package lab

import (
	"net"
	"net/netip"
	"time"

	"github.com/tickback/tickback/netem"
)

// cable is the virtual network between two peers.
type cable struct {
	net   *netem.Datagrams
	epoch time.Time
	now   func() time.Time
	ends  [2]end
}

func newCable(seed uint64, now func() time.Time) (*cable, error) {
	network, err := netem.NewDatagrams(2, seed, 0)
	if err != nil {
		return nil, err
	}
	c := &cable{net: network, epoch: now(), now: now}
	for i := range c.ends {
		c.ends[i] = end{cable: c, node: i, notify: make(chan struct{})}
	}
	return c, nil
}

func address(node int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(node + 1)}), 1)
}

// mail is a datagram that has arrived.
type mail struct {
	at   time.Time
	data []byte
}

// deliver moves datagrams that have arrived into the inboxes.
func (c *cable) deliver() {
	now := c.now().Sub(c.epoch)
	for {
		d, ok := c.net.Receive(now)
		if !ok {
			return
		}
		e := &c.ends[d.To]
		e.inbox = append(e.inbox, mail{c.epoch.Add(d.At), append(e.spare(), d.Payload...)})
	}
}

// end is one peer's transport.
type end struct {
	cable  *cable
	node   int
	inbox  []mail
	free   [][]byte
	notify chan struct{}
	closed bool
}

func (e *end) spare() []byte {
	if n := len(e.free); n > 0 {
		b := e.free[n-1]
		e.free = e.free[:n-1]
		return b[:0]
	}
	return nil
}

// Send puts a datagram for the other peer on the virtual network, which may lose it; one for another address is
// dropped. After Close it returns [net.ErrClosed].
func (e *end) Send(to netip.AddrPort, datagram []byte) error {
	if e.closed {
		return net.ErrClosed
	}
	if to == address(1-e.node) {
		e.cable.net.Send(e.cable.now().Sub(e.cable.epoch), e.node, 1-e.node, datagram)
	}
	return nil
}

// Receive returns the next datagram that is due by the clock of the lab, with the time at which the network
// delivered it.
func (e *end) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	e.cable.deliver()
	if len(e.inbox) == 0 {
		return 0, from, at, false
	}
	m := e.inbox[0]
	e.inbox = e.inbox[:copy(e.inbox, e.inbox[1:])]
	n = copy(buf, m.data)
	e.free = append(e.free, m.data)
	return n, address(1 - e.node), m.at, true
}

// Notify returns a channel that never gets a value, because nothing waits in the time of the lab.
func (e *end) Notify() <-chan struct{} { return e.notify }

// Close makes later calls of Send fail. The error is always nil.
func (e *end) Close() error {
	e.closed = true
	return nil
}

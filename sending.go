package tickback

import (
	"errors"
	"net"
	"net/netip"
)

// sending sends the datagrams of a machine, all of them at once if the transport can do that.
type sending struct {
	transport Transport
	batch     BatchSender // the transport, or nil
	take      func(netip.AddrPort, []byte) bool
	to        []netip.AddrPort
	datagrams [][]byte // the machine's, until it makes the next one
	failed    error    // the transport is closed
}

// over sets the transport over which everything is sent.
func (s *sending) over(t Transport) {
	s.transport, s.take = t, s.one
	if s.batch, _ = t.(BatchSender); s.batch != nil {
		s.take = s.collect
	}
}

// one sends a datagram. It returns true, so that the iteration goes on.
func (s *sending) one(to netip.AddrPort, datagram []byte) bool {
	s.note(s.transport.Send(to, datagram))
	return true
}

func (s *sending) collect(to netip.AddrPort, datagram []byte) bool {
	s.to, s.datagrams = append(s.to, to), append(s.datagrams, datagram)
	return true
}

// flush sends what was collected.
func (s *sending) flush() {
	if len(s.to) == 0 {
		return
	}
	s.note(s.batch.SendBatch(s.to, s.datagrams))
	clear(s.datagrams)
	s.to, s.datagrams = s.to[:0], s.datagrams[:0]
}

// note keeps an error if it is final. After any other error the datagram just counts as lost.
func (s *sending) note(err error) {
	if errors.Is(err, net.ErrClosed) {
		s.failed = err
	}
}

package tickback

import (
	"errors"
	"net"
	"net/netip"
)

// sending sends the datagrams of a machine: all at once, if the transport supports that.
type sending struct {
	transport Transport
	batch     BatchSender // the transport if it can send batches, or nil
	take      func(netip.AddrPort, []byte) bool
	to        []netip.AddrPort
	datagrams [][]byte // collected datagrams; they belong to the machine until it makes the next one
	failed    error    // the error that says that the transport is closed
}

// over sets the transport for all sending.
func (s *sending) over(t Transport) {
	s.transport, s.take = t, s.one
	if s.batch, _ = t.(BatchSender); s.batch != nil {
		s.take = s.collect
	}
}

// one sends a datagram. It returns true, so that the iteration continues.
func (s *sending) one(to netip.AddrPort, datagram []byte) bool {
	s.note(s.transport.Send(to, datagram))
	return true
}

func (s *sending) collect(to netip.AddrPort, datagram []byte) bool {
	s.to, s.datagrams = append(s.to, to), append(s.datagrams, datagram)
	return true
}

// flush sends the collected datagrams.
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

//go:build !js

package webrtc

// Framed returns how many bytes of UDP payload were sent and received for the peers that are connected at the moment:
// datagrams with the framing of SCTP and DTLS, their acknowledgements, and keep-alives. It is only available natively.
func (t *Transport) Framed() (sent, received uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, l := range t.links {
		c := l.ready.Load()
		if c == nil {
			continue
		}
		n, ok := (*c).(*nativeConnection)
		if !ok {
			continue
		}
		if s, ok := n.peer.SCTP().Transport().ICETransport().GetSelectedCandidatePairStats(); ok {
			sent, received = sent+s.BytesSent, received+s.BytesReceived
		}
	}
	return sent, received
}

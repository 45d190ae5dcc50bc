package session

import (
	"testing"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/datagram"
)

// The inputs of several players come in one datagram, each block but the last with its
// length. The datagram is invalid if any block before the last one is cut, at any length.
func TestInputsOfSeveralPlayersAreWhole(t *testing.T) {
	for n := 0; ; n++ {
		m := newMesh(t, 0, 0, func(_ int, c *Config) { c.Match.Frames = 0 })
		m.add(addrOf(0), 0, Config{Players: 4, Peers: []Peer{{0b1110, addrOf(1)}}})
		m.add(addrOf(1), 1, Config{Players: 4, Peers: []Peer{{rollback.SetOf(0), addrOf(0)}}})
		m.playing()
		m.run(100 * time.Millisecond)
		here, l := m.nodes[0], m.nodes[1].links[0]
		m.nodes[1].sendTo(l)
		var body []byte
		for _, b := range m.nodes[1].Outgoing() {
			body, _ = l.Out.Open(b, l.Next()-1)
		}
		var h datagram.Header
		rest, err := h.Consume(body, l.Peer.Send, uint32(m.nodes[1].inputs.Next(1)))
		if err != nil || h.HasControl || !h.HasPlay || h.Play.Counts[0] < 2 || h.Play.Counts[2] < 2 {
			t.Fatalf("%+v: %v", h, err)
		}
		last := rest
		for range 2 {
			last = last[2+le.Uint16(last):]
		}
		switch {
		case n > len(rest):
			return
		case n == 1:
			n = len(last) + 1
		}
		before := here.Stats(nil)
		here.Receive(m.now, addrOf(1), l.Out.Seal(body[:len(body)-n], 0, l.Next()-1))
		if s := here.Stats(nil); (s.Rejected != before.Rejected) != (n > 0) || s.Links[0].Received != before.Links[0].Received+1 {
			t.Errorf("without %d bytes of %d: %d are rejected", n, len(rest), s.Rejected-before.Rejected)
		}
	}
}

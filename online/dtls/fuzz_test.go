package dtls

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/transport/udp"
)

// sink is a transport that receives nothing, and counts the bytes that are sent.
type sink struct {
	out    map[netip.AddrPort]int
	notify chan struct{}
}

func (s *sink) Send(to netip.AddrPort, b []byte) error { s.out[to] += len(b); return nil }
func (s *sink) Receive([]byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	return 0, from, at, false
}
func (s *sink) Notify() <-chan struct{} { return s.notify }
func (s *sink) Close() error            { return nil }

// FuzzArrived gives a transport bytes as they come from the network, as they are and sealed
// like those of a machine that has the token: nothing is remembered, nothing begins, and no
// answer is longer than what was sent.
func FuzzArrived(f *testing.F) {
	token, err := tickback.ParseToken(frozenToken)
	if err != nil {
		f.Fatal(err)
	}
	_, pair := fromToken(token)
	h := hello{header{flags: flagAsk | flagWant, from: instance{1}}, cookie{2}}
	f.Add(h.append(nil, pair), false)
	e := envelope{header{flags: flagClient, from: instance{1}}, 1, []byte{22, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1}}
	f.Add(e.append(nil, pair), false)
	f.Add(e.append(nil, pair)[:envelopeOverhead-macSize+2], true)
	f.Add([]byte{recordCID, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 0, 1, 9}, false)
	f.Add(append([]byte{recordCID, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4, 0, 1, 9}, plainAlert...), false)
	f.Add([]byte("\x01TKB"), false)
	f.Add([]byte{}, false)
	s := &sink{out: map[netip.AddrPort]int{}, notify: make(chan struct{})}
	t0, err := New(s, Config{Token: token})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { t0.Close() })
	place := netip.MustParseAddrPort(mallory)
	f.Fuzz(func(t *testing.T, b []byte, seal bool) {
		if seal {
			b = pair.seal(append([]byte(nil), b...), 0)
		}
		if len(b) > udp.MaxDatagram {
			return
		}
		clear(s.out)
		t0.arrived(b, place, time.Now())
		if s.out[place] > len(b) || len(s.out) > 1 {
			t.Errorf("%d bytes for %d", s.out[place], len(b))
		}
		if n := len(t0.Peers()); n != 0 || t0.Stats().Handshakes != 0 {
			t.Errorf("%d peers, %+v", n, t0.Stats())
		}
		Recognize(b)
	})
}

package realtime

import (
	"encoding/binary"
	"net/netip"
	"testing"

	"github.com/tickback/tickback/netem"
)

// address is one of 2^32.
func address(n uint32) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, n))), 1)
}

// However many destinations there have been, only the latest MaxDestinations are known. The sums cover all of them.
func TestTheOldestDestinationIsForgotten(t *testing.T) {
	ds := newDestinations(netem.Link{}, 1)
	const n = 3*MaxDestinations + 7
	for k := range uint32(n) {
		d := ds.find(address(k))
		d.path.Send(0, 10)
		if ds.find(address(k)) != d {
			t.Fatalf("destination %d is found twice", k)
		}
		if len(ds.known) > MaxDestinations || len(ds.order) > MaxDestinations {
			t.Fatalf("%d are known, %d in order", len(ds.known), len(ds.order))
		}
	}
	for k := range uint32(MaxDestinations) {
		if _, ok := ds.known[address(n-1-k)]; !ok {
			t.Errorf("destination %d is forgotten", n-1-k)
		}
	}
	if s := ds.stats(); s.Sent != n || s.SentBytes != 10*n {
		t.Errorf("the statistics are %+v", s)
	}
}

// The same traffic to two destinations has different random words.
func TestDestinationsHaveDifferentStreams(t *testing.T) {
	ds := newDestinations(netem.Link{Loss: 50 * netem.Percent}, 1)
	a, b, same := ds.find(address(1)).path, ds.find(address(2)).path, 0
	for range 1000 {
		if a.Send(0, 1).Copies == b.Send(0, 1).Copies {
			same++
		}
	}
	if same < 400 || same > 600 {
		t.Errorf("of 1000 pairs, %d had the same luck", same)
	}
}

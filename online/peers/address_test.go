package peers

import (
	"net/netip"
	"testing"
)

// An address belongs to one peer only.
func TestAddresses(t *testing.T) {
	for _, id := range []uint32{1, 2, 255, 1 << 31, 1<<32 - 1} {
		if got, ok := IDOf(AddrOf(id)); got != id || !ok || !AddrOf(id).Addr().IsPrivate() {
			t.Errorf("%d becomes %d, %v", id, got, ok)
		}
	}
	if a := AddrOf(1); a == AddrOf(2) {
		t.Error(a)
	}
	other := AddrOf(1)
	if _, ok := IDOf(netipPort(other, 2)); ok {
		t.Error("another port is the same peer")
	}
}

func netipPort(a netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr(), port)
}

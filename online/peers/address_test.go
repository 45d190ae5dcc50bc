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

// The addresses are frozen: they are in the signals and the records of matches, and machines with other versions of this
// package have to make the same ones.
func TestFrozenAddresses(t *testing.T) {
	for id, want := range map[uint32]string{1: "[fd8e:711c:ba2c:5254::1]:1", 0xA1B2C3D4: "[fd8e:711c:ba2c:5254::a1b2:c3d4]:1"} {
		if got := AddrOf(id).String(); got != want {
			t.Errorf("%d is at %s, want %s", id, got, want)
		}
	}
}

// Each state and each reason has a text of its own for people; other values have their number.
func TestTheTextsOfStatesAndReasons(t *testing.T) {
	for got, want := range map[string]string{
		Connecting.String():  "connecting",
		Connected.String():   "connected",
		Interrupted.String(): "interrupted",
		Failed.String():      "failed",
		State(4).String():    "State(4)",
		NoReason.String():    "",
		NoAnswer.String():    "the peer does not answer",
		Blocked.String():     "the network lets no connection through: a TURN server is needed",
		Gone.String():        "the connection was lost",
		Unsupported.String(): "WebRTC does not work here",
		Firewalled.String():  "it can be reached at none of its addresses: a firewall may stand between",
		Reason(6).String():   "Reason(6)",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func netipPort(a netip.AddrPort, port uint16) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr(), port)
}

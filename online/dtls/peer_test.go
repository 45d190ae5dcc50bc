package dtls

import (
	"fmt"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// Whoever takes all places from one network gives way to others, and never takes the place
// of a peer that the owner sends something to, even before it is connected. Strangers from
// networks of their own are all alike, and keep theirs.
func TestPlacesAreSharedByNetworks(t *testing.T) {
	for _, c := range []struct {
		what    string
		flooder func(i int) string
		room    bool
	}{
		{"of one network", func(i int) string { return fmt.Sprintf("198.51.100.%d:%d", i+1, 1000+i) }, true},
		{"of many", func(i int) string { return fmt.Sprintf("10.1.%d.1:%d", i, 1000+i) }, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			n, token := newNetwork(time.Millisecond), tickback.NewToken()
			a := n.open(t, alice, Config{Token: token})
			friend := netip.MustParseAddrPort("203.0.113.7:7000") // it is not there at the moment
			for i := range MaxPeers - 1 {
				_ = a.Send(friend, []byte("are you there?"))
				n.open(t, c.flooder(i), Config{Token: token}).say(t, a, "let me in")
				time.Sleep(100 * time.Millisecond)
			}
			_ = a.Send(friend, []byte("are you there?"))
			if k := len(a.Peers()); k != MaxPeers {
				t.Fatalf("%s: %d peers", c.what, k)
			}
			b := n.open(t, bob, Config{Token: token})
			_ = b.Send(a.port.where(), []byte("a newcomer"))
			time.Sleep(time.Second)
			a.mu.Lock()
			defer a.mu.Unlock()
			if _, in := a.at[b.port.where()]; in != c.room || len(a.peers) != MaxPeers {
				t.Errorf("%s: let in %v, with %d peers", c.what, in, len(a.peers))
			}
			if a.at[friend] == nil {
				t.Errorf("%s: the friend has lost its place", c.what)
			}
		})
	}
}

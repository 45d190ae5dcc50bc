package dtls

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tickback/tickback"
)

// Datagrams sent by one end arrive at the other, encrypted, with their address and a time,
// in both directions; the longest one too.
func TestDatagrams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, token := newNetwork(10*time.Millisecond), tickback.NewToken()
		a, b := n.open(t, alice, Config{Token: token}), n.open(t, carol, Config{Token: token})
		var seen [][]byte
		n.onWay(func(d passing) []passing {
			seen = append(seen, d.bytes)
			return []passing{d}
		})
		long := string(bytes.Repeat([]byte("attack at dawn "), MaxDatagram/15))
		for _, c := range []struct{ from, to *end }{{a, b}, {b, a}} {
			if from := c.from.say(t, c.to, long); from != c.from.port.addr {
				t.Errorf("from %v", from)
			}
		}
		for _, b := range seen {
			if bytes.Contains(b, []byte("attack")) {
				t.Error("somebody on the way can read it")
			}
			if len(b) > MaxDatagram+Overhead {
				t.Errorf("%d bytes on the wire", len(b))
			}
		}
		t.Logf("%+v", a.Stats())
		a.Close()
		b.Close()
	})
}

package peer

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a datagram whose time of sending was forgotten before there was room for more gives no round trip.
func TestAForgottenTimeGivesNoRoundTrip(t *testing.T) {
	var c Conn
	send := func(n int, now time.Duration) {
		for range n {
			c.Seal(nil, 0, now)
		}
	}
	send(sentFirst, 0)
	send(sentFirst, 3*time.Second) // in the places of the first, which are too old to be kept
	send(1, 3*time.Second)
	if len(c.sentAt) != 2*sentFirst {
		t.Fatalf("there is room for %d", len(c.sentAt))
	}
	at := 3100 * time.Millisecond
	if n, ok := c.Measure(at, &datagram.Sample{Echo: sentFirst - 1}); ok {
		t.Errorf("datagram %d took %v", n, c.RoundTrip)
	}
	if n, ok := c.Measure(at, &datagram.Sample{Echo: sentFirst}); !ok || n != sentFirst {
		t.Errorf("datagram %d, %v", n, ok)
	}
}

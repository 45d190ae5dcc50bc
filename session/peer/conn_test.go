package peer

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Rule: a datagram whose time of sending was forgotten, before there was room for more, gives no round
// trip.
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

// Rule (docs/reference/wire.md): whatever was sent in two minutes of silence, the number of the next
// datagram is found by its tag; a datagram with a wrong tag has no number.
func TestNumbersAreFoundAfterASilence(t *testing.T) {
	for _, rate := range []int{1, 60, 250, 1000} {
		period := time.Second / time.Duration(rate)
		from, to := Conn{Period: period}, Conn{Period: period}
		from.Key(1, 2)
		to.Key(2, 1)
		most := uint64(mostPerPeriod * MaxSilence / period)
		for _, lost := range []uint64{0, 1, most / 3, most / 2, most} {
			from.next += lost
			sent := from.next
			b := from.Seal([]byte{0x80, byte(sent), byte(sent >> 8), 'x'}, 0, 0)
			if _, n, ok := to.Open(b); !ok || n != sent || !to.Take(n) {
				t.Errorf("at %d Hz, after %d lost ones: number %d, %v, not %d", rate, lost, n, ok, sent)
			}
			b[3]++
			if _, n, ok := to.Open(b); ok {
				t.Errorf("at %d Hz, a forged datagram has number %d", rate, n)
			}
		}
	}
}

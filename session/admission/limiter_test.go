package admission

import (
	"net/netip"
	"testing"
	"time"
)

// A source is answered every 40 ms, however many others there are; all sources together
// every 4 ms; and a source cannot share another's place without knowing the key.
func TestAnswersAreBounded(t *testing.T) {
	var l limiter
	var c cookies
	c.init(counting(5))
	victim := netip.AddrFrom4([4]byte{192, 0, 2, 1})
	answered, all := 0, 0
	for now := time.Minute; now < time.Minute+time.Second; now += 100 * time.Microsecond {
		if l.allow(c.place(victim), now) {
			answered++
			all++
		}
		if l.allow(c.place(netip.AddrFrom4([4]byte{10, 0, 0, byte(now / 1000)})), now) {
			all++
		}
	}
	if answered > 25 || answered < 15 || all > 251 {
		t.Errorf("%d answers, and %d in all", answered, all)
	}
	shared := 0
	for key := range uint64(1000) {
		c.init(counting(key))
		if c.place(victim)%1024 == c.place(netip.AddrFrom4([4]byte{10, 0, 0, 1}))%1024 {
			shared++
		}
	}
	if shared > 10 {
		t.Errorf("two addresses share their place with %d of 1000 keys", shared)
	}
}

// Rule: any machine may be answered every 4 ms, and each source every 40 ms, to the
// nanosecond.
func TestWhenStrangersAreAnswered(t *testing.T) {
	const ms = time.Millisecond
	var l limiter
	for i, c := range []struct {
		place uint64
		now   time.Duration
		open  bool
		want  bool
	}{
		{1, 100 * ms, true, true},
		{2, 104*ms - 1, false, false},
		{2, 104 * ms, true, true},
		{1, 140*ms - 1, true, false},
		{1, 140 * ms, true, true},
		{2, 144*ms - 1, false, false},
		{2 + 1024, 144 * ms, true, true}, // they share a place
		{2, 184*ms - 1, true, false},
		{1023, 184*ms - 1, true, true},
		{1023 + 1024, 190 * ms, true, false},
	} {
		if l.open(c.now) != c.open || l.allow(c.place, c.now) != c.want {
			t.Errorf("%d: %+v", i, c)
		}
	}
}

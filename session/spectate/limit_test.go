package spectate

import (
	"net/netip"
	"testing"
	"time"
)

// The rate is what it is, however often it is looked at, and unused bytes are not kept.
func TestTokensKeepTheRate(t *testing.T) {
	for _, rate := range []int64{minRate, DefaultRate, 1 << 30} {
		for _, step := range []time.Duration{time.Microsecond, 83 * time.Microsecond, 7 * time.Millisecond, time.Second / 60} {
			tk, sent := tokens{rate: rate, last: time.Minute}, int64(0)
			for now := time.Minute; now < time.Minute+2*time.Second; now += step {
				for tk.fill(now); tk.any(); {
					n := min(tk.have/1_000_000+1, 1200)
					tk.take(int(n))
					sent += n
				}
			}
			if sent < 2*rate*97/100 || sent > 2*rate*101/100 {
				t.Errorf("rate %d, looked at every %v: %d bytes in 2 s", rate, step, sent)
			}
			if tk.fill(time.Hour); tk.have > rate*1_000_000/20 {
				t.Errorf("rate %d: %d bytes after an hour", rate, tk.have)
			}
		}
	}
}

// A source is answered every 40 ms, however many others there are; all together every
// 4 ms; and who wants to share the place of another one has to know the key.
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

// The newest comparisons are held, however many there were.
func TestMarksAreTheNewest(t *testing.T) {
	var m marks
	for f := range uint32(1000) {
		m.add(60*f, uint64(f))
	}
	if _, ok := m.at(60 * 743); ok {
		t.Error("an old one is held")
	}
	if chain, ok := m.at(60 * 744); !ok || chain != 744 {
		t.Errorf("%d, %v", chain, ok)
	}
}

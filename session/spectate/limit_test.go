package spectate

import (
	"testing"
	"time"
)

// The rate does not depend on how often it is queried, and unused bytes are not kept.
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

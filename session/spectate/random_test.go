package spectate

import (
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"
)

// Rule: whatever is lost, whichever machine is cut off for a while, and whenever a
// spectator comes, it gets the match as it was played, without a gap, soon after it was
// played, and its end.
func TestAnyWayToWatch(t *testing.T) {
	seeds := uint64(60)
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 11))
		c := Config{Max: 8, Delay: []int{0, 0, 100}[r.IntN(3)], Rate: []int{100_000, DefaultRate}[r.IntN(2)]}
		h := newHall(t, c, hallToken)
		h.state = []int{0, 100, 50_000}[r.IntN(3)]
		for range r.IntN(3) {
			h.open(c)
		}
		loss := r.IntN(20)
		h.tap = func(netip.AddrPort, netip.AddrPort, []byte) bool { return r.IntN(100) >= loss }
		h.run(time.Duration(r.IntN(8000)) * time.Millisecond)
		for n := range byte(3) {
			h.wander(n, func(c *FollowerConfig) {
				if c.Timeout = time.Minute; n == 2 {
					c.Join = seat(1, 7)
				}
			})
			h.run(time.Duration(r.IntN(1000)) * time.Millisecond)
		}
		for range 6 {
			for _, o := range h.hosts() {
				o.down = r.IntN(4) == 0
			}
			h.visitors[r.IntN(3)].away = r.IntN(3) == 0
			h.run(time.Duration(r.IntN(4000)) * time.Millisecond)
			for _, v := range h.visitors {
				v.away = false
			}
		}
		for _, o := range h.hosts() {
			o.down = false
		}
		h.run(12 * time.Second)
		for n, v := range h.visitors {
			late := uint32(c.Delay)
			if n == 2 {
				late = 0
			}
			if behind := h.frame - v.at; v.Err() != nil || behind > late+30 || behind < late {
				t.Errorf("seed %d: visitor %d is %d frames behind: %v", seed, n, behind, v.Err())
			}
		}
		for _, o := range h.hosts() {
			o.playing = false
			o.audience.Finish(End{Frames: h.frame, Hash: seed})
		}
		h.run(3 * time.Second)
		for n, v := range h.visitors {
			if v.end == nil || v.at != h.frame || v.end.Hash != seed {
				t.Errorf("seed %d: visitor %d has %d of %d frames, and the end %v", seed, n, v.at, h.frame, v.end)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %+v, %d hosts, states of %d bytes, %d %% lost", seed, c, 1+len(h.others), h.state, loss)
		}
	}
}

package spectate

import (
	"net/netip"
	"testing"
	"time"

	"github.com/tickback/tickback/session/reliable"
)

// Rule: the data in flight to a spectator that is catching up is bounded by its window.
func TestTheWindowIsKept(t *testing.T) {
	h := newHall(t, Config{Max: 4})
	h.state = 300_000
	h.run(5 * time.Second)
	v := h.enter(1, nil)
	h.run(60 * time.Millisecond)
	g := h.audience.crowd.at(v.addr)
	most := 0
	for range 20 {
		v.away = true
		h.run(4 * time.Millisecond)
		most = max(most, g.pipe.Channel.UnderWay())
		if under := g.pipe.Channel.UnderWay(); under > g.pace.window {
			t.Fatalf("%d fragments are under way, with a window of %d", under, g.pace.window)
		}
	}
	if most < firstWindow/2 {
		t.Errorf("%d are under way", most)
	}
	var p pace
	p.init()
	c := g.pipe.Channel
	p.apply(c, false)
	for c.UnderWay() < reliable.Window && c.UnderWay() < 100 {
		before := c.UnderWay()
		g.pipe.Append(nil, h.now)
		if c.UnderWay() == before {
			break
		}
	}
	if c.UnderWay() <= firstWindow {
		t.Errorf("%d are under way to one that is up to date", c.UnderWay())
	}
}

// Rule: a spectator that is catching up gets bytes as the rate allows, even if nothing is
// heard from it; and such spectators take turns.
func TestTheRateIsUsedWithoutAnswers(t *testing.T) {
	h := newHall(t, Config{Max: 4, Rate: 100_000})
	h.state = 300_000
	h.run(5 * time.Second)
	sent := map[netip.AddrPort]int{}
	h.tap = func(from, to netip.AddrPort, b []byte) bool {
		if from == h.addr && len(b) > 500 {
			sent[to] += len(b)
		}
		return true
	}
	var all []*visitor
	for i := range byte(3) {
		all = append(all, h.enter(i, nil))
	}
	h.run(3 * time.Second)
	total := 0
	for _, v := range all {
		if n := sent[v.addr]; n < 85_000 || n > 115_000 {
			t.Errorf("%d bytes in 3 s, of a rate of 100 000 for three", n)
		}
		total += sent[v.addr]
	}
	if total > 310_000 || total < 280_000 {
		t.Errorf("%d bytes in 3 s", total)
	}
	h.tap = nil
	g := h.audience.crowd.at(all[0].addr)
	before := g.pipe.Counts.Sent
	h.audience.crowd.list = []*spectator{g} // the others leave, and nothing is heard from this one
	for _, v := range all {
		v.away = true
	}
	g.pace.window = 64
	h.run(400 * time.Millisecond)
	if n := g.pipe.Counts.Sent - before; n < 20 {
		t.Errorf("%d datagrams in 400 ms", n)
	}
}

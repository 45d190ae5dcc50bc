package spectate

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/reliable"
)

// Rule: the rate saves up what is unused for 50 ms, and makes up for what was too much.
func TestUnusedBytesAreKeptForAWhile(t *testing.T) {
	for _, c := range []struct {
		idle time.Duration
		want int64
	}{{0, 0}, {time.Microsecond, 1}, {49 * time.Millisecond, 49_000}, {50 * time.Millisecond, 50_000}, {51 * time.Millisecond, 50_000}, {time.Hour, 50_000}} {
		tk := tokens{rate: 1_000_000, last: time.Minute}
		tk.fill(time.Minute + c.idle)
		want(t, "bytes", tk.have, c.want*1_000_000)
		want(t, "any", tk.any(), c.want > 0)
		tk.take(60_000)
		tk.fill(time.Minute + c.idle + 20*time.Millisecond)
		want(t, "bytes 20 ms later", tk.have, (c.want-60_000+20_000)*1_000_000)
		want(t, "any then", tk.any(), c.want > 40_000)
	}
	tk := tokens{rate: 1_000_000}
	for now := time.Duration(0); now < time.Millisecond; now += 300 { // fractions of a microsecond add up
		tk.fill(now)
	}
	if tk.have < 998*1_000_000 {
		t.Errorf("%d in a millisecond", tk.have/1_000_000)
	}
}

// Rule: the window of a spectator that is catching up is doubled in each round trip until
// datagrams are lost or queue up; then it shrinks, and grows slowly.
func TestTheWindowFollowsTheWay(t *testing.T) {
	const ms = time.Millisecond
	way := func(least, smoothed, deviation time.Duration) *peer.Pipe {
		p := peer.NewPipe(hostAddr, 1, 2, hallPeriod, 0)
		p.RoundTrip = peer.RoundTrip{Least: least, Smoothed: smoothed, Deviation: deviation, Samples: 1}
		p.Channel.SetWindow(reliable.Window)
		if err := p.Channel.Send(bytes.Repeat([]byte("x"), 90<<10)); err != nil {
			if err := errors.Join(p.Channel.Send(make([]byte, 30<<10)), p.Channel.Send(make([]byte, 30<<10))); err != nil {
				t.Fatal(err)
			}
		}
		for p.Channel.UnderWay() < 32 {
			p.Append(nil, 0)
		}
		return p
	}
	for name, c := range map[string]struct {
		p        *pace
		w        *peer.Pipe
		window   int
		climbing bool
		next     time.Duration
	}{
		"free":                 {&pace{window: 16, climbing: true}, way(20*ms, 20*ms, 0), 32, true, 1020 * ms},
		"a short way":          {&pace{window: 16, climbing: true}, way(2*ms, 2*ms, 0), 32, true, 1010 * ms},
		"jitter":               {&pace{window: 16, climbing: true}, way(20*ms, 60*ms, 20*ms), 32, true, 1060 * ms},
		"half a queue":         {&pace{window: 16, climbing: true}, way(20*ms, 20*ms+12500*time.Microsecond, 0), 17, true, 1032500 * time.Microsecond},
		"less than half":       {&pace{window: 16, climbing: true}, way(20*ms, 32*ms, 0), 32, true, 1032 * ms},
		"a whole queue":        {&pace{window: 16, climbing: true}, way(20*ms, 45*ms, 0), 17, true, 1045 * ms},
		"more than a queue":    {&pace{window: 16, climbing: true}, way(20*ms, 46*ms, 0), 14, false, 1046 * ms},
		"a wide one gives way": {&pace{window: 64}, way(20*ms, 46*ms, 0), 56, false, 1046 * ms},
		"slowly":               {&pace{window: 48}, way(20*ms, 20*ms, 0), 51, false, 1020 * ms},
		"a queue and jitter":   {&pace{window: 16, climbing: true}, way(20*ms, 66*ms, 10*ms), 14, false, 1066 * ms},
		"by a sixteenth":       {&pace{window: 45}, way(20*ms, 20*ms, 0), 47, false, 1020 * ms},
		"very slowly":          {&pace{window: 15}, way(20*ms, 20*ms, 0), 16, false, 1020 * ms},
		"half used":            {&pace{window: 64, climbing: true}, way(20*ms, 20*ms, 0), 128, true, 1020 * ms},
		"less than half used":  {&pace{window: 66, climbing: true}, way(20*ms, 20*ms, 0), 66, true, 1020 * ms},
		"the least":            {&pace{window: 8}, way(20*ms, 80*ms, 0), 8, false, 1080 * ms},
		"less than the least":  {&pace{window: 1}, way(20*ms, 80*ms, 0), 8, false, 1080 * ms},
	} {
		c.p.adjust(c.w, time.Second)
		if c.p.window != c.window || c.p.climbing != c.climbing || c.p.next != c.next {
			t.Errorf("%s: window %d, climbing %v, next %v", name, c.p.window, c.p.climbing, c.p.next)
		}
		before := c.p.window
		if c.p.adjust(c.w, c.next-1); c.p.window != before || c.p.next != c.next {
			t.Errorf("%s: it is changed again too early", name)
		}
		if c.p.adjust(c.w, c.next); c.p.next == c.next {
			t.Errorf("%s: it is not changed again", name)
		}
	}
	p := pace{window: 16, climbing: true}
	w := way(20*ms, 20*ms, 0)
	w.RoundTrip.Samples = 0
	if p.adjust(w, time.Second); p.window != 16 || p.next != 0 {
		t.Error("nothing is known of the way, and the window changes")
	}
	w.RoundTrip.Samples = 1
	for w.Channel.Stats().Resent < 5 { // all is lost
		at, _ := w.Channel.Due(0)
		w.Append(nil, at+time.Minute)
	}
	all := w.Channel.Stats().Resent
	if all < 5 {
		t.Fatalf("%d were lost", all)
	}
	for _, c := range []struct {
		window int
		lost   uint64
		want   int
	}{{16, 0, 32}, {16, 1, 32}, {16, 2, 8}, {15, 0, 30}, {15, 1, 8}, {64, 4, 128}, {64, 5, 32}, {19, 2, 9}} {
		p := pace{window: c.window, climbing: true, resent: all - c.lost}
		p.adjust(w, 3*time.Second)
		if p.window != c.want || p.climbing != (c.want > c.window) || p.resent != all {
			t.Errorf("%d of %d were lost: %+v", c.lost, c.window, p)
		}
	}
	var first pace
	first.init()
	want(t, "it begins with", fmt.Sprint(first.window, first.climbing), "32 true")
}

package pace

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// wantsOffset fails unless the lead wants this offset.
func wantsOffset(t *testing.T, l *Lead, want time.Duration) {
	t.Helper()
	if got, known := l.Wants(); !known || got != want {
		t.Fatalf("it wants %v, %v; want %v", got, known, want)
	}
}

// Rule: offset and margin together tell how long the path took, so a client that has moved since learns nothing
// new from it.
func TestALeadLearnsTheWayAndNotItself(t *testing.T) {
	var l Lead
	if _, known := l.Wants(); known || l.Period(50*ms, time.Hour) != 50*ms {
		t.Error("it knows something before it is told")
	}
	for _, offset := range []time.Duration{0, 100 * ms, -time.Hour, 70 * ms} {
		l.SetRemote(50*ms, offset, offset-70*ms)
	}
	wantsOffset(t, &l, 72*ms)
}

// Rule: of the newest 400 inputs, one in 200 may come late; of fewer than 399, the longest path time counts
// alone. There are 2 ms of slack.
func TestALeadIsAQuantile(t *testing.T) {
	var l Lead
	var ways []time.Duration
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		way := time.Duration(rng.IntN(int(100 * ms)))
		l.SetRemote(50*ms, way, 0)
		ways = append(ways, way)
		last := slices.Clone(ways[max(len(ways)-400, 0):])
		slices.Sort(last)
		rank := 1
		if len(last) >= 399 {
			rank = 2
		}
		wantsOffset(t, &l, last[len(last)-rank]+2*ms)
	}
}

// Rule: a path has become longer if twelve inputs in a row took longer than any before, by more than paths vary;
// then all earlier measurements count as that much longer.
func TestAWayHasGrown(t *testing.T) {
	for _, c := range []struct {
		spread, rise time.Duration
		many         int
		follows      bool
	}{
		{10 * ms, 100 * ms, 12, true},
		{10 * ms, 100 * ms, 11, false},
		{0, 3 * ms, 12, true},
		{0, 2 * ms, 12, false},
		{10 * ms, 13 * ms, 12, true},
		{10 * ms, 12 * ms, 12, false}, // half of 10 twice, and 2
	} {
		var l Lead
		for i := range 200 {
			l.SetRemote(50*ms, c.spread*time.Duration(i%11)/10, 0)
		}
		l.SetRemote(50*ms, 50*ms, 0) // the longest
		l.SetRemote(50*ms, 0, 0)
		for range c.many {
			l.SetRemote(50*ms, c.rise, 0)
		}
		want := max(c.rise, 50*ms)
		if c.follows {
			want = 50*ms + c.rise
		}
		wantsOffset(t, &l, want+2*ms)
	}
}

// A longer path is also followed if the ring has wrapped around, and later the oldest measurements are forgotten.
func TestAWayGrowsAgainAndAgain(t *testing.T) {
	var l Lead
	base := time.Duration(0)
	for i := range 5000 {
		if i%333 == 0 {
			base += 100 * ms
		}
		l.SetRemote(50*ms, base+time.Duration(i%7)*ms, 0)
		if i%333 > 100 {
			wantsOffset(t, &l, base+8*ms)
		}
	}
	for range 400 {
		l.SetRemote(50*ms, 0, 0)
	}
	wantsOffset(t, &l, 2*ms)
	if !slices.IsSorted(l.sorted[:l.size]) || l.size != leadWindow {
		t.Error("it is out of order")
	}
}

// A few inputs say nothing about a path: it has not become longer because the first ones differ.
func TestAFewInputsAreNoWay(t *testing.T) {
	var l Lead
	for i := range 47 {
		l.SetRemote(50*ms, time.Duration(i/30)*100*ms, 0)
	}
	wantsOffset(t, &l, 102*ms)
	l.SetRemote(50*ms, 100*ms, 0)
	wantsOffset(t, &l, 202*ms)
}

// Rule: periods change by 5 % at most. A client that is late catches up at once; one that is early
// falls back by a 64th of the difference, and one that is early by more than 100 ms also by a fourth of the
// rest, up to four periods.
func TestALeadChangesPeriods(t *testing.T) {
	var l Lead
	l.SetRemote(50*ms, 98*ms, 0) // it wants 100
	const nominal = 50 * ms
	for offset, want := range map[time.Duration]time.Duration{
		100 * ms: 0, 99 * ms: -ms, 98 * ms: -2 * ms, 97 * ms: -2500 * time.Microsecond, 0: -2500 * time.Microsecond, -time.Hour: -2500 * time.Microsecond,
		101 * ms: ms / 64, 164 * ms: ms, 200 * ms: 100 * ms / 64, 208 * ms: 108*ms/64 + 2*ms, 260 * ms: 2500*time.Microsecond + 15*ms,
		time.Hour: 2500*time.Microsecond + 4*nominal,
	} {
		if got := l.Period(nominal, offset) - nominal; got != want {
			t.Errorf("at %v: the period changes by %v, want %v", offset, got, want)
		}
	}
}

// Rule: at any tick rate above 60 a lead is based on as much time as at 60, and a path counts as longer after the
// same time. A moment of 100 ms in which nothing gets through does not make it longer, but is remembered for more
// than six seconds.
func TestALeadRemembersForAsLongAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{60, 100, 144, 240, 1000} {
		nominal := time.Second / time.Duration(rate)
		tell := func(l *Lead, way, during time.Duration) {
			for range int(during / nominal) {
				l.SetRemote(nominal, way, 0)
			}
		}
		var l Lead
		tell(&l, 100*ms, time.Second)
		tell(&l, 0, 6500*ms)
		wantsOffset(t, &l, 102*ms)
		tell(&l, 0, 300*ms)
		wantsOffset(t, &l, 2*ms)
		for lasts, want := range map[time.Duration]time.Duration{100 * ms: 102 * ms, 170 * ms: 102 * ms, 250 * ms: 152 * ms} {
			var l Lead
			tell(&l, 50*ms, 500*ms)
			tell(&l, 0, 3*time.Second)
			tell(&l, 100*ms, lasts)
			wantsOffset(t, &l, want)
		}
	}
}

// Whatever a server tells is bounded.
func TestALieIsBounded(t *testing.T) {
	var l Lead
	l.SetRemote(50*ms, 0, -1<<62)
	wantsOffset(t, &l, 30*time.Second+2*ms)
	l = Lead{}
	l.SetRemote(50*ms, 0, 1<<62)
	wantsOffset(t, &l, -30*time.Second+2*ms)
}

// A lead allocates nothing.
func TestALeadAllocatesNothing(t *testing.T) {
	var l Lead
	i := 0
	if n := testing.AllocsPerRun(2000, func() {
		i++
		l.SetRemote(50*ms, time.Duration(i/500)*100*ms+time.Duration(i*7919%100)*ms/10, 0)
		l.Period(50*ms, 0)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

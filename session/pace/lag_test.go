package pace

import (
	"testing"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// Lags are smoothed over sixteen datagrams, and so is the deviation of arrivals from them.
func TestALagIsSmoothed(t *testing.T) {
	var l Lag
	for i, c := range []struct{ sample, here, jitter time.Duration }{
		{32 * time.Millisecond, 32 * time.Millisecond, 0},
		{64 * time.Millisecond, 34 * time.Millisecond, 2 * time.Millisecond},
		{2 * time.Millisecond, 32 * time.Millisecond, 3875 * time.Microsecond},
		{32 * time.Millisecond, 32 * time.Millisecond, 3632813 * time.Nanosecond},
	} {
		if l.Measure(c.sample, usual); l.Here() != c.here || l.Jitter() != c.jitter {
			t.Errorf("sample %d: the lag is %v, the jitter %v, want %v and %v", i, l.Here(), l.Jitter(), c.here, c.jitter)
		}
	}
}

// A lag is sent in the units of the wire, and bounded whatever a peer sends.
func TestALagIsTold(t *testing.T) {
	const most = 30 * time.Second
	for _, d := range []time.Duration{-time.Hour, -31 * time.Second, -most, -5 * time.Millisecond, 0, 5 * time.Millisecond, most, time.Hour} {
		var here, there Lag
		here.Measure(d, usual)
		there.SetRemote(here.Units())
		if want := min(max(d, -most), most); there.There() != want {
			t.Errorf("%v is told as %v, want %v", d, there.There(), want)
		}
	}
	var l Lag
	if l.SetRemote(1 << 30); l.There() != most {
		t.Errorf("what somebody tells is taken as %v", l.There())
	}
	if l.SetRemote(-1 << 30); l.There() != -most {
		t.Errorf("what somebody tells is taken as %v", l.There())
	}
}

// The inputs of a frame are measured once, however often they come.
func TestAFrameIsMeasuredOnce(t *testing.T) {
	var l Lag
	for i, c := range []struct {
		end   Frame
		fresh bool
	}{{0, false}, {3, true}, {3, false}, {2, false}, {4, true}} {
		if l.Fresh(c.end) != c.fresh {
			t.Errorf("call %d, up to frame %d: %v", i, c.end, !c.fresh)
		}
	}
}

// Two machines that are as late for each other find that out together, though what each reports to the other is rounded:
// neither plays slower. Their lags in units are 1.9 and 1.2, or as early.
func TestLagsAreComparedEvenly(t *testing.T) {
	const nominal = 20 * time.Millisecond
	period := func(even bool, here, there time.Duration) time.Duration {
		mine, theirs := Lag{here: here, known: true}, Lag{here: there}
		mine.SetRemote(theirs.Units())
		b := Balance{Even: even}
		b.Add(&mine)
		return b.Period(nominal) - nominal
	}
	for _, sign := range []time.Duration{1, -1} {
		a, b := sign*19*datagram.SampleUnit/10, sign*12*datagram.SampleUnit/10
		if here, there := period(true, a, b), period(true, b, a); here != 0 || there != 0 {
			t.Errorf("a lag of %v, and %v: periods are %v and %v longer", a, b, here, there)
		}
		a *= 50 // 95 units
		if here, there := period(true, a, b), period(true, b, a); here != -there || here == 0 {
			t.Errorf("a lag of %v, and %v: periods are %v and %v longer", a, b, here, there)
		}
	}
	if here, there := period(false, 237500*time.Nanosecond, 150*time.Microsecond), period(false, 150*time.Microsecond, 237500*time.Nanosecond); here+there <= 0 {
		t.Errorf("without it, periods are %v and %v longer: then it is not needed", here, there)
	}
}

// The worst lag of each direction counts; a period changes by a 64th of half the difference,
// and by four percent at the most.
func TestTheWorstLagsAreBalanced(t *testing.T) {
	const nominal = 20 * time.Millisecond
	type pair struct{ here, there time.Duration }
	for _, c := range []struct {
		lags []pair
		want time.Duration // beyond the nominal period
	}{
		{nil, 0},
		{[]pair{{0, 0}}, 0},
		{[]pair{{time.Second, time.Second}}, 0},
		{[]pair{{12800 * time.Microsecond, 0}}, 100 * time.Microsecond},
		{[]pair{{0, 12800 * time.Microsecond}}, -100 * time.Microsecond},
		{[]pair{{12800 * time.Microsecond, 0}, {0, 12800 * time.Microsecond}}, 0},
		{[]pair{{12800 * time.Microsecond, 0}, {-time.Second, -time.Second}}, 100 * time.Microsecond},
		{[]pair{{10 * time.Second, 0}}, nominal / 25},
		{[]pair{{0, 10 * time.Second}}, -nominal / 25},
		{[]pair{{-time.Hour, -30 * time.Second}}, 0}, // one is bounded on its way
	} {
		var b Balance
		for _, p := range c.lags {
			var l Lag
			l.Measure(p.here, usual)
			l.remote, l.told = p.there, true
			b.Add(&l)
		}
		if got := b.Period(nominal) - nominal; got != c.want {
			t.Errorf("%v: the period is %v longer, want %v", c.lags, got, c.want)
		}
		for _, unknown := range []Lag{{known: true}, {told: true}, {}} {
			with := b
			if with.Add(&unknown); with.Period(nominal) != nominal {
				t.Errorf("%v and one that is not known: the period is %v", c.lags, with.Period(nominal))
			}
		}
	}
}

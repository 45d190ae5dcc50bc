package tickback_test

import (
	"testing"
	"time"

	"github.com/tickback/tickback"
)

// bell is a transport that notifies of arrivals, or, with a nil channel, does not.
type bell struct {
	tickback.Transport
	ring chan struct{}
}

func (b bell) Notify() <-chan struct{} { return b.ring }

// patient is a transport that waits by itself.
type patient struct {
	bell
	waits *[]time.Duration
}

func (p patient) Wait(d time.Duration, _ bool) { *p.waits = append(*p.waits, d) }

// Rule: a wait ends after its time, or, if it may, with an arrival; a transport that does not notify is polled, and one
// that can wait by itself does.
func TestWaitFor(t *testing.T) {
	const short, long = 20 * time.Millisecond, time.Hour
	took := func(over tickback.Transport, d time.Duration, wake bool) time.Duration {
		begin := time.Now()
		tickback.WaitFor(over, d, wake)
		return time.Since(begin)
	}
	rung := bell{ring: make(chan struct{}, 1)}
	for name, over := range map[string]tickback.Transport{"none": nil, "one that tells": rung} {
		for _, wake := range []bool{false, true} {
			if d := took(over, short, wake); d < short {
				t.Errorf("%s, wake %v: it returned after %v", name, wake, d)
			}
		}
	}
	rung.ring <- struct{}{}
	if d := took(rung, short, false); d < short {
		t.Errorf("it was woken after %v, and must not be", d)
	}
	took(rung, long, true)   // an arrival is there
	took(bell{}, long, true) // nobody tells
	if took(bell{}, short, false) < short {
		t.Error("it returned early, and must not be woken")
	}
	var waits []time.Duration
	took(patient{bell: bell{}, waits: &waits}, long, true)
	if len(waits) != 1 || waits[0] != long {
		t.Errorf("a transport that waits by itself was asked to for %v", waits)
	}
}

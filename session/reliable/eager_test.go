package reliable

import (
	"slices"
	"testing"
	"time"
)

// latencies sends a message of 40 bytes every 200 ms, with a section per tick, and
// returns how long each took to be delivered.
func latencies(t *testing.T, eager bool) (took []time.Duration, bytes int) {
	p := newPair(5, link{loss: 30, delay: 40 * time.Millisecond})
	from := p.ends[0]
	from.SetEager(eager)
	from.SetTimeout(150 * time.Millisecond)
	for range 1000 {
		sent := p.now
		if err := from.say(p.message(40)); err != nil {
			t.Fatal(err)
		}
		delivered := false
		for ticks := 0; ticks < 12 || !p.quiet(); ticks++ {
			if err := p.step(tick, FullRoom); err != nil {
				t.Fatal(err)
			}
			if !delivered && len(from.sent.waiting) == 0 {
				took, delivered = append(took, p.now-sent), true
			}
		}
	}
	slices.Sort(took)
	return took, from.bytesSent
}

// With 30% loss an eager channel delivers 99 of 100 messages within 4 ticks of the
// fastest (0.3 to the power of 4 is 0.8%); a patient one needs time-outs.
func TestEagerSavesTheTimeout(t *testing.T) {
	eager, eagerBytes := latencies(t, true)
	patient, patientBytes := latencies(t, false)
	at := func(took []time.Duration, percent int) time.Duration {
		return took[len(took)*percent/100].Round(time.Millisecond)
	}
	t.Logf("eager: median %v, 99%% %v, %d bytes; patient: median %v, 99%% %v, %d bytes",
		at(eager, 50), at(eager, 99), eagerBytes, at(patient, 50), at(patient, 99), patientBytes)
	if len(eager) != 1000 || len(patient) != 1000 {
		t.Fatalf("delivered %d and %d", len(eager), len(patient))
	}
	if limit := eager[0] + 4*tick + time.Millisecond; at(eager, 99) > limit {
		t.Errorf("eager needs %v for 99%%, at most %v wanted", at(eager, 99), limit)
	}
	if at(patient, 99) < eager[0]+150*time.Millisecond {
		t.Errorf("patient needs only %v: the comparison shows nothing", at(patient, 99))
	}
}

// Eager sections repeat up to EagerLimit bytes, once at each time, until they are
// acknowledged. Due does not count them.
func TestEagerRepeatsALittle(t *testing.T) {
	a, b := twoEnds(t)
	a.SetEager(true)
	mustSend(t, a, string(make([]byte, EagerLimit-1)), "1")
	first := a.Append(nil, FullRoom, 0)
	if got := a.Append(nil, FullRoom, 0); len(got) > 0 {
		t.Errorf("repeated at the same time: %d bytes", len(got))
	}
	for now := time.Duration(1); now < 10; now++ {
		if at, any := a.Due(now); !any || at != now-1+InitialTimeout {
			t.Errorf("due at %v, %v", at, any)
		}
		if got := a.Append(nil, FullRoom, now); !slices.Equal(got, first) {
			t.Errorf("repeated %d bytes, want %d", len(got), len(first))
		}
	}
	mustSend(t, a, "one byte too many")
	if got := a.Append(nil, FullRoom, 11); len(got) > 30 {
		t.Errorf("repeated above the limit: %d bytes", len(got))
	}
	mustConsume(t, b, first)
	mustConsume(t, a, b.Append(nil, FullRoom, 0))
	if got := a.Append(nil, FullRoom, 12); len(got) > 30 || len(got) == 0 {
		t.Errorf("repeated %d bytes after the acknowledgement", len(got))
	}
	a.SetEager(false)
	if got := a.Append(nil, FullRoom, 13); len(got) > 0 {
		t.Errorf("repeated %d bytes, no longer eager", len(got))
	}
}

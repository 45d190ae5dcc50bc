package membership

import (
	"testing"
	"time"
)

// Rule: members are overdue when they have disagreed for the grace period without a break; a new slot begins it anew.
func TestTheGracePeriodIsUnbroken(t *testing.T) {
	const grace = 2 * time.Second
	d := detector{graceEnd: Never}
	for i, c := range []struct {
		disagree bool
		now      time.Duration
		want     bool
	}{
		{false, 0, false},
		{true, time.Second, false},
		{true, 3*time.Second - 1, false},
		{true, 3 * time.Second, true},
		{false, 4 * time.Second, false},
		{true, 5 * time.Second, false},
		{true, 7 * time.Second, true},
	} {
		if got := d.overdue(c.disagree, c.now, grace); got != c.want {
			t.Errorf("%d: at %v: %v", i, c.now, got)
		}
	}
	d.begin(0, false)
	if d.overdue(true, 10*time.Second, grace) {
		t.Error("the slot has just begun")
	}
}

// Rule: who is lost stays accused until it is no member any more; who is silent, until the next report.
func TestTheLostStayAccused(t *testing.T) {
	var d detector
	d.accuse(2)
	d.lose(4)
	if d.accuse(0); d.accused() != 4 {
		t.Errorf("it accuses %v", d.accused())
	}
	d.accuse(2)
	d.begin(1|2, false)
	if d.accused() != 2 {
		t.Errorf("without one of them, it accuses %v", d.accused())
	}
	d.begin(1|2, true)
	if d.accused() != 0 {
		t.Errorf("as a newcomer that has joined it accuses %v", d.accused())
	}
}

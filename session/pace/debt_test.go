package pace

import (
	"testing"
	"time"
)

// owes plays a machine whose frames take this long, after a pause. It returns how late its frames begin in the end,
// how many were dropped, and whether it counts as behind.
func owes(pause, cost time.Duration, frames int) (late time.Duration, forgiven time.Duration, behind bool) {
	var d Debt
	next := time.Minute
	now := next + pause
	for range frames {
		now = max(now, next)
		due := d.SkipLost(now, next, nominal)
		forgiven += due - next
		next = due + nominal
		now += cost
	}
	return now - next, forgiven, d.Behind(now)
}

// Rule: if the frames of a machine take longer than a period, those that it cannot make up for are dropped, and it
// counts as behind; a machine that has paused makes up for them.
func TestWhatIsForgiven(t *testing.T) {
	for _, cost := range []time.Duration{nominal + nominal/50, nominal * 3 / 2, 4 * nominal} {
		late, forgiven, behind := owes(0, cost, 1000)
		if late > time.Duration(relentAfter+2)*cost || forgiven < 900*(cost-nominal) || !behind {
			t.Errorf("frames of %v: %v late, %v forgiven, behind %v", cost, late, forgiven, behind)
		}
	}
	for _, cost := range []time.Duration{0, nominal / 2, nominal * 9 / 10} {
		for _, pause := range []time.Duration{0, nominal / 2, 3 * nominal, MaxDebt(nominal)} {
			late, forgiven, behind := owes(pause, cost, 1000)
			if late > 0 || forgiven != 0 || behind {
				t.Errorf("frames of %v, after %v: %v late, %v forgiven, behind %v", cost, pause, late, forgiven, behind)
			}
		}
	}
}

// Rule: how much is caught up on, and how soon a machine counts as too slow, are times at any tick rate, as far as a
// few frames allow.
func TestDebtsAreTimes(t *testing.T) {
	for rate, want := range map[int]time.Duration{
		1000: time.Second / 2, 240: time.Second / 2, 60: time.Second / 2, 40: time.Second * 3 / 4, 30: time.Second,
		20: time.Second, 8: time.Second, 4: time.Second, 2: 2 * time.Second, 1: 4 * time.Second,
	} {
		period := time.Second / time.Duration(rate)
		if got := MaxDebt(period); (got - want).Abs() > time.Microsecond {
			t.Errorf("%d a second: %v are caught up on, must be %v", rate, got, want)
		}
		var d Debt
		next, now, late := time.Minute, time.Minute, 0
		for due := next; due == next; due = d.SkipLost(now, next, period) {
			if now-next >= period {
				late++
			}
			next, now = next+period, now+2*period
		}
		if most := max(relentAfter*time.Second/30, 2*period); late > relentAfter || time.Duration(late)*period > most {
			t.Errorf("%d a second: it takes %d late frames to see that a machine is too slow", rate, late)
		}
	}
}

// Rule: a machine that is behind is not slowed down to keep pace with others; it may be sped up.
func TestWhoIsBehindIsNotSlowed(t *testing.T) {
	var s Schedule
	s.Init(nominal, 8)
	s.Begin(time.Minute)
	if got := s.Slow(nominal+1, time.Minute); got != nominal+1 {
		t.Errorf("in time: %v", got)
	}
	s.SkipLost(time.Minute + nominal)
	for _, c := range []struct{ period, want time.Duration }{{nominal + 1, nominal}, {nominal, nominal}, {nominal - 1, nominal - 1}} {
		if got := s.Slow(c.period, time.Minute+nominal); got != c.want {
			t.Errorf("behind: %v for %v", got, c.period)
		}
	}
	if at := s.DueAt(0, 0); at != time.Minute {
		t.Errorf("a frame to come is due at %v", at-time.Minute)
	}
	s.SkipLost(time.Minute + 5*nominal)
	if at := s.DueAt(0, 0); at != time.Minute+4*nominal {
		t.Errorf("a frame to come counts as due at %v, when the machine is five periods late", at-time.Minute)
	}
}

// Rule: a machine counts as behind in each frame that begins late by a period or more, however its debt changes, and
// when a debt that is too large was dropped.
func TestWhoIsLateCountsAsBehind(t *testing.T) {
	for _, cost := range []time.Duration{nominal / 2, nominal * 9 / 10, nominal * 3 / 2} {
		var d Debt
		next := time.Minute
		now := next + MaxDebt(nominal)
		for range 100 {
			late := now - next
			due := d.SkipLost(now, next, nominal)
			if late >= nominal && !d.Behind(now) {
				t.Errorf("frames of %v: %v late, and not behind", cost, late)
			}
			next = due + nominal
			now = max(now+cost, next)
		}
	}
	var d Debt
	d.SkipLost(time.Minute+2*nominal, time.Minute, nominal)
	if due := d.SkipAll(time.Hour); due != time.Hour || !d.Behind(time.Hour) || d.Behind(time.Hour+behindFor) {
		t.Errorf("forgiven: due at %v, behind %v, and later %v", due, d.Behind(time.Hour), d.Behind(time.Hour+behindFor))
	}
}

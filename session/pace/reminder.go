package pace

import "time"

// RemindEvery is the interval at which a [Reminder] is due.
const RemindEvery = time.Second

// Reminder says when to tell the application that something is still being waited for.
type Reminder struct {
	told time.Duration // when it was last reported; 0: not during this wait
}

// Remind reports whether to report now a wait that began at since: for the first time after the duration after, and
// then at intervals.
func (r *Reminder) Remind(now, since, after time.Duration) bool {
	if now-since < after || now-r.told < RemindEvery {
		return false
	}
	r.told = now
	return true
}

// End ends a wait, and returns whether it was reported.
func (r *Reminder) End() (told bool) {
	told = r.told != 0
	r.told = 0
	return told
}

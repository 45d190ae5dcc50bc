package pace

import "time"

// RemindEvery is the interval at which a [Reminder] is due.
const RemindEvery = time.Second

// Reminder says when to tell the application that something is still awaited.
type Reminder struct {
	told time.Duration // when it was last told; 0: not in this wait
}

// Remind reports whether to tell it now, of a wait that began at since: first after a time, and then
// in intervals.
func (r *Reminder) Remind(now, since, after time.Duration) bool {
	if now-since < after || now-r.told < RemindEvery {
		return false
	}
	r.told = now
	return true
}

// End ends a wait, and reports whether it was told.
func (r *Reminder) End() (told bool) {
	told = r.told != 0
	r.told = 0
	return told
}

package classic

import "time"

// sleep is how much of the time between two calls counts as waiting for the other side. A match asks to be called again
// after half a second at most. If more than twice that has passed, this machine was asleep, and datagrams that have
// arrived may not have been delivered yet.
const sleep = 2 * helloEvery

// wait measures how long this side has waited for the other one to do something new.
type wait struct {
	started bool
	now     time.Duration // the time of the newest call
	since   time.Duration // when the wait began, later by the time in which this machine was asleep
}

// clock takes the time of a call, and returns it; it never goes back. The first call begins the first wait.
func (w *wait) clock(now time.Duration) time.Duration {
	if !w.started {
		*w = wait{started: true, now: now, since: now}
	}
	now = max(now, w.now)
	if slept := now - w.now; slept > sleep {
		w.since += slept - sleep
	}
	w.now = now
	return now
}

// restart begins a new wait: something new has come.
func (w *wait) restart() { w.since = w.now }

// lasted returns how long the wait has lasted.
func (w *wait) lasted() time.Duration { return w.now - w.since }

// end returns when the wait will have lasted for this long, which is [Never] if the limit is.
func (w *wait) end(limit time.Duration) time.Duration {
	if limit == Never {
		return Never
	}
	return w.since + limit
}

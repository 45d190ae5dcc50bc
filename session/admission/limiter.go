package admission

import "time"

// limiter limits the answers to machines that have proved nothing: per source, and in total. Two sources may share
// an entry by chance, but nobody can choose an address that shares the entry of a certain other one
// ([cookies.place]).
type limiter struct {
	last    time.Duration
	sources [1024]time.Duration // when a source with this number was last answered
}

const (
	answerEvery       = 4 * time.Millisecond
	answerSourceEvery = 40 * time.Millisecond
)

// open reports whether any source may be answered now.
func (l *limiter) open(now time.Duration) bool { return l.last == 0 || now >= l.last+answerEvery }

// allow reports whether a source with this number may be answered now, and records the answer.
func (l *limiter) allow(place uint64, now time.Duration) bool {
	at := &l.sources[place%uint64(len(l.sources))]
	if !l.open(now) || *at != 0 && now < *at+answerSourceEvery {
		return false
	}
	l.last, *at = now, now
	return true
}

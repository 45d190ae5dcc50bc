package classic

import "time"

// catchUp is the most tick periods that are made up for after a hitch: an eighth of
// a second at 60 ticks/s. What is more is left out; the other side is waiting.
const catchUp = 8

// schedule says when tick periods are due: at a fixed rate, without drift.
type schedule struct {
	rate  int64         // per second
	begun time.Duration // when the first one is due
	taken int64         // how many have passed since
}

func (s *schedule) restart(now time.Duration) { s.begun, s.taken = now, 0 }

// next returns when the next period is due.
func (s *schedule) next() time.Duration { return s.begun + s.after(s.taken) }

// after is how long so many periods take.
func (s *schedule) after(periods int64) time.Duration {
	whole, rest := periods/s.rate, periods%s.rate
	return time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(s.rate)
}

// skip leaves out periods until no more are due than may be made up for.
func (s *schedule) skip(now time.Duration) {
	if s.next()+s.after(catchUp) <= now {
		s.restart(now - s.after(catchUp-1))
	}
}

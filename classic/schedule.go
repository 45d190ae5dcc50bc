package classic

import "time"

// catchUp is the maximum number of tick periods that are made up for after a hitch: an eighth of a second at 60
// ticks/s. Others are skipped, since the other side is waiting.
const catchUp = 8

// schedule computes when tick periods are due: at a fixed rate, without drift.
type schedule struct {
	rate  int64         // tick periods per second
	begun time.Duration // the time at which the first one is due
	taken int64         // the number of periods that have passed since
}

func (s *schedule) restart(now time.Duration) { s.begun, s.taken = now, 0 }

// next returns the time at which the next period is due.
func (s *schedule) next() time.Duration { return s.begun + s.after(s.taken) }

// after returns how long that many periods take.
func (s *schedule) after(periods int64) time.Duration {
	whole, rest := periods/s.rate, periods%s.rate
	return time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(s.rate)
}

// skip skips periods until at most catchUp of them are due.
func (s *schedule) skip(now time.Duration) {
	if s.next()+s.after(catchUp) <= now {
		s.restart(now - s.after(catchUp-1))
	}
}

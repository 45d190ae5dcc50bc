package pace

import (
	"math/bits"
	"time"

	"github.com/tickback/tickback/rollback"
)

const (
	// maxDebt is how many tick periods are caught up on after a pause, at 30 to 60 ticks per second.
	maxDebt = 30
	// longestDebt is the maximum time at lower rates, and fewestDebt the minimum number of periods: there a tick
	// may take longer than drawing a picture, and a machine that runs 30 of them shows nothing until then.
	longestDebt = time.Second
	fewestDebt  = 4
)

// MaxDebt returns how much of a pause is caught up on by a match with this tick period: half a second, but at least
// 30 periods, up to a second, or 4 periods if these are longer. The rest of a longer pause is forgiven, and the
// other peers wait.
//
// It is a time, not a number of periods, since it has to cover the time between two pictures of a game, whatever
// its tick rate is.
func MaxDebt(period time.Duration) time.Duration {
	return max(min(maxDebt*max(period, usual), longestDebt), fewestDebt*period)
}

// usual is the tick period at 60 ticks per second.
const usual = time.Second / 60

// Schedule decides when the tick periods of a match begin. Each period runs one frame, unless that is blocked.
type Schedule struct {
	// Carry is what its periods leave out; it is set after Init, and kept from then on.
	Carry Carry

	nominal time.Duration
	most    time.Duration   // [MaxDebt]
	next    time.Duration   // when the next period begins
	due     []time.Duration // when frames were due, in a ring of a power of two
	blocked bool            // the frame of this period has not run yet
	debt    Debt
	began   time.Duration // when the first frame was due; 0: not yet
	over    time.Duration // when the last frame was played; 0: not yet
}

// Init prepares for a match that has not begun, in which a peer may lag behind by lag frames.
func (s *Schedule) Init(nominal time.Duration, lag int) {
	due := s.due
	if size := 1 << bits.Len(uint(lag)); len(due) != size {
		due = make([]time.Duration, size)
	}
	*s = Schedule{nominal: nominal, most: MaxDebt(nominal), due: due}
}

// Begin makes the first period begin now.
func (s *Schedule) Begin(now time.Duration) { s.next, s.began, s.over = now, now, 0 }

// End notes that the last frame was played. It returns whether the match had begun and was not over before.
func (s *Schedule) End(now time.Duration) bool {
	if s.began == 0 || s.over != 0 {
		return false
	}
	s.over = now
	return true
}

// Uptime returns how long the match has been running.
func (s *Schedule) Uptime(now time.Duration) time.Duration {
	switch {
	case s.began == 0:
		return 0
	case s.over == 0:
		return now - s.began
	default:
		return s.over - s.began
	}
}

// Next returns when the next period begins.
func (s *Schedule) Next() time.Duration { return s.next }

// SetNext sets when the next period begins.
func (s *Schedule) SetNext(at time.Duration) { s.next = at }

// SkipAll advances the schedule after a long pause, so that no more than [MaxDebt] is due.
func (s *Schedule) SkipAll(now time.Duration) { s.next = max(s.next, now-s.most) }

// SkipLost is called before a frame that is not blocked: see [Debt.SkipLost].
func (s *Schedule) SkipLost(now time.Duration) { s.next = s.debt.SkipLost(now, s.next, s.nominal) }

// Slow returns the length of a period that keeps pace with others, on this machine: one that is behind, or has
// recently proved too slow, is never slowed down.
func (s *Schedule) Slow(period, now time.Duration) time.Duration {
	if s.debt.Behind(now) {
		return min(period, s.nominal)
	}
	return period
}

// Take begins the period that is due, with this length, and returns when it was due.
func (s *Schedule) Take(period time.Duration) (due time.Duration) {
	due = s.next
	if s.next += period; s.Carry.rest != 0 {
		s.next += s.Carry.Next()
	}
	return due
}

// Blocked reports whether the frame of this period has not run yet.
func (s *Schedule) Blocked() bool { return s.blocked }

// Block notes whether the frame of this period could not run.
func (s *Schedule) Block(blocked bool) { s.blocked = blocked }

func (s *Schedule) dueOf(f rollback.Frame) *time.Duration {
	return &s.due[f&rollback.Frame(len(s.due)-1)]
}

// Due records when a frame is due.
func (s *Schedule) Due(f rollback.Frame, at time.Duration) { *s.dueOf(f) = max(at, s.debt.floor) }

// DueAt returns when frame f was due here, or will be; frame is the next to run.
func (s *Schedule) DueAt(f, frame rollback.Frame) time.Duration {
	if d := frame - f; int32(d) > 0 && d < rollback.Frame(len(s.due)) || s.blocked && d == 0 {
		return *s.dueOf(f)
	}
	ahead := int32(f - frame)
	if s.blocked {
		ahead--
	}
	return max(s.next, s.debt.floor) + time.Duration(ahead)*s.nominal
}

// Progress returns how much of the current period has passed, from 0 to the nominal length.
func (s *Schedule) Progress(now time.Duration) time.Duration {
	return min(max(s.nominal-(s.next-now), 0), s.nominal)
}

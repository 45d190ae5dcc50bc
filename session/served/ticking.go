package served

import (
	"time"

	"github.com/tickback/tickback/session/pace"
)

// ticking decides when the ticks of a server are due, and which of them its clients are told at once.
type ticking struct {
	due    time.Duration // when the next tick is due
	told   time.Duration // when clients were last told of one, or it fell behind
	behind bool          // the next tick is due already
	debt   pace.Debt
}

// skipPeriods is called before a tick. It returns how many periods are not caught up on, because the server has
// slept for longer than pace.MaxDebt, or because its ticks take longer than a period. They are whole ones, since clients count in them.
func (t *ticking) skipPeriods(now, period time.Duration) (skipped uint64) {
	due := max(t.debt.SkipLost(now, t.due, period), now-pace.MaxDebt(period))
	skipped = uint64((due - t.due) / period)
	t.due += time.Duration(skipped) * period
	return skipped
}

// tells reports, after a tick, whether clients are told of it. A server that has slept runs many at once, and
// tells all of them with the last one; one that is slow never runs the last one.
func (t *ticking) tells(now, period time.Duration) bool {
	behind := t.behind
	t.behind = now >= t.due
	if t.behind && behind && now < t.told+period/2 {
		return false
	}
	t.told = now
	return !t.behind || behind
}

// slip has the clients learn that ticks are due later than before.
func (l *clients) slip(periods uint64) {
	for _, c := range l.list {
		if c.unsentNews.periods = uint32(min(uint64(c.unsentNews.periods)+periods, maxSlipped)); c.unsentNews.periods > 0 && c.gone == "" && c.plays && c.pipe.Channel.Pending() == 0 {
			c.post(appendSlipped(nil, c.unsentNews.periods))
			c.unsentNews.periods = 0
		}
	}
}

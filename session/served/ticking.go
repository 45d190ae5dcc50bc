package served

import (
	"time"

	"github.com/tickback/tickback/session/pace"
)

// ticking decides when the ticks of a server are due, and after which ticks updates are sent.
type ticking struct {
	due    time.Duration // when the next tick is due
	told   time.Duration // when updates were last sent, or the server fell behind
	behind bool          // the next tick is already due
	debt   pace.Debt
	carry  pace.Carry // what tick periods leave out
	waited bool       // a tick that was due had to wait
	late   uint64     // by how many periods ticks have been postponed since the clients were told
}

// skipPeriods is called before a tick. It skips tick periods because the server slept for longer than pace.MaxDebt, or
// because its ticks take longer than a period, and returns how many have been skipped since the last tick. The number is
// whole, since clients count in periods.
func (t *ticking) skipPeriods(now, period time.Duration) (skipped uint64) {
	t.postpone(max(t.debt.SkipLost(now, t.due, period), now-pace.MaxDebt(period)), period)
	skipped, t.late = t.late, 0
	return skipped
}

// postpone postpones the ticks by whole periods, so that the next one is due not much before to.
func (t *ticking) postpone(to, period time.Duration) {
	if periods := (to - t.due) / period; periods > 0 {
		t.due += periods * period
		t.late += uint64(periods)
	}
}

// tells reports, after a tick, whether to send updates. A server that has slept runs many ticks at once, and sends
// updates after the last one; a server that is too slow never reaches the last one.
func (t *ticking) tells(now, period time.Duration) bool {
	behind := t.behind
	t.behind = now >= t.due
	if t.behind && behind && now < t.told+period/2 {
		return false
	}
	t.told = now
	return !t.behind || behind
}

// slip notifies the clients that ticks have been postponed.
func (l *clients) slip(periods uint64) {
	for _, c := range l.list {
		if c.unsentNews.periods = uint32(min(uint64(c.unsentNews.periods)+periods, maxSlipped)); c.unsentNews.periods > 0 && c.gone == "" && c.plays && c.pipe.Channel.Pending() == 0 {
			c.post(appendSlipped(nil, c.unsentNews.periods))
			c.unsentNews.periods = 0
		}
	}
}

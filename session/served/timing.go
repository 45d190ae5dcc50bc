package served

import (
	"time"

	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/sequencer"
)

// timing decides when a client runs its ticks, so that its inputs reach the server in time.
type timing struct {
	nominal      time.Duration
	lead         pace.Lead
	due          time.Duration           // when the next tick is due
	next         Frame                   // the number of that tick
	made         [madeHeld]time.Duration // offset, without slip, at which the input of a tick was made, in a ring
	idle         bool                    // nothing was due when the owner last called
	back         time.Duration           // when the owner called again after that
	paused       bool                    // the owner was away for longer than it takes to draw a picture
	debt         pace.Debt
	catchUpTimer catchUpTimer
	timeBudget   timeBudget
	asked        time.Duration // when the client last requested a whole state
	slip         time.Duration // how much the server's ticks have been postponed, as reported by it
	first        Frame         // the first tick with an offset

	stalls  uint64 // ticks that could not run
	skipped uint64 // ticks that were skipped
}

// madeHeld is the number of ticks for which the offset is kept.
const madeHeld = 512

// begin starts with tick f, which is due now.
func (t *timing) begin(f Frame, now time.Duration) {
	t.due, t.next, t.first = now, f, f
}

// offset returns how far ahead a tick is that is made now: the time of the tick, in nominal periods, minus now. It
// includes the periods that the server has slipped, as far as they are known. What periods of whole nanoseconds leave
// out of a rate that is no integer, less than 60 ns per second, the lead follows as it follows a drifting clock.
func (t *timing) offset(f Frame, now time.Duration) time.Duration {
	return time.Duration(f)*t.nominal + t.slip - now
}

// maxSlip limits the slip that a server can report.
const maxSlip = 1000 * time.Hour

// slipped notes that the server has postponed its ticks by this many periods. That does not mean that the path has
// become longer: clients of a slow server must not run faster and faster until they reach their limit.
func (t *timing) slipped(periods uint32) {
	t.slip = min(t.slip+time.Duration(periods)*t.nominal, maxSlip)
}

// picture is the longest time that an owner takes to draw a picture: one that is away for longer has paused.
const picture = time.Second / 15

// called notes that the owner calls, possibly after a time in which nothing was due.
func (t *timing) called(now time.Duration) {
	if t.idle {
		t.back, t.paused = now, now-t.due > picture
	}
}

// leaves notes that the owner's call is done.
func (t *timing) leaves(now time.Duration) { t.idle = now < t.due }

// under returns the time from which the input of the next tick, made now, counts as in flight: earlier than now by
// the time that its tick waited for the owner, who was drawing a picture. That will happen again with the next
// tick, so the lead has to cover it as well as the path. It covers neither a pause nor the duration of ticks: a
// machine that is too slow for its ticks would only have more to resimulate.
func (t *timing) under(now time.Duration) time.Duration {
	if t.paused {
		return now
	}
	return now - max(t.back-t.due, 0)
}

// ran notes that the next tick has run now, possibly later than it was due.
func (t *timing) ran(now time.Duration) {
	at := t.offset(t.next, t.due)
	t.made[t.next%madeHeld] = t.offset(t.next, t.under(now)) - t.slip
	t.next++
	t.due += t.lead.Period(t.nominal, at)
}

// stalled records that the next tick could not run.
func (t *timing) stalled() { t.due += t.nominal }

// resume makes a tick that has been due for a long time due now: the missed time is not caught up. The server has
// gone on, so the ticks returned are skipped, and the client has to run them at once.
func (t *timing) resume(now time.Duration) (skip Frame) {
	late := now - t.due
	if late < pace.MaxDebt(t.nominal) {
		return 0
	}
	skip = Frame(late / t.nominal)
	t.due += time.Duration(skip) * t.nominal
	return skip
}

// told handles the margins that the server reports.
func (t *timing) told(margins []sequencer.Margin) {
	for _, m := range margins {
		if m.Tick >= t.first && m.Tick < t.next && t.next-m.Tick <= madeHeld {
			t.lead.SetRemote(t.nominal, t.made[m.Tick%madeHeld]+t.slip, m.Early)
		}
	}
}

// jump is how far a client may be behind the lead that it wants before it skips ticks.
const jump = 400 * time.Millisecond

// behind returns how many ticks the client has to skip because the lead that it wants is far away: the path has
// become much longer, or the client has slept.
func (t *timing) behind() (skip Frame) {
	wants, known := t.lead.Wants()
	if have := t.offset(t.next, t.due); known && wants-have > jump {
		return Frame((wants - have) / t.nominal)
	}
	return 0
}

// ahead delays the tick after the next one if the client leads by so much more than it wants to that slowing down
// does not help. The limit is twice the jump, since a slow server reports several slipped periods at once.
func (t *timing) ahead() {
	wants, known := t.lead.Wants()
	if have := t.offset(t.next, t.due); known && have-wants > 2*jump {
		t.due += have - wants
	}
}

// forget discards what was learnt: after a silence the server's timing may have changed.
func (t *timing) forget() {
	if t.first != t.next {
		t.lead, t.first = pace.Lead{}, t.next
	}
}

// slept discards what was learnt: the clock has left out the time of the sleep, so the server's ticks are at other
// times now.
func (t *timing) slept() { t.lead, t.first = pace.Lead{}, t.next }

// skip skips n ticks.
func (t *timing) skip(n Frame) {
	t.next += n
	t.first = t.next
}

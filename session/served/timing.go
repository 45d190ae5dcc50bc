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
	next         Frame                   // it
	made         [madeHeld]time.Duration // at which offset, without slip, the input of a tick was made, in a ring
	idle         bool                    // nothing was due when the owner was last there
	back         time.Duration           // when the owner came back after that
	paused       bool                    // it was away for longer than pictures take
	debt         pace.Debt
	catchUpTimer catchUpTimer
	timeBudget   timeBudget
	asked        time.Duration // when the client has last asked for a whole state
	slip         time.Duration // how much later than they would be the server's ticks are due, as it tells
	first        Frame         // the first one with an offset

	stalls  uint64 // ticks that could not run
	skipped uint64 // ticks that were left out
}

// madeHeld is for how many ticks the offset is known.
const madeHeld = 512

// begin begins with a tick that is due now.
func (t *timing) begin(f Frame, now time.Duration) {
	t.due, t.next, t.first = now, f, f
}

// offset is how far ahead a tick is that is made now: the time of the tick, in nominal periods,
// less now. The periods that the server has slipped count, as far as they are known.
func (t *timing) offset(f Frame, now time.Duration) time.Duration {
	return time.Duration(f)*t.nominal + t.slip - now
}

// maxSlip bounds what a server can tell.
const maxSlip = 1000 * time.Hour

// slipped notes that from now on the server's ticks are due later, by so many periods. They are no way that
// has become longer: a server that is slow does not have its clients hurry, until they may not go farther.
func (t *timing) slipped(periods uint32) {
	t.slip = min(t.slip+time.Duration(periods)*t.nominal, maxSlip)
}

// picture is how long an owner is busy with a picture at most: who is away for longer has paused.
const picture = time.Second / 15

// called notes that the owner is back, to a machine that may have had nothing to do.
func (t *timing) called(now time.Duration) {
	if t.idle {
		t.back, t.paused = now, now-t.due > picture
	}
}

// leaves notes that the owner goes, when what it called for is done.
func (t *timing) leaves(now time.Duration) { t.idle = now < t.due }

// under returns since when the input of the next tick, which is made now, counts as under way: earlier by as long as
// its tick waited for the owner, who was busy with a picture. It will be so again with the next one, so the lead
// has to cover that as well as the way. It covers no pause, and not what ticks take: a machine that is too
// slow for them would only have more to simulate again.
func (t *timing) under(now time.Duration) time.Duration {
	if t.paused {
		return now
	}
	return now - max(t.back-t.due, 0)
}

// ran notes that the next tick has run now, perhaps later than it was due.
func (t *timing) ran(now time.Duration) {
	at := t.offset(t.next, t.due)
	t.made[t.next%madeHeld] = t.offset(t.next, t.under(now)) - t.slip
	t.next++
	t.due += t.lead.Period(t.nominal, at)
}

// stalled notes that the next tick could not run.
func (t *timing) stalled() { t.due += t.nominal }

// resume has a tick that was due long ago be due now: what was missed is not made up for. The
// server has gone on, so ticks are left out, which the client has to run at once.
func (t *timing) resume(now time.Duration) (skip Frame) {
	late := now - t.due
	if late < pace.MaxDebt(t.nominal) {
		return 0
	}
	skip = Frame(late / t.nominal)
	t.due += time.Duration(skip) * t.nominal
	return skip
}

// told takes the margins that the server reports.
func (t *timing) told(margins []sequencer.Margin) {
	for _, m := range margins {
		if m.Tick >= t.first && m.Tick < t.next && t.next-m.Tick <= madeHeld {
			t.lead.SetRemote(t.nominal, t.made[m.Tick%madeHeld]+t.slip, m.Early)
		}
	}
}

// jump is how far a client may be behind what it wants before it leaves out ticks.
const jump = 400 * time.Millisecond

// behind returns how many ticks the client has to leave out, since the lead that it wants is far
// away: then the way has grown by a lot, or the client has slept.
func (t *timing) behind() (skip Frame) {
	wants, known := t.lead.Wants()
	if have := t.offset(t.next, t.due); known && wants-have > jump {
		return Frame((wants - have) / t.nominal)
	}
	return 0
}

// ahead has what follows the next tick wait if the client is so far ahead of what it wants that going slower
// does not help: by twice the jump, since a slow server tells of several periods at once by which it has slipped.
func (t *timing) ahead() {
	wants, known := t.lead.Wants()
	if have := t.offset(t.next, t.due); known && have-wants > 2*jump {
		t.due += have - wants
	}
}

// forget forgets what was learnt: after a silence the server may have another time.
func (t *timing) forget() {
	if t.first != t.next {
		t.lead, t.first = pace.Lead{}, t.next
	}
}

// slept forgets what was learnt: the clock has left out the time of the sleep, so that the server's
// ticks are at other times now.
func (t *timing) slept() { t.lead, t.first = pace.Lead{}, t.next }

// skip leaves out ticks.
func (t *timing) skip(n Frame) {
	t.next += n
	t.first = t.next
}

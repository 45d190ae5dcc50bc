package pace

import "time"

// Debt tracks how late the frames of a machine begin. It distinguishes a machine that has paused and catches up
// from one that cannot, because its frames take longer than a tick period. The zero value has no debt.
type Debt struct {
	frames   int           // number of consecutive frames that have begun a period late or more
	mark     time.Duration // how late the first of them was
	relented time.Duration // when a debt that did not become smaller was last forgiven; 0: never
	floor    time.Duration // no frame that is still to run counts as due before this
}

const (
	// relentAfter is how many late frames in a row have to make a debt smaller; otherwise nothing will. At tick
	// rates below 30 it is the number that begin in relentTime, but at least relentLeast.
	relentAfter, relentLeast = 8, 2
	relentTime               = time.Second * relentAfter / 30
	// behindFor is how long a machine that has proved too slow counts as behind.
	behindFor = time.Second
)

// SkipLost is called before a frame that was due at next, and returns when it is due now. If a machine is late by a
// period or more, and still as late after relentAfter frames, the time that it cannot catch up on is forgiven.
// Otherwise it would learn from the frames of others that it is ahead of them, since it measures their arrival
// relative to the time when it should have run those frames itself; and it would have no time for anything else.
func (d *Debt) SkipLost(now, next, period time.Duration) time.Duration {
	d.floor = now - period
	if next > d.floor { // nearly always, so that this is inlined
		d.frames = 0
		return next
	}
	return d.skipLate(now, next, period)
}

// skipLate does the work of SkipLost for a machine that is late by a period or more.
func (d *Debt) skipLate(now, next, period time.Duration) time.Duration {
	late := now - next
	switch {
	case d.frames == 0:
		d.frames, d.mark = 1, late
	case d.frames < relents(period):
		d.frames++
	case late < d.mark: // the debt shrinks, and the machine is behind until it is gone
		d.frames, d.mark = 1, late
	default:
		return d.SkipAll(now)
	}
	return next
}

// relents returns how many late frames in a row have to make a debt smaller.
func relents(period time.Duration) int {
	return int(min(max(relentTime/period, relentLeast), relentAfter))
}

// SkipAll forgives the whole debt of a machine that is behind, and returns when its next frame is due: now.
func (d *Debt) SkipAll(now time.Duration) time.Duration {
	d.frames, d.relented = 0, now
	return now
}

// Behind reports whether the machine is behind, or has recently proved too slow.
func (d *Debt) Behind(now time.Duration) bool {
	return d.frames > 0 || d.relented != 0 && now-d.relented < behindFor
}

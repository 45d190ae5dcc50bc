package pace

import "time"

// Debt is how late the frames of a machine begin. It tells a machine that has paused, and catches up, from one
// that cannot: its frames take longer than a tick period. The zero value owes nothing.
type Debt struct {
	frames   int           // how many have begun a period late or more, one after another
	mark     time.Duration // how late the first of them was
	relented time.Duration // when a debt was last forgiven since it did not become smaller; 0: never
	floor    time.Duration // no frame that is still to run counts as due before this
}

const (
	// relentAfter is how many late frames in a row have to make a debt smaller, or else nothing will. At tick
	// rates below 30 it is as many as begin in relentTime, and relentLeast at least.
	relentAfter, relentLeast = 8, 2
	relentTime               = time.Second * relentAfter / 30
	// behindFor is how long a machine counts as behind that has proved too slow.
	behindFor = time.Second
)

// SkipLost is called before a frame that was due at next, and returns when it is due now. A machine that is late
// by a period or more, and not less so after relentAfter frames, is forgiven what it cannot make up for.
// Otherwise it would be told by the frames of others that it is ahead of them, since it measures when they
// arrive by when it should have run them itself; and it would never get to anything else.
func (d *Debt) SkipLost(now, next, period time.Duration) time.Duration {
	late := now - next
	d.floor = now - period
	switch {
	case late < period:
		d.frames = 0
	case d.frames == 0:
		d.frames, d.mark = 1, late
	case d.frames < relents(period):
		d.frames++
	case late < d.mark: // it becomes smaller, and the machine is behind until it is gone
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

// SkipAll forgives all that a machine owes which is behind, and returns when its next frame is due: now.
func (d *Debt) SkipAll(now time.Duration) time.Duration {
	d.frames, d.relented = 0, now
	return now
}

// Behind reports whether the machine is behind, or has proved too slow a moment ago.
func (d *Debt) Behind(now time.Duration) bool {
	return d.frames > 0 || d.relented != 0 && now-d.relented < behindFor
}

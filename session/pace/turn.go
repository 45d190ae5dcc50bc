package pace

import "time"

// Turn is one call of an owner that lets time pass for its machine: frames that are due run one after another,
// and what each has to say is sent at once. It decides when the call ends although more are due, so that the
// owner can show a picture: on a machine whose frames take longer than a tick period, some always are.
//
// The owner begins a turn, updates the machine, and asks [Turn.More] whether to update it again.
type Turn struct {
	period      time.Duration
	began, last time.Duration // when the turn and its newest frame began
	ended       time.Duration // when the turn before it ended; 0: there was none
	own         time.Duration // for how long the owner has been away, up to longest
	frames      int
	due         time.Duration // when the next frame was due at the end of the turn before it; 0: there was none
	waited      bool          // whether a frame that was due had to wait for others, and the machine is late since
}

const (
	// longest bounds for how long the owner counts as having been away: for its pictures, and not because
	// it was stopped.
	longest = 100 * time.Millisecond
	// mostFrames bounds a turn on a clock that stands still.
	mostFrames = 1 << 12
)

// Begin begins a turn of a machine with this tick period.
func (t *Turn) Begin(now, period time.Duration) {
	t.own = 0
	if t.ended != 0 {
		t.own = min(max(now-t.ended, 0), longest)
	}
	t.period, t.began, t.last, t.frames = period, now, now, 0
}

// More reports whether to update the machine again: it ran a frame, another one was due at next, and one that
// takes as long ends within a tick period of the beginning. A machine that is late by a whole period gets as
// much more time as the owner takes for itself: else a game with costly pictures would run slowly, for all of
// its players, before pictures became fewer. If not, the turn is over.
//
// A machine that is late since it had to wait for others runs one frame, as long as it is not late by a whole period: else an owner
// that looks once a period would show none and then two as one, again and again, where the frames of a slow machine come just
// behind each other look.
func (t *Turn) More(now, next time.Duration, ran bool) bool {
	if t.frames == 0 && !ran && t.due != 0 && t.due <= t.began {
		t.waited = true
	}
	if next > now && ran {
		t.waited = false
	}
	t.due = next
	if t.waited && now-next < t.period {
		t.ended = now
		return false
	}
	room := t.period
	if now-next >= t.period {
		room += t.own
	}
	ends := now + now - t.last
	t.last = now
	if t.frames++; ran && next <= now && ends-t.began <= room && t.frames < mostFrames {
		return true
	}
	t.ended = now
	return false
}

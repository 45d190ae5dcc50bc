package pace

import "time"

// Turn is one call in which an owner lets its machine run: frames that are due run one after another, and the
// datagrams of each are sent at once. Turn decides when the call ends although more frames are due, so that the
// owner can draw a picture: on a machine whose frames take longer than a tick period, some always are.
//
// The owner begins a turn, updates the machine, and calls [Turn.More] to know whether to update it again.
type Turn struct {
	period      time.Duration
	began, last time.Duration // when the turn and its newest frame began
	ended       time.Duration // when the previous turn ended; 0: there was none
	own         time.Duration // how long the owner was away, up to longest
	frames      int
	due         time.Duration // when the next frame was due at the end of the previous turn; 0: there was none
	waited      bool          // whether a due frame had to wait for others, and the machine has been late since
}

const (
	// longest limits how long the owner counts as away: what counts is the time for drawing pictures, not the time
	// for which it was stopped.
	longest = 100 * time.Millisecond
	// mostFrames limits a turn on a clock that stands still.
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

// More reports whether to update the machine again: it ran a frame, another one was due at next, and one that takes
// as long will end within a tick period of the beginning of the turn. A machine that is late by a whole period gets
// additional time, as much as the owner takes for itself: otherwise a game with costly pictures would run slowly,
// for all of its players, before pictures became fewer. If More returns false, the turn is over.
//
// A machine that is late because it had to wait for others runs one frame, as long as it is not late by a whole
// period. Otherwise, where the frames of a slow machine arrive just after each check, an owner that checks once per
// period would show none and then two at once, again and again.
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

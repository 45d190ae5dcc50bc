package pace

import "time"

const (
	// steady is the deviation of the buffer that has no effect. An excess of more than hurry is reduced in a hurry.
	steady, hurry = 66 * time.Millisecond, 500 * time.Millisecond
	// tellAfter is how long a spectator waits for frames before that is reported.
	tellAfter = 500 * time.Millisecond
)

// Playout is the jitter buffer of a spectator: it decides how long a frame is shown, from the number of frames that
// have arrived and are not shown yet. It waits until enough of them are buffered.
type Playout struct {
	Schedule
	Reminder
	buffer, catchUp int
	steady, hurry   int // limits in frames

	running bool          // frames are shown
	live    bool          // the spectator has caught up with the match
	since   time.Duration // when it began to wait
	extra   int           // frames wanted beyond the buffer, after breaks
	fits    int           // number of buffered frames when there was no room for more; 0: there always was

	// Breaks counts how often no frame was left in this match, and Empty the tick periods without a frame.
	Breaks, Empty uint64
}

// Init prepares a buffer of the given number of frames, which shows up to catchUp frames per tick period when it is
// far behind.
func (p *Playout) Init(nominal time.Duration, buffer, catchUp int) {
	p.buffer, p.catchUp = buffer, catchUp
	p.steady, p.hurry = int((steady+nominal-1)/nominal), max(int(hurry/nominal), 8)
	p.Schedule.Init(nominal, 0)
}

// Begin starts a match.
func (p *Playout) Begin(now time.Duration) {
	*p = Playout{Schedule: p.Schedule, buffer: p.buffer, catchUp: p.catchUp, steady: p.steady, hurry: p.hurry, since: now}
}

// Wanted returns how many frames should be buffered: after each break half as many more, up to two seconds, so that
// an uneven path causes fewer and fewer breaks, but not more than there is room for.
func (p *Playout) Wanted() int {
	frames := max(p.buffer, min(p.buffer+p.extra, int(2*time.Second/p.nominal)))
	if p.fits > 0 {
		return min(frames, p.fits)
	}
	return frames
}

// Full reports that there is room for no more than held frames.
func (p *Playout) Full(held int) { p.fits = held }

// Running reports whether frames are shown.
func (p *Playout) Running() bool { return p.running }

// Stop makes it wait again, at the end of a match.
func (p *Playout) Stop() { p.running = false }

// Wait counts a tick period without a frame. It returns how long it has waited, and whether to report that now.
func (p *Playout) Wait(now time.Duration) (waited time.Duration, tell bool) {
	p.Empty++
	return now - p.since, p.Remind(now, p.since, tellAfter)
}

// Run starts showing frames. It returns how long it has waited, and whether that was reported.
func (p *Playout) Run(now time.Duration) (waited time.Duration, told bool) {
	p.running = true
	return now - p.since, p.Reminder.End()
}

// Pace returns the length of the next tick period when held frames are buffered: up to 5 % more or less than the
// nominal length, or a fraction of it, to catch up by several frames per nominal period. Each frame has a period of
// its own, so that a machine on which frames take long shows as many frames as it can.
func (p *Playout) Pace(held int) (period time.Duration) {
	switch excess := held - p.Wanted(); {
	case excess > p.hurry && p.catchUp > 1:
		return p.nominal / time.Duration(min(1+excess/8, p.catchUp))
	case excess > p.steady:
		return p.nominal - p.nominal/20
	case excess < -p.steady:
		return p.nominal + p.nominal/20
	}
	return p.nominal
}

// Reaches reports whether the spectator has caught up with the match for the first time, when the host is behind
// frames ahead.
func (p *Playout) Reaches(behind int64) bool {
	first := !p.live && behind <= int64(p.Wanted()+p.hurry)
	p.live = p.live || first
	return first
}

// Break records that no frame is left to show.
func (p *Playout) Break(now time.Duration) {
	p.running, p.since = false, now
	p.Reminder.End()
	p.Breaks++
	p.extra += p.Wanted() / 2
}

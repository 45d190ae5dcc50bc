package window

// quality chooses the resolution of pictures. If they are too slow, as without a graphics processor, the resolution
// is lowered in steps until they are fast enough. After they have been fast for a long time, a higher step is tried
// again, each time after twice as long.
type quality struct {
	step     int
	time     float32
	pictures int
	good     float32 // seconds for which pictures have been fast
	patience float32 // seconds until a higher step is tried
}

var qualities = [...]float64{1, 0.75, 0.6, 0.5}

// Shares returns the fractions of the resolution that pictures can have: the tests of layouts check each.
func Shares() []float64 { return qualities[:] }

const (
	// Below slowest pictures per second the resolution is lowered. From quick on, pictures count as fast.
	slowest, quick = 45, 57
	// watch is the number of seconds for which pictures are counted before a step.
	watch = 1.5
	// firstPatience is how long to wait before a higher step is first tried.
	firstPatience = 8
)

// look counts a picture that took dt seconds.
func (q *quality) look(dt float32) {
	if dt > 0.6 {
		q.time, q.pictures = 0, 0 // the page was hidden, or the program was stopped
		return
	}
	q.time += dt
	q.pictures++
	if q.time < watch {
		return
	}
	q.judge(float32(q.pictures) / q.time)
	q.time, q.pictures = 0, 0
}

// judge changes the step if necessary, at this many pictures per second.
func (q *quality) judge(rate float32) {
	q.patience = max(q.patience, firstPatience)
	switch {
	case rate < slowest:
		q.good = 0
		if q.step < len(qualities)-1 {
			q.step++
		}
	case rate < quick || q.step == 0:
		q.good = 0
	default:
		if q.good += q.time; q.good > q.patience {
			q.step--
			q.good, q.patience = 0, q.patience*2
		}
	}
}

func (q *quality) scale() float64 { return qualities[q.step] }

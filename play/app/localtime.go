package app

import "time"

// localTime has the time and the seeds of matches on this machine.
type localTime struct {
	now  time.Time
	seed uint32
}

// elapse lets time pass.
func (t *localTime) elapse(seconds float32) {
	t.now = t.now.Add(time.Duration(float64(seconds) * float64(time.Second)))
}

// next returns a seed, never 0.
func (t *localTime) next() uint32 {
	t.seed = t.seed*1664525 + 1013904223
	return t.seed | 1
}

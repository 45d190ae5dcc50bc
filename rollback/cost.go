package rollback

import "time"

// Costs is how long the parts of a tick take on this machine, averaged over the measured ticks. Parts that have not
// been measured are zero.
type Costs struct {
	Step    time.Duration // the game's step of one frame
	Save    time.Duration // taking a snapshot
	Restore time.Duration // going back to a snapshot; zero for a plain game, which steps from the snapshot itself
	Hash    time.Duration // hashing one state
}

// DeepestRollback returns how many frames can be simulated again within a tick period, in addition to running a new
// frame and taking one hash. It is -1 if even the new frame does not fit, or if nothing has been measured.
func (c Costs) DeepestRollback(period time.Duration) int {
	frame := c.Step + c.Save
	if frame <= 0 {
		return -1
	}
	if left := period - c.Hash - frame; left < 0 {
		return -1
	} else if left > c.Restore {
		return int((left - c.Restore) / frame)
	}
	return 0
}

// Costs returns the costs that have been measured with [Config.Clock].
func (e *core[I]) Costs() Costs { return e.steps.meter.costs() }

// meterEvery is the interval of measured ticks. Not every tick is measured, because reading a clock takes as long as
// the step of a small game.
const meterEvery = 16

// meter measures the parts of some ticks.
type meter struct {
	clock func() time.Duration

	step, save, restore, hash average
}

func (m *meter) costs() Costs {
	return Costs{m.step.mean(), m.save.mean(), m.restore.mean(), m.hash.mean()}
}

// average is a moving average of a changing cost: a new value has a weight of 1/16.
type average struct {
	sum time.Duration // 16 times the mean
}

func (a *average) add(d time.Duration) {
	if a.sum == 0 {
		a.sum = d * 16
		return
	}
	a.sum += d - a.sum/16
}

func (a *average) mean() time.Duration { return a.sum / 16 }

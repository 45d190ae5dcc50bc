package session

import (
	"cmp"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Defaults that are a time are given in frames at [DefaultTickRate], and scale with the tick rate. Bounds
// of what a machine has to do or to remember are numbers of frames at every rate.

// atRate returns how many frames at a tick rate take as long as so many do at DefaultTickRate, rounded up.
func atRate(frames, tickRate int) int {
	return (frames*tickRate + DefaultTickRate - 1) / DefaultTickRate
}

// leastWindow is so long that three datagrams in a row can be lost at a low tick rate without a wait.
const leastWindow = 4

// DefaultWindowAt is the default of [Config.Window]: 133 ms of frames, rounded up, but at least 4 and at most
// rollback.MaxWindow. That is 8 at 60 frames a second, and 32 at 240.
func DefaultWindowAt(tickRate int) int {
	return min(max(atRate(DefaultWindow, tickRate), leastWindow), rollback.MaxWindow)
}

// defaultMostDelay is that of AutoDelay.Max: as long as the usual window, but never shorter than 8 frames,
// since a match in lockstep has nothing else to cover a path.
func defaultMostDelay(tickRate int) int {
	return min(max(atRate(DefaultWindow, tickRate), DefaultWindow), rollback.MaxDelay)
}

// DefaultChainEveryAt is the default of [Config.ChainEvery]: a second, or the next multiple of the interval of
// hashes, if that is chosen.
func DefaultChainEveryAt(tickRate, hashEvery int) int {
	if hashEvery <= 1 {
		return tickRate
	}
	return (tickRate + hashEvery - 1) / hashEvery * hashEvery
}

// HashInterval returns the interval of hashes of a match: the chosen one, or for 0 the
// [rollback.DefaultHashInterval] of its game with this interval of comparisons, of which 0 is the default at
// this tick rate, 0 being the default of that.
func HashInterval[S any, I comparable](game rollback.Definition[S, I], chosen, chainEvery, tickRate int) int {
	if chosen != 0 {
		return chosen
	}
	return rollback.DefaultHashInterval(game, cmp.Or(chainEvery, tickRate, DefaultTickRate))
}

// DefaultToleranceAt is the default of EffectTolerance: 67 ms, but never less than the engine's.
func DefaultToleranceAt(tickRate int) int {
	return max(atRate(effects.DefaultTolerance, tickRate), effects.DefaultTolerance)
}

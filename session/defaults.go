package session

import (
	"cmp"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/rollback/effects"
)

// Defaults that stand for a time are given in frames at [DefaultTickRate], and scale with the tick rate. Limits on
// work or memory are numbers of frames at every rate.

// atRate converts a number of frames at DefaultTickRate to a tick rate, rounded up.
func atRate(frames, tickRate int) int {
	return (frames*tickRate + DefaultTickRate - 1) / DefaultTickRate
}

// leastWindow is large enough to lose three datagrams in a row at a low tick rate without waiting.
const leastWindow = 4

// DefaultWindowAt returns the default of [Config.Window]: the equivalent of 133 ms, rounded up, but at least 4 and
// at most rollback.MaxWindow. That is 8 at 60 frames per second, and 32 at 240.
func DefaultWindowAt(tickRate int) int {
	return min(max(atRate(DefaultWindow, tickRate), leastWindow), rollback.MaxWindow)
}

// defaultMostDelay returns the default of AutoDelay.Max: the default window, but at least 8 frames, since a match
// in lockstep has nothing else to cover a path.
func defaultMostDelay(tickRate int) int {
	return min(max(atRate(DefaultWindow, tickRate), DefaultWindow), rollback.MaxDelay)
}

// DefaultChainEveryAt returns the default of [Config.ChainEvery]: one second, rounded up to a multiple of hashEvery
// if that is set.
func DefaultChainEveryAt(tickRate, hashEvery int) int {
	if hashEvery <= 1 {
		return tickRate
	}
	return (tickRate + hashEvery - 1) / hashEvery * hashEvery
}

// HashInterval returns the hash interval of a match: chosen, or if that is 0, the [rollback.DefaultHashInterval] of
// the game for the comparison interval chainEvery. A chainEvery of 0 means tickRate, and a tickRate of 0 means
// DefaultTickRate.
func HashInterval[S any, I comparable](game rollback.Definition[S, I], chosen, chainEvery, tickRate int) int {
	if chosen != 0 {
		return chosen
	}
	return rollback.DefaultHashInterval(game, cmp.Or(chainEvery, tickRate, DefaultTickRate))
}

// DefaultToleranceAt returns the default of EffectTolerance: 67 ms, but never less than the engine's.
func DefaultToleranceAt(tickRate int) int {
	return max(atRate(effects.DefaultTolerance, tickRate), effects.DefaultTolerance)
}

package rollback

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback/effects"
)

// Limits of a [Config] and of a game.
const (
	MaxInputSize  = 64   // bytes of an input's canonical encoding
	MaxOrderBytes = 4096 // bytes of orders of one player in one frame
	MaxWindow     = 120  // frames: two seconds at 60 ticks/s
	MaxDelay      = 60   // frames: one second at 60 ticks/s
	MinHistory    = 128
	MaxHistory    = 1 << 14
	MaxSnapshots  = 1 << 12

	// DefaultHistory is four seconds at 60 ticks/s: more than the newest inputs of two peers are ever apart, which is at
	// most [MaxWindow] and a [MaxDelay] for each of them.
	DefaultHistory = 256
)

// Config says how an engine runs a match. Players is required. All peers of a match have
// the same Players and MaxOrders; each peer may choose the rest for itself.
type Config struct {
	// Players is how many players the match has: 1 to [MaxPlayers].
	Players int
	// Local are the players whose inputs are sampled here ([Engine.AddLocal]).
	// The inputs of all others arrive ([Engine.AddInput]).
	Local PlayerSet
	// Delay is the input delay of each local player in frames: a sample taken before frame f takes effect in frame f +
	// delay. At most [MaxDelay].
	Delay [MaxPlayers]int

	// Window is how many frames may run on predictions, beyond the frames whose
	// inputs are all known; 8 suits most games. With 0 the engine is in
	// lockstep: it predicts nothing, and takes no snapshots.
	Window int
	// Snapshots is how many states are held, the current one included. The
	// default, and the least, is 1 more than Window, or than SyncTest if that is more.
	Snapshots int
	// History is how many past frames of inputs are held, to tell duplicates from conflicts and to let agreement catch up:
	// a power of two, at least [MinHistory], and more than 2 × Window and 2 × SyncTest. The default is [DefaultHistory].
	// Inputs may come at least 3/4 as many frames early.
	History int

	// MaxOrders is the maximum size in bytes of the orders that one player may give in one frame, at most
	// [MaxOrderBytes]. With 0 the match has no orders.
	MaxOrders int

	// Stream keeps every agreed frame until [Engine.NextAgreed] has read it.
	Stream bool
	// HashEvery is the interval, in frames, at which the agreed stream has
	// hashes: states whose number it divides are hashed. The default is the
	// [DefaultHashInterval] of the game, at most 60: 1 for states of up to
	// [HashedBytes]. A negative interval means no hashes.
	HashEvery int

	// RunAhead is how many frames ahead of the current state the game is shown: see [Ahead]. At most [MaxRunAhead]. A game
	// with its own memory needs Save and Restore for that, in lockstep, too.
	RunAhead int

	// SyncTest, if not 0, is the depth of a sync test: every tick rolls back that many
	// frames, simulates them again, and compares. See [Engine.Tick]. Effects are
	// confirmed that many frames later.
	SyncTest int

	// MaxEffects is how many effects one frame may emit; the default is the one in
	// effects.Config. Further ones are dropped and counted.
	MaxEffects int
	// EffectTolerance is how many frames an effect may move and still be the same
	// effect; see effects.Config.
	EffectTolerance int

	// Probe, if given, observes frames and rollbacks while they run.
	Probe Probe
	// Clock, if given, is a monotonic clock that measures every 16th tick, for
	// [Engine.Costs]. It does not influence the match.
	Clock func() time.Duration
}

// ErrConfig is wrapped by every error about a [Config].
var ErrConfig = errors.New("invalid rollback.Config")

// withDefaults checks the configuration and returns it with its defaults.
func (c Config) withDefaults() (Config, error) {
	if c.Players < 1 || c.Players > MaxPlayers {
		return c, configError("Players is %d, not 1 to %d", c.Players, MaxPlayers)
	}
	if extra := c.Local &^ everyone(c.Players); extra != 0 {
		return c, configError("Local has %v, and Players is %d", extra, c.Players)
	}
	for p, d := range c.Delay {
		if err := checkDelay(Player(p), d); err != nil {
			return c, fmt.Errorf("%w: %w", ErrConfig, err)
		}
		if d != 0 && !c.Local.Has(Player(p)) {
			return c, configError("Delay[%d] is %d, and that player is not local", p, d)
		}
	}
	c.Snapshots = orDefault(c.Snapshots, max(c.Window, c.SyncTest)+1)
	if c.RunAhead > 0 {
		c.Snapshots = max(c.Snapshots, 2) // to come back from there
	}
	c.History = orDefault(c.History, DefaultHistory)
	return c, c.checkRanges()
}

func (c *Config) checkRanges() error {
	switch least := max(c.Window, c.SyncTest) + 1; {
	case c.Window < 0 || c.Window > MaxWindow:
		return configError("Window is %d, not 0 to %d", c.Window, MaxWindow)
	case c.SyncTest < 0 || c.SyncTest > MaxWindow:
		return configError("SyncTest is %d, not 0 to %d", c.SyncTest, MaxWindow)
	case c.RunAhead < 0 || c.RunAhead > MaxRunAhead:
		return configError("RunAhead is %d, not 0 to %d", c.RunAhead, MaxRunAhead)
	case c.Snapshots < least || c.Snapshots > MaxSnapshots:
		return configError("Snapshots is %d, not %d (Window or SyncTest, and the current state) to %d", c.Snapshots, least, MaxSnapshots)
	case c.History&(c.History-1) != 0 || c.History > MaxHistory:
		return configError("History is %d, not a power of two up to %d", c.History, MaxHistory)
	case c.History < max(MinHistory, 2*least):
		return configError("History is %d, less than %d", c.History, max(MinHistory, 2*least))
	case c.MaxEffects < 0 || c.MaxEffects > effects.MaxPerFrame:
		return configError("MaxEffects is %d, not 1 to %d; 0 is %d", c.MaxEffects, effects.MaxPerFrame, effects.DefaultMaxPerFrame)
	case c.EffectTolerance > effects.MaxTolerance:
		return configError("EffectTolerance is %d, more than %d frames", c.EffectTolerance, effects.MaxTolerance)
	case c.MaxOrders < 0 || c.MaxOrders > MaxOrderBytes:
		return configError("MaxOrders is %d, not 0 to %d", c.MaxOrders, MaxOrderBytes)
	}
	return nil
}

func orDefault(v, d int) int {
	if v == 0 {
		return d
	}
	return v
}

func checkDelay(p Player, frames int) error {
	if frames < 0 || frames > MaxDelay {
		return fmt.Errorf("the input delay of player %d is %d frames, not 0 to %d", p, frames, MaxDelay)
	}
	return nil
}

func configError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
}

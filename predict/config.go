package predict

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/predict/internal/plain"
)

// Defaults and limits of a [Config].
const (
	// DefaultRoom is 6.4 s of moves at 20 a second, and the minimum for a default Room.
	DefaultRoom = 128
	// DefaultSilence is the time for which moves have room by default, however many are made in a second.
	DefaultSilence = 2 * time.Second
	// MaxRoom bounds the cost of a replay.
	MaxRoom = 1 << 14
)

// Config configures a [Predictor].
type Config[S any, I comparable] struct {
	Motion[S, I]

	// Player is the player whose moves these are. States of other players are refused.
	Player Player

	// Room is how many moves can be pending, 1 to [MaxRoom]: at least the moves of one round trip, and of the longest
	// silence that the player should not notice. The default is the number of moves in [DefaultSilence], one for each
	// Cadence, but at least [DefaultRoom].
	Room int

	// Hitch bounds the time that [Predictor.Advance] catches up at once; see [Account.Limit]. The default is
	// [DefaultLimit], or Cadence if that is more.
	Hitch time.Duration
}

// withDefaults returns the configuration with its defaults, or an [ErrConfig].
func (c Config[S, I]) withDefaults() (Config[S, I], error) {
	if c.Room == 0 {
		c.Room = DefaultRoom
		if c.Cadence > 0 {
			c.Room = int(min(max(DefaultRoom, DefaultSilence/c.Cadence), MaxRoom))
		}
	}
	if c.Hitch == 0 {
		c.Hitch = max(DefaultLimit, c.Cadence)
	}
	fail := func(format string, args ...any) (Config[S, I], error) {
		return c, fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...)
	}
	switch {
	case c.Step == nil:
		return fail("Step is missing")
	case c.Cadence <= 0:
		return fail("Cadence is %v, and has to be the server's tick, above 0", c.Cadence)
	case c.Unit < 0 || c.Cadence%c.unit() != 0:
		return fail("Unit is %v, of which Cadence, %v, is no multiple", c.Unit, c.Cadence)
	case c.Longest < 0 || c.longest() < c.Cadence:
		return fail("Longest is %v, less than Cadence, %v", c.Longest, c.Cadence)
	case c.Room < 0 || c.Room > MaxRoom:
		return fail("Room is %d, not 1 to %d", c.Room, MaxRoom)
	case c.Hitch < c.Cadence:
		return fail("Hitch is %v, less than Cadence, %v: no move would ever be due", c.Hitch, c.Cadence)
	}
	if path := plain.Shared[S](); c.Copy == nil && path != "" {
		return fail("assigning a state shares %s: give Copy, or a state without pointers, slices and maps", path)
	}
	if path := plain.Shared[I](); path != "" {
		return fail("assigning an input shares %s: inputs have no pointers", path)
	}
	return c, nil
}

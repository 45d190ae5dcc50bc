package effects

import (
	"fmt"
)

// The defaults of a [Config], and the maximum values of its fields.
const (
	// DefaultTolerance is 4 frames, 67 ms at 60 frames a second: less than most people notice in a sound, and more than
	// most corrections shift a sound.
	DefaultTolerance = 4
	// DefaultMaxPerFrame is the default of [Config.MaxPerFrame].
	DefaultMaxPerFrame = 64
	// DefaultHistory is the default of [Config.History], in frames.
	DefaultHistory = 256

	MaxTolerance = 1 << 10 // frames
	MaxPerFrame  = 1 << 12 // effects
	MaxHistory   = 1 << 20 // frames
)

// Config says what a [Journal] records. All but Kinds may be zero.
type Config struct {
	// Kinds lists every kind that is emitted, in any order.
	Kinds []Declaration
	// Tolerance is the maximum number of frames by which a correction may shift an effect that remains the same, and
	// the maximum number of frames for which a sustained one may pause. Zero means [DefaultTolerance], a negative
	// value no tolerance. See the package's rules.
	Tolerance int
	// MaxPerFrame is the maximum number of effects in a frame; [Journal.Dropped] counts those beyond it. Zero means
	// [DefaultMaxPerFrame].
	MaxPerFrame int
	// History is the maximum number of simulated frames that were not agreed on at the last Flush. It bounds the depth
	// of rollbacks, and how many frames a tick may catch up. Zero means [DefaultHistory].
	History int
}

// withDefaults returns the config with defaults in place of zeros.
func (c Config) withDefaults() Config {
	if c.Tolerance == 0 {
		c.Tolerance = DefaultTolerance
	}
	c.Tolerance = max(c.Tolerance, 0)
	if c.MaxPerFrame == 0 {
		c.MaxPerFrame = DefaultMaxPerFrame
	}
	if c.History == 0 {
		c.History = DefaultHistory
	}
	return c
}

// validate checks a config with its defaults.
func (c Config) validate() error {
	switch {
	case c.Tolerance > MaxTolerance:
		return fmt.Errorf("effects: Tolerance is %d, more than %d frames", c.Tolerance, MaxTolerance)
	case c.MaxPerFrame < 0 || c.MaxPerFrame > MaxPerFrame:
		return fmt.Errorf("effects: MaxPerFrame is %d, not 1 to %d; 0 is %d", c.MaxPerFrame, MaxPerFrame, DefaultMaxPerFrame)
	case c.History < 0 || c.History > MaxHistory:
		return fmt.Errorf("effects: History is %d, not 1 to %d frames; 0 is %d", c.History, MaxHistory, DefaultHistory)
	}
	return nil
}

// declare fills the table of kinds.
func declare(table *[256]*spec, kinds []Declaration) error {
	for i, d := range kinds {
		if d == nil || d.declared() == nil {
			return fmt.Errorf("effects: Kinds[%d] is no kind: make it with OneShot or Sustained", i)
		}
		s := d.declared()
		if s.err != nil {
			return fmt.Errorf("effects: kind %d, %q: %w", s.id, s.name, s.err)
		}
		if other := table[s.id]; other != nil {
			return fmt.Errorf("effects: the kinds %q and %q have the same id, %d: give one of them another", other.name, s.name, s.id)
		}
		table[s.id] = s
	}
	return nil
}

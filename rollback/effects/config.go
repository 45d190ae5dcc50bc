package effects

import (
	"fmt"
)

// The defaults of a [Config], and the most its fields may be.
const (
	// DefaultTolerance is 4 frames, 67 ms at 60 frames a second: less than most people notice in a sound, and more than
	// most corrections shift a sound.
	DefaultTolerance = 4
	// DefaultMaxPerFrame is 64 effects.
	DefaultMaxPerFrame = 64
	// DefaultHistory is 256 frames.
	DefaultHistory = 256

	MaxTolerance = 1 << 10 // frames
	MaxPerFrame  = 1 << 12 // effects
	MaxHistory   = 1 << 20 // frames
)

// Config says what a [Journal] records. All but Kinds may be zero.
type Config struct {
	// Kinds lists every kind that is emitted, in any order.
	Kinds []Declaration
	// Tolerance is by how many frames a correction may shift an effect that
	// remains the same, and for how long a sustained one may pause. Zero means
	// [DefaultTolerance], a negative value no tolerance. See the package's rules.
	Tolerance int
	// MaxPerFrame is how many effects a frame may emit; [Journal.Dropped] counts
	// those beyond. Zero means [DefaultMaxPerFrame].
	MaxPerFrame int
	// History is how many frames may be simulated that were not agreed on at the
	// last Flush. It bounds the depth of rollbacks, and how many frames a tick
	// may catch up. Zero means [DefaultHistory].
	History int
}

// withDefaults replaces what is zero.
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

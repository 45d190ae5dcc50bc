package sequencer

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
)

// Aliases of types of package rollback.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// Limits of a [Config].
const (
	MaxWidth = 1 << 10
	MaxRate  = 1000
	MaxAhead = 1 << 12
)

// Hold is how long the last input of a player replaces missing ones, and the time within which a late one is still
// carried; rounded up to whole ticks.
const Hold = 250 * time.Millisecond

// Config configures a [Sequencer].
type Config struct {
	Width int // bytes of an input
	Rate  int // ticks per second; of a rate that is no integer the one next to it
	// Period is the tick period; 0 means that of Rate.
	Period time.Duration
	// Ahead is how many ticks beyond the next one to close inputs are accepted.
	Ahead int
	// StandIn writes the input of a player that has not been heard for longer than [Hold]. The bytes are zero
	// before the call; without StandIn they stay zero.
	StandIn func(p Player, f Frame, input []byte)
	// Carry merges a late input into the player's next one. It is called once for each late input. Without it, late
	// inputs have no effect on the tick.
	Carry func(late, next []byte)
}

func (c *Config) validate() error {
	for _, limit := range [...]struct {
		name        string
		value, most int
	}{{"Width", c.Width, MaxWidth}, {"Rate", c.Rate, MaxRate}, {"Ahead", c.Ahead, MaxAhead}} {
		if limit.value < 1 || limit.value > limit.most {
			return fmt.Errorf("sequencer: %s is %d, must be 1 to %d", limit.name, limit.value, limit.most)
		}
	}
	return nil
}

// hold returns [Hold] in ticks.
func (c *Config) hold() Frame {
	return Frame((int64(Hold)*int64(c.Rate) + int64(time.Second) - 1) / int64(time.Second))
}

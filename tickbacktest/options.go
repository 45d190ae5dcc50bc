package tickbacktest

import (
	"errors"
	"fmt"

	"pgregory.net/rapid"

	"github.com/tickback/tickback/rollback"
)

// The defaults of [Options].
const (
	DefaultPlayers = 2
	DefaultFrames  = 240  // frames: four seconds at 60 ticks/s
	DefaultLongest = 3600 // frames: a minute at 60 ticks/s
)

// maxFrames is the maximum length of a match: four and a half hours at 60 ticks/s.
const maxFrames = 1 << 20

// Options describes the matches of a test. The zero value suits most games of two players.
type Options[I comparable] struct {
	// Players is the number of players; the default is [DefaultPlayers].
	Players int
	// Frames is the length of most matches; the default is [DefaultFrames]. Rules that only matter later in a match
	// need longer matches.
	Frames int
	// Longest bounds, in frames, the matches that go on for as long as they reach new states: the last two of each check,
	// or the last one with -short. They end earlier once 2*Frames frames have passed without a state that is new. The
	// default is [DefaultLongest], or Frames if that is more. Raise it if the game has rules that apply only after a
	// minute; with Longest equal to Frames no match goes on.
	Longest int
	// Depth is how many frames [SyncTest] goes back in every tick: 1 to
	// rollback.MaxWindow. By default it varies, and is mostly 7.
	Depth int

	// Inputs, if given, defines what the players do, in one match of Frames frames in which no player leaves or gives
	// orders. Then nothing is random.
	Inputs func(p rollback.Player, f rollback.Frame) I
	// Generate makes one input. By default any value may occur: mostly few bits set, sometimes an extreme one. Use a
	// generator if the game accepts only some values, or if few values do something.
	Generate *rapid.Generator[I]
	// MaxOrders is the maximum size of a player's orders in a frame, in bytes: the same as in the game's rollback.Config.
	// With 0 there are no orders.
	MaxOrders int
	// Orders makes the orders of one player in one frame. By default they are random bytes. It needs MaxOrders.
	Orders *rapid.Generator[[]byte]
	// Stay keeps all players in the match. By default half of them
	// leave, and most of those come back.
	Stay bool
}

// withDefaults checks the options and returns them with their defaults.
func (o Options[I]) withDefaults() (Options[I], error) {
	if o.Players == 0 {
		o.Players = DefaultPlayers
	}
	if o.Frames == 0 {
		o.Frames = DefaultFrames
	}
	if o.Longest == 0 {
		o.Longest = max(DefaultLongest, o.Frames)
	}
	switch {
	case o.Players < 1 || o.Players > rollback.MaxPlayers:
		return o, fmt.Errorf("Options.Players is %d, not 1 to %d", o.Players, rollback.MaxPlayers)
	case o.Frames < 1 || o.Frames > maxFrames:
		return o, fmt.Errorf("Options.Frames is %d, not 1 to %d", o.Frames, maxFrames)
	case o.Longest < o.Frames || o.Longest > maxFrames:
		return o, fmt.Errorf("Options.Longest is %d, not %d (which is Frames) to %d", o.Longest, o.Frames, maxFrames)
	case o.Depth < 0 || o.Depth > rollback.MaxWindow:
		return o, fmt.Errorf("Options.Depth is %d, not 1 to %d (or 0, for depths that vary)", o.Depth, rollback.MaxWindow)
	case o.MaxOrders < 0 || o.MaxOrders > rollback.MaxOrderBytes:
		return o, fmt.Errorf("Options.MaxOrders is %d, not 0 to %d", o.MaxOrders, rollback.MaxOrderBytes)
	case o.Inputs != nil && o.Generate != nil:
		return o, errors.New("Options has both Inputs, which is all that the players do, and Generate")
	case o.Inputs != nil && o.Orders != nil:
		return o, errors.New("Options has both Inputs, which is all that the players do, and Orders")
	case o.Orders != nil && o.MaxOrders == 0:
		return o, errors.New("Options.Orders is given, and MaxOrders is 0: set it to that of the game's rollback.Config")
	}
	return o, nil
}

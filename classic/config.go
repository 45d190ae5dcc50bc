package classic

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/classic/rbn1"
	"github.com/tickback/tickback/rollback"
)

const (
	// MaxDelay is the largest input delay: the first packet has the neutral inputs of the delay and the first sample, and
	// a packet holds 32 inputs.
	MaxDelay = rbn1.MaxInputs - 1

	// DefaultTickRate is the tick rate of the reference game.
	DefaultTickRate = 60

	// MaxTickRate keeps a tick period far above the resolution of clocks.
	MaxTickRate = 1000

	// DefaultWindow is a quarter of a second at 60 ticks/s: a LAN needs two or
	// three frames, and a hitch of its Wi-Fi some more. The protocol's own limit of
	// 32 unacknowledged inputs leaves room for it.
	DefaultWindow = 16

	// DefaultHandshake is how long a side waits by default for the other one to be started.
	DefaultHandshake = 30 * time.Second

	// DefaultSilence is longer than it takes to plug a cable back in, or for a laptop to change its access point.
	DefaultSilence = 5 * time.Second

	// Forever, as a time-out, means that there is none.
	Forever time.Duration = -1
)

// ErrConfig is wrapped by every error about a [Config].
var ErrConfig = errors.New("invalid classic.Config")

// Config is one side of a match. Game, Buttons, Input, Checksum and Sample are required, and a joiner needs Peer. Both
// sides must have the same game, Frames and TickRate; the rest may differ.
type Config[S any, I comparable] struct {
	// Game is a game for two players. It includes the seed.
	Game rollback.Definition[S, I]
	// Host makes this side player 0, the one that answers. The joiner is player 1.
	Host bool
	// Peer is the address of the other side. Datagrams from elsewhere are ignored. A host without a Peer accepts the
	// first machine that sends HELLO, and another one if that machine falls silent before the match begins.
	Peer netip.AddrPort

	// Frames is the length of the match. With 0 it lasts until [Match.Close].
	Frames rollback.Frame
	// TickRate is how many frames a second has; the default is [DefaultTickRate].
	TickRate int
	// Delay is the input delay in frames, 0 to [MaxDelay].
	Delay int
	// Window is how many frames may run on predictions: 0 means [DefaultWindow], and a negative value lockstep, which
	// predicts nothing.
	Window int

	// Buttons and Input translate an input to the buttons of RBN1, and back. The zero input must come back unchanged.
	// If other inputs lose information in the translation, both sides lose the same.
	Buttons func(I) uint16
	Input   func(uint16) I
	// Checksum returns the checksum of a state. Both sides must compute it in the same way.
	Checksum func(*S) uint32
	// Sample returns the local player's current input. [Match.Advance] calls it once, in order, for each frame whose
	// input is not fixed yet.
	Sample func(p rollback.Player) I

	// Handshake is how long to wait for the other side before the match: 0 means [DefaultHandshake]; [Forever] is allowed.
	Handshake time.Duration
	// Silence is how long the other side may send nothing new during the match before it counts as lost: 0 means
	// [DefaultSilence]; [Forever] is allowed.
	Silence time.Duration
}

// withDefaults checks the configuration and returns it with its defaults.
func (c Config[S, I]) withDefaults() (Config[S, I], error) {
	if c.TickRate == 0 {
		c.TickRate = DefaultTickRate
	}
	switch {
	case c.Window == 0:
		c.Window = DefaultWindow
	case c.Window < 0:
		c.Window = 0
	}
	c.Handshake = timeout(c.Handshake, DefaultHandshake)
	c.Silence = timeout(c.Silence, DefaultSilence)
	c.Peer = unmap(c.Peer)
	if err := c.missing(); err != nil {
		return c, err
	}
	return c, c.checkRanges()
}

func timeout(d, otherwise time.Duration) time.Duration {
	switch {
	case d == 0:
		return otherwise
	case d < 0:
		return Never
	}
	return d
}

func (c *Config[S, I]) missing() error {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"Game", c.Game != nil},
		{"Buttons", c.Buttons != nil},
		{"Input", c.Input != nil},
		{"Checksum", c.Checksum != nil},
		{"Sample", c.Sample != nil},
	} {
		if !f.given {
			return configError("%s is required", f.name)
		}
	}
	return nil
}

func (c *Config[S, I]) checkRanges() error {
	switch neutral := *new(I); {
	case !c.Host && !c.Peer.IsValid():
		return configError("a joiner needs the address of its Peer")
	case c.TickRate < 1 || c.TickRate > MaxTickRate:
		return configError("TickRate is %d, not 1 to %d", c.TickRate, MaxTickRate)
	case c.Delay < 0 || c.Delay > MaxDelay:
		return configError("Delay is %d, not 0 to %d", c.Delay, MaxDelay)
	case c.Window > rollback.MaxWindow:
		return configError("Window is %d, more than %d", c.Window, rollback.MaxWindow)
	case c.Frames == rollback.NoFrame:
		return configError("Frames is %d, which is no frame: 0 is a match without end", c.Frames)
	case c.Input(c.Buttons(neutral)) != neutral:
		return configError("Input does not give back the zero input, which Buttons makes %#04x: both sides begin with it", c.Buttons(neutral))
	}
	return nil
}

func configError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrConfig, fmt.Sprintf(format, args...))
}

// unmap turns an IPv4 address written as IPv6 into an IPv4 address, so that addresses can be compared.
func unmap(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
}

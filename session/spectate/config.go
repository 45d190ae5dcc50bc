package spectate

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/session/admission"
)

// MaxDelay is the maximum Delay of a Config: more than an hour at 60 frames per second.
const MaxDelay = 1 << 18

// MaxSpectators is the maximum number of spectators per host.
const MaxSpectators = 32

// Config says how many spectators a host admits, and how. The zero value admits none.
//
// Newcomers, which know the token, are separate: Max, MaxPerAddress and Delay do not apply to them, and they catch
// up at a rate of their own, as large as that of all spectators together.
type Config struct {
	// Max is how many spectators may watch at a time, at most [MaxSpectators]; 0 means none. When all places are
	// taken, a spectator from a network with few places takes one from the network with the most: networks are an
	// IPv4 /24 and an IPv6 /56.
	Max int
	// MaxPerAddress is how many of them may come from one IP address; 0 means Max.
	MaxPerAddress int
	// Token is what spectators must know to watch: 16 to 64 bytes. Without one they must know the token of the
	// match, if it has one, with which they could also play. A spectator that knows the match's token may always
	// watch.
	Token []byte
	// Open admits every spectator that knows the address, even if players need a token.
	Open bool
	// Delay is how many frames spectators are behind agreement, so that they cannot tell a player what the others
	// are doing.
	Delay int
	// Live says that spectators may see at once what players must not know: a server with a Sight admits spectators
	// only with a Delay or with Live.
	Live bool
	// Rate is how many bytes per second of states and old frames all spectators together get while they catch up. 0
	// means [DefaultRate].
	Rate int
	// LogBytes limits the memory for frames, which are kept for spectators that join late or fall behind; 0 means
	// [DefaultLogBytes].
	LogBytes int
	// Timeout is how long a spectator may be silent; 0 means 5 s.
	Timeout time.Duration
}

// Enabled reports whether spectators are allowed.
func (c *Config) Enabled() bool { return c.Max > 0 }

const (
	// DefaultRate is one megabyte per second.
	DefaultRate = 1 << 20
	// DefaultLogBytes holds some hours of two players, or half an hour of eight.
	DefaultLogBytes = 16 << 20

	// minRate is one datagram every tenth of a second.
	minRate = 12_000
	// minLog is enough for some blocks of frames.
	minLog = 64 << 10
)

// Complete fills in the defaults and rejects invalid values.
func (c *Config) Complete() error {
	for _, v := range [...]struct {
		value *int
		usual int
	}{{&c.MaxPerAddress, c.Max}, {&c.Rate, DefaultRate}, {&c.LogBytes, DefaultLogBytes}} {
		if *v.value == 0 {
			*v.value = v.usual
		}
	}
	if c.Timeout == 0 {
		c.Timeout = 5 * time.Second
	}
	switch {
	case c.Max < 0 || c.Max > MaxSpectators:
		return refusef("Max is %d, must be 0 to %d", c.Max, MaxSpectators)
	case c.MaxPerAddress < 0 || c.MaxPerAddress > c.Max:
		return refusef("MaxPerAddress is %d, must be 1 to Max, %d", c.MaxPerAddress, c.Max)
	case c.Token != nil && c.Max == 0:
		return refusef("Token is for spectators, and Max is 0: it lets nobody watch")
	case c.Token != nil && c.Open:
		return refusef("Open lets everybody watch, and Token only those who know it: give one of them")
	case c.Delay < 0 || c.Delay > MaxDelay:
		return refusef("Delay is %d frames, must be 0 to %d", c.Delay, MaxDelay)
	case c.Rate < minRate || c.Rate > 1<<30:
		return refusef("Rate is %d bytes a second, must be %d to %d", c.Rate, minRate, 1<<30)
	case c.LogBytes < minLog || c.LogBytes > 1<<30:
		return refusef("LogBytes is %d, must be %d to %d", c.LogBytes, minLog, 1<<30)
	case c.Timeout < time.Second || c.Timeout > time.Minute:
		return refusef("Timeout is %v, must be a second to a minute", c.Timeout)
	}
	if c.Token != nil {
		if err := admission.CheckToken(c.Token); err != nil {
			return refusef("Token: %w", err)
		}
	}
	return nil
}

// refusef returns an error about a field of a session's Spectators.
func refusef(format string, args ...any) error { return fmt.Errorf("Spectators."+format, args...) }

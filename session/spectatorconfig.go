package session

import (
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
)

// SpectatorConfig configures a spectator. Hosts and Random are required. Settings about the game must be equal to
// those of the host.
type SpectatorConfig struct {
	// Hosts are peers of the match that admit spectators. They are tried in turn; when one is lost, the next one
	// continues from the same frame.
	Hosts []netip.AddrPort

	// GameID, Build, Platform, TickRate, Rate and MaxOrders are as in [Config].
	GameID, Build, Platform string
	TickRate, MaxOrders     int
	Rate                    Rate
	// Players is the number of players in the match; 0 means the number that the host has.
	Players int

	// Token is the token that the hosts require of spectators, if any: that of their [spectate.Config], or of the
	// match.
	Token []byte

	// JitterBuffer is how many frames are buffered to hide late datagrams: it should cover more than the network's
	// jitter. The default is the equivalent of a fifth of a second, 12 at 60 frames per second, but at least 2.
	// Each break makes the buffer half as large again for the rest of the match, up to two seconds, but no larger
	// than a few hundred KiB.
	JitterBuffer int
	// CatchUp is the maximum number of frames run in a tick period to catch up from far behind. The default is 8.
	CatchUp int

	// ConnectTimeout is how long the spectator may go without an answer from any host, and DropAfter how long the
	// current host may be silent until the next one is tried. The defaults are 15 s and 2 s.
	ConnectTimeout, DropAfter time.Duration
	// MaxState is the maximum size of an encoded state that is accepted, in bytes; the default is 64 MiB.
	MaxState int

	// Random returns random numbers for the handshake.
	Random func() uint64

	// Observe, if given, is called with every event at once; see [Config].
	Observe func(e Event)
	// HashEvery, MaxEffects, EffectTolerance, Clock and Probe are as in
	// [rollback.Config]. The default of EffectTolerance is that of [Config].
	HashEvery                   int
	MaxEffects, EffectTolerance int
	Clock                       func() time.Duration
	Probe                       rollback.Probe
}

const (
	defaultJitterBuffer  = 12 // at the default tick rate: a fifth of a second
	leastJitterBuffer    = 2
	defaultCatchUp       = 8
	defaultSpectatorDrop = 2 * time.Second
)

// complete fills in the defaults and rejects invalid settings.
func (c *SpectatorConfig) complete() error {
	if err := settleRate(&c.TickRate, &c.Rate); err != nil {
		return err
	}
	setDefault(&c.TickRate, DefaultTickRate)
	setDefault(&c.JitterBuffer, max(atRate(defaultJitterBuffer, c.TickRate), leastJitterBuffer))
	setDefault(&c.EffectTolerance, DefaultToleranceAt(c.TickRate))
	setDefault(&c.CatchUp, defaultCatchUp)
	setDefault(&c.ConnectTimeout, DefaultConnectTimeout)
	setDefault(&c.DropAfter, defaultSpectatorDrop)
	c.Hosts = slices.Clone(c.Hosts)
	for i, h := range c.Hosts {
		c.Hosts[i] = peer.Unmapped(h)
		if !h.IsValid() || h.Port() == 0 {
			return refusef("Hosts[%d] has no address", i)
		}
		if j := slices.Index(c.Hosts, c.Hosts[i]); j < i {
			return refusef("Hosts[%d] and Hosts[%d] have the same address %v", j, i, h)
		}
	}
	switch {
	case len(c.Hosts) == 0:
		return refusef("Hosts is empty: a spectator needs a host to watch")
	case c.Random == nil:
		return refusef("Random is required to connect to a host")
	case c.Players < 0 || c.Players > rollback.MaxPlayers:
		return refusef("Players is %d, must be 1 to %d, or 0 for those of the host", c.Players, rollback.MaxPlayers)
	case c.TickRate < 1 || c.TickRate > MaxTickRate:
		return refusef("TickRate is %d, must be 1 to %d", c.TickRate, MaxTickRate)
	case c.JitterBuffer < 1 || c.JitterBuffer > 1<<16:
		return refusef("JitterBuffer is %d frames, must be 1 to %d", c.JitterBuffer, 1<<16)
	case c.CatchUp < 1 || c.CatchUp > 1<<10:
		return refusef("CatchUp is %d frames, must be 1 to %d", c.CatchUp, 1<<10)
	case min(c.ConnectTimeout, c.DropAfter) < time.Second || c.DropAfter > MaxDropAfter:
		return refusef("ConnectTimeout is %v and DropAfter %v, must be at least a second, and DropAfter at most %v", c.ConnectTimeout, c.DropAfter, MaxDropAfter)
	case c.MaxState < 0 || c.MaxState > spectate.MaxState:
		return refusef("MaxState is %d, must be 0 to %d", c.MaxState, spectate.MaxState)
	}
	if c.Token != nil {
		if err := admission.CheckToken(c.Token); err != nil {
			return refusef("Token: %w", err)
		}
	}
	return nil
}

// compare returns an error if the match of a host cannot be watched. If its number of players differs from that of
// the engine, it builds a new engine.
func (s *Spectator[S, I]) compare(host netip.AddrPort, version byte, theirs *datagram.Items) error {
	c := &s.cfg
	if theirs.Players == 0 || theirs.Players > rollback.MaxPlayers {
		return datagram.ErrRange
	}
	players := c.Players
	if players == 0 {
		players = int(theirs.Players)
	}
	ours := *theirs // items that concern only the peers are compared by them
	ours.Game, ours.Build, ours.Platform = c.GameID, c.Build, c.Platform
	ours.Players, ours.InputSize = byte(players), byte(s.shown.plan.Size())
	ours.TickRate, ours.Rate, ours.MaxOrders = uint16(c.TickRate), c.Rate, uint16(c.MaxOrders)
	if err := admission.Compare(0, &ours, version, theirs); err != nil {
		return err
	}
	if players == s.shown.engine.Players() {
		return nil
	}
	// Either this host or an earlier one has misreported the match: start over.
	s.incoming.follower.Forget()
	s.incoming.frames.Stop()
	s.phase = Connecting
	s.play.Stop()
	return s.shown.rebuild(players)
}

package served

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/sight"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/datagram"
	"github.com/tickback/tickback/wire/rate"
)

// Aliases of names in other packages.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
	Phase     = session.Phase
	Event     = event.Event
)

// Game is the part of the configuration that must be equal on a server and its clients.
type Game struct {
	// ID and Build identify the game and its build, Platform identifies what float results depend on.
	ID, Build, Platform string
	// Players is the number of places in the match, 1 to [rollback.MaxPlayers].
	Players int
	// TickRate is the number of ticks per second; 0 means [DefaultTickRate].
	TickRate int
	// Rate is the tick rate instead, if it is no integer: see [session.Rate].
	Rate session.Rate
	// MaxOrders is the maximum number of bytes of orders of one player per tick.
	MaxOrders int
	// Partial says that the server does not send everything to every client.
	Partial bool
}

// DefaultTickRate is the default number of ticks per second.
const DefaultTickRate = 20

// ServerConfig configures a server. Game and Random are required.
type ServerConfig struct {
	Game
	// Match has the parameters of the match. If Partial is set, clients do not get the seed, and a seed of 0 means
	// a random one.
	Match stream.Parameters
	// States is how many updates per second a client gets: at least one per 60 ticks, since clients can run only so
	// far ahead of what they know, and at most one per tick, which is the default for 0.
	States int
	// Token is what clients must know to get a place; nil admits everybody who knows the address.
	Token []byte
	// PerAddress is how many places the machines at one IP address may have, for example a family behind one
	// router; for IPv6 the 64-bit prefix counts. 0 means half of the places, but at least 4; with a Token, and for
	// loopback and private addresses, it means any number. [Unlimited] means any number.
	PerAddress int
	// Spectators says how many spectators can watch, and how. Spectators of a match with partial sight see
	// everything, so they need a Delay, or explicit permission through Live.
	Spectators spectate.Config
	// HashEvery is the interval of state hashes in ticks: 0 means [DefaultHashEvery], and a negative value disables
	// them.
	HashEvery int
	// DropAfter is how long a client may be silent before its player is removed: one second to one minute, and at
	// most 30,000 ticks; 0 means [DefaultDropAfter].
	DropAfter time.Duration
	// Linger is how long the server waits at the end until all clients know of it; 0 means [DefaultLinger].
	Linger time.Duration
	// Journal, if given, keeps what the match needs to go on after this process has died: a server that is made with the
	// journal of a match goes on with that match, after its last tick, with the journal's parameters in place of Match.
	// It waits for up to 1.5 s until its players are back, and keeps their places for DropAfter. Nobody is told of a tick
	// before it is durable. The game must be able to encode its state. See [Journal].
	Journal Journal
	// KeyframeEvery is the interval of encoded states in the journal, in ticks; 0 means ten seconds. A match goes on as
	// soon as the ticks since the last one have been simulated.
	KeyframeEvery int
	// JournalPatience is how long ticks wait for the journal. If it takes longer, or fails, the match goes on without a
	// journal, with the event [event.Warning]. With 0 they wait for as long as it takes, and a journal that fails ends
	// the match with a [*JournalError].
	JournalPatience time.Duration
	// Machine describes the server's machine, for the desync reports of clients; at most 64 bytes are used.
	Machine string
	// Random returns random numbers.
	Random func() uint64
	// Observe, if given, is called with every event at once.
	Observe func(Event)
	// MaxEffects, EffectTolerance, Clock and Probe are as in [session.Config].
	MaxEffects, EffectTolerance int
	Clock                       func() time.Duration
	Probe                       rollback.Probe
}

// Defaults of a [ServerConfig] and a [ClientConfig].
const (
	DefaultHashEvery = 1
	DefaultDropAfter = 5 * time.Second
	DefaultLinger    = 2 * time.Second
	DefaultConnect   = 15 * time.Second
)

// ClientConfig configures a client. Server, Game and Random are required.
type ClientConfig struct {
	// Server is the address of the server.
	Server netip.AddrPort
	Game
	// Token is the token that the server requires, if any.
	Token []byte
	// ID identifies the client when it comes back, so that it gets its place again; 0 means a random ID.
	ID uint64
	// PerTick is how many datagrams are sent per tick period, 1 to 4; 0 means 2. With more of them, losses cost
	// less time.
	PerTick int
	// MaxAhead is how many ticks the client may run ahead of the newest known state, 1 to rollback.MaxWindow; 0
	// means the equivalent of one second, but at least 8 and at most rollback.MaxWindow.
	MaxAhead int
	// Behind is how far in the past [Client.Shown] shows other players; 0 means 100 ms.
	Behind time.Duration
	// ConnectTimeout is how long the server may take to answer, and DropAfter how long it may be silent, at most
	// two minutes and 30,000 ticks; 0 means [DefaultConnect] and [DefaultDropAfter].
	ConnectTimeout, DropAfter time.Duration
	// MaxState is the maximum size of a whole state that is accepted, in bytes; 0 means 16 MiB.
	MaxState int
	// Machine describes the client's machine, for a desync report.
	Machine string
	// Random returns random numbers.
	Random func() uint64
	// Observe, if given, is called with every event at once.
	Observe func(Event)
	// MaxEffects, EffectTolerance, Clock and Probe are as in [session.Config].
	MaxEffects, EffectTolerance int
	Clock                       func() time.Duration
	Probe                       rollback.Probe
}

// ConfigError means that a configuration is invalid.
type ConfigError struct {
	Problem string
	err     error // the error contained in Problem, from the game or another package; or nil
}

// Error names the field and the problem.
func (e *ConfigError) Error() string { return "served: " + e.Problem }

// Unwrap returns the error that the problem contains, or nil.
func (e *ConfigError) Unwrap() error { return e.err }

func refusef(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &ConfigError{err.Error(), errors.Unwrap(err)}
}

func orDefault[T int | time.Duration](v *T, usual T) {
	if *v == 0 {
		*v = usual
	}
}

func (g *Game) complete() error {
	var err error
	if g.TickRate, g.Rate, err = rate.Settle(g.TickRate, g.Rate); err != nil {
		return refusef("Rate: %w", err)
	}
	orDefault(&g.TickRate, DefaultTickRate)
	for _, text := range [...]struct{ name, value string }{{"ID", g.ID}, {"Build", g.Build}, {"Platform", g.Platform}} {
		if len(text.value) > datagram.MaxText {
			return refusef("%s has %d bytes, more than %d", text.name, len(text.value), datagram.MaxText)
		}
	}
	switch {
	case g.ID == "":
		return refusef("ID is required: it names the game")
	case g.Players < 1 || g.Players > rollback.MaxPlayers:
		return refusef("Players is %d, must be 1 to %d", g.Players, rollback.MaxPlayers)
	case g.TickRate < 1 || g.TickRate > session.MaxTickRate:
		return refusef("TickRate is %d, must be 1 to %d", g.TickRate, session.MaxTickRate)
	case g.MaxOrders < 0 || g.MaxOrders > rollback.MaxOrderBytes:
		return refusef("MaxOrders is %d, must be 0 to %d", g.MaxOrders, rollback.MaxOrderBytes)
	}
	return nil
}

// nominal returns the tick period, in whole nanoseconds.
func (g *Game) nominal() time.Duration { return rate.Tick(g.TickRate, g.Rate) }

// silentTicks is how many ticks a server may close while one side does not hear the other. Tick numbers are
// transmitted as 16 bits, which each side completes from what it knows; a few thousand are reserved for datagrams
// in flight, and for how far clients run ahead.
const silentTicks = 30_000

// silence limits how long one side may go without hearing the other.
func (g *Game) silence(most time.Duration) time.Duration { return min(most, silentTicks*g.nominal()) }

// leastStates returns the minimum of States: enough that half of the ticks that a client may run ahead of a state
// are left for the round trip. With fewer it would stall until the next state arrives.
func (c *ServerConfig) leastStates() int {
	return (c.TickRate + rollback.MaxWindow/2 - 1) / (rollback.MaxWindow / 2)
}

func (c *ServerConfig) complete() error {
	if err := c.Game.complete(); err != nil {
		return err
	}
	orDefault(&c.States, c.TickRate)
	orDefault(&c.HashEvery, DefaultHashEvery)
	orDefault(&c.DropAfter, DefaultDropAfter)
	orDefault(&c.Linger, DefaultLinger)
	orDefault(&c.KeyframeEvery, 10*c.TickRate)
	orDefault(&c.EffectTolerance, session.DefaultToleranceAt(c.TickRate))
	c.HashEvery = max(c.HashEvery, -1)
	c.Machine = c.Machine[:min(len(c.Machine), maxMachine)]
	switch {
	case c.Random == nil:
		return refusef("Random is required to prove addresses")
	case c.States < c.leastStates() || c.States > c.TickRate:
		return refusef("States is %d, must be %d to the TickRate, %d", c.States, c.leastStates(), c.TickRate)
	case c.PerAddress < Unlimited || c.PerAddress > c.Players:
		return refusef("PerAddress is %d, must be 1 to the number of Players, %d; 0 for the default, -1 for any number", c.PerAddress, c.Players)
	case c.DropAfter < time.Second || c.DropAfter > c.silence(time.Minute):
		return refusef("DropAfter is %v, must be a second to %v at a TickRate of %d", c.DropAfter, c.silence(time.Minute), c.TickRate)
	case c.HashEvery > session.MaxHashEvery:
		return refusef("HashEvery is %d, must be at most %d; a negative value is none", c.HashEvery, session.MaxHashEvery)
	case c.KeyframeEvery < 1:
		return refusef("KeyframeEvery is %d ticks, must not be negative; 0 is ten seconds", c.KeyframeEvery)
	case c.JournalPatience < 0:
		return refusef("JournalPatience is %v, must not be negative; 0 is as long as it takes", c.JournalPatience)
	case c.Linger < 0 || c.Linger > time.Minute:
		return refusef("Linger is %v, must be 0 to a minute", c.Linger)
	}
	if c.Token != nil {
		if err := admission.CheckToken(c.Token); err != nil {
			return refusef("Token: %v", err)
		}
	}
	if err := c.Match.Check(); err != nil {
		return refusef("%v", err)
	}
	for c.Partial && c.Match.Seed == 0 {
		c.Match.Seed = c.Random() // an unpredictable one
	}
	if err := c.Spectators.Complete(); err != nil {
		return refusef("%v", err)
	}
	if s := &c.Spectators; c.Partial && s.Enabled() && s.Delay == 0 && !s.Live {
		return refusef("Spectators.Delay is 0, and spectators see everything, which clients with a Sight do not: keep them some ticks behind, or say Spectators.Live if whoever watches may tell a player at once")
	}
	return nil
}

func (c *ClientConfig) complete() error {
	if err := c.Game.complete(); err != nil {
		return err
	}
	orDefault(&c.PerTick, 2)
	orDefault(&c.MaxAhead, min(max(c.TickRate, 8), rollback.MaxWindow))
	orDefault(&c.Behind, 100*time.Millisecond)
	orDefault(&c.ConnectTimeout, DefaultConnect)
	orDefault(&c.DropAfter, DefaultDropAfter)
	orDefault(&c.MaxState, 16<<20)
	orDefault(&c.EffectTolerance, session.DefaultToleranceAt(c.TickRate))
	c.Server = peer.Unmapped(c.Server)
	switch {
	case !c.Server.IsValid() || c.Server.Port() == 0:
		return refusef("Server has no address")
	case c.Random == nil:
		return refusef("Random is required to connect to a server")
	case c.PerTick < 1 || c.PerTick > 4:
		return refusef("PerTick is %d datagrams, must be 1 to 4", c.PerTick)
	case c.MaxAhead < 1 || c.MaxAhead > rollback.MaxWindow:
		return refusef("MaxAhead is %d ticks, must be 1 to %d", c.MaxAhead, rollback.MaxWindow)
	case c.Behind < 0 || c.Behind > time.Second:
		return refusef("Behind is %v, must be 0 to a second", c.Behind)
	case min(c.ConnectTimeout, c.DropAfter) < time.Second || c.DropAfter > c.silence(session.MaxDropAfter):
		return refusef("ConnectTimeout is %v and DropAfter %v, must be at least a second, and DropAfter at most %v at a TickRate of %d", c.ConnectTimeout, c.DropAfter, c.silence(session.MaxDropAfter), c.TickRate)
	case c.MaxState < 1 || c.MaxState > spectate.MaxState:
		return refusef("MaxState is %d, must be 1 to %d", c.MaxState, spectate.MaxState)
	}
	if c.Token != nil {
		if err := admission.CheckToken(c.Token); err != nil {
			return refusef("Token: %v", err)
		}
	}
	for c.ID == 0 {
		c.ID = c.Random()
	}
	return nil
}

// held returns the number of ticks before the newest known state for which states are held: as baselines of
// updates, and to show the state of Behind ago, which takes more ticks at high tick rates.
func (c *ClientConfig) held() Frame {
	return max(sight.Keep, Frame((c.Behind+c.nominal()-1)/c.nominal())+heldMore)
}

// heldMore covers the state before the moment that is shown if updates are rare: one in half of the ticks that
// clients may run ahead.
const heldMore = rollback.MaxWindow/2 + 2

// maxAhead is how many ticks ahead a server accepts inputs: more than a client may run ahead of what it knows, and
// fewer than a history of inputs holds.
const maxAhead = 240

// items returns what a server and a client compare.
func (g *Game) items(inputSize int, state uint64) datagram.Items {
	rule := datagram.RuleServer
	if g.Partial {
		rule = datagram.RuleSight
	}
	return datagram.Items{
		Game: g.ID, Build: g.Build, Platform: g.Platform, Players: byte(g.Players), InputSize: byte(inputSize),
		TickRate: uint16(g.TickRate), Rate: g.Rate, MaxOrders: uint16(g.MaxOrders), Rule: rule, State: state,
	}
}

package session

import (
	"errors"
	"fmt"
	"math/bits"
	"net/netip"
	"slices"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/datagram"
	"github.com/tickback/tickback/wire/rate"
)

// Aliases of package rollback, for code that imports only this package.
type (
	Frame     = rollback.Frame
	Player    = rollback.Player
	PlayerSet = rollback.PlayerSet
)

// Rate is a tick rate that is no integer, as so many Frames in so many Seconds, 1 to [MaxTickRate] in one: 39375000
// frames in 655171 seconds are the 60.0988 per second of a console. It is exact: every machine of the match must have
// the same, in whatever terms. TickRate is left 0, and becomes the integer next to the rate, by which defaults that stand
// for a time are counted in frames.
type Rate = rate.Rate

// NoFrame means no frame.
const NoFrame = rollback.NoFrame

// Defaults and limits of a Config.
const (
	DefaultTickRate = 60
	MaxTickRate     = 1000
	// DefaultWindow is the window at the default tick rate: 133 ms. See [DefaultWindowAt] for other rates.
	DefaultWindow = 8
	// DefaultChainEvery is the interval at the default tick rate: one second.
	DefaultChainEvery = DefaultTickRate

	DefaultConnectTimeout = 15 * time.Second
	DefaultReadyTimeout   = 30 * time.Second
	DefaultWarnAfter      = time.Second
	DefaultDropAfter      = 5 * time.Second
	DefaultLinger         = 2 * time.Second
	DefaultQuorumTimeout  = 10 * time.Second
	DefaultMaxPause       = time.Minute

	// MaxDropAfter is the longest allowed silence. After a longer one, the number of a datagram would be ambiguous,
	// since only 16 bits of it are transmitted.
	MaxDropAfter = peer.MaxSilence

	// MaxHashEvery is the longest interval between hashes, and between comparisons.
	MaxHashEvery = 1 << 15

	// MaxEvidence is the maximum number of bytes kept to explain a desync.
	MaxEvidence = 1 << 30

	// MaxMessage is the maximum size of a lobby message, in bytes.
	MaxMessage = 64 << 10
)

// Peer is another machine of the match.
type Peer struct {
	// Players are the players on this machine: one, or several that share it.
	Players PlayerSet
	// Addr is the address that its datagrams come from and go to. The session follows it if it changes.
	Addr netip.AddrPort
}

// OnLeave says what happens to a match when a player leaves.
type OnLeave uint8

const (
	// End ends the match for everyone, at the same frame.
	End OnLeave = iota
	// Continue goes on without the player, whose status is then [rollback.Disconnected], from the same frame on for
	// all peers, which agree on it by a log (package membership). A majority continues, or the half of the peers
	// that has the lowest player; of two peers, either one that is left. Others can join later.
	Continue
)

var onLeaveNames = [...]string{"End", "Continue"}

// String returns the name of the constant.
func (o OnLeave) String() string {
	if int(o) < len(onLeaveNames) {
		return onLeaveNames[o]
	}
	return fmt.Sprintf("OnLeave(%d)", uint8(o))
}

// AutoDelay makes the session choose the input delay of its local players: the path to the farthest peer, in
// frames, minus the frames that may be rolled back. The delay is chosen at the start of a match and adapted during
// it: raised at once, lowered slowly.
type AutoDelay struct {
	// On turns automatic delay on.
	On bool
	// Min and Max bound the delay, in frames. Max 0 means the equivalent of 133 ms, but at least 8.
	Min, Max int
	// Rollback is how many frames of rollback are acceptable instead of delay. With 0 the delay covers the whole
	// path.
	Rollback int
}

// Config configures a session on one machine. Players is required. Settings that concern all peers must be equal on
// all of them; the handshake compares them.
type Config struct {
	// GameID and Build identify the game, in at most 64 bytes each. Peers with another ID or build are refused, and
	// the error names the difference.
	GameID, Build string
	// Platform is for games that use floats: it identifies whatever their results depend on.
	Platform string

	// Players is the number of players in the match: 1 to [MaxPlayers].
	Players int
	// Local are the players on this machine: by default all that are neither at a peer nor reserved.
	Local PlayerSet
	// Peers are the other machines. The peer with player 0 is the host, which proposes matches. Without peers
	// everything is local, and nothing is sent.
	Peers []Peer

	// Reserved are places that are empty at first, and must be the same on all peers. Their players are
	// Disconnected until somebody joins. It needs OnLeave Continue and a Token.
	Reserved PlayerSet
	// Token lets newcomers join: a newcomer that knows it may join at this machine during a match,
	// [spectate.MaxNewcomers] at a time. With nil nobody can. It is a secret of [admission.MinToken] to
	// [admission.MaxToken] random bytes, the same on all machines of the match. It needs OnLeave Continue.
	Token []byte
	// Join, if given, joins a running match as the players in Local, which must be reserved or have left the match.
	// Peers must be empty then: the member list comes from a host.
	Join *Join

	// TickRate is the number of frames per second; the default is 60.
	TickRate int
	// Rate is the tick rate instead, if it is no integer: see [Rate].
	Rate Rate
	// Window is the prediction window: how many frames may run on predicted inputs. With peers, the default is the
	// equivalent of 133 ms, 8 at 60 frames per second and 32 at 240: see [DefaultWindowAt]. The maximum is
	// rollback.MaxWindow.
	// One state is kept per frame of the window, and two more. If the path to a peer takes longer than the window
	// and its input delay, frames wait: the event Slowed reports that, and [LinkStats.PathFrames] says how many
	// frames the path takes.
	Window int
	// RunAhead is how many frames ahead of its current state this machine shows the match, 0 to rollback.MaxRunAhead: see
	// [Session.Ahead]. Nobody else notices.
	RunAhead int
	// Lockstep disables prediction: a frame runs when all its inputs have arrived. Choose a Delay that covers the
	// path. Window must be 0.
	Lockstep bool
	// Delay is the input delay of each local player, in frames.
	Delay [rollback.MaxPlayers]int
	// AutoDelay lets the session choose Delay.
	AutoDelay AutoDelay
	// MaxOrders is the maximum number of bytes of orders per player and frame, at most rollback.MaxOrderBytes. With
	// 0 there are no orders.
	MaxOrders int

	// Lobby leaves it to the application to start a match: [Machine.Propose] on the host, [Machine.Accept] or
	// [Machine.Refuse] and then [Machine.Ready] on the others. Without it the host proposes Match as soon as all
	// are connected, and the others accept any match that they can start.
	Lobby bool
	// Match is what the host proposes when Lobby is false.
	Match Parameters
	// OnLeave says what happens to a match when a player leaves.
	OnLeave OnLeave

	// HashEvery is the interval, in frames, at which agreed states are hashed for the comparison between peers.
	// With 0 it follows from the size of a state, which is the same on all peers: it is the
	// [rollback.DefaultHashInterval] of the game, at most ChainEvery. For states up to [rollback.HashedBytes] that
	// is 1, every state. The handshake refuses a peer with another interval. A negative value disables hashing.
	HashEvery int
	// ChainEvery is the interval, in frames, at which peers compare. The default is one second, rounded up to a
	// multiple of HashEvery.
	ChainEvery int

	// Evidence is how many bytes of states and inputs are kept during a match with peers, to explain a desync. The
	// default is [DefaultEvidence]; a negative value keeps nothing. All peers should keep some, since the desync
	// report is built from it.
	Evidence int
	// Machine describes the machine of this peer in desync reports, in at most 64 bytes: for example "linux/amd64,
	// go1.26". It has no other effect.
	Machine string

	// Spectators says who may watch the match at this machine; see package spectate. Random is required if anyone
	// may.
	Spectators spectate.Config

	// ConnectTimeout is how long a peer may take to appear, ReadyTimeout how long it may take to be ready for a
	// match, and DropAfter how long it may be silent. WarnAfter is the silence after which there is an event.
	// Linger is how long to wait for others at the end.
	ConnectTimeout, ReadyTimeout, WarnAfter, DropAfter, Linger time.Duration

	// QuorumTimeout is how long a side without a majority waits for the others before its match ends. MaxPause is
	// how long a pause lasts unless somebody ends it before.
	QuorumTimeout, MaxPause time.Duration

	// Random returns random numbers for the handshake. A machine that can guess them can take part in it: use
	// crypto/rand, or a seeded generator in a simulation. It is required if there are peers.
	Random func() uint64

	// Observe, if given, is called at once with every event, including those that the application does not fetch in
	// time. It is meant for logs. It may call Phase, Err, Proposal, Outcome and Stats, but no other method of the
	// session. It must not change Data.
	Observe func(e Event)

	// Snapshots, History, SyncTest, MaxEffects, EffectTolerance, Probe and Clock are as in [rollback.Config]. The
	// default of EffectTolerance is the equivalent of 67 ms, but at least 4 frames. With peers, History is
	// increased to fit the window. Of a plain state at least two snapshots are kept, for drawing between them,
	// unless Snapshots is 1.
	Snapshots, History          int
	SyncTest                    int
	MaxEffects, EffectTolerance int
	Probe                       rollback.Probe
	Clock                       func() time.Duration
}

// ErrConfig is wrapped by every error about a Config.
var ErrConfig = errors.New("invalid session.Config")

func refusef(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrConfig}, args...)...)
}

// complete fills in the defaults and rejects invalid settings.
func (c *Config) complete() error {
	if c.Players < 1 || c.Players > MaxPlayers {
		return refusef("Players is %d, must be 1 to %d", c.Players, MaxPlayers)
	}
	if err := c.checkPlaces(); err != nil {
		return err
	}
	if err := settleRate(&c.TickRate, &c.Rate); err != nil {
		return err
	}
	setDefault(&c.TickRate, DefaultTickRate)
	setDefault(&c.ChainEvery, DefaultChainEveryAt(c.TickRate, c.HashEvery))
	setDefault(&c.Evidence, DefaultEvidence)
	setDefault(&c.ConnectTimeout, DefaultConnectTimeout)
	setDefault(&c.ReadyTimeout, DefaultReadyTimeout)
	setDefault(&c.DropAfter, DefaultDropAfter)
	setDefault(&c.WarnAfter, min(DefaultWarnAfter, c.DropAfter/2))
	setDefault(&c.Linger, DefaultLinger)
	setDefault(&c.QuorumTimeout, DefaultQuorumTimeout)
	setDefault(&c.MaxPause, DefaultMaxPause)
	if !c.Lockstep && c.shared() {
		setDefault(&c.Window, DefaultWindowAt(c.TickRate))
	}
	setDefault(&c.AutoDelay.Max, defaultMostDelay(c.TickRate))
	setDefault(&c.EffectTolerance, DefaultToleranceAt(c.TickRate))
	return c.check()
}

// settleRate brings the exact tick rate, if there is one, into the form that is used and compared.
func settleRate(whole *int, exact *Rate) (err error) {
	if *whole, *exact, err = rate.Settle(*whole, *exact); err != nil {
		return refusef("Rate: %w", err)
	}
	return nil
}

func setDefault[T int | time.Duration](v *T, value T) {
	if *v == 0 {
		*v = value
	}
}

// checkPlaces checks that every player has exactly one place: local, at a peer, or reserved.
func (c *Config) checkPlaces() error {
	all := c.everybody()
	var remote PlayerSet
	c.Peers = slices.Clone(c.Peers)
	for i := range c.Peers {
		a := &c.Peers[i].Addr
		*a = peer.Unmapped(*a)
	}
	for i, p := range c.Peers {
		switch {
		case p.Players == 0:
			return refusef("Peers[%d] has no players; spectators are not peers", i)
		case p.Players&^all != 0:
			return refusef("Peers[%d] has %v, and the match has %d players", i, p.Players&^all, c.Players)
		case p.Players&remote != 0:
			return refusef("Peers[%d] has %v, who is at another peer already", i, p.Players&remote)
		case !p.Addr.IsValid() || p.Addr.Port() == 0:
			return refusef("Peers[%d] has no address", i)
		}
		for j, q := range c.Peers[:i] {
			if q.Addr == p.Addr {
				return refusef("Peers[%d] and Peers[%d] have the same address %v", j, i, p.Addr)
			}
		}
		remote |= p.Players
	}
	if c.Join != nil {
		return c.joins(all)
	}
	if c.Local == 0 {
		c.Local = all &^ remote &^ c.Reserved
	}
	switch {
	case c.Reserved&^all != 0:
		return refusef("Reserved has %v, and the match has %d players", c.Reserved&^all, c.Players)
	case c.Reserved.Has(0):
		return refusef("Reserved has player 0, who is the host: nobody would propose a match")
	case c.Reserved&(remote|c.Local) != 0:
		return refusef("%v is reserved, and plays", c.Reserved&(remote|c.Local))
	case c.Reserved != 0 && (c.OnLeave != Continue || c.Token == nil):
		return refusef("Reserved is for those who join later: it needs OnLeave Continue and a Token")
	case c.Local&^all != 0:
		return refusef("Local has %v, and the match has %d players", c.Local&^all, c.Players)
	case c.Local&remote != 0:
		return refusef("%v is local and at a peer", c.Local&remote)
	case c.Local|remote|c.Reserved != all:
		return refusef("%v is neither local nor at a peer, nor reserved", all&^c.Local&^remote&^c.Reserved)
	case c.Local == 0:
		return refusef("nobody plays here")
	}
	return nil
}

func (c *Config) check() error {
	for _, text := range [...]struct{ name, text string }{{"GameID", c.GameID}, {"Build", c.Build}, {"Platform", c.Platform}, {"Machine", c.Machine}} {
		if len(text.text) > datagram.MaxText {
			return refusef("%s has %d bytes, more than %d", text.name, len(text.text), datagram.MaxText)
		}
	}
	switch {
	case c.TickRate < 1 || c.TickRate > MaxTickRate:
		return refusef("TickRate is %d, must be 1 to %d", c.TickRate, MaxTickRate)
	case c.Lockstep && c.Window != 0:
		return refusef("Lockstep predicts nothing, so Window must be 0, not %d", c.Window)
	case c.OnLeave > Continue:
		return refusef("OnLeave is %v", c.OnLeave)
	case (c.shared() || c.Spectators.Enabled() || c.Token != nil) && c.Random == nil:
		return refusef("Random is required to connect to peers and spectators")
	case c.shared() && c.SyncTest != 0:
		return refusef("SyncTest simulates every frame twice: it needs a match without peers")
	case c.History != 0 && (c.History&(c.History-1) != 0 || c.History < rollback.MinHistory || c.History > rollback.MaxHistory):
		return refusef("History is %d, must be a power of two from %d to %d", c.History, rollback.MinHistory, rollback.MaxHistory)
	case c.HashEvery > MaxHashEvery:
		return refusef("HashEvery is %d, must be at most %d; a negative value is none", c.HashEvery, MaxHashEvery)
	case c.ChainEvery < 1 || c.ChainEvery > MaxHashEvery:
		return refusef("ChainEvery is %d, must be 1 to %d", c.ChainEvery, MaxHashEvery)
	case c.HashEvery > 0 && c.ChainEvery%c.HashEvery != 0:
		return refusef("ChainEvery is %d, must be a multiple of HashEvery, %d", c.ChainEvery, c.HashEvery)
	case c.DropAfter > MaxDropAfter || c.DropAfter < c.leastDropAfter():
		return refusef("DropAfter is %v, must be %v to %v", c.DropAfter, c.leastDropAfter(), MaxDropAfter)
	case c.Evidence > MaxEvidence:
		return refusef("Evidence is %d bytes, more than %d", c.Evidence, MaxEvidence)
	case c.WarnAfter > c.DropAfter:
		return refusef("WarnAfter, %v, is longer than DropAfter, %v", c.WarnAfter, c.DropAfter)
	}
	for _, t := range [...]struct {
		name string
		time time.Duration
	}{
		{"ConnectTimeout", c.ConnectTimeout},
		{"ReadyTimeout", c.ReadyTimeout},
		{"WarnAfter", c.WarnAfter},
		{"Linger", c.Linger},
		{"QuorumTimeout", c.QuorumTimeout},
		{"MaxPause", c.MaxPause},
	} {
		if t.time < 0 {
			return refusef("%s is %v, must not be negative", t.name, t.time)
		}
	}
	if err := c.Spectators.Complete(); err != nil {
		return refusef("%w", err)
	}
	if c.Token != nil {
		if err := admission.CheckToken(c.Token); err != nil {
			return refusef("Token: %w", err)
		}
	}
	return c.checkDelays()
}

// leastDropAfter returns the shortest DropAfter at which three datagrams can be lost in a row, in the lobby or
// while playing.
func (c *Config) leastDropAfter() time.Duration {
	return 4 * max(keepAlive, rate.Tick(c.TickRate, c.Rate))
}

func (c *Config) checkDelays() error {
	a := c.AutoDelay
	if a.On && (a.Min < 0 || a.Min > a.Max || a.Max > rollback.MaxDelay || a.Rollback < 0) {
		return refusef("AutoDelay is %d to %d frames with %d of rollback; bounds are 0 to %d", a.Min, a.Max, a.Rollback, rollback.MaxDelay)
	}
	for p, d := range c.Delay {
		switch {
		case d != 0 && !c.Local.Has(Player(p)):
			return refusef("Delay[%d] is %d, but player %d is not local", p, d, p)
		case d != 0 && a.On:
			return refusef("Delay[%d] is %d, but AutoDelay chooses it", p, d)
		}
	}
	if err := c.Match.Check(); err != nil {
		return refusef("%w", err)
	}
	return nil
}

// engine returns the configuration of the engine.
func (c *Config) engine() rollback.Config {
	return rollback.Config{
		Players: c.Players, Local: c.Local, Delay: c.Delay,
		Window: c.Window, Snapshots: c.snapshots(), History: c.history(),
		MaxOrders: c.MaxOrders, Stream: true, HashEvery: c.HashEvery,
		SyncTest: c.SyncTest, RunAhead: c.RunAhead, MaxEffects: c.MaxEffects, EffectTolerance: c.EffectTolerance,
		Probe: c.Probe, Clock: c.Clock,
	}
}

// snapshots returns how many snapshots to keep: enough to draw the state before the current one, and to find the
// state at which a match ends when somebody leaves.
func (c *Config) snapshots() int {
	if c.Snapshots == 0 && c.Window > 0 {
		return c.Window + 2
	}
	return c.Snapshots
}

// shownStates returns how many states the engine must keep for drawing between the newest two. In lockstep that is
// 2 as well, unless the game owns its memory: then only its current state can be drawn.
func shownStates[S any, I comparable](game rollback.Definition[S, I], c *rollback.Config) int {
	if _, plain := game.(rollback.Game[S, I]); plain && c.Snapshots == 0 && c.Window == 0 && c.SyncTest == 0 {
		return 2
	}
	return c.Snapshots
}

// history returns the input history to keep: the maximum distance between a frame here and the newest input that a
// peer can have sent. That is the window, the delays of both, and how far a newcomer may lag at a high tick rate.
// The engine accepts inputs that are early by up to 3/4 of the history.
func (c *Config) history() int {
	_, behind := c.behind()
	need, h := c.Window+2*rollback.MaxDelay+2+int(behind)-tooFarBehind, c.History
	if h == 0 {
		h = rollback.DefaultHistory
	}
	for c.shared() && 3*h/4 <= need {
		h *= 2
	}
	return h
}

// ahead returns how many frames early inputs may arrive.
func (c *Config) ahead() Frame { return Frame(3 * c.history() / 4) }

// shared reports whether the match has peers, or can get some.
func (c *Config) shared() bool { return len(c.Peers) > 0 || c.Reserved != 0 || c.Join != nil }

// continues reports whether a match continues when somebody leaves.
func (c *Config) continues() bool { return c.OnLeave == Continue }

// everybody returns the set of all players.
func (c *Config) everybody() PlayerSet { return PlayerSet(1<<c.Players - 1) }

// sets returns the encoding of player sets.
func (c *Config) sets() datagram.Sets { return datagram.SetsOf(c.Players) }

// appendSet appends a set of players to a message.
func (c *Config) appendSet(b []byte, players PlayerSet) []byte {
	return c.sets().Append(b, uint16(players))
}

// consumeSet reads a player set from the front of a message and returns the rest.
func (c *Config) consumeSet(b []byte) (players PlayerSet, rest []byte, err error) {
	set, rest, err := c.sets().Consume(b)
	return PlayerSet(set), rest, err
}

// host reports whether player 0 plays here.
func (c *Config) host() bool { return c.Local.Has(0) }

// lowest returns the lowest player of a non-empty set.
func lowest(s PlayerSet) Player { return Player(bits.TrailingZeros16(uint16(s))) }

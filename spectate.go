package tickback

import (
	"cmp"
	"io"
	"log/slog"
	"net/netip"
	"reflect"

	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/trace"
)

// Spectators configures who can watch at this machine, and how; see [Options.Spectators]. If the match has a Token,
// spectators must know that token, or the one in Spectators.Token, unless Spectators.Open lets everybody watch.
//
//	Max           int           how many may watch at a time; 0 means none
//	MaxPerAddress int           how many of them may come from one IP address; 0 means Max
//	Token         []byte        what they must know, instead of the token of the match: 16 to 64 bytes
//	Open          bool          admits everybody who knows the address
//	Delay         int           how many frames they are behind agreement
//	Live          bool          they may see at once what players must not know, at a server with a Sight
//	Rate          int           bytes a second for all of them together while they catch up; 0 means the default
//	LogBytes      int           memory for the frames that late ones need; 0 means the default
//	Timeout       time.Duration how long one may be silent; 0 means 5 s
//
// The type itself, at [spectate.Config], says more.
type Spectators = spectate.Config

// Spectator is a [Session] that watches a match on other machines. Make it with [Spectate].
type Spectator[S any, I comparable] struct {
	front[S]
	session *session.Spectator[S, I]
}

// SpectatorOptions configures a spectator. Hosts and Transport are required.
type SpectatorOptions[S any, I comparable] struct {
	// Hosts are the addresses of players' machines that accept spectators ([Options.Spectators]). When one is lost, the
	// spectator continues at the next one.
	Hosts []netip.AddrPort
	// Transport carries the datagrams. Once Spectate has returned a spectator, the spectator
	// owns the transport, and closes it.
	Transport Transport

	// GameID, Build, TickRate, Rate and MaxOrders are those of the players' [Options].
	GameID, Build       string
	TickRate, MaxOrders int
	Rate                Rate
	// Players is the number of players in the match; 0 means the number that the host reports.
	Players int
	// Token is the token that the hosts require, if they require one: that of their [Spectators], or that of the match.
	Token Token
	// Start makes state 0. It must be the same as the players'.
	Start func(p Parameters) (func(s *S), error)

	// JitterBuffer is the number of frames that are buffered; the default is a fifth of a second of them, 12 at 60
	// frames a second, but at least 2. It grows by half each time it runs empty, up to two seconds.
	JitterBuffer int
	// CatchUp is the maximum number of frames to run in a tick period, to catch up with the present; the default is 8.
	CatchUp int

	// Agreed, if given, gets every frame that is shown, in order.
	Agreed func(a *rollback.Agreed[I])
	// Record and Recording are as in [Options]: they record the first match, from the first
	// frame shown. With the same Recording, Advanced.HashEvery and Advanced.ChainEvery as the
	// players', the file is the same as theirs from the next segment of 64 seconds on.
	Record    io.Writer
	Recording RecordOptions
	// Timeouts are how long to wait: Connect for any host, and Drop for the current one, by default 2 s.
	Timeouts Timeouts
	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced has settings that few games need; only HashEvery, ChainEvery, MaxEffects, EffectTolerance,
	// Random and Now are used.
	Advanced Advanced
}

// Spectate watches a match on other machines. It may begin before the match, or at any time
// during it. A host sends a state; a game that cannot marshal its state runs the match from
// frame 0, as fast as CatchUp allows.
//
// Update, View, Effects and Events are those of a match. Nothing is ever predicted, so no effect is taken back. Events
// report hosts that are found ([Connected], with the address in Text), lost ([Lost], without Players), or gone with a
// goodbye after the match ([Left], without Players); players who leave ([Left]) and join ([Joined]) while it watches;
// and that the spectator has caught up with the present ([Live]). Stats().Members are the current players. The session
// ends with [ErrEnd] when the match is over and the hosts have left, and with a [*HostsError] if there is no host to
// watch. That wraps a [*TokenError] if the Token is not valid at any of them.
func Spectate[S any, I comparable](game rollback.Definition[S, I], o SpectatorOptions[S, I]) (*Spectator[S, I], error) {
	if o.Transport == nil {
		return nil, refusef(spectatorOptions, "Spectate needs a Transport, such as that of transport/udp")
	}
	if err := checkReach(spectatorOptions, "Hosts", o.Transport, o.Hosts...); err != nil {
		return nil, err
	}
	if o.GameID == "" {
		o.GameID = defaultID(reflect.TypeFor[S]().String())
	}
	m := new(Spectator[S, I])
	m.open(o.Transport, o.Advanced.Now, o.Log, o.Trace)
	hashEvery := session.HashInterval(game, o.Advanced.HashEvery, o.Advanced.ChainEvery, cmp.Or(o.TickRate, o.Rate.Nearest()))
	s, err := session.NewSpectator(game, session.SpectatorConfig{
		Hosts: o.Hosts, GameID: o.GameID, Build: o.Build, Platform: rollback.PlatformOf(game),
		TickRate: o.TickRate, Rate: o.Rate, MaxOrders: o.MaxOrders, Players: o.Players, Token: o.Token, JitterBuffer: o.JitterBuffer, CatchUp: o.CatchUp,
		ConnectTimeout: o.Timeouts.Connect, DropAfter: o.Timeouts.Drop, Random: o.Advanced.random(),
		HashEvery: hashEvery, MaxEffects: o.Advanced.MaxEffects, EffectTolerance: o.Advanced.EffectTolerance,
		Clock: m.time, Observe: m.observer(), Probe: m.probe(),
	}, session.SpectatorHooks[S, I]{Start: o.Start, Agreed: o.Agreed})
	if err != nil {
		return nil, inOptions(spectatorOptions, err)
	}
	m.session = s
	m.begin(s, o.GameID, max(o.Players, 1), "a spectator")
	if _, err := s.Inspect().Hash(); err != nil {
		hashEvery = -1 // states cannot be hashed
	}
	m.recordings = recording.New(recording.Subject{
		Session: s, Game: o.GameID, TickRate: o.TickRate, Rate: o.Rate, HashEvery: hashEvery, Marshals: rollback.CapabilitiesOf(game).Marshal,
		Info: tbr.Info{Build: o.Build, Platform: rollback.PlatformOf(game), Recorder: "a spectator"},
	}, m.now)
	if err := m.recordFirst(spectatorOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// Proposal returns the parameters of the match that is watched, and its number: 0 if
// there is none.
func (m *Spectator[S, I]) Proposal() (Parameters, uint32) { return m.session.Proposal() }

// Players returns how many players the match has, once the spectator has found a host.
func (m *Spectator[S, I]) Players() int { return m.session.Inspect().Players() }

// Transfer returns how many bytes of a state have arrived, and its size; zeros if none is being
// sent.
func (m *Spectator[S, I]) Transfer() (have, size int) { return m.session.Transfer() }

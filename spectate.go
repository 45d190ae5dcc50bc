package tickback

import (
	"io"
	"log/slog"
	"net/netip"
	"reflect"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/trace"
)

// Spectators is whom a match lets watch at this machine, and how; see
// [Options.Spectators].
type Spectators = spectate.Config

// Spectator is a [Session] that follows a match which is played elsewhere. Make it
// with [Spectate].
type Spectator[S any, I comparable] struct {
	front[S]
	session *session.Spectator[S, I]
}

// SpectatorOptions is how a match is watched. Hosts and Transport are required.
type SpectatorOptions[S any, I comparable] struct {
	// Hosts are the addresses of players who let spectators watch
	// ([Options.Spectators]). When one is lost, the next one goes on where it was.
	Hosts []netip.AddrPort
	// Transport carries the datagrams. The spectator owns it, and closes it, once
	// Spectate has returned one.
	Transport Transport

	// GameID, Build, TickRate and MaxOrders are those of the players' [Options].
	GameID, Build       string
	TickRate, MaxOrders int
	// Players is how many players the match has; 0 is as many as the host has.
	Players int
	// Start is the players' own: what makes state 0.
	Start func(p Parameters) (func(s *S), error)

	// Delay is how many frames are kept in hand, so that late datagrams are not seen;
	// the default is 12, and half as many more after each break.
	Delay int
	// CatchUp is how many frames run in a tick period at most, to come back to the
	// present; the default is 8.
	CatchUp int

	// Agreed, if given, sees every frame that is shown, in order.
	Agreed func(a *rollback.Agreed[I])
	// Record and Recording are as in [Options]: the first match is recorded, from where it
	// is first shown. With the same Recording and Advanced.HashEvery as the players', the
	// file is the same as theirs from the next segment of 64 seconds on.
	Record    io.Writer
	Recording RecordOptions
	// Timeouts are how long to wait: Connect for any host, and Drop for the present one,
	// 2 s by default.
	Timeouts Timeouts
	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced is what hardly any game needs; of it, HashEvery, MaxEffects,
	// EffectTolerance, Random and Now count.
	Advanced Advanced
}

// Spectate follows a match which is played elsewhere. It may begin before the match,
// or at any time during it: a host then gives a state, and a game that cannot marshal
// its own runs the match from frame 0, as fast as CatchUp allows.
//
// Update, View, Effects and Events are those of a match; nothing is ever predicted, so
// no effect is taken back. Events tell of hosts that are found ([Connected], Text is
// the address), lost ([Lost], without Players) and gone with a goodbye after the match ([Left],
// without Players), of players who leave ([Left]) and come ([Joined]) while it watches, and
// when the present is reached ([Live]). Stats().Members is who plays. The error
// that ends it is [ErrEnd] when the match is over and the hosts have left, and
// [*HostsError] if there is no host to watch.
func Spectate[S any, I comparable](game rollback.Definition[S, I], o SpectatorOptions[S, I]) (*Spectator[S, I], error) {
	if o.Transport == nil {
		return nil, refusef(spectatorOptions, "Spectate needs a Transport, such as that of transport/udp")
	}
	if o.GameID == "" {
		o.GameID = defaultID(reflect.TypeFor[S]().String())
	}
	random := o.Advanced.Random
	if random == nil {
		random = randomNumber
	}
	m := new(Spectator[S, I])
	m.open(o.Transport, o.Advanced.Now, o.Log, o.Trace)
	s, err := session.NewSpectator(game, session.SpectatorConfig{
		Hosts: o.Hosts, GameID: o.GameID, Build: o.Build, Platform: platform(game),
		TickRate: o.TickRate, MaxOrders: o.MaxOrders, Players: o.Players, Delay: o.Delay, CatchUp: o.CatchUp,
		ConnectTimeout: o.Timeouts.Connect, DropAfter: o.Timeouts.Drop, Random: random,
		HashEvery: o.Advanced.HashEvery, MaxEffects: o.Advanced.MaxEffects, EffectTolerance: o.Advanced.EffectTolerance,
		Clock: m.time, Observe: m.observer(), Probe: m.probe(),
	}, session.SpectatorHooks[S, I]{Start: o.Start, Agreed: o.Agreed})
	if err != nil {
		return nil, inOptions(spectatorOptions, err)
	}
	m.session = s
	m.begin(s, o.GameID, max(o.Players, 1), "a spectator")
	m.terms = recordTerms{session: s, hashEvery: o.Advanced.HashEvery, marshals: rollback.CapabilitiesOf(game).Marshal, header: tbr.Header{
		Game: o.GameID, TickRate: orUsual(o.TickRate),
		Info: tbr.Info{Build: o.Build, Platform: platform(game), Recorder: "a spectator"},
	}}
	if _, err := s.Engine().Hash(); err != nil {
		m.terms.hashEvery = -1 // states cannot be hashed at all
	}
	if err := m.recordFirst(spectatorOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// Proposal returns the parameters of the match that is watched, and its number: 0 if
// there is none.
func (m *Spectator[S, I]) Proposal() (Parameters, uint32) { return m.session.Proposal() }

// Players returns how many players the match has, once a host is found.
func (m *Spectator[S, I]) Players() int { return m.session.Engine().Players() }

// Transfer returns how many bytes of a state have come, and how many it has; zeros if
// none is on its way.
func (m *Spectator[S, I]) Transfer() (have, size int) { return m.session.Transfer() }

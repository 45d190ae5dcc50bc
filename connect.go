package tickback

import (
	"io"
	"log/slog"
	"net/netip"
	"time"

	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/trace"
)

// Client is a [Session] that plays at a [Server]. Make it with [Connect].
type Client[S any, I comparable] struct {
	front[S]
	session *served.Client[S, I]
	partial bool // the client has a Sight
}

// ClientOptions configures a client. Server, Transport, Players and Sample are required. Players,
// GameID, Build, TickRate, Rate, MaxOrders, Start and Sight are those of the [ServerOptions].
type ClientOptions[S any, I comparable] struct {
	// Server is the address of the server.
	Server netip.AddrPort
	// Transport carries the datagrams. Once Connect has returned a client, the client owns the
	// transport, and closes it.
	Transport Transport

	// Sample returns the player's current input. It is called exactly once for each new tick.
	Sample func(p Player) I
	// Orders, if given, returns the orders of the player, right after Sample; they are copied.
	Orders    func(p Player) []byte
	MaxOrders int

	// Players is how many places the match has.
	Players       int
	GameID, Build string
	// TickRate is the number of ticks in a second; the default is 20. Rate is it instead, if it is no integer; see [Rate].
	TickRate int
	Rate     Rate
	// Token is the token that the server requires, if it requires one.
	Token Token
	// ID identifies the client to the server, so that it gets its place back when it reconnects; 0 means a random one.
	// Anyone who knows the ID of a client that is away can take its place.
	ID uint64
	// Start makes state 0, as at the server. With a Sight the seed is 0, and the state that Start makes is shown until
	// the server has sent another.
	Start func(p Parameters) (func(s *S), error)
	// Sight is the same as the server's, which only sends the parts of the state that Sight leaves.
	Sight func(s *S, p Player) PlayerSet

	// PerTick is how many datagrams are sent in a tick period, 1 to 4; 0 means 2. With more, a loss costs less time.
	PerTick int
	// MaxAhead is how many ticks the client may run ahead of the newest known state, 1 to 120. The round trip must not
	// exceed it. 0 means a second of ticks, at least 8 and at most 120.
	MaxAhead int
	// Behind is how far before the newest known state the moment is that View.Before and View.After show: 0 means 100
	// ms, and the maximum is a second. Datagrams that are late by less than that do not interrupt the motion.
	Behind time.Duration

	// Agreed, if given, gets every tick that is completely known, in order; with a Sight there are none.
	Agreed func(a *rollback.Agreed[I])
	// Record and Recording are as in [Options]: they record from the first state that the server sends. The error with a
	// Sight is [ErrPartial].
	Record    io.Writer
	Recording RecordOptions
	// Timeouts are how long to wait: Connect is for an answer of the server, by default 15 s, and Drop for a server that
	// is silent, by default 5 s.
	Timeouts Timeouts
	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced has settings that few games need; only MaxEffects, EffectTolerance, MaxState,
	// Random and Now are used.
	Advanced Advanced
}

// Connect plays at a server. The client runs the match ahead of what it has received, so that its inputs reach the
// server in time. What the player does is visible at once. When the server reports something different, the client goes
// back, simulates again, and corrects its effects.
//
// View.Current is that prediction. For the other players, View.Before and View.After are known states from a moment
// ago. The session ends with [ErrEnd] when the match is over; with a [*TokenError] if the Token is not the server's;
// with a [*ByeError] that has the server's message; with a [*ServerLostError] if the server is silent; and with a
// [*MismatchError] if it has another game. When the server is killed and started again within Timeouts.Drop, the client
// joins its new match by itself: the event [Restarted].
//
// If a state here is not the server's, because the step is not deterministic or a build differs, there is the event
// [Desync], and soon [Reported], with a report in Data; see [Client.DesyncReport]. From then on the server sends whole
// states.
func Connect[S any, I comparable](game rollback.Definition[S, I], o ClientOptions[S, I]) (*Client[S, I], error) {
	if o.Transport == nil {
		return nil, refusef(clientOptions, "Connect needs a Transport, such as that of transport/udp")
	}
	if o.Sample == nil {
		return nil, refusef(clientOptions, "Sample is required: it returns what the player does")
	}
	if err := checkReach(clientOptions, "Server", o.Transport, o.Server); err != nil {
		return nil, err
	}
	about := aboutServed(game, o.GameID, o.Build, o.Players, o.TickRate, o.Rate, o.MaxOrders)
	m := new(Client[S, I])
	m.open(o.Transport, o.Advanced.Now, o.Log, o.Trace)
	s, err := served.NewClient(game, served.ClientConfig{
		Server: o.Server, Game: about, Token: o.Token, ID: o.ID, PerTick: o.PerTick, MaxAhead: o.MaxAhead, Behind: o.Behind,
		ConnectTimeout: o.Timeouts.Connect, DropAfter: o.Timeouts.Drop, MaxState: o.Advanced.MaxState, Machine: host(), Random: o.Advanced.random(),
		Observe: m.observer(), MaxEffects: o.Advanced.MaxEffects, EffectTolerance: o.Advanced.EffectTolerance,
		Clock: m.time, Probe: m.probe(),
	}, served.ClientHooks[S, I]{Sample: o.Sample, Orders: o.Orders, Start: o.Start, Sight: o.Sight, Agreed: o.Agreed})
	if err != nil {
		return nil, inOptions(clientOptions, err)
	}
	m.session, m.partial = s, o.Sight != nil
	m.begin(s, about.ID, o.Players, "a client")
	m.recordings = recording.New(recording.Subject{
		Session: s, Game: about.ID, TickRate: about.TickRate, Rate: about.Rate, Marshals: rollback.CapabilitiesOf(game).Marshal,
		Info: tbr.Info{Build: about.Build, Platform: about.Platform, Recorder: "a client"},
	}, m.now)
	if err := m.recordFirst(clientOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// Player returns the player that this client plays, and whether it has a place.
func (m *Client[S, I]) Player() (p Player, ok bool) { return m.session.Player() }

// Known returns the number of the newest known state; those after it are predictions.
func (m *Client[S, I]) Known() Frame { return m.session.Known() }

// StateAt returns state f as it is known or predicted now, or nil if it is not held. The newest few are held. Compare
// it with the state that was drawn to see what a correction has changed. It belongs to the client and is valid until
// the next call of Update.
func (m *Client[S, I]) StateAt(f Frame) *S { return m.session.StateAt(f) }

// Settled returns the newest known state that is held, and its number: the server's state, or the parts of it that its
// Sight leaves. It is nil before there is one.
func (m *Client[S, I]) Settled() (s *S, f Frame) {
	e := m.session.Inspect()
	if f = m.session.Known(); f == 0 {
		return nil, 0
	}
	if !m.partial { // received data takes effect with the next tick
		f = min(f, e.Final())
	}
	if o, over := m.session.Outcome(); over {
		f = min(f, o.Frames)
	}
	return e.StateAt(f), f
}

// DesyncReport returns the report on the first state here that was not the server's: which fields differ, and, without
// a Sight, what led to it. It is nil until the event [Reported], and if there was no desync. In the report, the
// players of all other machines represent the server.
func (m *Client[S, I]) DesyncReport() *DesyncReport {
	r, err := desync.Decode(m.session.Report())
	if err != nil {
		return nil // there is no report
	}
	return r
}

// Counts returns the statistics that only clients have.
func (m *Client[S, I]) Counts() ClientCounts { return m.session.Counts() }

// Record records the match to w, from the newest known state on, like [Match.Record]. A client with a Sight cannot,
// since it does not know all inputs: the error is [ErrPartial].
func (m *Client[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

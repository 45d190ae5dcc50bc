package tickback

import (
	"cmp"
	"io"
	"log/slog"
	"reflect"
	"time"

	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/served"
	"github.com/tickback/tickback/trace"
)

// Server is a [Session] that is authoritative for a match. Make it with [Serve].
type Server[S any, I comparable] struct {
	front[S]
	session *served.Server[S, I]
}

// ServerOptions configures a server. Players and Transport are required. GameID, Build, TickRate, Rate,
// Players, MaxOrders, and whether there is a Sight, must be the same at the clients.
type ServerOptions[S any, I comparable] struct {
	// Players is how many places the match has, 1 to [MaxPlayers]. They are empty at first: their players are
	// Disconnected until a client joins.
	Players int
	// Transport carries the datagrams. Once Serve has returned a server, the server owns the
	// transport, and closes it.
	Transport Transport
	// GameID, Build and MaxOrders are as in [Options].
	GameID, Build string
	MaxOrders     int
	// TickRate is the number of ticks in a second; the default is 20. Rate is it instead, if it is no integer; see [Rate].
	TickRate int
	Rate     Rate

	// Token is the token that clients must know to get a place; without one, everybody gets one. [NewToken] makes one. It
	// keeps out spectators, too: see Spectators.
	Token Token
	// PerAddress is how many places the machines at one IP address may have: a family behind one router has one address,
	// and a 64-bit prefix of IPv6 counts as one. 0 means half of the places, at least 4, and any number with a Token, and
	// from loopback and private addresses; -1 means any number. Any further client gets a [*ByeError] that says so.
	PerAddress int
	// Match has the parameters of the match: the seed, the length, and the game's own. With a Sight, clients receive
	// all but the seed, and a Seed of 0 means a random one.
	Match Parameters
	// Start returns a function that makes state 0 of a match with these parameters. Nil stands for the game's Init, which
	// is refused with a Sight if the state holds a random generator, since clients would have it, too.
	Start func(p Parameters) (func(s *S), error)
	// Spectators says how many can watch; the zero value allows none. They must know the Token, if there is one, or
	// Spectators.Token. They see everything: with a Sight, Serve refuses spectators unless there is a Spectators.Delay,
	// which keeps them from helping a player, or Spectators.Live is set.
	Spectators Spectators

	// States is the number of states that are sent to a client per second: at least one for 60 ticks, and at most one for
	// each tick; 0 means one for each.
	States int
	// Sight blanks, in a copy of a state, what player p must not know, and returns the players whose inputs p may
	// know. It depends only on the state, and does not change a state that it has already blanked. It must blank the
	// random generators of the state, since a player who knows one can predict its numbers; a Sight that leaves one is
	// refused. With nil, everybody receives everything.
	Sight func(s *S, p Player) PlayerSet
	// Correct, if given, returns the input to use in place of one that was received, before Check looks at it. behind
	// says how old the newest state was that the client held when it made the input: how many ticks before the tick of
	// the input, as the server has measured it, 0 to 255. Use it to check how the player claims to have seen others.
	// The result is played, sent and recorded as the player's input. Correct is also called for inputs that replace
	// missing ones.
	Correct func(s *S, p Player, in I, behind int) I
	// Check, if given, reports whether a player may give that input in this state. If not, the player does nothing in that
	// tick.
	Check func(s *S, p Player, in I) bool
	// Carry, if given, merges an input that arrived too late into the next one of its player, so that a tap is not
	// lost. Without it, late inputs are ignored.
	Carry func(late, next I) I
	// StandIn, if given, plays for a client that has been silent for a quarter of a second. Until
	// then its last input counts.
	StandIn func(s *S, p Player) I

	// Agreed, if given, gets every tick, in order. With a Journal it gets them before they are durable, and none of those
	// that an earlier process has run.
	Agreed func(a *rollback.Agreed[I])
	// Record and Recording are as in [Options]. The recording of a match that goes on from a Journal has all of it.
	Record    io.Writer
	Recording RecordOptions

	// Journal, if given, keeps what the match needs to go on after this process has died, whatever the reason. With an
	// empty one the match begins; with that of a match, it goes on after the last tick that anybody was told: with the
	// parameters and the token of the journal, instead of Match and Token. Clients come back by themselves. The ticks wait
	// for them, for up to 1.5 s, and their places are kept for Timeouts.Drop. The event [Started] says where it goes on.
	//
	// Nobody is told of a tick before it is durable. The game must be able to encode its state. Package journal has
	// journals in files. Errors are a [*JournalError], which wraps a [*MismatchError] if the game is another one, and
	// [ErrJournalEnded] if there is nothing to go on with.
	Journal Journal
	// KeyframeEvery is the interval of encoded states in the Journal, in ticks, from which it goes on; 0 means ten
	// seconds.
	KeyframeEvery int
	// JournalPatience is how long ticks wait for the Journal. If it takes longer, or fails, there is the event [Warning],
	// and the match goes on without it. With 0, the ticks wait for as long as it takes (the event [Waiting] comes after a
	// second), and a journal that fails, because the disk is full, ends the match.
	JournalPatience time.Duration

	// Timeouts are how long to wait: Drop until a silent client loses its place, by default 5 s, and Linger for the others
	// at the end, by default 2 s.
	Timeouts Timeouts
	// Log and Trace are as in [Options].
	Log   *slog.Logger
	Trace *trace.Writer
	// Advanced has settings that few games need; only HashEvery, MaxEffects, EffectTolerance,
	// Random and Now are used.
	Advanced Advanced
}

// Serve runs a match that this machine owns, for clients that [Connect]. It begins at once, and runs a tick in every
// period with the inputs that have arrived, without waiting for anybody. Clients can come and go at any time. One that
// returns with the same ClientOptions.ID gets its place back, if nobody else has taken it. Update, View, Effects,
// Events and Record are those of a match; nothing is ever predicted.
//
// Events report clients that come ([Joined]), leave ([Left]), are lost ([Lost]) or kicked ([Dropped]), and those whose
// state differs from the server's ([Desync]). The session ends with [ErrEnd] when the match is over and the clients
// have been informed.
func Serve[S any, I comparable](game rollback.Definition[S, I], o ServerOptions[S, I]) (*Server[S, I], error) {
	if o.Transport == nil {
		return nil, refusef(serverOptions, "Serve needs a Transport, such as that of transport/udp")
	}
	about := aboutServed(game, o.GameID, o.Build, o.Players, o.TickRate, o.Rate, o.MaxOrders)
	m := new(Server[S, I])
	m.open(o.Transport, o.Advanced.Now, o.Log, o.Trace)
	s, err := served.NewServer(game, served.ServerConfig{
		Game: about, Match: o.Match, States: o.States, Token: o.Token, PerAddress: o.PerAddress, Spectators: o.Spectators,
		HashEvery: o.Advanced.HashEvery, DropAfter: o.Timeouts.Drop, Linger: o.Timeouts.Linger, Machine: host(), Random: o.Advanced.random(),
		Observe: m.observer(), MaxEffects: o.Advanced.MaxEffects, EffectTolerance: o.Advanced.EffectTolerance,
		Clock: m.time, Probe: m.probe(), Journal: o.Journal, KeyframeEvery: o.KeyframeEvery, JournalPatience: o.JournalPatience,
	}, served.ServerHooks[S, I]{
		Start: o.Start, Sight: o.Sight, Correct: o.Correct, Check: o.Check, Carry: o.Carry, StandIn: o.StandIn, Agreed: o.Agreed,
	})
	if err != nil {
		return nil, inOptions(serverOptions, err)
	}
	m.session = s
	m.begin(s, about.ID, o.Players, "the server")
	m.recordings = recording.New(recording.Subject{
		Session: s, Game: about.ID, TickRate: about.TickRate, Rate: about.Rate, HashEvery: o.Advanced.HashEvery, Marshals: rollback.CapabilitiesOf(game).Marshal,
		Info: tbr.Info{Build: about.Build, Platform: about.Platform, Recorder: "the server"},
	}, m.now)
	if err := m.recordFirst(serverOptions, o.Record, o.Recording); err != nil {
		return nil, err
	}
	return m, nil
}

// aboutServed returns the properties that a server and its clients must have in common.
func aboutServed[S any, I comparable](game rollback.Definition[S, I], id, build string, players, whole int, exact Rate, orders int) served.Game {
	return served.Game{
		ID: cmp.Or(id, defaultID(reflect.TypeFor[S]().String())), Build: build, Platform: rollback.PlatformOf(game),
		Players: players, TickRate: cmp.Or(whole, exact.Nearest(), served.DefaultTickRate), Rate: exact, MaxOrders: orders,
	}
}

// Close ends the match, and waits until clients and spectators have been informed, for at most Timeouts.Linger. Then
// it closes the transport. A second call does nothing.
func (m *Server[S, I]) Close() error {
	m.session.Leave(served.Closing)
	return m.front.Close()
}

// Proposal returns the parameters of the match, including the seed in use, and its number, 1.
func (m *Server[S, I]) Proposal() (Parameters, uint32) { return m.session.Proposal() }

// Members returns the players that have a client.
func (m *Server[S, I]) Members() PlayerSet { return m.session.Members() }

// Counts returns the statistics that only servers have: how much of the received data could not be used.
func (m *Server[S, I]) Counts() ServerCounts { return m.session.Counts() }

// ClientStats returns the statistics of the client that plays a player, and whether there is one.
func (m *Server[S, I]) ClientStats(p Player) (ClientStats, bool) { return m.session.Client(p) }

// Kick removes a player, who gets the reason. The kicked client knows the token of the match, so that token is no
// longer accepted (the event [Revoked]); see [Server.SetToken]. The error says that nobody plays that player.
func (m *Server[S, I]) Kick(p Player, reason string) error { return m.session.Kick(p, reason) }

// SetToken sets the token that clients must know from now on to get a place. Clients that are already connected stay.
// The error says that the token is too short or too long.
func (m *Server[S, I]) SetToken(token Token) error { return m.session.SetToken(token) }

// Record records the match to w from now on, like [Match.Record].
func (m *Server[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

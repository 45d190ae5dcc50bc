package match

import (
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/session"
)

// sessionMatch is a match over Tickback's own protocol.
type sessionMatch[S any, I comparable] struct {
	*tickback.Match[S, I]
	game    *typed[S, I]
	setup   *matchSetup
	play    *games.Player[S, I]
	params  tickback.Parameters // the parameters of the match, once proposed
	started bool
	report  string // the file with the report of a desync

	joinedAt *tickback.Frame // nil if we were there from the beginning, or not at all
}

// join sets up this machine's part of a match.
func (g *typed[S, I]) join(s *matchSetup) (playing, error) {
	if s.seat.wire == wireRBN1 {
		return g.joinClassic(s)
	}
	m := &sessionMatch[S, I]{game: g, setup: s}
	o := tickback.Options[S, I]{
		Players: s.seat.players, Local: tickback.SetOf(s.seat.player), Peers: s.contacts.remote, Transport: s.transport,
		Token: s.tokens.match, Reserved: s.members.reserved,
		Sample: m.sample, Start: m.start,
		GameID: g.ID, Build: g.Build, TickRate: g.TickRate, Rate: g.Rate,
		Window: s.pace.window, Lockstep: s.pace.lockstep, OnLeave: s.members.onLeave,
		AutoDelay: tickback.AutoDelay{On: s.pace.autoDelay, Rollback: autoRollback}, Spectators: s.spectators,
		Match:    tickback.Parameters{Seed: s.terms.seed, Frames: s.terms.frames, Data: s.terms.data},
		Timeouts: tickback.Timeouts{Connect: s.contacts.timeout, Ready: s.contacts.timeout, Drop: s.contacts.drop},
	}
	if s.observers != nil {
		o.Log, o.Trace, o.Record = s.observers.Log, s.observers.Trace, s.observers.RecordTo()
	}
	if s.pace.lockstep {
		o.AutoDelay.Rollback = 0
	}
	o.Delay[s.seat.player] = s.pace.delay
	if g.MaxOrders > 0 {
		o.MaxOrders, o.Orders = g.MaxOrders, m.orders
	}
	var err error
	if len(s.contacts.hosts) > 0 {
		m.Match, err = tickback.Join(g.Game, s.contacts.hosts, o)
	} else {
		m.Match, err = tickback.P2P(g.Game, o)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// start returns a function that makes state 0 for the parameters that the host proposes.
func (m *sessionMatch[S, I]) start(p tickback.Parameters) (func(*S), error) {
	m.params = p
	m.play = m.game.player(m.setup, p.Seed)
	return m.game.Begin(p)
}

func (m *sessionMatch[S, I]) sample(p tickback.Player) I {
	v := m.View()
	return m.play.Sample(p, v.Frame, v.Current)
}

func (m *sessionMatch[S, I]) orders(p tickback.Player) []byte {
	v := m.View()
	return m.play.Orders(p, v.Frame, v.Current)
}

// player returns the player of a seat: the person, or the bot.
func (g *typed[S, I]) player(s *matchSetup, seed uint64) *games.Player[S, I] {
	if s.seat.bot == keyboard {
		return &games.Player[S, I]{Input: func(tickback.Player, tickback.Frame, *S) I { return g.Screen.Keys(s.keys.Held) }}
	}
	bot, _ := g.Bot(s.seat.bot)
	return games.PlayerOf(bot, seed)
}

// Turn does what flags and keys require, updates the match and reports its events. Once the match is ending it no
// longer reports who leaves, since everybody does.
func (m *sessionMatch[S, I]) Turn() (wait time.Duration, over bool, err error) {
	ending := m.Stats().Phase == session.Ending
	if v := m.View(); v.Running && (!m.setup.contacts.joining() || m.joinedAt != nil) {
		m.act(v.Frame)
	}
	wait, err = m.Update()
	out, over := m.Outcome()
	ending = ending || over && (out.Finished || m.params.Frames != 0 && out.Frames == m.params.Frames)
	for _, e := range m.Events() {
		switch e.What {
		case tickback.Left:
			if !ending { // at the end everybody leaves, some before we know that it has ended
				m.setup.log.Event(e)
			}
		case tickback.Connected:
			m.met(e)
		case tickback.Joined:
			m.joined(e)
		case tickback.Started:
			m.began()
		case tickback.Recorded:
			m.setup.observers.Recorded(e, m.setup.log)
		case session.Reported:
			m.report = m.setup.log.SaveReport(m.setup.desync, m.DesyncReport(), e.Data, e.Text)
		default:
			m.setup.log.Event(e)
		}
	}
	return wait, over, err
}

// act carries out what the flags and the keyboard require, besides playing.
func (m *sessionMatch[S, I]) act(f tickback.Frame) {
	s := m.setup
	s.acts.act(m, f, time.Now(), time.Second/time.Duration(m.game.TickRate), s.log)
	if s.keys != nil {
		s.acts.key(m, s.keys.Held("p"), s.log)
	}
}

// met reports which peer has answered.
func (m *sessionMatch[S, I]) met(e tickback.Event) {
	if e.Players == 0 {
		m.setup.log.Say("%s lets us in", e.Text)
		return
	}
	m.setup.log.Say("%s is connected, ping %s", m.setup.contacts.named(e.Players), words.Milliseconds(m.ping(e.Players)))
}

// joined reports who has joined, possibly ourselves.
func (m *sessionMatch[S, I]) joined(e tickback.Event) {
	if e.Players.Has(m.setup.seat.player) {
		m.joinedAt = &e.Frame
	}
	m.setup.log.Event(e)
}

// began reports the parameters of the match, which may differ from those requested here.
func (m *sessionMatch[S, I]) began() {
	m.started = true
	s, p := m.setup, m.params
	s.log.Resumed(0)
	if s.contacts.joining() {
		s.log.Say("the match that we join: seed %d, %s, at frame %d", p.Seed, words.Length(p.Frames), m.View().Frame)
	} else {
		s.log.Say("the match begins: seed %d, %s", p.Seed, words.Length(p.Frames))
	}
	if s.proposes() {
		return
	}
	if s.terms.given.frames && s.terms.frames != p.Frames {
		s.log.Say("--frames %d is not used: %s", s.terms.frames, s.whyOthersDecide())
	}
}

// whyOthersDecide returns the reason why others decide what is played.
func (s *matchSetup) whyOthersDecide() string {
	if s.contacts.joining() {
		return "the match has begun without it"
	}
	return "player 1 is the host"
}

func (m *sessionMatch[S, I]) ping(who tickback.PlayerSet) time.Duration {
	for _, l := range m.Stats().Links {
		if l.Players == who {
			return l.RoundTrip
		}
	}
	return 0
}

// Rest waits for d, or until a datagram arrives that a frame may wait for.
func (m *sessionMatch[S, I]) Rest(d time.Duration) { m.Wait(d) }

// Frames returns the number of the current state, so it includes the frames before a late join.
func (m *sessionMatch[S, I]) Frames() tickback.Frame { return m.View().Frame }

// Picture draws the current state, which may depend on predictions.
func (m *sessionMatch[S, I]) Picture() []string {
	return m.game.Screen.View(m.View().Current, m.setup.seat.players)
}

// Leave closes the match, and reports the recording that ends with it.
func (m *sessionMatch[S, I]) Leave() error {
	err := m.Close()
	m.setup.observers.LastEvents(m.Events(), m.setup.log)
	return err
}

func (m *sessionMatch[S, I]) result(res *matchResult) {
	s := m.Stats()
	res.ending.started, res.ending.limit, res.Seed = m.started, m.params.Frames, m.params.Seed
	res.JoinedAt, res.Log = m.joinedAt, logResult(m.Log())
	res.Frames, res.Health = uint32(s.Agreed), s.Health.String()
	if out, over := m.Outcome(); over {
		res.ending.over = !out.Unagreed
		res.Frames, res.Health = uint32(out.Frames), out.Health.String()
		res.Checksum, res.Result = m.game.EndChecksum(m.Match, out), m.game.ResultText(out)
		if out.Told {
			res.Fairness = new(float64(out.Fairness) / 100)
		}
		res.ending.finished = out.Finished
	}
	res.engine(s.Engine)
	res.Stalls, res.Stalled, res.Window, res.Report = s.Stalls, inMilliseconds(s.Stalled), s.Window, m.report
	res.sent(s.Datagrams, s.Bytes, s.Frame)
	for _, l := range s.Links {
		res.peer(l)
	}
}

package server

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/games"
	"github.com/tickback/tickback/cmd/cli/internal/words"
	"github.com/tickback/tickback/online"
)

// clientMatch is a client of a game.
type clientMatch[S any, I comparable] struct {
	*tickback.Client[S, I]
	game   *typed[S, I]
	setup  *clientSetup
	play   *games.Player[S, I]
	params tickback.Parameters // the parameters of the match, once they are known
	from   tickback.Frame
	desync tickback.Frame
	report string // the file with the report of a desync
}

// join makes a client.
func (g *typed[S, I]) join(s *clientSetup) (playing, error) {
	o, hooks := s.flags, g.Served
	m := &clientMatch[S, I]{game: g, setup: s}
	options := tickback.ClientOptions[S, I]{
		Server: s.server, Transport: s.transport, Players: o.players, GameID: g.ID, Build: g.Build, TickRate: g.TickRate, Rate: g.Rate,
		Sample: m.sample, Start: m.start, Token: o.secret, ID: s.id, PerTick: o.perTick, Behind: o.behind,
		Timeouts: tickback.Timeouts{Connect: o.timeout, Drop: o.drop},
	}
	if o.sight == sightPartial {
		options.Sight = hooks.Sight
	}
	if s.observers != nil {
		options.Log, options.Trace, options.Record = s.observers.Log, s.observers.Trace, s.observers.RecordTo()
	}
	if g.MaxOrders > 0 {
		options.MaxOrders, options.Orders = g.MaxOrders, m.orders
	}
	var err error
	if s.room != nil {
		m.Client, err = online.Connect(s.room, g.Game, options)
	} else {
		m.Client, err = tickback.Connect(g.Game, options)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// start returns a function that makes state 0 of the server's match.
func (m *clientMatch[S, I]) start(p tickback.Parameters) (func(*S), error) {
	m.params = p
	if m.setup.flags.bot == keyboard {
		m.play = &games.Player[S, I]{Input: func(tickback.Player, tickback.Frame, *S) I { return m.game.Screen.Keys(m.setup.keys.Held) }}
	} else {
		bot, _ := m.game.Bot(m.setup.flags.bot)
		m.play = games.PlayerOf(bot, p.Seed)
	}
	return m.game.Begin(p)
}

func (m *clientMatch[S, I]) sample(p tickback.Player) I {
	v := m.View()
	in := m.play.Sample(p, v.Frame, v.Current)
	if seen := m.game.Served.Seen; seen != nil {
		in = seen(in, v.Seen)
	}
	return in
}

func (m *clientMatch[S, I]) orders(p tickback.Player) []byte {
	v := m.View()
	return m.play.Orders(p, v.Frame, v.Current)
}

// Turn updates the client and reports its events, only the most important ones if it is one of many bots. The
// match is over once the client has the last state, too.
func (m *clientMatch[S, I]) Turn() (wait time.Duration, over bool, err error) {
	wait, err = m.Update()
	log, single := m.setup.log, !m.setup.flags.bots
	for _, e := range m.Events() {
		switch e.What {
		case tickback.Connected:
			log.Say("%s plays here", words.Capital(words.People(e.Players)))
		case tickback.Started:
			m.from = e.Frame
			if single {
				seed := fmt.Sprintf("seed %d", m.params.Seed)
				if m.setup.flags.sight == sightPartial {
					seed = "a seed that clients are not told"
				}
				log.Say("the match: %s, %s, at frame %d", seed, words.Length(m.params.Frames), e.Frame)
			}
		case tickback.Desync:
			m.desync = e.Frame
			log.Say("desync: our state is not the server's, at frame %d at the latest", e.Frame)
		case tickback.Reported:
			m.report = log.SaveReport(m.setup.flags.desync, m.DesyncReport(), e.Data, e.Text)
		case tickback.Recorded:
			m.setup.observers.Recorded(e, log)
		case tickback.Ended:
			if single {
				log.Say("the match is over after %d frames", e.Frame)
			}
		default:
			if single {
				log.Event(e)
			}
		}
	}
	_, over = m.Outcome()
	return wait, over && !m.View().Running, err
}

func (m *clientMatch[S, I]) desyncAt() tickback.Frame { return m.desync }

// Rest waits for d, or until a datagram arrives that a tick may wait for.
func (m *clientMatch[S, I]) Rest(d time.Duration) { m.Wait(d) }

// Frames returns the number of the predicted state, so it includes the ticks before this client joined.
func (m *clientMatch[S, I]) Frames() tickback.Frame { return m.View().Frame }

// Picture draws the predicted state.
func (m *clientMatch[S, I]) Picture() []string {
	return m.game.Screen.View(m.View().Current, m.setup.flags.players)
}

// Leave closes the client, and reports the recording that ends with it.
func (m *clientMatch[S, I]) Leave() error {
	err := m.Close()
	if m.setup.observers != nil {
		m.setup.observers.LastEvents(m.Events(), m.setup.log)
	}
	return err
}

func (m *clientMatch[S, I]) result(res *clientResult) (ended, finished bool) {
	s, n := m.Stats(), m.Counts()
	if p, ok := m.Player(); ok {
		res.Player = int(p) + 1
	}
	res.Seed, res.From, res.Frames, res.Health, res.Report = m.params.Seed, uint32(m.from), uint32(m.Known()), s.Health.String(), m.report
	if out, over := m.Outcome(); over && m.View().Frame == out.Frames {
		ended, finished, res.Frames = true, out.Finished, uint32(out.Frames)
		res.Checksum, res.Result = m.checksum(out), m.game.ResultText(out)
	}
	res.Updates, res.Wholes, res.Corrected, res.Skipped, res.Stalls = n.Updates, n.Wholes, n.Corrected, n.Skipped, n.Stalls
	res.Rollbacks, res.Resimulated, res.SentBytes = s.Engine.Rollbacks, s.Engine.Resimulated, s.Bytes
	if len(s.Links) > 0 {
		res.Ping = milliseconds(s.Links[0].RoundTrip)
	}
	return ended, finished
}

// checksum identifies the state in which the match ended. With partial sight a client does not have it.
func (m *clientMatch[S, I]) checksum(out tickback.Outcome) string {
	if m.setup.flags.sight == sightPartial {
		return ""
	}
	return m.game.EndChecksum(m.Client, out)
}

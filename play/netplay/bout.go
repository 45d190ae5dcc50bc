package netplay

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
)

// bout is a match of the room that is played or watched here, of any of the games.
type bout interface {
	// open plays or watches the match; the errors are those of online.Play and online.Spectate.
	open(v *stay) error
	advance(p *app.Picture) error
	tick(a *app.App) error
	draw(p *app.Picture)
	// guide shows a player who holds these actions which keys to press.
	guide(p *app.Picture, held controls.Action)
	events() []tickback.Event
	stats() tickback.Stats
	running() bool
	outcome() (tickback.Outcome, bool)
	// result is the result of a match that is over, even if it ended by its length.
	result() uint64
	// player returns what only a player can do, or nil for a spectator.
	player() player
	// retire keeps the last picture, and returns a function that leaves the match, which may take seconds, and can
	// run in the background.
	retire(a *app.App) (leave func() error)
	// silence ends its sounds.
	silence()
}

// player is what only a player can do.
type player interface {
	Pause() error
	Unpause() error
	Kick(players tickback.PlayerSet, reason string) error
	Paused() (tickback.Frame, bool)
	DesyncReport() *tickback.DesyncReport
}

// guide is a stage that shows which keys to press. A skirmish has a panel for that.
type guide interface {
	Guide(p *app.Picture, held controls.Action)
}

// snapshots is how many states are kept: enough to access the newest state that all machines share, which is older
// than the shown one by a round trip.
const snapshots = 32

// match is a bout of a game.
type match[S any, I comparable] struct {
	rules   *rules[S, I]
	stage   stage[S]
	session tickback.Session[S]
	played  *tickback.Match[S, I] // nil for a spectator
}

func (m *match[S, I]) open(v *stay) error {
	seat := v.room.Me().Seat // read once, since the server may change it at any time
	m.stage = m.rules.stage(v)
	if seat == rooms.NoSeat {
		w, err := online.Spectate(v.room, m.rules.game, tickback.SpectatorOptions[S, I]{
			TickRate: v.kind.rate, Start: m.rules.start, MaxOrders: m.rules.maxOrders,
		})
		if err != nil {
			return err
		}
		m.session = w
		v.record(w.Record)
	} else {
		p, err := online.Play(v.room, m.rules.game, m.options(v, seat))
		if err != nil {
			return err
		}
		m.session, m.played = p, p
		v.record(p.Record)
	}
	m.stage.Begin(v.app, m.session)
	return nil
}

func (m *match[S, I]) options(v *stay, seat int) tickback.Options[S, I] {
	seed := uint64(v.app.NextSeed())
	o := tickback.Options[S, I]{
		TickRate: v.kind.rate, Start: m.rules.start, MaxOrders: m.rules.maxOrders,
		Match:    tickback.Parameters{Seed: seed, Frames: v.terms.frames(v.kind), Data: m.rules.data(v.terms, v.state.Seats)},
		Advanced: tickback.Advanced{Snapshots: snapshots},
		Sample: func(p tickback.Player) I {
			seen := m.session.View()
			if v.app.Auto {
				return m.rules.bot(seed, p, seen.Frame, seen.Current)
			}
			return m.rules.input(seen.Frame, v.held)
		},
	}
	o.Delay[seat] = v.app.Settings.Delay
	if m.rules.set != nil {
		m.rules.set(v, &o)
	}
	return o
}

func (m *match[S, I]) advance(p *app.Picture) error { return m.stage.Advance(p) }
func (m *match[S, I]) tick(a *app.App) error        { return m.stage.Tick(a) }
func (m *match[S, I]) draw(p *app.Picture)          { m.stage.Draw(p) }
func (m *match[S, I]) guide(p *app.Picture, held controls.Action) {
	if s, ok := m.stage.(guide); ok {
		s.Guide(p, held)
	}
}

func (m *match[S, I]) events() []tickback.Event { return m.session.Events() }
func (m *match[S, I]) stats() tickback.Stats    { return m.session.Stats() }
func (m *match[S, I]) running() bool            { return m.session.View().Running }

func (m *match[S, I]) outcome() (tickback.Outcome, bool) { return m.session.Outcome() }

func (m *match[S, I]) result() uint64 {
	o, _ := m.session.Outcome()
	if o.Finished {
		return o.Result
	}
	return m.rules.verdict(m.session.View().Current)
}

func (m *match[S, I]) player() player {
	if m.played == nil {
		return nil
	}
	return m.played
}

func (m *match[S, I]) silence() { m.stage.Quiet() }

func (m *match[S, I]) retire(*app.App) (leave func() error) {
	old := m.session
	m.session, m.played = foyer.Still(old, m.rules.keep), nil
	m.stage.Keep(m.session)
	return old.Close
}

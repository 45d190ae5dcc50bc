package netplay

import (
	"io"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/foyer"
)

// bout is a match in the room, of any game, that is played or watched here.
type bout interface {
	// open plays or watches the match; the errors are those of online.Play and online.Spectate.
	open(t table) error
	// record records the match, which was opened, from its beginning.
	record(w io.Writer, o tickback.RecordOptions) error
	// hold sets the actions that our player holds.
	hold(held controls.Action)
	advance(p *app.Picture) error
	tick(a *app.App) error
	draw(p *app.Picture)
	// guide shows a player which keys to press.
	guide(p *app.Picture)
	events() []tickback.Event
	stats() tickback.Stats
	running() bool
	outcome() (tickback.Outcome, bool)
	// result is the result of a match that is over, even if its length ended it.
	result() uint64
	// player returns the methods that only a player has, or nil for a spectator.
	player() player
	// retire keeps the last picture, and returns a function that leaves the match, which may take seconds, and can
	// run in the background.
	retire() (leave func() error)
	// silence ends the match's sounds.
	silence()
}

// player has the methods of a match that only a player can call.
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

// snapshots is the number of states that are kept: enough to access the newest state that all machines share,
// which is older than the shown one by a round trip.
const snapshots = 32

// table is what a match needs to know of this machine, and of the room that it begins in.
type table struct {
	app  *app.App
	room *roomInfo
	seat int // ours; the server may change that of the room at any time
}

// match is a bout of a game.
type match[S any, I comparable] struct {
	rules   *rules[S, I]
	stage   stage[S]
	session tickback.Session[S]
	played  *tickback.Match[S, I] // nil for a spectator
	tape    func(w io.Writer, o tickback.RecordOptions) error
	held    controls.Action
}

func (m *match[S, I]) open(t table) error {
	m.stage = m.rules.stage(t)
	if t.seat == rooms.NoSeat {
		w, err := online.Spectate(t.room.room, m.rules.game, tickback.SpectatorOptions[S, I]{
			TickRate: t.room.kind.rate, Start: m.rules.start, MaxOrders: m.rules.maxOrders,
		})
		if err != nil {
			return err
		}
		m.session, m.tape = w, w.Record
	} else {
		p, err := online.Play(t.room.room, m.rules.game, m.options(t))
		if err != nil {
			return err
		}
		m.session, m.played, m.tape = p, p, p.Record
	}
	m.stage.Begin(t.app, m.session)
	return nil
}

func (m *match[S, I]) options(t table) tickback.Options[S, I] {
	seed, room := uint64(t.app.NextSeed()), t.room
	o := tickback.Options[S, I]{
		TickRate: room.kind.rate, Start: m.rules.start, MaxOrders: m.rules.maxOrders,
		Match:    tickback.Parameters{Seed: seed, Frames: room.terms.frames(room.kind), Data: m.rules.data(room.terms, room.state.Seats)},
		Advanced: tickback.Advanced{Snapshots: snapshots},
		Sample: func(p tickback.Player) I {
			seen := m.session.View()
			if t.app.Auto {
				return m.rules.bot(seed, p, seen.Frame, seen.Current)
			}
			return m.rules.input(seen.Frame, m.held)
		},
	}
	o.Delay[t.seat] = t.app.Settings.Delay
	if m.rules.set != nil {
		m.rules.set(t, &o)
	}
	return o
}

func (m *match[S, I]) record(w io.Writer, o tickback.RecordOptions) error { return m.tape(w, o) }

func (m *match[S, I]) hold(held controls.Action)    { m.held = held }
func (m *match[S, I]) advance(p *app.Picture) error { return m.stage.Advance(p) }
func (m *match[S, I]) tick(a *app.App) error        { return m.stage.Tick(a) }
func (m *match[S, I]) draw(p *app.Picture)          { m.stage.Draw(p) }
func (m *match[S, I]) guide(p *app.Picture) {
	if s, ok := m.stage.(guide); ok {
		s.Guide(p, m.held)
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

func (m *match[S, I]) retire() (leave func() error) {
	old := m.session
	m.session, m.played = foyer.Still(old, m.rules.keep), nil
	m.stage.Keep(m.session)
	return old.Close
}

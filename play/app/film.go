package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/games/tanks"
	"github.com/tickback/tickback/play/arenaview"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/controls"
	"github.com/tickback/tickback/play/draw"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/recordings"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/theatre"
	"github.com/tickback/tickback/rollback/effects"
)

// film is a recording on a stage, for any game.
type film struct {
	file  *theatre.File
	deck  deck
	stage reel
	names [recordings.MaxPlayers]string
	hash  func() string // returns the hash of the shown state
	mute  func(on bool)
	// colour returns the colour of a player, and buttons the actions of a player, or 0 if the game has none.
	colour  func(p int) draw.Color
	buttons controls.Action
}

// deck is a tickback.Replayer without the types of its game.
type deck interface {
	theatre.Seekable
	Unpause()
	Pause()
	SetSpeed(num, den int) error
	Step(frames int) error
	Poll() error
	Stats() tickback.Stats
	Events() []tickback.Event
}

// reel is a stage without the types of its game.
type reel interface {
	Advance(p *Picture) error
	Draw(p *Picture)
	Jumped()
	Close()
}

// filmCache is how many bytes of states a film keeps for seeking backwards.
const filmCache = 16 << 20

func newFilm(a *App, f *theatre.File) (*film, error) {
	m := &film{file: f, names: namesOf(f)}
	m.colour = func(p int) draw.Color { l := a.Look(); return l.Player(p) }
	open := m.duel
	switch f.Header().Game {
	case arena.ID:
		open = m.arena
	case tanks.ID:
		open = m.tanks
	case skirmish.ID:
		open = m.skirmish
	}
	return m, open(a)
}

// namesOf returns the names of the players of a recording.
func namesOf(f *theatre.File) (names [recordings.MaxPlayers]string) {
	for p := range names {
		if names[p] = called(f.Info.Names[p]); names[p] == "" {
			names[p] = fmt.Sprintf("P%d", p+1)
		}
	}
	return names
}

// replay returns the deck of a film.
func replay[S any, I comparable](a *App, m *film) (*tickback.Replayer[S, I], error) {
	return theatre.Replay(m.file, tickback.ReplayOptions[S, I]{Paused: true, Cache: filmCache, Advanced: tickback.Advanced{Now: a.Now}})
}

// show gives a film its deck, and its stage, which already has the session. cue returns the game's sounds. also is
// called when the sounds are turned off or on.
func show[S any, I comparable](m *film, r *tickback.Replayer[S, I], stage reel, s *Show[S], cue func(e *effects.Event) sound.Cue, also func(mute bool)) {
	s.replayed = true
	m.deck, m.stage, m.hash = r, stage, func() string { return s.Checksum(r.View().Current) }
	m.mute = muter(&s.Director, sound.NewDirector(sound.NewMixer(), float64(m.file.Header().TickRate), cue), also)
}

func (m *film) duel(a *App) error {
	r, err := replay[duel.State, duel.Input](a, m)
	if err != nil {
		return err
	}
	m.buttons = controls.A
	s := NewDuelStage(a)
	copy(s.Names[:], m.names[:])
	s.Score = contest.Score{Round: max(m.file.Info.Round-1, 0)}
	if s.Frames = r.Next(); m.file.Header().Game == duel.RoundID {
		s.Frames = tickback.Frame(m.file.Header().Length)
	}
	s.view.Endless = m.file.Header().Game != duel.RoundID
	s.Begin(a, r)
	show(m, r, s, &s.Show, duelview.Cue, func(on bool) { s.Silent = on })
	return nil
}

func (m *film) arena(a *App) error {
	r, err := replay[arena.State, arena.Input](a, m)
	if err != nil {
		return err
	}
	m.buttons = controls.A | controls.B | controls.C
	s := NewArenaStage(a, m.file.Header().Shape.Players, 0)
	copy(s.Names[:], m.names[:])
	s.Begin(a, r)
	show(m, r, s, &s.Show, arenaview.Cue, func(bool) {})
	return nil
}

func (m *film) tanks(a *App) error {
	r, err := replay[tanks.State, tanks.Input](a, m)
	if err != nil {
		return err
	}
	m.buttons = controls.A
	s := NewTanksStage(a, 0)
	s.Names = m.names
	s.Begin(a, r)
	m.colour = s.view.Colour
	show(m, r, s, &s.Show, s.view.Cue, func(bool) {})
	return nil
}

func (m *film) skirmish(a *App) error {
	r, err := replay[skirmish.World, skirmish.Input](a, m)
	if err != nil {
		return err
	}
	s := NewSkirmishStage(a, skirmish.Nobody)
	copy(s.Names[:], m.names[:])
	s.Watched = true
	s.Begin(a, r)
	show(m, r, s, &s.Show, skirmishview.Cue, func(bool) {})
	return nil
}

// muter returns a function that switches between an audible and a silent director.
func muter(now **sound.Director, quiet *sound.Director, also func(on bool)) func(on bool) {
	loud := *now
	return func(on bool) {
		want := loud
		if on {
			want = quiet
		}
		if *now != want {
			(*now).Stop()
			*now = want
		}
		also(on)
	}
}

// advance lets dt seconds pass on the stage. Sounds are only played at the speed at which the match was played.
func (m *film) advance(p *Picture, dt float32, loud bool) error {
	q := *p
	q.DT = dt
	p.App.local.elapse(p.DT)
	m.mute(!loud)
	if s, ok := m.stage.(*SkirmishStage); ok && screenBox.Has(p.Devices.Pointer) {
		s.Command(p)
	}
	return m.stage.Advance(&q)
}

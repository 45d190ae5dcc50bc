package app

import (
	"fmt"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/arena"
	"github.com/tickback/tickback/games/duel"
	"github.com/tickback/tickback/play/arenaview"
	"github.com/tickback/tickback/play/contest"
	"github.com/tickback/tickback/play/duelview"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/play/theatre"
)

// film is a recording on a stage, for either game.
type film struct {
	file  *theatre.File
	deck  deck
	stage reel
	names [tickback.MaxP2PPlayers]string
	hash  func() string // of the state that is shown
	mute  func(on bool)
}

// deck is a tickback.Replayer, for either game.
type deck interface {
	theatre.Deck
	Unpause()
	Pause()
	SetSpeed(num, den int) error
	Step(frames int) error
	Poll() error
	Stats() tickback.Stats
	Events() []tickback.Event
}

// reel is a stage, for either game.
type reel interface {
	Advance(p *Picture) error
	Draw(p *Picture)
	Jumped()
	Close()
}

// filmCache is how many bytes of states a film keeps for going back.
const filmCache = 16 << 20

func newFilm(a *App, f *theatre.File) (*film, error) {
	m := &film{file: f, names: namesOf(f)}
	if f.Header().Game == arena.ID {
		return m, m.arena(a)
	}
	return m, m.duel(a)
}

// namesOf returns the names of the players of a recording.
func namesOf(f *theatre.File) (names [tickback.MaxP2PPlayers]string) {
	for p := range names {
		if names[p] = f.Info.Names[p]; names[p] == "" {
			names[p] = fmt.Sprintf("P%d", p+1)
		}
	}
	return names
}

func (m *film) duel(a *App) error {
	r, err := theatre.Replay(m.file, tickback.ReplayOptions[duel.State, duel.Input]{Paused: true, Cache: filmCache, Advanced: tickback.Advanced{Now: a.Now}})
	if err != nil {
		return err
	}
	s := NewDuelStage(a)
	s.Names, s.Score = m.names, contest.Score{Round: max(m.file.Info.Round-1, 0)}
	if s.Frames = r.Next(); m.file.Header().Game == duel.RoundID {
		s.Frames = tickback.Frame(m.file.Header().Length)
	}
	s.view.Endless = m.file.Header().Game != duel.RoundID
	s.Begin(a, r)
	m.deck, m.stage, m.hash = r, s, func() string { return s.Checksum(r.View().Current) }
	quiet := sound.NewDirector(sound.NewMixer(), duel.TicksPerSecond, duelview.Cue)
	m.mute = muter(&s.Director, quiet, func(on bool) { s.Silent = on })
	return nil
}

func (m *film) arena(a *App) error {
	r, err := theatre.Replay(m.file, tickback.ReplayOptions[arena.State, arena.Input]{Paused: true, Cache: filmCache, Advanced: tickback.Advanced{Now: a.Now}})
	if err != nil {
		return err
	}
	s := NewArenaStage(a, m.file.Header().Shape.Players, 0)
	s.Names = m.names
	s.Begin(a, r)
	m.deck, m.stage, m.hash = r, s, func() string { return s.Checksum(r.View().Current) }
	m.mute = muter(&s.Director, sound.NewDirector(sound.NewMixer(), arena.TicksPerSecond, arenaview.Cue), func(bool) {})
	return nil
}

// muter returns a function that switches between a loud and a quiet director.
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

// advance lets dt seconds pass on the stage. Sounds are for the speed at which a match is played,
// and off at others.
func (m *film) advance(p *Picture, dt float32, loud bool) error {
	q := *p
	q.DT = dt
	p.App.now = p.App.now.Add(time.Duration(float64(p.DT) * float64(time.Second)))
	ended := p.App.ended
	m.mute(!loud)
	err := m.stage.Advance(&q)
	p.App.ended = ended // a replay does not count as a match played here
	return err
}

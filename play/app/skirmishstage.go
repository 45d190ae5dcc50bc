package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/games/skirmish"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/skirmishview"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/world"
)

// SkirmishStage shows a skirmish, from any kind of session.
type SkirmishStage struct {
	Show[skirmish.World]
	view  *skirmishview.View
	after float32 // seconds since the end
}

// NewSkirmishStage returns a stage for a session, as a player sees it, or skirmish.Nobody.
func NewSkirmishStage(a *App, session tickback.Session[skirmish.World], side uint8) *SkirmishStage {
	s := &SkirmishStage{view: skirmishview.New(a.Look(), side)}
	s.View, s.Monitor, s.Checksum = s.view, new(overlay.Monitor), skirmishChecksum()
	s.begin(session, sound.NewDirector(a.Mixer, skirmish.TicksPerSecond, skirmishview.Cue))
	return s
}

// skirmishChecksum returns a function that names a state by the low half of its hash, which it computes once
// for each tick.
func skirmishChecksum() func(*skirmish.World) string {
	var of uint64
	text := ""
	return func(w *skirmish.World) string {
		if h := world.Hash(w); h != of || text == "" { // pages that have not changed are not hashed again
			of, text = h, hex(uint32(h))
		}
		return text
	}
}

// Ended returns how many seconds ago the match ended, and whether it has.
func (s *SkirmishStage) Ended() (seconds float32, ended bool) {
	_, over := s.Session.Outcome()
	return s.after, over
}

// Advance lets time pass. The error is the session's, and final.
func (s *SkirmishStage) Advance(p *Picture) error {
	s.view.Look = p.App.Look()
	err := s.Show.Advance(p)
	if _, over := s.Session.Outcome(); over {
		s.after += p.DT
	}
	return err
}

// Close ends the sounds and the session, and lets go of its states.
func (s *SkirmishStage) Close() {
	s.Show.Close()
	s.view.Close()
}

package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

// GameView is the view of a game.
type GameView[S any] interface {
	Hear(e *effects.Event)
	Advance(dt float32, seen tickback.View[S])
}

// Show shows a session of any kind: a local match, one with peers over any transport, or a spectator. It runs the
// session, and passes its effects to the view and the speaker.
type Show[S any] struct {
	Session  tickback.Session[S]
	View     GameView[S]
	Director *sound.Director
	Monitor  *overlay.Monitor
	// Checksum returns the checksum of a state for the overlay.
	Checksum func(s *S) string

	over     bool           // there has been an outcome
	replayed bool           // it is a recording, whose end is not that of a match here
	agreed   tickback.Frame // the agreed frame that was last reported
}

// Advance lets time pass. An error comes from the session, and is final.
func (s *Show[S]) Advance(p *Picture) error {
	err := s.update(true)
	s.View.Advance(p.DT, s.Session.View())
	s.observe(p.App, p.elapsed)
	return err
}

// update runs the frames that are due, as long as there is time before the picture. The view learns what happens in
// them, unless something covers it, for who knows how long.
func (s *Show[S]) update(seen bool) error {
	_, err := s.Session.Update()
	for _, e := range s.Session.Effects() {
		if seen {
			s.View.Hear(&e)
		}
		s.Director.Hear(&e)
	}
	return err
}

// Tick lets time pass without a picture. While the player is away, no sound is played either.
func (s *Show[S]) Tick(a *App) error {
	err := error(nil)
	if a.Away() {
		_, err = s.Session.Update()
		s.Session.Effects()
	} else {
		err = s.update(!a.screens.covered())
	}
	s.observe(a, 0)
	return err
}

// observe updates the monitor and the status.
func (s *Show[S]) observe(a *App, dt float32) {
	stats, now := s.Session.Stats(), s.Session.View()
	sum := s.Checksum(now.Current)
	s.Monitor.Look(dt, stats, sum)
	a.report.observe(s.Monitor, stats, sum)
	o, over := s.Session.Outcome()
	over = over && !now.Running // a client learns about the end before it has the last state
	if over && !s.over && !s.replayed {
		a.report.end(o, sum)
	}
	s.over = over
	if state, f := s.settled(now); state != nil && (f != s.agreed || a.report.status.Agreed.Checksum == "") {
		s.agreed = f
		a.report.agree(f, s.Checksum(state))
	}
}

// settled returns the newest state that will never change: without peers that is the current one. There is none
// before the first frame, since the state does not belong to a match yet.
func (s *Show[S]) settled(now tickback.View[S]) (*S, tickback.Frame) {
	if m, ok := s.Session.(interface{ Settled() (*S, tickback.Frame) }); ok {
		return m.Settled()
	}
	if _, over := s.Session.Outcome(); !now.Running && !over {
		return nil, 0
	}
	return now.Current, now.Frame
}

// Overlay draws the figures, if they are turned on.
func (s *Show[S]) Overlay(p *Picture) {
	if p.App.overlay {
		s.Monitor.Draw(p.C, p.Box)
	}
}

// begin shows another session.
func (s *Show[S]) begin(session tickback.Session[S], d *sound.Director) {
	if s.Director != nil {
		s.Director.Stop()
	}
	s.Session, s.Director, s.over, s.agreed = session, d, false, 0
}

// Close ends the sounds, and closes a session without peers.
func (s *Show[S]) Close() {
	if s.Director != nil {
		s.Director.Stop()
	}
	if s.Session != nil {
		_ = s.Session.Close() // there are no peers to tell
	}
}

func hex(sum uint32) string { return fmt.Sprintf("0x%08X", sum) }

// Keep replaces the session, for example by what remains of it.
func (s *Show[S]) Keep(session tickback.Session[S]) { s.Session = session }

// Quiet ends the sounds.
func (s *Show[S]) Quiet() { s.Director.Stop() }

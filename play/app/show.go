package app

import (
	"fmt"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/overlay"
	"github.com/tickback/tickback/play/sound"
	"github.com/tickback/tickback/rollback/effects"
)

// Viewer is what shows a game; the views of both games are.
type Viewer[S any] interface {
	Hear(e *effects.Event)
	Advance(dt float32, seen tickback.View[S])
}

// Show shows a session, wherever it comes from: a local match, one with peers over any
// transport, a spectator. It lets it run, and takes its effects to the view and to the
// speaker.
type Show[S any] struct {
	Session  tickback.Session[S]
	View     Viewer[S]
	Director *sound.Director
	Monitor  *overlay.Monitor
	// Checksum names a state in the overlay.
	Checksum func(s *S) string

	over   bool           // there was an outcome
	agreed tickback.Frame // that was looked at last
}

// maxUpdates is how often a session is updated for one picture. An update runs eight frames
// at most; this is a second, the longest time between two pictures that counts.
const maxUpdates = 8

// Advance lets time pass. The error is the session's, and final.
func (s *Show[S]) Advance(p *Picture) error {
	err := s.update()
	s.View.Advance(p.DT, s.Session.View())
	s.observe(p.App, p.elapsed)
	return err
}

// update runs all frames that are due.
func (s *Show[S]) update() error {
	for range maxUpdates {
		wait, err := s.Session.Update()
		for _, e := range s.Session.Effects() {
			s.View.Hear(&e)
			s.Director.Hear(&e)
		}
		if wait > 0 || err != nil {
			return err
		}
	}
	return nil
}

// Tick lets time pass without a picture. While nobody looks, nothing is heard either.
func (s *Show[S]) Tick(a *App) error {
	err := error(nil)
	if a.Away() {
		_, err = s.Session.Update()
		s.Session.Effects()
	} else {
		err = s.update()
	}
	s.observe(a, 0)
	return err
}

// observe takes figures to the monitor and the status.
func (s *Show[S]) observe(a *App, dt float32) {
	stats, now := s.Session.Stats(), s.Session.View()
	sum := s.Checksum(now.Current)
	s.Monitor.Look(dt, stats, sum)
	a.observe(s.Monitor, stats, sum)
	o, over := s.Session.Outcome()
	if over && !s.over {
		a.end(o, sum)
	}
	s.over = over
	if state, f := s.settled(now); state != nil && (f != s.agreed || a.status.Agreed.Checksum == "") {
		s.agreed = f
		a.status.Agreed = Agreed{uint32(f), s.Checksum(state)}
	}
}

// settled returns the newest state that will never change: what has no peers has no other.
// Before frames run there is none, as the state is not that of a match yet.
func (s *Show[S]) settled(now tickback.View[S]) (*S, tickback.Frame) {
	if m, ok := s.Session.(interface{ Settled() (*S, tickback.Frame) }); ok {
		return m.Settled()
	}
	if _, over := s.Session.Outcome(); !now.Running && !over {
		return nil, 0
	}
	return now.Current, now.Frame
}

// Overlay draws the figures, if they are asked for.
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

// Close ends a session that has no peers, and its sounds.
func (s *Show[S]) Close() {
	if s.Director != nil {
		s.Director.Stop()
	}
	if s.Session != nil {
		_ = s.Session.Close() // nobody is told: there are no peers
	}
}

func hex(sum uint32) string { return fmt.Sprintf("0x%08X", sum) }

// Keep shows another session in the place of this one, such as what is left of it.
func (s *Show[S]) Keep(session tickback.Session[S]) { s.Session = session }

// Quiet ends the sounds.
func (s *Show[S]) Quiet() { s.Director.Stop() }

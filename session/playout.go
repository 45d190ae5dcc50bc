package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
)

// slot runs the next frame and returns the length of its period.
func (s *Spectator[S, I]) slot() (period time.Duration) {
	p := &s.play
	if s.prepare(); s.phase != Playing {
		return s.nominal
	}
	if !p.Running() {
		if !s.ready() {
			if waited, tell := p.Wait(s.now); tell {
				s.events.Add(Event{What: Waiting, For: waited, Text: "frames of " + s.incoming.follower.Host().String()})
			}
			return s.nominal
		}
		if waited, told := p.Run(s.now); told {
			s.events.Add(Event{What: Resumed, For: waited})
		}
	}
	period = p.Pace(s.incoming.pending())
	if s.step(); s.phase != Playing {
		return period
	}
	if p.Reaches(int64(s.incoming.follower.Live()) - int64(s.Frame())) {
		s.events.Add(Event{What: Live, Frame: s.Frame()})
	}
	if s.incoming.empty() {
		p.Break(s.now)
	}
	return period
}

// ready reports whether enough frames are buffered to play them without a break, or nothing more will come.
func (s *Spectator[S, I]) ready() bool {
	held := s.incoming.pending()
	switch {
	case held >= s.play.Wanted():
		return true
	case s.incoming.follower.Full():
		s.play.Full(held)
		return true
	}
	return s.incoming.last(s.Frame())
}

// prepare handles the items before the next frame.
func (s *Spectator[S, I]) prepare() {
	for s.incoming.frames.Left() == 0 && s.phase != Over {
		i := s.incoming.follower.Front()
		if i == nil || !s.take(i) {
			return
		}
	}
}

// take handles an item and reports whether to continue with the next one.
func (s *Spectator[S, I]) take(i *spectate.Item) bool {
	k, frames, err := &s.shown, &s.incoming.frames, error(nil)
	switch {
	case i.Begin != nil:
		if err = k.begin(i.Begin); err == nil {
			frames.Stop()
			s.phase = Starting
			s.play.Begin(s.now)
		}
	case i.State != nil:
		if err = k.engine.Load(Frame(i.Frame), i.State); err == nil {
			s.phase = Playing
		}
	case i.From:
		err = frames.From(k.shape(), Frame(i.Frame), s.Frame()) // some of the frames may be known
	case i.End != nil:
		err = s.finish(i.End)
	default:
		frames.Add(i.Frames, i.Count)
		s.phase = Playing
	}
	s.incoming.follower.Pop()
	if err != nil {
		s.refuse(err)
	}
	return err == nil && !k.over
}

// finish ends the match.
func (s *Spectator[S, I]) finish(e *spectate.End) error {
	if Frame(e.Frames) == s.Frame() {
		if err := s.verify(e.Hash); err != nil {
			return err
		}
	}
	s.shown.finish(e)
	s.phase = Lobby
	s.play.Stop()
	return nil
}

// step runs the next frame, if one has come.
func (s *Spectator[S, I]) step() {
	for s.phase == Playing {
		if s.prepare(); s.incoming.frames.Left() == 0 || s.phase != Playing {
			return
		}
		f, err := s.incoming.frames.Read()
		if err == nil && f.Number < uint32(s.Frame()) {
			continue // known already
		}
		if err == nil {
			err = s.shown.run(f)
		}
		if err == nil && f.Marked {
			s.incoming.follower.Marked(f.Number+1, f.Mark.Chain)
			err = s.verify(f.Mark.Hash)
		}
		if err != nil {
			s.spoiled(err)
		}
		return
	}
}

// spoiled gives up the host because its frame cannot be shown, or closes the spectator if the game is at fault.
func (s *Spectator[S, I]) spoiled(err error) {
	var mine *rollback.CapabilityError
	if errors.As(err, &mine) {
		s.close(err)
		return
	}
	s.refuse(fmt.Errorf("frame %d: %w", s.Frame(), err))
}

// refuse gives up the host because its stream cannot be used. The states shown so far are not continued: the next
// host has to start over.
func (s *Spectator[S, I]) refuse(err error) {
	if !errors.Is(err, errOtherwise) { // in that case the follower has already asked again
		s.incoming.follower.Reject(err)
	}
	s.anew()
}

// errFault ends a recording that may contain frames that were not played.
var errFault = errors.New("a host was at fault whose frames are in it")

// anew discards what is not shown yet if the follower has started over.
func (s *Spectator[S, I]) anew() {
	if s.incoming.follower.WasReset() {
		s.incoming.frames.Stop()
		s.shown.spoil(errFault)
	}
}

// errOtherwise means that a state differs from that of the current host, while some of the frames before it are
// from another host.
var errOtherwise = errors.New("a state comes out otherwise here")

// verify compares our state with the hash sent by the host.
func (s *Spectator[S, I]) verify(theirs uint64) error {
	ours, differ := s.shown.compare(theirs)
	switch {
	case !differ:
		return nil
	case s.incoming.follower.AskAgain(errOtherwise):
		return errOtherwise
	}
	s.shown.desynced(ours, theirs, s.incoming.follower.Host().String())
	return nil
}

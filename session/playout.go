package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/session/stream"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// pending returns how many frames are buffered.
func (s *Spectator[S, I]) pending() int { return s.follow.Left() + s.follower.Buffered() }

// slot runs the next frame and returns the length of its period.
func (s *Spectator[S, I]) slot() (period time.Duration) {
	p := &s.play
	if s.prepare(); s.phase != Playing {
		return s.nominal()
	}
	if !p.Running() {
		if !s.ready() {
			if waited, tell := p.Wait(s.now); tell {
				s.events.Add(Event{What: Waiting, For: waited, Text: "frames of " + s.follower.Host().String()})
			}
			return s.nominal()
		}
		if waited, told := p.Run(s.now); told {
			s.events.Add(Event{What: Resumed, For: waited})
		}
	}
	period = p.Pace(s.pending())
	s.step()
	s.notice()
	return period
}

// ready reports whether enough frames are buffered to play them without a break.
func (s *Spectator[S, I]) ready() bool {
	held := s.pending()
	if held >= s.play.Wanted() {
		return true
	}
	if s.follower.Full() {
		s.play.Full(held)
		return true
	}
	// Nothing more will come before the end of the match, or at all.
	return held > 0 && uint32(s.engine.Frame())+uint32(held) >= s.follower.Live() && s.follower.Over() || s.follower.Err() != nil
}

// prepare handles the items before the next frame.
func (s *Spectator[S, I]) prepare() {
	for s.follow.Left() == 0 && s.phase != Over {
		i := s.follower.Front()
		if i == nil || !s.take(i) {
			return
		}
	}
}

// take handles an item and reports whether to continue with the next one.
func (s *Spectator[S, I]) take(i *spectate.Item) bool {
	var err error
	switch {
	case i.Begin != nil:
		err = s.begin(i.Begin)
	case i.State != nil:
		if err = s.engine.Load(Frame(i.Frame), i.State); err == nil {
			s.phase = Playing
		}
	case i.From:
		err = s.follow.From(s.shape(), Frame(i.Frame), s.engine.Frame()) // some of the frames may be known
	case i.End != nil:
		err = s.finish(i.End)
	default:
		s.follow.Add(i.Frames, i.Count)
		s.phase = Playing
	}
	s.follower.Pop()
	if err != nil {
		refuse(s, err)
	}
	return err == nil && !s.over
}

// begin starts a match at frame 0.
func (s *Spectator[S, I]) begin(o *datagram.Offer) error {
	p := stream.ParametersOf(o)
	if err := p.Check(); err != nil {
		return err
	}
	var init func(*S)
	if s.hooks.Start != nil {
		var err error
		if init, err = s.hooks.Start(p); err != nil {
			return fmt.Errorf("the match cannot be shown here: %w", err)
		}
	}
	if err := s.engine.Restart(init); err != nil {
		return err
	}
	// A match without comparison of states is played, and so it is shown.
	if state, err := s.engine.Hash(); err == nil && o.State != 0 && state != o.State {
		return &MismatchError{0, "hash of state 0 of the match", quote(hex(state)), quote(hex(o.State))}
	}
	s.recordBegins(o.Match, o.State)
	s.match, s.params, s.present, s.health, s.over = o.Match, p, shownPlayers{}, Unverified, false
	s.follow.Stop()
	s.phase = Starting
	s.begun++
	s.play.Begin(s.now)
	s.events.Add(Event{What: Started, Match: o.Match})
	return nil
}

// shape returns the shape of the match's frames.
func (s *Spectator[S, I]) shape() agreed.Shape {
	return agreed.Shape{Players: s.engine.Players(), InputSize: s.plan.Size(), MaxOrders: s.cfg.MaxOrders}
}

// step runs the next frame and reports whether it did.
func (s *Spectator[S, I]) step() bool {
	for s.phase == Playing {
		if s.prepare(); s.follow.Left() == 0 || s.phase != Playing {
			return false
		}
		f, err := s.follow.Read()
		if err == nil && f.Number < uint32(s.engine.Frame()) {
			continue // known already
		}
		if err == nil {
			err = s.run(f)
		}
		if err != nil {
			s.spoiled(err)
			return false
		}
		return true
	}
	return false
}

// spoiled gives up the host because its frame cannot be shown, or closes the spectator if the game is at fault.
func (s *Spectator[S, I]) spoiled(err error) {
	var mine *rollback.CapabilityError
	if errors.As(err, &mine) {
		s.close(err)
		return
	}
	refuse(s, fmt.Errorf("frame %d: %w", s.engine.Frame(), err))
}

// refuse gives up the host because its stream cannot be used. The states shown so far are not continued: the next
// host has to start over.
func refuse[S any, I comparable](s *Spectator[S, I], err error) {
	if !errors.Is(err, errOtherwise) { // in that case the follower has already asked again
		s.follower.Reject(err)
	}
	anew(s)
}

// errFault ends a recording that may contain frames that were not played.
var errFault = errors.New("a host was at fault whose frames are in it")

// anew discards what is not shown yet if the follower has started over.
func anew[S any, I comparable](s *Spectator[S, I]) {
	if !s.follower.WasReset() {
		return
	}
	s.follow.Stop()
	if _, recorded := s.recording.Of(); recorded {
		s.StopRecording(errFault)
	}
}

// run runs an agreed frame and emits its events.
func (s *Spectator[S, I]) run(f *agreed.Frame) error {
	if f.Number != uint32(s.engine.Frame()) {
		return agreed.ErrGap
	}
	if err := stream.Decode(s.plan, s.follow.inputs, f); err != nil {
		return err
	}
	if s.recording.On() {
		s.recordState()
	}
	if err := s.engine.Feed(s.follow.inputs, f.Orders, PlayerSet(f.Gone)); err != nil {
		return err
	}
	if s.recording.On() {
		s.recordFrame(f)
	}
	left, back := s.present.attend(PlayerSet(f.Gone))
	if left != 0 {
		s.events.Add(Event{What: Left, Players: left, Frame: Frame(f.Number)})
	}
	if back != 0 {
		s.events.Add(Event{What: Joined, Players: back, Frame: Frame(f.Number)})
	}
	if s.hooks.Agreed != nil {
		for a := s.engine.NextAgreed(); a != nil; a = s.engine.NextAgreed() {
			s.hooks.Agreed(a)
		}
	}
	if f.Marked {
		s.follower.Marked(f.Number+1, f.Mark.Chain)
		return s.verify(f.Mark.Hash)
	}
	return nil
}

// errOtherwise means that a state differs from that of the current host, while some of the frames before it are
// from another host.
var errOtherwise = errors.New("a state comes out otherwise here")

// verify compares our state with the hash sent by the host.
func (s *Spectator[S, I]) verify(theirs uint64) error {
	ours, err := s.engine.Hash()
	if theirs == 0 || err != nil || s.health == Desynced {
		return nil
	}
	switch {
	case ours == theirs:
		s.health = Healthy
	case s.follower.AskAgain(errOtherwise):
		return errOtherwise
	default:
		s.health = Desynced
		s.events.Add(Event{What: Desync, Frame: s.engine.Frame(), Ours: ours, Theirs: theirs, Text: s.follower.Host().String()})
	}
	return nil
}

// finish ends the match.
func (s *Spectator[S, I]) finish(e *spectate.End) error {
	if Frame(e.Frames) == s.engine.Frame() {
		if err := s.verify(e.Hash); err != nil {
			return err
		}
	} else if s.health == Healthy {
		s.health = Unverified // we have not seen all frames
	}
	s.outcome = Outcome{
		Match: s.match, Result: e.Result, Finished: e.Finished, Left: PlayerSet(e.Gone),
		Summary: Summary{Frames: Frame(e.Frames), Hash: e.Hash, Chain: e.Chain, Health: s.health},
	}
	s.recording.End(&RecordEnd{Ended: true, Outcome: s.outcome})
	s.over, s.phase, s.match = true, Lobby, 0
	s.play.Stop()
	s.events.Add(Event{What: Ended, Match: s.outcome.Match, Frame: s.outcome.Frames})
	return nil
}

// notice reports when the spectator has caught up with the match, and begins a break when no frames are left.
func (s *Spectator[S, I]) notice() {
	if s.phase != Playing {
		return
	}
	if s.play.Reaches(int64(s.follower.Live()) - int64(s.engine.Frame())) {
		s.events.Add(Event{What: Live, Frame: s.engine.Frame()})
	}
	if s.pending() == 0 && s.follower.Front() == nil {
		s.play.Break(s.now)
	}
}

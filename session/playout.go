package session

import (
	"errors"
	"fmt"
	"time"

	"github.com/tickback/tickback/session/stream"

	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/session/spectate"
	"github.com/tickback/tickback/wire/agreed"
	"github.com/tickback/tickback/wire/datagram"
)

// playout is the pace at which a spectator shows what has come.
type playout struct {
	nextSlot time.Duration // when the next tick period begins
	running  bool          // frames are shown; else more have to come first
	live     bool          // we have caught up with the host
	since    time.Duration // when it stopped running
	reported time.Duration // when that was last said
	extra    int           // frames to have in hand beyond Config.Delay, after breaks
	fits     int           // frames in hand when no more could be taken; 0: it never was so
	stalls   uint64
	slots    uint64 // tick periods without a frame
}

const (
	// steady is how many frames more or less in hand change nothing, and hurry how
	// many more are caught up in a hurry.
	steady = 4
	hurry  = 30
)

// pending is how many frames are in hand.
func (s *Spectator[S, I]) pending() int { return s.follow.Left() + s.viewer.Buffered() }

// delay is how many frames are to be in hand: more after each break in this match, up
// to two seconds, so that an uneven way causes ever fewer; and not more than there is
// room for.
func (s *Spectator[S, I]) delay() int {
	frames := max(s.cfg.Delay, min(s.cfg.Delay+s.play.extra, 2*s.cfg.TickRate))
	if s.play.fits > 0 {
		return min(frames, s.play.fits)
	}
	return frames
}

// slot runs the frames of a tick period, and returns how long it is.
func (s *Spectator[S, I]) slot() (period time.Duration) {
	p, period := &s.play, s.nominal()
	s.prepare()
	if s.phase != Playing {
		return period
	}
	if !p.running && !s.ready() {
		p.slots++
		s.remindFrames()
		return period
	}
	if !p.running {
		s.resumed()
	}
	behind := s.pending() - s.delay()
	count := 1
	switch {
	case behind > hurry && s.cfg.CatchUp > 1:
		count = min(1+behind/8, s.cfg.CatchUp)
	case behind > steady:
		period -= period / 20
	case behind < -steady:
		period += period / 20
	}
	for range count {
		if !s.step() {
			break
		}
	}
	s.notice()
	return period
}

// ready reports whether enough is in hand to show it without a break.
func (s *Spectator[S, I]) ready() bool {
	if s.pending() >= s.delay() {
		return true
	}
	if s.viewer.Full() {
		s.play.fits = s.pending()
		return true
	}
	// Nothing more comes before the end of the match, or at all.
	return s.pending() > 0 && (uint32(s.engine.Frame())+uint32(s.pending()) >= s.viewer.Live() && s.ending()) ||
		s.viewer.Err() != nil
}

// ending reports whether the end of the match has come.
func (s *Spectator[S, I]) ending() bool { return s.viewer.Over() }

// prepare takes what comes before the next frame.
func (s *Spectator[S, I]) prepare() {
	for s.follow.Left() == 0 && s.phase != Over {
		i := s.viewer.Front()
		if i == nil || !s.take(i) {
			return
		}
	}
}

// take takes an item, and reports whether to go on to the next one.
func (s *Spectator[S, I]) take(i *spectate.Item) bool {
	match, next := s.match, uint32(s.engine.Frame()) // where another host would go on
	var err error
	switch {
	case i.Begin != nil:
		match, next = 0, 0
		err = s.begin(i.Begin)
	case i.State != nil:
		if err = s.engine.Load(Frame(i.Frame), i.State); err == nil {
			s.phase = Playing
		}
	case i.From:
		err = s.from(i.Frame)
	case i.End != nil:
		s.finish(i.End) // and let its owner see it, before another match begins
	default:
		s.follow.Give(i.Frames, i.Count)
		s.phase = Playing
	}
	s.viewer.Pop()
	if err != nil {
		s.viewer.Reject(err, match, next)
	}
	return err == nil && !s.over
}

// begin is frame 0 of a match.
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
	// Those who compare no states play all the same, and so do we.
	if state, err := s.engine.Hash(); err == nil && o.State != 0 && state != o.State {
		return &MismatchError{0, "hash of state 0 of the match", quote(hex(state)), quote(hex(o.State))}
	}
	s.recordBegins(o.Match, o.State)
	s.match, s.params, s.present, s.health, s.over = o.Match, p, attendance{}, Unverified, false
	s.follow.Stop()
	s.phase = Starting
	s.begun++
	s.play = playout{nextSlot: s.play.nextSlot, since: s.now}
	s.events.add(Event{What: Started, Match: o.Match})
	return nil
}

// from begins to read frames, of which some may be known.
func (s *Spectator[S, I]) from(start uint32) error {
	return s.follow.From(s.shape(), Frame(start), s.engine.Frame())
}

// shape is that of the match's frames.
func (s *Spectator[S, I]) shape() agreed.Shape {
	return agreed.Shape{Players: s.engine.Players(), InputSize: s.plan.Size(), MaxOrders: s.cfg.MaxOrders}
}

// step runs the next frame, and reports whether it did.
func (s *Spectator[S, I]) step() bool {
	for s.phase == Playing {
		if s.prepare(); s.follow.Left() == 0 || s.phase != Playing {
			return false
		}
		f, err := s.follow.Read()
		if err == nil && f.Number < uint32(s.engine.Frame()) {
			continue // known already
		}
		if err != nil {
			s.spoiled(err, s.match)
			return false
		}
		if err := s.run(f); err != nil {
			s.spoiled(err, 0) // half a frame may be in the engine
			return false
		}
		return true
	}
	return false
}

// spoiled is a frame that cannot be shown: the host's fault, or the game's. Another
// host goes on in this match, or begins anew if it is 0.
func (s *Spectator[S, I]) spoiled(err error, match uint32) {
	var mine *rollback.CapabilityError
	if errors.As(err, &mine) {
		s.close(err)
		return
	}
	s.follow.Stop()
	next := uint32(s.engine.Frame())
	if match == 0 {
		next = 0
	}
	s.viewer.Reject(fmt.Errorf("frame %d: %w", s.engine.Frame(), err), match, next)
}

// run runs a frame.
func (s *Spectator[S, I]) run(f *agreed.Frame) error {
	if f.Number != uint32(s.engine.Frame()) {
		return agreed.ErrGap
	}
	size := s.plan.Size()
	for p := range s.follow.inputs {
		if err := s.plan.Decode(&s.follow.inputs[p], f.Inputs[p*size:(p+1)*size]); err != nil {
			return err
		}
	}
	if s.tape.On() {
		s.recordState()
	}
	if err := s.engine.Feed(s.follow.inputs, f.Orders, PlayerSet(f.Gone)); err != nil {
		return err
	}
	if s.tape.On() {
		s.recordFrame(f)
	}
	s.attend(Frame(f.Number), PlayerSet(f.Gone))
	if s.hooks.Agreed != nil {
		for a := s.engine.NextAgreed(); a != nil; a = s.engine.NextAgreed() {
			s.hooks.Agreed(a)
		}
	}
	if f.Marked {
		s.viewer.Marked(f.Number+1, f.Mark.Chain)
		s.verify(f.Mark.Hash)
	}
	return nil
}

// verify compares our state with that of the host.
func (s *Spectator[S, I]) verify(theirs uint64) {
	ours, err := s.engine.Hash()
	if theirs == 0 || err != nil || s.health == Desynced {
		return
	}
	if s.health = Healthy; ours != theirs {
		s.health = Desynced
		s.events.add(Event{What: Desync, Frame: s.engine.Frame(), Ours: ours, Theirs: theirs, Text: s.viewer.Host().String()})
	}
}

// finish is the end of the match.
func (s *Spectator[S, I]) finish(e *spectate.End) {
	if Frame(e.Frames) == s.engine.Frame() {
		s.verify(e.Hash)
	} else if s.health == Healthy {
		s.health = Unverified // of what we have not seen
	}
	s.outcome = Outcome{
		Match: s.match, Result: e.Result, Finished: e.Finished, Left: PlayerSet(e.Gone),
		Summary: Summary{Frames: Frame(e.Frames), Hash: e.Hash, Chain: e.Chain, Health: s.health},
	}
	s.tape.End(&RecordEnd{Ended: true, Outcome: s.outcome})
	s.over, s.phase, s.match = true, Lobby, 0
	s.play.running = false
	s.events.add(Event{What: Ended, Match: s.outcome.Match, Frame: s.outcome.Frames})
}

// notice says when the present is reached, and when nothing is in hand any more.
func (s *Spectator[S, I]) notice() {
	p := &s.play
	if s.phase != Playing {
		return
	}
	if behind := int64(s.viewer.Live()) - int64(s.engine.Frame()); !p.live && behind <= int64(s.delay()+hurry) {
		p.live = true
		s.events.add(Event{What: Live, Frame: s.engine.Frame()})
	}
	if s.pending() == 0 && s.viewer.Front() == nil {
		p.running, p.since, p.reported = false, s.now, 0
		p.stalls++
		p.extra += s.delay() / 2
	}
}

func (s *Spectator[S, I]) resumed() {
	p := &s.play
	if p.running = true; p.reported != 0 {
		s.events.add(Event{What: Resumed, For: s.now - p.since})
	}
	p.reported = 0
}

// remindFrames says, in intervals, that frames are awaited.
func (s *Spectator[S, I]) remindFrames() {
	p := &s.play
	if s.now-p.since < waitingAfter || s.now-p.reported < waitingEvery {
		return
	}
	p.reported = s.now
	s.events.add(Event{What: Waiting, For: s.now - p.since, Text: "frames of " + s.viewer.Host().String()})
}

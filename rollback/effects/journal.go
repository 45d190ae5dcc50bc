package effects

import "fmt"

// Journal turns what the frames of a simulation emit, each time they are simulated, into events that a presentation can
// act on. It is not safe for concurrent use. In each tick, the owner calls:
//
//  1. For every frame that is simulated, for the first time or again: [Journal.Begin],
//     then the step, which emits to [Journal.Emitter].
//  2. [Journal.Flush], once, and the events go to the presentation.
type Journal struct {
	emitter   Emitter
	frames    frames
	tolerance Frame
	history   Frame
	// lookback is how many final frames are kept. If a run of frames continues in the first frame that may change, that
	// shows in the frame before it; a pause begins at most Tolerance frames before that.
	lookback Frame
	most     int // the maximum number of orphans that may wait, and of sounds that may pause

	next  Frame  // the newest frame + 1
	final Frame  // frames below are final: min(agreed, next) at the last Flush
	full  Frame  // final + history: the first frame for which there is no room
	known Frame  // next at the last Flush: emissions of the frames below it have been reported
	dirty Frame  // the lowest frame begun since the last Flush; next if none
	tick  uint64 // the number of Flushes, counted from 1; an unused slot has 0

	orphans []orphan // effects that are shown, are no longer emitted, and still wait; by frame
	sounds  []sound  // sustained effects that are on, in the order of their start
	events  []Event  // the events of the last Flush
}

// NewJournal makes a journal whose first frame is 0. The error describes the problem with the config, or the reason
// why a kind cannot be declared: two kinds have the same id, or its payload is too large or not plain (which wraps a
// *canon.CheckError).
func NewJournal(cfg Config) (*Journal, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	j := &Journal{
		tick:      1,
		tolerance: Frame(cfg.Tolerance),
		history:   Frame(cfg.History),
		lookback:  Frame(cfg.Tolerance) + 1,
		most:      cfg.MaxPerFrame * (cfg.Tolerance + 1),
	}
	if err := declare(&j.emitter.kinds, cfg.Kinds); err != nil {
		return nil, err
	}
	j.frames = newFrames(cfg.History+cfg.Tolerance+1, cfg.MaxPerFrame)
	j.emitter.frames = &j.frames
	j.Reset(0)
	return j, nil
}

// Emitter returns the emitter for the step. It is the same for the life of the journal.
func (j *Journal) Emitter() *Emitter { return &j.emitter }

// Begin says that frame f is simulated now. What is emitted until the next Begin
// or Flush replaces what the frame emitted before.
//
// f is either the next frame, one after the newest, or a frame that has been simulated and is not final, which means
// not below the agreed count of the last Flush. After a rollback, frames come in ascending order until the next
// rollback begins at a lower one; frames that are not begun again keep their effects. At most History frames may be
// simulated that were not final at the last Flush, so a caller that catches up must call Flush at least that often.
// Anything else is an error that [Journal.Err] returns, and the frame is left out.
func (j *Journal) Begin(f Frame) {
	if f == j.next && f != j.full {
		// The frame's slot is empty, and dirty is at most f already. Nothing else has to be done, as most frames emit
		// nothing.
		j.next++
		j.emitter.at = f
		return
	}
	j.beginAgain(f)
}

// beginAgain does the work of Begin for a frame that was simulated before, or must not
// be simulated now.
func (j *Journal) beginAgain(f Frame) {
	if f >= j.next || f < j.final {
		j.misplaced(f)
		return
	}
	s := j.frames.slot(f)
	if j.begun(f, s) {
		// The frame is simulated again in the same tick: what was reported has already been put aside.
		s.now = s.now[:0]
	} else {
		s.tick = j.tick
		s.was, s.now = s.now, nil
	}
	j.dirty = min(j.dirty, f)
	j.emitter.at = f
}

// begun reports whether frame f, in slot s, has been simulated since the last Flush.
func (j *Journal) begun(f Frame, s *slot) bool { return f >= j.known || s.tick == j.tick }

// misplaced records that frame f cannot be simulated now.
func (j *Journal) misplaced(f Frame) {
	j.emitter.at = NoFrame
	if f == j.next {
		j.emitter.fail(fmt.Errorf("effects: frame %d is %d frames after the first that was not final at the last Flush: call Flush or agree earlier, or raise History", f, f-j.final))
		return
	}
	j.emitter.fail(fmt.Errorf("effects: frame %d was begun, not one of %d to %d", f, j.final, j.next))
}

// Err returns the first mistake of the program: a kind that is emitted but not declared, or a frame begun out of
// order. It stays until [Journal.Reset]. The journal ignores the mistaken call and continues.
func (j *Journal) Err() error { return j.emitter.err }

// Dropped counts the emissions that were left out since the last Reset because their
// frame already had MaxPerFrame others. A resimulation counts again.
func (j *Journal) Dropped() uint64 { return j.emitter.dropped }

// Reset forgets everything, without any event: the next frame to begin is start, no frame before it counts as having
// emitted anything, and the journal no longer tracks the effects that are shown.
func (j *Journal) Reset(start Frame) {
	j.emitter.at, j.emitter.err, j.emitter.dropped = NoFrame, nil, 0
	j.frames.reset(start)
	j.next, j.final, j.full, j.known, j.dirty = start, start, start+j.history, start, start
	j.orphans, j.sounds, j.events = j.orphans[:0], j.sounds[:0], j.events[:0]
}

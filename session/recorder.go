package session

import (
	"errors"

	"github.com/tickback/tickback/wire/agreed"
)

// Recorder takes what is agreed in a match, for a recording: see [Machine.Record] and
// [Spectator.Record]. The session calls it from within its own calls, and everything but
// states is valid during the call only. First comes Begin, then for each frame State, if
// there is one, and Frame, and at last End. End may come without Begin.
type Recorder interface {
	// Begin begins it.
	Begin(b *RecordBegin)
	// State is state f, encoded, right before frame f: one that [RecordWants] asks for.
	// The bytes are the recorder's.
	State(f Frame, encoded []byte)
	// Frame is a frame that is agreed, and the hash of the state after it, if hashed.
	Frame(f *agreed.Frame, hash uint64, hashed bool)
	// End ends it; nothing more comes.
	End(e *RecordEnd)
}

// RecordWants is what a recording has besides frames, each in an interval in frames; 0 is
// none.
type RecordWants struct {
	// States are wanted whose number is a multiple of it.
	States Frame
	// Hashes are needed of states whose number is a multiple of it. More may come.
	Hashes Frame
}

// RecordBegin says what is recorded.
type RecordBegin struct {
	Match      uint32 // its number
	Parameters Parameters
	Initial    uint64 // hash of state 0; 0 is not known
	Shape      agreed.Shape
	First      Frame  // the first frame
	State      []byte // state First, encoded; the recorder's. Nil if it is frame 0
}

// RecordEnd says how it ends.
type RecordEnd struct {
	// Next is one behind the last frame that was recorded.
	Next Frame
	// Ended says that the match has ended, as Outcome says, whose Health, Fairness and
	// Told are not known yet.
	Ended   bool
	Outcome Outcome
	// Over is why the session is over before the match has ended, or nil.
	Over error
	// Failed is why the recording cannot go on, or nil: [ErrRecordGap],
	// [ErrUnrecorded], or what was given to StopRecording.
	Failed error
	// Log is the membership log.
	Log []Entry
}

var (
	// ErrRecording is a second recording at one time.
	ErrRecording = errors.New("session: a match is being recorded already, or is about to be")
	// ErrUnrecorded is a recording that ended before anything could be recorded.
	ErrUnrecorded = errors.New("session: there was nothing to record")
	// ErrRecordGap is a recording that cannot go on, because agreed frames were left out:
	// a spectator has gone on with another state.
	ErrRecordGap = errors.New("session: frames are missing, so that the recording cannot go on")
)

// tape is what a session records.
type tape struct {
	to      Recorder // nil is nothing
	wants   RecordWants
	ready   bool // there is something to begin with
	running bool // it has begun
	begin   RecordBegin
	next    Frame // that is recorded
	due     Frame // the next state that is wanted
	states  []tapedState
}

// tapedState is a state that is final, and whose frame is not agreed yet.
type tapedState struct {
	frame   Frame
	encoded []byte
}

// arm waits for a match.
func (t *tape) arm(to Recorder, wants RecordWants) {
	*t = tape{to: to, wants: wants, states: t.states[:0]}
}

// on reports whether something is recorded, or will be.
func (t *tape) on() bool { return t.to != nil }

// armed reports whether it waits for a match.
func (t *tape) armed() bool { return t.to != nil && !t.ready }

// start begins with a match. Frame 0 is recorded at once, so that there is something to
// read if it is the last; another one when it is agreed.
func (t *tape) start(b RecordBegin) {
	t.begin, t.next, t.ready = b, b.First, true
	t.due = t.after(b.First)
	if b.First == 0 {
		t.run()
	}
}

func (t *tape) run() {
	t.running = true
	t.to.Begin(&t.begin)
	t.begin = RecordBegin{Match: t.begin.Match}
}

// after returns the first state after f that is wanted.
func (t *tape) after(f Frame) Frame {
	if e := t.wants.States; e > 0 && f < NoFrame-e {
		return f - f%e + e
	}
	return NoFrame
}

// keep keeps a state that is final.
func (t *tape) keep(f Frame, encoded []byte, err error) {
	if t.due = t.after(f); err == nil {
		t.states = append(t.states, tapedState{f, encoded})
	}
}

// frame records a frame, unless it is known already.
func (t *tape) frame(f *agreed.Frame, hash uint64, hashed bool) {
	n := Frame(f.Number)
	switch {
	case !t.ready || n < t.next:
		return
	case n > t.next:
		t.end(&RecordEnd{Failed: ErrRecordGap})
		return
	case !t.running:
		t.run()
	}
	for len(t.states) > 0 && t.states[0].frame <= n {
		if s := t.states[0]; s.frame == n {
			t.to.State(n, s.encoded)
		}
		t.states = append(t.states[:0], t.states[1:]...)
	}
	t.to.Frame(f, hash, hashed)
	t.next++
}

// end ends the recording.
func (t *tape) end(e *RecordEnd) {
	if t.to == nil {
		return
	}
	if e.Next = t.next; !t.running {
		e.Next = 0
		if e.Ended = false; e.Failed == nil {
			e.Failed = ErrUnrecorded
		}
	}
	to := t.to
	clear(t.states)
	*t = tape{states: t.states[:0]}
	to.End(e)
}

package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Tape is what a session records, or waits to record. The zero value records nothing.
type Tape struct {
	to      Recorder // nil is nothing
	wants   Wants
	ready   bool // there is something to begin with
	running bool // it has begun
	begin   Begin
	next    rollback.Frame // that is recorded
	due     rollback.Frame // the next state that is wanted
	states  []state
}

// state is a state that is final, and whose frame is not agreed yet.
type state struct {
	frame   rollback.Frame
	encoded []byte
}

// Source has the states that a tape wants.
type Source interface {
	// Final is the newest state that will not change any more, which is held.
	Final() rollback.Frame
	// Marshals reports whether the game can encode its state.
	Marshals() bool
	// Marshal appends an encoded state to b.
	Marshal(b []byte, f rollback.Frame) ([]byte, error)
}

// Arm waits for a match.
func (t *Tape) Arm(to Recorder, wants Wants) {
	*t = Tape{to: to, wants: wants, states: t.states[:0]}
}

// Disarm ends waiting, without a word to the recorder.
func (t *Tape) Disarm() { *t = Tape{} }

// On reports whether something is recorded, or will be.
func (t *Tape) On() bool { return t.to != nil }

// Armed reports whether it waits for a match.
func (t *Tape) Armed() bool { return t.to != nil && !t.ready }

// Of returns the number of the match that is recorded, and whether there is one.
func (t *Tape) Of() (match uint32, ok bool) { return t.begin.Match, t.ready }

// Wants returns what else is wanted than frames.
func (t *Tape) Wants() Wants { return t.wants }

// Start begins with a match. The beginning at frame 0 is recorded at once, so that there is
// something to read if nothing follows; another one when its first frame is agreed.
func (t *Tape) Start(b Begin) {
	t.begin, t.next, t.ready = b, b.First, true
	t.due = t.after(b.First)
	if b.First == 0 {
		t.run()
	}
}

func (t *Tape) run() {
	t.running = true
	t.to.Begin(&t.begin)
	t.begin = Begin{Match: t.begin.Match}
}

// after returns the first state after f that is wanted.
func (t *Tape) after(f rollback.Frame) rollback.Frame {
	if e := t.wants.States; e > 0 && f < rollback.NoFrame-e {
		return f - f%e + e
	}
	return rollback.NoFrame
}

// Collect keeps the states that are wanted, as soon as they are final: when their frame is
// agreed, they may not be held any more.
func (t *Tape) Collect(from Source) {
	if !t.ready || t.due == rollback.NoFrame || from.Final() < t.due {
		return
	}
	if !from.Marshals() {
		t.due = rollback.NoFrame
		return
	}
	for final := from.Final(); t.due <= final; {
		encoded, err := from.Marshal(nil, t.due)
		t.Keep(t.due, encoded, err)
	}
}

// Misses reports whether state f is wanted, and was not kept.
func (t *Tape) Misses(f rollback.Frame) bool { return t.ready && f >= t.due && f >= t.next }

// Keep keeps a state that is final, unless it could not be encoded.
func (t *Tape) Keep(f rollback.Frame, encoded []byte, err error) {
	if t.due = t.after(f); err == nil {
		t.states = append(t.states, state{f, encoded})
	}
}

// Frame records a frame, unless it is known already. A gap ends the recording.
func (t *Tape) Frame(f *agreed.Frame, hash uint64, hashed bool) {
	n := rollback.Frame(f.Number)
	switch {
	case !t.ready || n < t.next:
		return
	case n > t.next:
		t.End(&End{Failed: ErrRecordGap})
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

// End ends the recording, if there is one, and completes e.
func (t *Tape) End(e *End) {
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
	*t = Tape{states: t.states[:0]}
	to.End(e)
}

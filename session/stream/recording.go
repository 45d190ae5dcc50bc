package stream

import (
	"github.com/tickback/tickback/rollback"
	"github.com/tickback/tickback/wire/agreed"
)

// Recording is the recording of a session, running or prepared. The zero value records nothing.
type Recording struct {
	to      Recorder // nil if nothing is recorded
	wants   Wants
	ready   bool // begin is known
	running bool // the recorder has received begin
	begin   Begin
	next    rollback.Frame // the next frame to record
	due     rollback.Frame // the next wanted state
	states  []state
}

// state is a final state whose frame is not agreed yet.
type state struct {
	frame   rollback.Frame
	encoded []byte
}

// Source provides the states that a recording needs.
type Source interface {
	// Final returns the newest held state that will not change any more.
	Final() rollback.Frame
	// Marshals reports whether the game can encode its state.
	Marshals() bool
	// Marshal appends an encoded state to b.
	Marshal(b []byte, f rollback.Frame) ([]byte, error)
}

// Prepare prepares to record the next match.
func (t *Recording) Prepare(to Recorder, wants Wants) {
	*t = Recording{to: to, wants: wants, states: t.states[:0]}
}

// Cancel cancels a prepared recording. The recorder is not called.
func (t *Recording) Cancel() { *t = Recording{} }

// On reports whether a match is being recorded, or will be.
func (t *Recording) On() bool { return t.to != nil }

// Pending reports whether the recording waits for a match.
func (t *Recording) Pending() bool { return t.to != nil && !t.ready }

// Of returns the number of the match that is being recorded, if there is one.
func (t *Recording) Of() (match uint32, ok bool) { return t.begin.Match, t.ready }

// Wants returns what the recording needs besides frames.
func (t *Recording) Wants() Wants { return t.wants }

// Start starts recording a match. If it starts at frame 0, Begin is recorded at once, so that there is something to
// read even if nothing follows; otherwise with the first agreed frame.
func (t *Recording) Start(b Begin) {
	t.begin, t.next, t.ready = b, b.First, true
	t.due = t.after(b.First)
	if b.First == 0 {
		t.run()
	}
}

// Continue goes on with a recorder that has been told of everything in this match before frame next.
func (t *Recording) Continue(to Recorder, wants Wants, match uint32, next rollback.Frame) {
	t.Prepare(to, wants)
	t.begin, t.next, t.ready, t.running = Begin{Match: match}, next, true, true
	t.due = t.after(next)
}

func (t *Recording) run() {
	t.running = true
	t.to.Begin(&t.begin)
	t.begin = Begin{Match: t.begin.Match}
}

// after returns the first wanted state after f.
func (t *Recording) after(f rollback.Frame) rollback.Frame {
	if e := t.wants.States; e > 0 && f < rollback.NoFrame-e {
		return f - f%e + e
	}
	return rollback.NoFrame
}

// Collect keeps wanted states as soon as they are final: when their frame is agreed, the engine may have dropped
// them.
func (t *Recording) Collect(from Source) {
	if !t.ready || from.Final() < t.due {
		return
	}
	if !from.Marshals() {
		t.due = rollback.NoFrame
	}
	for final := from.Final(); t.due <= final; {
		encoded, err := from.Marshal(nil, t.due)
		t.Keep(t.due, encoded, err)
	}
}

// Misses reports whether state f is wanted and has not been kept.
func (t *Recording) Misses(f rollback.Frame) bool { return t.ready && f >= t.due && f >= t.next }

// Keep keeps a final state, unless encoding it failed.
func (t *Recording) Keep(f rollback.Frame, encoded []byte, err error) {
	if t.due = t.after(f); err == nil {
		t.states = append(t.states, state{f, encoded})
	}
}

// Frame records a frame, unless it has been recorded before. A gap ends the recording.
func (t *Recording) Frame(f *agreed.Frame, hash uint64, hashed bool) {
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
func (t *Recording) End(e *End) {
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
	*t = Recording{states: t.states[:0]}
	to.End(e)
}

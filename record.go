package tickback

import (
	"cmp"
	"errors"
	"io"
	"math"
	"time"

	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
)

// RecordOptions is what a recording has; the zero value is what most want. Machines of a
// match that have the same HashEvery and KeyframeEvery, and the same Advanced.HashEvery,
// write the same bytes, but for what each says of itself.
type RecordOptions struct {
	// HashEvery is in how many frames the recording has a hash of the state, by which a
	// replay is checked: 0 is once a second, and less than 0 never. Where the match hashes
	// fewer states (Advanced.HashEvery), it is the next multiple of both.
	HashEvery int
	// KeyframeEvery is in how many segments of 64 seconds the recording has a state, so that
	// a replay can begin there: 0 is wherever the state is small enough not to dwarf the
	// rest, and less than 0 nowhere. Games with memory of their own need Marshal.
	KeyframeEvery int
	// Effects records the events that [Session.Effects] gives.
	Effects bool
	// Stats records statistics once a second.
	Stats bool
	// Wait has play wait for a writer that is too slow, rather than end the recording: for
	// simulations that run as fast as they can. Never set it where people play.
	Wait bool
	// Meta is whatever a file says of itself: at most 64 fields, with keys of up to 255
	// bytes and values of up to 4 KiB.
	Meta []MetaField
}

// MetaField is a piece of metadata of a recording: a key and a value.
type MetaField = tbr.Field

// ErrRecording is a second recording at a time.
var ErrRecording = session.ErrRecording

// Record records to w: the match that is played, from now on, or the next one, as
// docs/reference/recording-format.md describes it. The writer is used until the event [Recorded] comes, or
// Close returns; it stays the caller's, who closes it then.
//
// Play never waits for w. If it takes bytes too slowly, or not at all, the recording
// ends, and the event says so; what was written until then can be read. About the last
// ten seconds of a match are in memory only; a crash loses them.
//
// Errors: [ErrOptions], [ErrRecording], a [*rollback.CapabilityError] if a match of a
// game without Marshal has been going on for a while, and that of a session that is over.
func (m *Match[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// Record records what is shown to w, like [Match.Record]: from the next frame on, or the
// next match.
func (m *Spectator[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// recordable is a session that can be recorded.
type recordable interface {
	Record(r session.Recorder, wants session.RecordWants) error
	StopRecording(why error)
	Recorded(next session.Frame, why string)
}

// recordTerms is what is known of a recording before the match is.
type recordTerms struct {
	session   recordable
	header    tbr.Header // game, tick rate, build, platform, recorder
	hashEvery int        // of the match
	marshals  bool
}

// begin sets up a recording.
func (t *recordTerms) begin(w io.Writer, o RecordOptions) (*recording, error) {
	if w == nil {
		return nil, refusef(recordOptions, "there is no writer to record to")
	}
	h := t.header
	h.Meta, h.HashEvery, h.KeyframeEvery = o.Meta, o.hashEvery(h.TickRate, t.hashEvery), max(o.KeyframeEvery, tbr.NoKeyframes)
	if !t.marshals {
		h.KeyframeEvery = tbr.NoKeyframes
	}
	h.Shape.Players = 1 // the rest is not known yet
	if err := h.Check(); err != nil {
		return nil, inRecording(err)
	}
	return newRecording(w, h, o), nil
}

// hashEvery returns the interval that is reached, or 0; a match hashes each such state,
// unless it is negative.
func (o *RecordOptions) hashEvery(tickRate, match int) int {
	every := o.HashEvery
	if every == 0 {
		every = tickRate
	}
	if every < 0 || match < 0 {
		return 0
	}
	a, b := every, max(match, 1)
	for b != 0 {
		a, b = b, a%b
	}
	if step := max(match, 1) / a; every <= math.MaxInt32/step {
		return every * step
	}
	return -1 // which no header has
}

// record begins a recording.
func (m *front[S]) record(w io.Writer, o RecordOptions) error {
	if m.closed {
		return session.ErrClosed
	}
	if m.tape != nil {
		return ErrRecording
	}
	r, err := m.terms.begin(w, o)
	if err != nil {
		return err
	}
	r.now = m.now
	m.tape = r
	if err := m.terms.session.Record(r, r.wants()); err != nil {
		m.tape = nil
		return err
	}
	return nil
}

// recordFirst records the first match, if that is wanted. Mistakes are those of the field
// Recording of these options.
func (m *front[S]) recordFirst(of string, w io.Writer, o RecordOptions) error {
	if w == nil {
		return nil
	}
	err := m.record(w, o)
	if wrong := (*optionsError)(nil); errors.As(err, &wrong) {
		return &optionsError{of, "Recording: " + wrong.text, wrong.err}
	}
	return err
}

// orUsual is a tick rate, or the one that is meant by 0.
func orUsual(tickRate int) int {
	if tickRate == 0 {
		return session.DefaultTickRate
	}
	return tickRate
}

// hangs is how long a recording that has ended may take to be written, until nobody
// waits for it any more.
var hangs = 2 * time.Second

// watchTape notices that a recording cannot go on, or is complete.
func (m *front[S]) watchTape() {
	r := m.tape
	if r == nil {
		return
	}
	if err := r.trouble(); err != nil {
		m.terms.session.StopRecording(err)
	}
	if !r.ended {
		m.recordStats(r)
		return
	}
	if r.closing && r.looked {
		r.close()
	}
	r.looked = true
	select {
	case <-r.done:
		m.recorded(nil)
	default:
		if r.endedAt.IsZero() {
			r.endedAt = time.Now() // by the clock of the disk, not of the match
		}
		if time.Since(r.endedAt) > hangs {
			m.recorded(errHangs)
		}
	}
}

// recorded tells that the recording is complete.
func (m *front[S]) recorded(err error) {
	r := m.tape
	m.tape = nil
	next, failed := r.written()
	if err == nil {
		err = failed
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	m.terms.session.Recorded(next, text)
}

// awaitTape waits until what was recorded is written.
func (m *front[S]) awaitTape() {
	if m.tape == nil {
		return
	}
	if !m.tape.ended {
		m.terms.session.StopRecording(cmp.Or(m.failed, session.ErrClosed)) // of the transport
	}
	m.tape.close()
	timer := time.NewTimer(hangs)
	defer timer.Stop()
	select {
	case <-m.tape.done:
		m.recorded(nil)
	case <-timer.C:
		m.recorded(errHangs)
	}
}

// recordStats records how the session does, once a second.
func (m *front[S]) recordStats(r *recording) {
	if !r.stats || !r.begun || m.time() < r.statsDue {
		return
	}
	r.statsDue = m.time() + time.Second
	s := m.Stats()
	r.stat(&s)
}

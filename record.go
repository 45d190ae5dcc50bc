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

// RecordOptions configures a recording; the zero value suits most. Machines of a match with the
// same HashEvery, KeyframeEvery and Advanced.HashEvery write the same bytes, except for the
// chunks about the file itself.
type RecordOptions struct {
	// HashEvery is the interval of state hashes in frames, by which a replay is checked: 0
	// means once a second, and a negative value never. If the match hashes fewer states
	// (Advanced.HashEvery), it is rounded up to a common multiple.
	HashEvery int
	// KeyframeEvery is the interval of whole states in segments of 64 seconds, from which a
	// replay can begin: 0 means wherever the state is small compared with the rest, and a
	// negative value nowhere. Games with memory of their own need Marshal.
	KeyframeEvery int
	// Effects records the events that [Session.Effects] gives.
	Effects bool
	// Stats records statistics once a second.
	Stats bool
	// Wait makes play wait for a slow writer, instead of ending the recording: for simulations
	// that run as fast as they can. Never set it where people play.
	Wait bool
	// Meta is metadata of the file: at most 64 fields, with keys of up to 255 bytes and values
	// of up to 4 KiB.
	Meta []MetaField
}

// MetaField is a piece of metadata of a recording: a key and a value.
type MetaField = tbr.Field

// ErrRecording is the error of a second recording while one runs.
var ErrRecording = session.ErrRecording

// Record records to w, in the format of docs/reference/recording-format.md: the present match
// from now on, or the next one. It uses the writer until the event [Recorded], or until Close
// returns; then the caller closes the writer.
//
// Play never waits for w. If it takes bytes too slowly, or not at all, the recording ends, and
// the event says so; what was written until then can be read. About the last ten seconds of a
// match are in memory only; a crash loses them.
//
// Errors: [ErrOptions], [ErrRecording], a [*rollback.CapabilityError] for a game without
// Marshal in the middle of a match, and that of a session that is over.
func (m *Match[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// Record records to w what is shown, like [Match.Record]: from the next frame on, or the next
// match.
func (m *Spectator[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// recordable is a session that can be recorded.
type recordable interface {
	Record(r session.Recorder, wants session.RecordWants) error
	StopRecording(why error)
	Recorded(next session.Frame, why string)
}

// recordSetup is what is known of a recording before its match.
type recordSetup struct {
	session   recordable
	header    tbr.Header // game, tick rate, build, platform, recorder
	hashEvery int        // of the match
	marshals  bool
}

// begin sets up a recording.
func (t *recordSetup) begin(w io.Writer, o RecordOptions) (*recording, error) {
	if w == nil {
		return nil, refusef(recordOptions, "Record needs a writer")
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

// hashEvery returns the interval of hashes, or 0 for none. A match hashes each such state,
// unless its own interval is negative.
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
	if m.recording != nil {
		return ErrRecording
	}
	r, err := m.setup.begin(w, o)
	if err != nil {
		return err
	}
	r.now = m.now
	m.recording = r
	if err := m.setup.session.Record(r, r.wants()); err != nil {
		m.recording = nil
		return err
	}
	return nil
}

// recordFirst records the first match, if there is a writer. Errors are about the field
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

// orUsual returns a tick rate, or the default for 0.
func orUsual(tickRate int) int {
	if tickRate == 0 {
		return session.DefaultTickRate
	}
	return tickRate
}

// hangs is how long a recording that has ended may take to be written, before Close gives up
// waiting.
var hangs = 2 * time.Second

// watchRecording notices that a recording cannot go on, or is complete.
func (m *front[S]) watchRecording() {
	r := m.recording
	if r == nil {
		return
	}
	if err := r.trouble(); err != nil {
		m.setup.session.StopRecording(err)
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

// recorded reports that the recording is complete.
func (m *front[S]) recorded(err error) {
	r := m.recording
	m.recording = nil
	next, failed := r.written()
	if err == nil {
		err = failed
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	m.setup.session.Recorded(next, text)
}

// awaitRecording waits until the recording is written.
func (m *front[S]) awaitRecording() {
	if m.recording == nil {
		return
	}
	if !m.recording.ended {
		m.setup.session.StopRecording(cmp.Or(m.failed, session.ErrClosed)) // of the transport
	}
	m.recording.close()
	timer := time.NewTimer(hangs)
	defer timer.Stop()
	select {
	case <-m.recording.done:
		m.recorded(nil)
	case <-timer.C:
		m.recorded(errHangs)
	}
}

// recordStats records the statistics, once a second.
func (m *front[S]) recordStats(r *recording) {
	if !r.stats || !r.begun || m.time() < r.statsDue {
		return
	}
	r.statsDue = m.time() + time.Second
	s := m.Stats()
	r.stat(&s)
}

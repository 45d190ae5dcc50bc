package tickback

import (
	"errors"
	"io"

	"github.com/tickback/tickback/internal/recording"
	"github.com/tickback/tickback/replay/tbr"
	"github.com/tickback/tickback/session"
)

// RecordOptions configures a recording; the zero value suits most. Machines of a match with the
// same HashEvery, KeyframeEvery, Advanced.HashEvery and Advanced.ChainEvery write the same bytes,
// except for the chunks about the file itself.
type RecordOptions struct {
	// HashEvery is the interval, in frames, of the state hashes that a replay is checked with: 0 means once a second, and
	// a negative value never. If the match hashes fewer states (Advanced.HashEvery), it is rounded up to a common
	// multiple.
	HashEvery int
	// KeyframeEvery is the interval, in segments of 64 seconds, of whole states from which a replay can begin: 0 means
	// wherever the state is small compared with the rest, and a negative value nowhere. Games that own their memory
	// need Marshal.
	KeyframeEvery int
	// Effects records the events that [Session.Effects] returns.
	Effects bool
	// Stats records statistics once a second.
	Stats bool
	// Wait makes play wait for a slow writer, instead of ending the recording: for simulations that run as fast as
	// they can. Never set it when people play.
	Wait bool
	// Meta is metadata of the file: at most 64 fields, with keys of up to 255 bytes and values
	// of up to 4 KiB.
	Meta []MetaField
}

// MetaField is a piece of metadata of a recording.
//
//	Key   string up to 255 bytes
//	Value string up to 4 KiB
type MetaField = tbr.Field

// ErrRecording is the error of starting a recording while another one runs.
var ErrRecording = session.ErrRecording

// Record records to w, in the format of docs/reference/recording-format.md: the current match from now on, or the next
// one. It uses the writer until the event [Recorded], or until Close returns; then the caller closes the writer.
//
// Play never waits for w. If w is too slow or blocks, the recording ends, and the event says so; the part that was
// written can be read. About the last ten seconds of a match are only in memory, and are lost in a crash.
//
// Errors: [ErrOptions], [ErrRecording], a [*rollback.CapabilityError] for a game without Marshal in the middle of a
// match, and the error of a session that is over.
func (m *Match[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// Record records to w the frames that are shown, like [Match.Record]: from the next frame on, or the next match.
func (m *Spectator[S, I]) Record(w io.Writer, o RecordOptions) error { return m.record(w, o) }

// record begins a recording.
func (m *front[S]) record(w io.Writer, o RecordOptions) error {
	switch {
	case m.closed:
		return session.ErrClosed
	case w == nil:
		return refusef(recordOptions, "Record needs a writer")
	}
	err := m.recordings.Record(w, recording.Options(o))
	if errors.Is(err, tbr.ErrHeader) {
		return inRecording(err)
	}
	return err
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

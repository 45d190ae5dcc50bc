package observe

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// AddRecord adds the flag --record.
func (o *Flags) AddRecord(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Record, "record", "", "record the match to this new `FILE` (.tbr), which can be replayed also after a crash")
}

// RecordTo returns the writer for the recording of a match; nil if it is not recorded.
func (o *Observers) RecordTo() io.Writer {
	if o == nil || o.recordingFile == nil {
		return nil
	}
	return o.recordingFile
}

// Recorded notes that the recording is complete, or reports how it failed.
func (o *Observers) Recorded(e tickback.Event, log *live.Log) {
	o.complete = true
	switch {
	case e.Text == "":
		log.Say("recorded to %s, up to frame %d", o.flags.Record, e.Frame)
	case !o.recordingFile.used.Load():
		log.Say("nothing was recorded to %s: no match began", o.flags.Record)
	default:
		o.recordFailed = &failedRecording{e.Text, e.Frame}
		log.Say("%s: %v", o.flags.Record, o.recordFailed)
	}
}

// failedRecording means that a recording ends before its match.
type failedRecording struct {
	why  string
	next tickback.Frame
}

// Error says how much of the match was recorded.
func (e *failedRecording) Error() string {
	if e.next == 0 {
		return e.why + ": nothing of the match is recorded"
	}
	return fmt.Sprintf("%s: the recording ends at frame %d, and can be replayed until there", e.why, e.next)
}

// LastEvents handles the remaining events of a closed session.
func (o *Observers) LastEvents(events []tickback.Event, log *live.Log) {
	for _, e := range events {
		if e.What == tickback.Recorded {
			o.Recorded(e, log)
		}
	}
}

// closeRecord closes the file, and returns an error if it is not complete.
func (o *Observers) closeRecord() error {
	r := o.recordingFile
	if r == nil {
		return nil
	}
	err := o.recordFailed
	if err == nil && !o.complete && r.used.Load() {
		err = errors.New("the recording is not complete")
	}
	return about(o.flags.Record, cmp.Or(err, r.close()))
}

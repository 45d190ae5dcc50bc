package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
)

// addRecord adds the flag of matches that are recorded while they are played or watched.
func (o *observeFlags) addRecord(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.record, "record", "", "record the match to this new `FILE` (.tbr), which can be replayed also after a crash")
}

// recordTo is where a match is recorded; nil is nowhere.
func (o *observers) recordTo() io.Writer {
	if o == nil || o.recordFile == nil {
		return nil
	}
	return o.recordFile
}

// recorded takes note that the recording is complete.
func (o *observers) recorded(e tickback.Event, log *matchLog) {
	o.complete = true
	switch {
	case e.Text == "":
		log.say("recorded to %s, up to frame %d", o.flags.record, e.Frame)
	case !o.recordFile.used.Load():
		log.say("nothing was recorded to %s: no match began", o.flags.record)
	default:
		o.recordFailed = &brokenRecord{e.Text, e.Frame}
		log.say("%s: %v", o.flags.record, o.recordFailed)
	}
}

// brokenRecord is a recording that ends before its match.
type brokenRecord struct {
	why  string
	next tickback.Frame
}

// Error says how much of the match there is.
func (e *brokenRecord) Error() string {
	if e.next == 0 {
		return e.why + ": nothing of the match is recorded"
	}
	return fmt.Sprintf("%s: the recording ends at frame %d, and can be replayed until there", e.why, e.next)
}

// lastEvents looks at what a session that is closed has still said.
func (o *observers) lastEvents(events []tickback.Event, log *matchLog) {
	for _, e := range events {
		if e.What == tickback.Recorded {
			o.recorded(e, log)
		}
	}
}

// closeRecord closes the file, and says if it is not whole.
func (o *observers) closeRecord() error {
	r := o.recordFile
	if r == nil {
		return nil
	}
	err := o.recordFailed
	if err == nil && !o.complete && r.used.Load() {
		err = errors.New("the recording is not complete")
	}
	return about(o.flags.record, cmp.Or(err, r.close()))
}

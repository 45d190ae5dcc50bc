package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
)

// addRecord adds the flag of matches that are recorded while they are played or watched.
func (o *observeFlags) addRecord(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.record, "record", "", "record the match to this new `FILE` (.tbr), which can be replayed also after a crash")
}

// openRecord opens the file of a recording. It has its name from the beginning, so that
// it is found after a crash; and so a file that is there already is never replaced: a
// device or a pipe is written.
func openRecord(ctx context.Context, path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return openObserver(ctx, path, 0)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) && err != nil {
		return nil, failure{fmt.Errorf("%s: %w, and a recording replaces none: give another name", nameOf(path), bare(err))}
	}
	return f, about(path, err)
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
	if e.Text != "" {
		o.recordFailed = errors.New(e.Text)
		log.say("%s: the recording ends at frame %d: %s", o.flags.record, e.Frame, e.Text)
		return
	}
	log.say("recorded to %s, up to frame %d", o.flags.record, e.Frame)
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
	if o.recordFile == nil {
		return nil
	}
	err := o.recordFailed
	if err == nil && !o.complete {
		err = errors.New("the recording is not complete")
	}
	switch info, statErr := o.recordFile.Stat(); {
	case statErr == nil && info.Mode().IsRegular() && info.Size() == 0:
		os.Remove(o.flags.record) // there was no match
		return o.recordFile.Close()
	case err == nil && statErr == nil && info.Mode().IsRegular():
		err = o.recordFile.Sync() // some disks say only here that they are full
	}
	return about(o.flags.record, errors.Join(err, o.recordFile.Close()))
}

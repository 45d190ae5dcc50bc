package observe

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/trace"
)

// Formats of --log-format.
const (
	logText = "text"
	logJSON = "json"
)

// Flags are the flags for traces, logs and recordings of a match.
type Flags struct{ Trace, Log, logFormat, Record string }

// AddTrace adds the flag --trace.
func (o *Flags) AddTrace(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Trace, "trace", "", "write every frame, rollback and datagram with its time to this `FILE`, to look at in ui.perfetto.dev")
}

// AddLog adds the flags --log and --log-format.
func (o *Flags) AddLog(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Log, "log", "", "append a record for each event to this `FILE`; - is stderr")
	cmd.Flags().StringVar(&o.logFormat, "log-format", logText, "the `FORMAT` of these records: text or json")
}

// Check returns an error for invalid flags; every error is about wrong usage.
func (o *Flags) Check(a *console.App, cmd *cobra.Command) error {
	for _, name := range []string{"trace", "log", "record"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return console.Usagef("--%s needs the name of a file", name)
		}
	}
	switch {
	case o.Trace == "-" || a.IsOutput(o.Trace):
		return console.Usagef("--trace %s: that is where the result is printed", o.Trace)
	case o.Record == "-" || a.IsOutput(o.Record):
		return console.Usagef("--record %s: that is where the result is printed", o.Record)
	case a.IsOutput(o.Log):
		return console.Usagef("--log %s: that is where the result is printed", o.Log)
	case o.Log == "" && cmd.Flags().Changed("log-format"):
		return console.Usagef("--log-format says how the records of --log look, and there are none")
	case o.Log != "" && o.logFormat != logText && o.logFormat != logJSON:
		return console.Usagef("--log-format %q: there are: %s, %s", o.logFormat, logText, logJSON)
	}
	return nil
}

// Observers are the observers of a match; either may be nil.
type Observers struct {
	Log   *slog.Logger
	Trace *trace.Writer

	flags Flags
	log   *log     // nil if there is none
	file  *os.File // the file of the trace

	recordingFile *recordingFile
	complete      bool // the recording is complete
	recordFailed  error
}

// Open opens the files.
func (o *Flags) Open(ctx context.Context, a *console.App) (*Observers, error) {
	all := &Observers{flags: *o}
	switch o.Log {
	case "":
	case "-":
		all.log = &log{to: a.Stderr}
	default:
		f, err := openObserver(ctx, o.Log, os.O_APPEND)
		if err != nil {
			return nil, err
		}
		all.log = &log{to: f, file: f}
	}
	switch {
	case all.log == nil:
	case o.logFormat == logJSON:
		all.Log = slog.New(slog.NewJSONHandler(all.log, nil))
	default:
		all.Log = slog.New(slog.NewTextHandler(all.log, nil))
	}
	var err error
	if o.Record != "" {
		if all.recordingFile, err = openRecord(ctx, o.Record); err != nil {
			return nil, errors.Join(err, all.Close())
		}
	}
	if o.Trace == "" {
		return all, nil
	}
	if all.file, err = openObserver(ctx, o.Trace, os.O_TRUNC); err != nil {
		return nil, errors.Join(err, all.Close())
	}
	all.Trace = trace.NewWriter(all.file)
	return all, nil
}

func openObserver(ctx context.Context, path string, how int) (*os.File, error) {
	f, err := disk.OpenFile(ctx, path, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err != nil {
		return nil, console.Failed(fmt.Errorf("%s: %w", disk.NameOf(path), disk.Bare(err)))
	}
	return f, nil
}

// closeWithin limits how long the end of a match waits for a process that reads a trace from a pipe.
const closeWithin = 5 * time.Second

// Close completes the files. The error says which of them could not be written.
func (o *Observers) Close() error {
	errs := []error{o.closeRecord()}
	if o.Trace != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
		defer cancel()
		_, err := console.Await(ctx, func() (struct{}, error) { return struct{}{}, errors.Join(o.Trace.Close(), o.file.Close()) })
		errs = append(errs, about(o.flags.Trace, err))
	}
	if o.log != nil {
		name := o.flags.Log
		if name == "-" {
			name = "stderr"
		}
		errs = append(errs, about(name, o.log.close()))
	}
	return errors.Join(errs...)
}

// about adds the name of the file to an error.
func about(path string, err error) error {
	if err == nil {
		return nil
	}
	return console.Failed(fmt.Errorf("%s: %w", disk.NameOf(path), disk.Bare(err)))
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/trace"
)

// Formats of --log-format.
const (
	logText = "text"
	logJSON = "json"
)

// observeFlags are the flags about who looks at a match.
type observeFlags struct{ trace, log, logFormat, record string }

func (o *observeFlags) addTrace(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.trace, "trace", "", "write every frame, rollback and datagram with its time to this `FILE`, to look at in ui.perfetto.dev")
}

func (o *observeFlags) addLog(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.log, "log", "", "append a record for each event to this `FILE`; - is stderr")
	cmd.Flags().StringVar(&o.logFormat, "log-format", logText, "the `FORMAT` of these records: text or json")
}

// check refuses what cannot be; every error is wrong usage.
func (o *observeFlags) check(a *app, cmd *cobra.Command) error {
	for _, name := range []string{"trace", "log", "record"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usagef("--%s needs the name of a file", name)
		}
	}
	switch {
	case o.trace == "-" || a.isOutput(o.trace):
		return usagef("--trace %s: that is where the result is printed", o.trace)
	case o.record == "-" || a.isOutput(o.record):
		return usagef("--record %s: that is where the result is printed", o.record)
	case a.isOutput(o.log):
		return usagef("--log %s: that is where the result is printed", o.log)
	case o.log == "" && cmd.Flags().Changed("log-format"):
		return usagef("--log-format says how the records of --log look, and there are none")
	case o.log != "" && o.logFormat != logText && o.logFormat != logJSON:
		return usagef("--log-format %q: there are: %s, %s", o.logFormat, logText, logJSON)
	}
	return nil
}

// observers are what looks at a match; either may be nil.
type observers struct {
	log   *slog.Logger
	trace *trace.Writer

	flags   observeFlags
	logFile *os.File // nil is stderr
	file    *os.File // of the trace

	recordFile   *recordFile
	complete     bool // the recording is
	recordFailed error
}

// open opens the files.
func (o *observeFlags) open(ctx context.Context, a *app) (*observers, error) {
	all := &observers{flags: *o}
	var to io.Writer = a.stderr
	if o.log != "" && o.log != "-" {
		var err error
		if all.logFile, err = openObserver(ctx, o.log, os.O_APPEND); err != nil {
			return nil, err
		}
		to = all.logFile
	}
	switch {
	case o.log == "":
	case o.logFormat == logJSON:
		all.log = slog.New(slog.NewJSONHandler(to, nil))
	default:
		all.log = slog.New(slog.NewTextHandler(to, nil))
	}
	var err error
	if o.record != "" {
		if all.recordFile, err = openRecord(ctx, o.record); err != nil {
			return nil, errors.Join(err, all.close())
		}
	}
	if o.trace == "" {
		return all, nil
	}
	if all.file, err = openObserver(ctx, o.trace, os.O_TRUNC); err != nil {
		return nil, errors.Join(err, all.close())
	}
	all.trace = trace.NewWriter(all.file)
	return all, nil
}

func openObserver(ctx context.Context, path string, how int) (*os.File, error) {
	// A pipe opens only when somebody reads from it.
	f, err := await(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o666) })
	if err != nil {
		return nil, failure{fmt.Errorf("%s: %w", nameOf(path), bare(err))}
	}
	return f, nil
}

// closeWithin bounds how long the end of a match waits for who reads a trace from a
// pipe.
const closeWithin = 5 * time.Second

// close completes the files, and says which could not be written.
func (o *observers) close() error {
	errs := []error{o.closeRecord()}
	if o.trace != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
		defer cancel()
		_, err := await(ctx, func() (struct{}, error) { return struct{}{}, errors.Join(o.trace.Close(), o.file.Close()) })
		errs = append(errs, about(o.flags.trace, err))
	}
	if o.logFile != nil {
		errs = append(errs, about(o.flags.log, o.logFile.Close()))
	}
	return errors.Join(errs...)
}

// about names the file of an error.
func about(path string, err error) error {
	if err == nil {
		return nil
	}
	return failure{fmt.Errorf("%s: %w", nameOf(path), bare(err))}
}

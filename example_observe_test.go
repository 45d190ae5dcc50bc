package tickback_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/trace"
)

// observed plays a match in which an operator can see everything: a log record for each event on stderr, and a trace in
// a file.
func observed(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	tracing := trace.NewWriter(file)
	defer func() { err = errors.Join(err, tracing.Close(), file.Close()) }()

	match, err := tickback.Local(game, tickback.Options[State, Input]{
		Players: 2, Sample: func(tickback.Player) Input { return Input{} },
		Match: tickback.Parameters{Frames: 10},
		Log:   slog.New(slog.NewJSONHandler(os.Stderr, nil)),
		Trace: tracing,
	})
	if err != nil {
		return err
	}
	defer match.Close() // before the trace is closed
	for {
		wait, err := match.Update()
		if err != nil {
			return err
		}
		if s := match.Stats(); s.Waiting != 0 {
			fmt.Println("waiting for", s.Waiting, "at frame", s.Frame)
		}
		if _, over := match.Outcome(); over {
			return nil
		}
		match.Wait(wait)
	}
}

var _ = observed

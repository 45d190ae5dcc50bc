package app

import (
	"io"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/recordings"
)

// Record has a match kept that begins, among the newest ones of the program. What it
// returns is for Record and Recording of the session's options, or for its method Record.
// The recording is listed when the match is over, or its session is closed.
func (a *App) Record(i recordings.Info) (io.Writer, tickback.RecordOptions) {
	return a.kept.Begin(i), i.Options()
}

// NewSeries returns a number for the rounds of a match; see [recordings.Info].
func (a *App) NewSeries() uint64 {
	a.series++
	return a.series
}

// Recordings returns the matches that are kept, the newest first.
func (a *App) Recordings() []recordings.Recording { return a.kept.List() }

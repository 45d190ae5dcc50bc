package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/recordings"
)

// Record keeps the match that begins among the program's newest recordings. The results are for Record and Recording
// of the session's options, or for its method Record. The recording is listed once the match is over or its session
// is closed.
func (a *App) Record(i *recordings.Info) (*recordings.Tape, tickback.RecordOptions) {
	return a.kept.Begin(*i), i.Options()
}

// NewSeries returns a number for the rounds of a match; see [recordings.Info].
func (a *App) NewSeries() uint64 {
	a.series++
	return a.series
}

// Recordings returns the recordings that are kept, newest first.
func (a *App) Recordings() []recordings.Recording { return a.kept.List() }

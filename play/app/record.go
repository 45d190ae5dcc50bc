package app

import (
	"github.com/tickback/tickback"
	"github.com/tickback/tickback/play/recordings"
)

// Record adds the match that begins now to the program's newest recordings. The results are for the fields Record
// and Recording of the session's options, or for its method Record. The recording is listed once the match is over
// or its session is closed.
func (a *App) Record(i *recordings.Info) (*recordings.Tape, tickback.RecordOptions) {
	return a.kept.Begin(*i), i.Options()
}

// NewSeries returns a number for the rounds of a match; see [recordings.Info].
func (a *App) NewSeries() uint64 {
	return a.kept.NewSeries()
}

// Recordings returns the recordings that are kept, newest first.
func (a *App) Recordings() []recordings.Recording { return a.kept.List() }

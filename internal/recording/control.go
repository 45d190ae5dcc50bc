// Package recording records the matches of a session. A separate goroutine encodes and writes the agreed frames, so
// play never waits for the writer.
//
// Package tickback uses [Control]. A recording copies agreed frames into batches, which a bounded queue passes to the
// goroutine.
package recording

import (
	"errors"
	"io"
	"time"

	"github.com/tickback/tickback/rollback/effects"
	"github.com/tickback/tickback/session"
)

var (
	errSlow  = errors.New("the writer of the recording is too slow")
	errHangs = errors.New("the writer of the recording hangs: it has not taken the end")
)

const (
	// patience is how long the writer may take for a batch while others wait: a sleeping disk takes some seconds. The
	// longer this is, the more a crash can lose.
	patience = 15 * time.Second
	// hangs is how long to wait for a finished recording to be written.
	hangs = 2 * time.Second
)

// Session is a session that can be recorded.
type Session interface {
	Record(r session.Recorder, wants session.RecordWants) error
	StopRecording(why error)
	Recorded(next session.Frame, why string)
	Stats(links []session.LinkStats) session.Stats
}

// Control begins, watches and ends the recordings of a session. Only one can run at a time. The zero value records
// nothing.
type Control struct {
	source   Subject
	now      func() time.Time
	current  *recording // nil if there is none
	links    []session.LinkStats
	patience time.Duration
	hangs    time.Duration
}

// New returns a control for a subject. now gives the date for the recordings.
func New(s Subject, now func() time.Time) Control {
	return Control{source: s, now: now, patience: patience, hangs: hangs}
}

// Record begins a recording: of the current match, or the next one. An error about the options wraps [tbr.ErrHeader];
// others are [session.ErrRecording], and those of the session.
func (c *Control) Record(w io.Writer, o Options) error {
	if c.current != nil {
		return session.ErrRecording
	}
	h, err := c.source.header(&o)
	if err != nil {
		return err
	}
	c.current = newRecording(w, h, o, c.now, c.patience)
	if err = c.source.Session.Record(c.current, wants(&h)); err != nil {
		c.current = nil
	}
	return err
}

// Effects records events about effects that the application receives.
func (c *Control) Effects(list []effects.Event) {
	if c.current != nil {
		c.current.addEffects(list)
	}
}

// Watch checks whether the recording is complete or can no longer continue. It is called after each call of the
// session.
func (c *Control) Watch() {
	r := c.current
	if r == nil {
		return
	}
	if err := r.trouble(); err != nil {
		c.source.Session.StopRecording(err)
	}
	if !r.ended {
		if r.wantsStats() {
			s := c.source.Session.Stats(c.links[:0])
			c.links = s.Links
			r.addStats(&s)
		}
		return
	}
	if r.watched {
		r.close()
	}
	r.watched = true
	select {
	case <-r.queue.done:
		c.complete(nil)
	default:
		if r.endedAt.IsZero() {
			r.endedAt = time.Now() // the real time, rather than that of the match
		}
		if time.Since(r.endedAt) > c.hangs {
			c.complete(errHangs)
		}
	}
}

// Finish ends the recording, for the given reason if it has not ended yet, and waits until it is written.
func (c *Control) Finish(why error) {
	r := c.current
	if r == nil {
		return
	}
	if !r.ended {
		c.source.Session.StopRecording(why)
	}
	r.close()
	timer := time.NewTimer(c.hangs)
	defer timer.Stop()
	select {
	case <-r.queue.done:
		c.complete(nil)
	case <-timer.C:
		c.complete(errHangs)
	}
}

// complete reports that the recording is complete, or, with an error, why the wait for it was given up.
func (c *Control) complete(err error) {
	r := c.current
	c.current = nil
	if err == nil {
		err = r.writer.err
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	c.source.Session.Recorded(session.Frame(r.writer.upTo.Load()), text)
}

// Package recording records the matches of a session: a separate goroutine encodes and writes what the session agrees
// on, so that play never waits for the writer.
//
// [Control] is used by the front door. A recording copies agreed frames into batches, which a bounded queue passes to
// the goroutine.
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
	// patience is how long the writer may take for a batch while others wait: a sleeping disk takes some seconds. A
	// crash would lose more the longer this is.
	patience = 15 * time.Second
	// hangs is how long writing a finished recording may take before nobody waits for it any more.
	hangs = 2 * time.Second
)

// Session is a session that can be recorded.
type Session interface {
	Record(r session.Recorder, wants session.RecordWants) error
	StopRecording(why error)
	Recorded(next session.Frame, why string)
	Stats(links []session.LinkStats) session.Stats
}

// Control begins, watches and ends the recordings of a session, of which one can run at a time. The zero value
// records nothing.
type Control struct {
	source   Subject
	now      func() time.Time
	current  *recording // or nil
	links    []session.LinkStats
	patience time.Duration
	hangs    time.Duration
}

// New returns the control for a subject. now is used to date recordings.
func New(s Subject, now func() time.Time) Control {
	return Control{source: s, now: now, patience: patience, hangs: hangs}
}

// Record begins a recording: of the present match, or the next one. An error about the options wraps [tbr.ErrHeader];
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

// Watch checks whether the recording cannot continue, or is complete. It is called after each call of the session.
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
			r.endedAt = time.Now() // the real time, not that of the match
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

// complete reports that the recording is complete, or why nobody waits for it any more.
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

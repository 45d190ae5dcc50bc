package theatre

import (
	"errors"
	"time"
)

// errCancelled ends work that is no longer wanted.
var errCancelled = errors.New("theatre: cancelled")

// Task is work that is done in slices, between pictures: a page has only one thread. The work runs on a separate
// goroutine, but only while [Task.Work] waits for it.
type Task struct {
	pace *Pace
	over bool
	err  error
	done chan error
}

// Pace lets work yield.
type Pace struct {
	resume, paused chan struct{}
	until          time.Time
	stop           bool
}

// Begin starts work, which must call [Pace.Yield] often, and return its error if there is one.
func Begin(work func(p *Pace) error) *Task {
	p := &Pace{resume: make(chan struct{}), paused: make(chan struct{})}
	t := &Task{pace: p, done: make(chan error, 1)}
	go func() {
		<-p.resume
		if p.stop {
			t.done <- errCancelled
			return
		}
		t.done <- work(p)
	}()
	return t
}

// Yield waits for the next slice if this one is used up. An error means that the work must end.
func (p *Pace) Yield() error {
	if !p.stop && time.Now().Before(p.until) {
		return nil
	}
	if !p.stop {
		p.paused <- struct{}{}
		<-p.resume
	}
	if p.stop {
		return errCancelled
	}
	return nil
}

// Work works for about this long, and reports whether the work is over.
func (t *Task) Work(budget time.Duration) (over bool) {
	if t.over {
		return true
	}
	t.pace.until = time.Now().Add(budget)
	t.pace.resume <- struct{}{}
	select {
	case t.err = <-t.done:
		t.over = true
	case <-t.pace.paused:
	}
	return t.over
}

// Over reports whether the work is over.
func (t *Task) Over() bool { return t.over }

// Err returns the error that the work ended with.
func (t *Task) Err() error { return t.err }

// Cancel ends the work. It may be called twice.
func (t *Task) Cancel() {
	if !t.over {
		t.pace.stop = true
		t.pace.resume <- struct{}{}
		t.err, t.over = <-t.done, true
	}
}

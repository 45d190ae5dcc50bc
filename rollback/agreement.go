package rollback

import "fmt"

// agreement is how far all peers have the inputs, and how far the owner has read the agreed frames: until then they
// are held, so it also says how far frames may run.
type agreement struct {
	count   Frame // frames below it are known to all peers
	read    Frame // the next frame of the agreed stream
	limit   Frame // frames below it may run; later ones wait until the owner has agreed on or read frames
	history Frame
	stream  bool
	alone   bool  // there are no peers
	failure error // the match cannot go on
}

// reset begins anew with frame start.
func (a *agreement) reset(start Frame) {
	a.count, a.read, a.failure = start, start, nil
	a.update()
}

// fail ends the match: no frame runs any more. The first error counts.
func (a *agreement) fail(err error) {
	if a.failure == nil {
		a.failure = err
		a.update()
	}
}

// judge ends the match if there is an error, as what steps have done is not allowed or their states could not be held. It
// returns why the match cannot go on.
func (a *agreement) judge(err error) error {
	if err != nil {
		a.fail(err)
	}
	return a.failure
}

// update lets the ring reuse the rows that the owner no longer needs.
func (a *agreement) update() {
	switch {
	case a.failure != nil:
		a.limit = 0
	case a.stream:
		a.limit = min(a.read+a.history, lastFrame)
	case a.alone:
		a.limit = lastFrame
	default:
		a.limit = min(a.count+a.history, lastFrame)
	}
}

// agree sets how many frames are agreed. So many are now, and so many may be.
func (a *agreement) agree(n, now, confirmed Frame) error {
	if n < now {
		return fmt.Errorf("rollback: agreed frames cannot go back from %d to %d", now, n)
	}
	if n > confirmed {
		return fmt.Errorf("rollback: %d frames cannot be agreed, as only %d are confirmed here", n, confirmed)
	}
	if a.count = n; !a.stream { // a stream can only advance as far as it has been read
		a.update()
	}
	return nil
}

// settle makes the frames below f agreed. If one of their inputs is missing, they are not read.
func (a *agreement) settle(f Frame, missing bool) {
	if a.count = max(a.count, f); missing {
		a.read = max(a.read, f)
	}
	a.update()
}

// readNext counts a frame of the stream as read. The match must not have failed.
func (a *agreement) readNext() {
	a.read++
	a.limit = min(a.read+a.history, lastFrame)
}

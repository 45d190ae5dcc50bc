package realtime

import "time"

// run sends due datagrams and waits for the next one, until Close.
func (t *Impaired) run() {
	defer close(t.done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		for t.sendNext() {
		}
		if wait, ok := t.untilNext(); ok {
			timer.Reset(wait)
		} else {
			timer.Stop()
		}
		select {
		case <-t.closing:
			return
		case <-t.wake:
		case <-timer.C:
		}
	}
}

// untilNext returns the time until the next datagram is due; ok is false if none is waiting.
func (t *Impaired) untilNext() (wait time.Duration, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.waiting.next()
	return at - t.now(), ok
}

// sendNext sends the next datagram, if it is due. It does not hold the lock while it sends, since that may take time.
func (t *Impaired) sendNext() bool {
	t.mu.Lock()
	at, ok := t.waiting.next()
	if !ok || t.closed || at > t.now() {
		t.mu.Unlock()
		return false
	}
	i := t.waiting.take()
	t.mu.Unlock()

	err := t.inner.Send(i.to.address, i.datagram)

	t.mu.Lock()
	defer t.mu.Unlock()
	t.known.delivered(i)
	if err != nil && !t.closed {
		t.failed++
		t.err = err
	}
	t.waiting.recycle(i.datagram)
	return true
}

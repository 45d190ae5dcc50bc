package webrtc

import "time"

// happened handles a callback of the current connection.
func (l *link) happened(m *letter, now time.Time) {
	d := l.dial
	switch m.kind {
	case forCandidate:
		l.say(message{Kind: sayCandidate, To: l.remote, Attempt: d.number, Candidate: &m.candidate})
		return
	case forPath:
		d.path = m.path
	case forChannel:
		if d.open && !m.open { // the other side has hung up, or there is no path left
			l.hangUp()
			return
		}
		d.open = m.open
		if m.open && d.path == 0 { // the callbacks may come in any order
			d.path = pathConnected
		}
	}
	switch {
	case d.connected():
		l.ready.Store(&d.conn)
		l.enter(Connected, NoReason, now)
	case d.path == pathFailed:
		l.hangUp()
	case d.path == pathInterrupted && d.open:
		l.enter(Interrupted, NoReason, now) // datagrams are still sent, since some may get through
		l.interrupted(now)
	}
}

// interrupted handles the loss of the path: it searches for new paths at once.
func (l *link) interrupted(now time.Time) {
	if l.offers {
		l.restart(now)
	} else {
		l.sendHello(now)
	}
}

// look does the work that is due now.
func (l *link) look(now time.Time) {
	d := l.dial
	switch {
	case d != nil && d.connected():
		return
	case d == nil && l.offers && l.remote != "":
		l.begin(now)
	case d == nil:
		l.retryHello(now)
	case d.open: // interrupted
		l.retryPaths(d, now)
	case now.Sub(d.began) > attemptTime:
		l.hangUp() // the next check begins again
	case !d.described:
		l.retryHello(now)
	}
	if l.status.Fail(l.t.failAfter, l.remote != "", Blocked, now) {
		l.log(now)
	}
}

func (l *link) retryHello(now time.Time) {
	if now.Sub(l.hello) >= helloEvery {
		l.sendHello(now)
	}
}

// retryPaths searches for new paths for an interrupted connection, and finally closes it.
func (l *link) retryPaths(d *dial, now time.Time) {
	switch {
	case now.Sub(l.status.Broken()) > restartTime:
		l.hangUp()
	case l.offers:
		l.restart(now)
	default:
		l.retryHello(now)
	}
}

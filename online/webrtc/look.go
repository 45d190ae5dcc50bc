package webrtc

import "time"

// happened handles a callback of the present connection.
func (l *link) happened(m *letter, now time.Time) {
	d := l.dial
	switch m.kind {
	case forCandidate:
		l.say(message{Kind: sayCandidate, To: l.remote, Attempt: d.number, Candidate: &m.candidate})
		return
	case forPath:
		d.path = m.path
	case forChannel:
		if d.open && !m.open { // the other side has hung up, or no path is left
			l.hangUp()
			return
		}
		d.open = m.open
		if m.open && d.path == 0 { // the callbacks come in any order
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
		l.enter(Interrupted, NoReason, now) // datagrams are still sent: some may get through
		l.interrupted(now)
	}
}

// interrupted looks for new paths at once.
func (l *link) interrupted(now time.Time) {
	if l.offers {
		l.restart(now)
	} else {
		l.sendHello(now)
	}
}

// look does what is due now.
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
		l.hangUp() // the next look begins anew
	case !d.described:
		l.retryHello(now)
	}
	l.checkFailed(now)
}

func (l *link) retryHello(now time.Time) {
	if now.Sub(l.hello) >= helloEvery {
		l.sendHello(now)
	}
}

// retryPaths looks for new paths for an interrupted connection, and closes it in the end.
func (l *link) retryPaths(d *dial, now time.Time) {
	l.mu.Lock()
	broken := l.broken
	l.mu.Unlock()
	switch {
	case now.Sub(broken) > restartTime:
		l.hangUp()
	case l.offers:
		l.restart(now)
	default:
		l.retryHello(now)
	}
}

// checkFailed sets the state to Failed, with the reason, if the peer could not be reached in time.
func (l *link) checkFailed(now time.Time) {
	l.mu.Lock()
	state, reason, since, ever := l.state, l.reason, l.broken, l.connections > 0
	l.mu.Unlock()
	if state == Connected || reason == Unsupported || now.Sub(since) < l.t.failAfter {
		return
	}
	switch {
	case ever:
		l.enter(Failed, Gone, now)
	case l.remote == "":
		l.enter(Failed, NoAnswer, now)
	default:
		l.enter(Failed, Blocked, now)
	}
}

package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A process may be started again while its peers are still in a session with the one before it. They
// know its address with another nonce. Until they have given up the earlier process, they send it
// nothing but Welcomes that say so. It has no part in their match, and must not begin one of its own.

// RestartedError says that a peer is still in a session with an earlier process at our
// address.
type RestartedError struct {
	Players PlayerSet // of the peer
	Playing bool      // they play a match, which continues without us
	Joins   bool      // newcomers are let in
}

// Error names the players, and says what can be done.
func (e *RestartedError) Error() string {
	switch {
	case e.Joins && e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before: join it, with its token", e.Players)
	case e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before, and lets nobody in: start again when it is over", e.Players)
	}
	return fmt.Sprintf("%v is still in a session with the process that was here before: start again when that is over", e.Players)
}

// restarted returns the error for a peer that is in a session with an earlier process of ours.
func (l *link) restarted() error {
	return &RestartedError{l.players, l.engaged.Playing, l.engaged.Joins}
}

// The peers of the earlier process want to know that it is gone, before it has been silent for DropAfter.
// A Hello with another nonce proves nothing, since anybody can send one in a peer's name. So a peer that is
// silent as well is asked, with a Hello whose nonce it has never seen. Only who gets that Hello can answer it, and
// the answer has the sender's nonce for us: the one that we know if it is the process that it was, and another
// one if it is not.

// processCheck is our question to a peer in whose name another process has said Hello.
type processCheck struct {
	nonce uint64        // of our Hello; 0: it was not asked
	next  time.Duration // when it may be asked again
}

const (
	// askAfter is how long nothing has come from a peer when it is asked. It sends every 250 ms at least.
	askAfter = keepAlive + 150*time.Millisecond
	// askEvery is the shortest interval of questions.
	askEvery = 100 * time.Millisecond
)

// whyRestarted is why a peer is given up whose process was started again.
const whyRestarted = "it was started again, and has forgotten the match"

// missing reports whether a peer that takes part is silent, so that another process may be in its place.
func (m *base) missing(l *link) bool {
	return l.alive() && l.Proven() && m.now-l.Heard >= askAfter
}

// askProcess asks a peer which process it is, if it is silent. Somebody has sent a Hello in its name.
func (m *base) askProcess(l *link) {
	r := &l.processCheck
	if !m.missing(l) || m.phase == Over || m.now < r.next || m.out.Full() {
		return
	}
	if r.nonce == 0 {
		r.nonce = m.cfg.Random() | 1
	}
	r.next = m.now + askEvery
	h := datagram.Hello{Version: datagram.Version, Nonce: r.nonce}
	m.out.Seal(h.AppendPadded(m.out.Bytes, datagram.MinSize), l.Addr)
}

// identified takes a Welcome that answers our question, and reports whether it does. To one that has joined the match the
// answer proves nothing: a member that has removed it may be asked to let it in still, with another nonce. Nor does it if the nonce that we
// know is that of a pipe, which a newcomer has left for another host.
func (m *base) identified(l *link, b []byte) bool {
	if l.processCheck.nonce == 0 {
		return false
	}
	body, ok := datagram.Key(l.processCheck.nonce).Open(b, 0)
	if !ok {
		return false
	}
	if w, err := datagram.ConsumeWelcome(body); err == nil && w.Nonce != l.Theirs && !l.Shared() && (l.notBothMembers || m.cfg.Join == nil) {
		m.replaced(l)
	}
	return true
}

// replaced gives up a peer at whose address another process has proved to be, unless the peer is heard.
func (m *base) replaced(l *link) {
	if !m.missing(l) || m.phase == Over {
		return
	}
	if l.notBothMembers { // it may have given us up, and asks as the member that it still is: only the way to it is another one
		m.lose(l, whyRestarted)
		return
	}
	l.again = true
	m.events.Add(Event{What: Restarted, Players: l.players})
	m.lose(l, whyRestarted)
}

// restarted returns the players of the peers whose place another process has taken.
func restarted(p *peers) PlayerSet { return p.playersWhere(func(l *link) bool { return l.again }) }

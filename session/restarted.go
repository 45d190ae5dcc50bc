package session

import (
	"fmt"
	"time"

	"github.com/tickback/tickback/wire/datagram"
)

// A process may be restarted while its peers are still in a session with the previous one. They know its address
// with another nonce. Until they have given up the previous process, they send the new one nothing but Welcomes
// that say so. It does not take part in their match, and must not begin one of its own.

// RestartedError means that a peer is still in a session with a previous process at our address.
type RestartedError struct {
	Players PlayerSet // of the peer
	Playing bool      // they play a match, which continues without us
	Joins   bool      // newcomers are admitted
}

// Error names the players, and says what to do.
func (e *RestartedError) Error() string {
	switch {
	case e.Joins && e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before: join it, with its token", e.Players)
	case e.Playing:
		return fmt.Sprintf("%v still plays the match of the process that was here before, and lets nobody in: start again when it is over", e.Players)
	}
	return fmt.Sprintf("%v is still in a session with the process that was here before: start again when that is over", e.Players)
}

// restarted returns the error for a peer that is in a session with a previous process at our address.
func (l *link) restarted() error {
	return &RestartedError{l.players, l.engaged.Playing, l.engaged.Joins}
}

// The peers of the previous process need to know that it is gone before it has been silent for DropAfter. A Hello
// with another nonce proves nothing, since anybody can send one in a peer's name. So if the peer is also silent, we
// send it a Hello with a nonce that it has never seen. Only the receiver of that Hello can answer it, and the
// answer contains its nonce: the one that we know if it is the same process, a different one otherwise.

// processCheck is our query to a peer in whose name another process has sent a Hello.
type processCheck struct {
	nonce uint64        // of our Hello; 0: none was sent
	next  time.Duration // when the next query may be sent
}

const (
	// askAfter is the silence after which a peer is queried. A peer sends at least every 250 ms.
	askAfter = keepAlive + 150*time.Millisecond
	// askEvery is the minimum interval between queries.
	askEvery = 100 * time.Millisecond
)

// whyRestarted is the reason for giving up a peer whose process was restarted.
const whyRestarted = "it was started again, and has forgotten the match"

// missing reports whether a peer that takes part is silent, so that another process may have replaced it.
func (m *base) missing(l *link) bool {
	return l.alive() && l.Proven() && m.now-l.Heard >= askAfter
}

// askProcess sends a silent peer a query to identify its process, after somebody has sent a Hello in its name.
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

// identified handles a Welcome that answers our query, and reports whether it does. On a machine that has joined
// the match the answer proves nothing: a member that has removed it may still treat it as a newcomer, with another
// nonce. It also proves nothing if the nonce that we know belongs to a pipe, which a newcomer has left for another
// host.
func (m *base) identified(l *link, b []byte) bool {
	if l.processCheck.nonce == 0 {
		return false
	}
	w, ok := datagram.OpenWelcome(l.processCheck.nonce, b)
	if ok && w.Nonce != l.Theirs && !l.Shared() && (l.notBothMembers || m.cfg.Join == nil) {
		m.replaced(l)
	}
	return ok
}

// replaced gives up a peer whose address has been proved to belong to another process, unless the peer is heard.
func (m *base) replaced(l *link) {
	if !m.missing(l) || m.phase == Over {
		return
	}
	if l.notBothMembers { // it may have given us up and still be a member: only the connection is a new one
		m.lose(l, whyRestarted)
		return
	}
	l.again = true
	m.events.Add(Event{What: Restarted, Players: l.players})
	m.lose(l, whyRestarted)
}

// restarted returns the players of the peers that were replaced by another process.
func restarted(p *peers) PlayerSet { return p.playersWhere(func(l *link) bool { return l.again }) }

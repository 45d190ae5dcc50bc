package session

import (
	"slices"
	"time"

	"github.com/tickback/tickback/session/event"
	"github.com/tickback/tickback/session/lobby"
	"github.com/tickback/tickback/session/pace"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// base is what every part of a session uses: the time, the phase, the links to the peers, and the output, which is
// datagrams and events. It decides nothing. A failed session or a lost peer is only noted here;
// [Machine.handleLosses] handles it at the end of the call.
type base struct {
	cfg        Config
	nominal    time.Duration // the tick period
	clock      pace.Clock
	now        time.Duration // of the clock
	phase      Phase
	since      time.Duration // when the phase began
	err        error
	justFailed bool // the session has just failed, and nobody has been notified yet
	events     event.Queue
	farewell   time.Duration // the time until which to tell the other peers why the session ended
	out        peer.Outbox
	counts     counts
	local      []Player // ascending
	peers
	losses  []loss
	message []byte         // reused memory for control messages
	items   datagram.Items // what must be equal at all peers
	lobby   lobby.Lobby
}

// loss is a peer that was given up during this call.
type loss struct {
	*link
	was linkState
	why string
}

// aloneAfter is the reason why no match follows after peers have gone.
const aloneAfter = "no match can begin without them"

// maxReason is the maximum size of the texts that are sent to peers, in bytes.
const maxReason = 256

// wake sets the time of an update.
func (m *base) wake(now time.Duration) { m.now = m.clock.Update(now) }

// arrive sets the time of a datagram, and returns when it arrived on the session's clock.
func (m *base) arrive(at time.Duration) time.Duration {
	at = m.clock.Arrive(at)
	m.now = m.clock.Now()
	return at
}

// holdMore makes room for this many more datagrams in the outbox.
func (m *base) holdMore(datagrams int) { m.out.Most = maxOutgoing + datagrams }

// enter enters a phase.
func (m *base) enter(p Phase) { m.phase, m.since = p, m.now }

// over enters the last phase, without time to tell others.
func (m *base) over(err error) { m.phase, m.err, m.farewell = Over, err, m.now }

// linger gives the others time to hear that the session is over.
func (m *base) linger() { m.farewell = m.now + m.cfg.Linger }

// fail ends the session. The consequences are handled at the end of the call.
func (m *base) fail(err error) {
	if m.phase != Over {
		m.phase, m.err, m.justFailed = Over, err, true
		m.linger()
	}
}

// takeFailure reports whether the session has failed since the last call.
func (m *base) takeFailure() bool {
	failed := m.justFailed
	m.justFailed = false
	return failed
}

// nextLoss removes and returns the first of the peers that were given up during this call.
func (m *base) nextLoss() (x loss, ok bool) {
	if len(m.losses) == 0 {
		return x, false
	}
	x = m.losses[0]
	m.losses = m.losses[:copy(m.losses, m.losses[1:])]
	return x, true
}

// begins starts a message about the current match.
func (m *base) begins(kind byte) []byte {
	return le.AppendUint32(append(m.message[:0], kind), m.lobby.Number())
}

// keep returns a message that was built in the reused memory, and keeps that memory.
func (m *base) keep(message []byte) []byte {
	m.message = message
	return message
}

// post queues a message on the control stream of a peer. A peer that has not acknowledged anything for so long that
// the stream is full is lost.
func (m *base) post(l *link, message []byte) {
	if err := l.Channel.Send(m.keep(message)); err != nil {
		m.lose(l, "it takes no messages: "+err.Error())
	}
}

// tell posts a message to all connected peers except those of the given players.
func (m *base) tell(message []byte, except PlayerSet) {
	message = slices.Clone(message) // losing a peer below creates other messages
	for _, l := range m.links {
		if l.state == connected && l.players&except == 0 {
			m.post(l, message)
		}
	}
}

// refusal builds the message that says which players refuse the current match, and why.
func (m *base) refusal(players PlayerSet, reason string) []byte {
	return append(m.cfg.appendSet(m.begins(messageRefuse), players), cut(reason)...)
}

// cut truncates a reason to maxReason bytes.
func cut(reason string) string { return reason[:min(len(reason), maxReason)] }

// sendHello sends a Hello to a peer that has not answered yet, if one is due.
func (m *base) sendHello(l *link) {
	if l.awaited() && m.now >= l.HelloDue() {
		l.Hello(m.now, m.cfg.DropAfter, &m.out)
	}
}

// lose gives up a peer. The consequences are handled at the end of the call.
func (m *base) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	m.losses = append(m.losses, loss{l, l.state, why})
	l.state = gone
}

// loseAndTell gives up a peer and sends it the reason.
func (m *base) loseAndTell(l *link, why string) {
	if l.state != connecting {
		_ = l.Channel.Send(m.keep(append(append(m.message[:0], messageReset), cut(why)...))) // if the stream is full, the peer will notice our silence
	}
	l.beginFarewell()
}

// enterLobby enters the lobby after Connecting, after a match, or after a proposal that was not played.
func (m *base) enterLobby() {
	m.enter(Lobby)
	m.lobby.Clear()
	if lost, left := m.needed(m.cfg.continues()); lost != 0 {
		m.fail(&LostError{Players: lost, Why: aloneAfter, Left: left, Restarted: restarted(&m.peers) & lost})
	}
}

// reject counts an invalid datagram.
func (m *base) reject(l *link) {
	if l == nil {
		m.counts.strangers++
		return
	}
	l.Counts.Rejected++
	m.counts.rejected++
}

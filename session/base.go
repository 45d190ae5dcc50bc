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

// base is what every part of a session works with: the time, how far the session is, the ways to the
// peers, and what leaves it: datagrams, and events. It decides nothing. What it cannot settle alone is
// noted, and [Machine.handleLosses] does it at the end of the call: a session that fails, a peer that is lost.
type base struct {
	cfg        Config
	nominal    time.Duration // the tick period
	clock      pace.Clock
	now        time.Duration // of the clock
	phase      Phase
	since      time.Duration // when the phase began
	err        error
	justFailed bool // the session has just failed, and nobody was told yet
	events     event.Queue
	farewell   time.Duration // until when the other peers are told why it is over
	out        peer.Outbox
	counts     counts
	local      []Player // ascending
	peers
	losses  []loss
	message []byte         // memory for control messages
	items   datagram.Items // what peers must have in common with us
	lobby   lobby.Lobby
}

// loss is a peer that was given up in this call.
type loss struct {
	*link
	was linkState
	why string
}

// aloneAfter is why no match follows when peers have gone.
const aloneAfter = "no match can begin without them"

// maxReason bounds the texts that peers send.
const maxReason = 256

// begin starts the clock in the first call.
func (m *base) begin(now time.Duration) {
	if !m.clock.Start(now) {
		return
	}
	m.now = pace.Beginning
	for _, l := range m.links {
		l.Heard = pace.Beginning
		l.HelloAt(pace.Beginning)
	}
	m.since = pace.Beginning
}

// wake sets the time of an update.
func (m *base) wake(now time.Duration) {
	m.begin(now)
	m.now = m.clock.Update(now)
}

// fail ends the session. What follows from that is done at the end of the call.
func (m *base) fail(err error) {
	if m.phase != Over {
		m.phase, m.err, m.justFailed, m.farewell = Over, err, true, m.now+m.cfg.Linger
	}
}

// begins starts a message about the present match.
func (m *base) begins(kind byte) []byte {
	return le.AppendUint32(append(m.message[:0], kind), m.lobby.Number())
}

// post gives a message to the control stream of a peer. A peer that takes nothing
// for so long that the stream is full is lost.
func (m *base) post(l *link, message []byte) {
	m.message = message
	if err := l.Channel.Send(message); err != nil {
		m.lose(l, "it takes no messages: "+err.Error())
	}
}

// tell posts a message to all peers that are connected, except those of some players.
func (m *base) tell(message []byte, except PlayerSet) {
	message = slices.Clone(message) // there are others if one of the peers is lost
	for _, l := range m.links {
		if l.state == connected && l.players&except == 0 {
			m.post(l, message)
		}
	}
}

// refusal makes the message that says who refuses the present match, and why.
func (m *base) refusal(players PlayerSet, reason string) []byte {
	return append(m.cfg.appendSet(m.begins(messageRefuse), players), cut(reason)...)
}

// cut returns a reason, cut off at maxReason.
func cut(reason string) string { return reason[:min(len(reason), maxReason)] }

// sendHello asks a peer to answer that has not shown that it is there, if that is due.
func (m *base) sendHello(l *link) {
	if l.awaited() && m.now >= l.HelloDue() {
		l.Hello(m.now, m.cfg.DropAfter, &m.out)
	}
}

// lose gives up a peer. What follows from that is done at the end of the call.
func (m *base) lose(l *link, why string) {
	if l.state == gone || m.phase == Over {
		return
	}
	m.losses = append(m.losses, loss{l, l.state, why})
	l.state = gone
}

// loseAndTell gives up a peer, and tells it why.
func (m *base) loseAndTell(l *link, why string) {
	if l.state != connecting {
		m.message = append(append(m.message[:0], messageReset), cut(why)...)
		_ = l.Channel.Send(m.message) // a peer that takes nothing will notice our silence
	}
	l.beginFarewell()
}

// enterLobby ends Connecting, a match, or a proposal that is not played.
func (m *base) enterLobby() {
	m.phase, m.since = Lobby, m.now
	m.lobby.Clear()
	if lost, left := m.needed(m.cfg.continues()); lost != 0 {
		m.fail(&LostError{Players: lost, Why: aloneAfter, Left: left, Restarted: restarted(&m.peers) & lost})
	}
}

// reject counts a datagram that is not valid.
func (m *base) reject(l *link) {
	if l == nil {
		m.counts.strangers++
		return
	}
	l.Counts.Rejected++
	m.counts.rejected++
}

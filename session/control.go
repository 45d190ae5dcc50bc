package session

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/datagram"
)

// Messages of the control stream, by their first byte.
const (
	messageOffer       = 1 + iota // players who begin the match, an offer
	messageAccept                 // match
	messageRefuse                 // match, players, text
	messageReady                  // match
	messageApplication            // the application's own
	messageOrders                 // match, player, frame, bytes
	messageChain                  // match, frame, chain
	messageLeave                  // match, first frame without each of our players, text
	messageReset                  // text: the receiver is given up
	_
	messageDone      // match, summary
	messageMember    // match, message of the membership log
	messageFill      // match, player, frame, inputs with orders from there on
	messageKick      // match, text
	messageCandidate // match, players, number, address of the newcomer
	// Those of messageDesync are in inquiry.go.
	messageRevoke = 20 // match, players who were sent away, tag of the token that is good no more
	messageMoved  = 21 // match, players, where they are now
)

var le = binary.LittleEndian

// maxReason bounds the texts that peers send.
const maxReason = 256

// begins starts a message about the present match.
func (m *Machine) begins(kind byte) []byte {
	return le.AppendUint32(append(m.message[:0], kind), m.lobby.Number())
}

// post gives a message to the control stream of a peer. A peer that takes nothing
// for so long that the stream is full is lost.
func (m *Machine) post(l *link, message []byte) {
	m.message = message
	if err := l.Channel.Send(message); err != nil {
		m.lose(l, "it takes no messages: "+err.Error())
	}
}

// tell posts a message to all peers that are connected, except those of some players.
func (m *Machine) tell(message []byte, except PlayerSet) {
	message = slices.Clone(message) // there are others if one of the peers is lost
	for _, l := range m.links {
		if l.state == connected && l.players&except == 0 {
			m.post(l, message)
		}
	}
}

// refusal makes the message that says who refuses the present match, and why.
func (m *Machine) refusal(players PlayerSet, reason string) []byte {
	return append(m.cfg.appendSet(m.begins(messageRefuse), players), cut(reason)...)
}

// cut returns a reason, cut off at maxReason.
func cut(reason string) string { return reason[:min(len(reason), maxReason)] }

// receiveMessages handles the messages that have arrived in full.
func (m *Machine) receiveMessages(l *link) {
	defer m.hurry()
	for {
		message, ok := l.Channel.Next()
		if !ok || m.phase == Over {
			return
		}
		err := error(nil)
		if c := m.candidateOf(l); c != nil {
			err = m.receiveNewcomer(c, message)
		} else {
			err = m.receiveMessage(l, message)
		}
		if err != nil {
			m.lose(l, "a control message: "+err.Error())
			return
		}
	}
}

// receiveMessage handles one message. An error means that the peer breaks the protocol, or that it plays another
// match in place of ours. Any other message about another match is ignored.
func (m *Machine) receiveMessage(l *link, b []byte) error {
	kind, b := b[0], b[1:]
	switch kind {
	case messageOffer:
		return m.receiveProposal(l, b)
	case messageReset:
		if len(b) > maxReason {
			return datagram.ErrRange
		}
		m.lose(l, "it has given us up: "+string(b))
		return nil
	case messageApplication:
		m.counts.received++
		m.events.Message(l.players, b)
		return nil
	}
	if len(b) < 4 {
		return datagram.ErrShort
	}
	number, b := le.Uint32(b), b[4:]
	switch kind {
	case messageLeave:
		return m.receiveLeave(l, number, b)
	case messageReady:
		m.lobby.PeerReady(l.players, number)
		return nil
	case messageRefuse:
		// It may come before the offer. With a lobby, the host repeats it after the offer.
		if !m.lobby.Withdraw(number) && (number == m.lobby.Number() || number > m.lobby.Number() && !m.cfg.Lobby) {
			return m.receiveRefusal(l, b)
		}
		return nil
	}
	if ours := m.lobby.Number(); number != ours {
		if m.phase == Playing && datagram.SameMatch(number, ours) {
			// What the sender plays is taken for our match, and our messages to each other are not: the host has
			// told us different numbers.
			return fmt.Errorf("it plays match %d, and we play %d", number, ours)
		}
		return nil
	}
	switch kind {
	case messageAccept:
		if m.lobby.PeerAccepts(l.players) {
			m.events.Add(Event{What: Accepted, Players: l.players, Match: number})
		}
	case messageOrders:
		return m.receiveOrders(l, b)
	case messageChain:
		return m.receiveChain(l, b)
	case messageDone:
		return m.receiveDone(l, b)
	case messageMember:
		return m.receiveMember(l, b)
	case messageFill:
		return m.receiveFill(l, b)
	case messageCandidate:
		return m.receiveCandidate(l, b)
	case messageMoved:
		return m.receiveMoved(l, b)
	case messageRevoke:
		return m.receiveRevoke(l, b)
	case messageKick:
		return m.receiveKick(l, cut(string(b)))
	default:
		if k := desync.Kind(kind - messageDesync); k < desync.Kinds {
			return m.receiveDesync(l, k, b)
		}
		return datagram.ErrKind
	}
	return nil
}

// receiveOrders takes the orders of one frame.
func (m *Machine) receiveOrders(l *link, b []byte) error {
	o, err := m.inputs.ReadOrders(&l.Peer, b)
	if err != nil || l.state == gone || !m.inMatch() {
		return err
	}
	return m.inputs.TakeOrders(o, m.core != nil && o.Frame >= m.core.Limit(o.Player))
}

// receiveRefusal ends the proposal. The message comes from the peer that refuses, or from the host,
// which passes it on after the offer.
func (m *Machine) receiveRefusal(l *link, b []byte) error {
	players, b, err := m.cfg.consumeSet(b)
	if err != nil {
		return err
	}
	reason := cut(string(b))
	if players &^= m.cfg.Local; players == 0 {
		players = l.players
	}
	// A host that gave up waiting has not heard from us that we were ready.
	unheard := m.phase == Playing && l.players.Has(0) && m.sim.Agreed() == 0
	if m.phase != Starting && m.phase != Connecting && !unheard {
		return nil
	}
	if unheard {
		m.enterStarting()
	}
	m.events.Add(Event{What: Refused, Players: players, Match: m.lobby.Number(), Text: reason})
	if m.cfg.host() {
		m.tell(m.refusal(players, reason), players)
	}
	if !m.cfg.Lobby {
		m.fail(&RefusedError{players, reason})
		return nil
	}
	m.withdraw()
	return nil
}

// flush sends what is due between the datagrams of the tick periods, and keep-alives.
func (m *Machine) flush() {
	if m.phase == Playing {
		if m.now >= m.lastAll+m.nominal*patience/2 {
			m.sendAll()
		}
		return
	}
	m.confirmed = m.tellable()
	for l := range m.ways() {
		if l.state == connected || l.state == leaving {
			if m.now >= m.sendAfter(l) {
				m.sendTo(l)
			}
		}
	}
	m.partAll()
}

const (
	// keepAlive is the interval of datagrams to a peer in the lobby.
	keepAlive = 250 * time.Millisecond
	// patience is how many tick periods may pass without a frame before the machine sends
	// anyway, since its owner only polls.
	patience = 3 // halves
)

// sendAfter returns when a peer gets a datagram even if no frame runs.
func (m *Machine) sendAfter(l *link) time.Duration {
	if m.phase == Ending {
		return l.Sent + m.nominal*patience/2
	}
	if _, any := l.Channel.Due(m.now); any || l.Channel.Pending() != 0 {
		return l.Sent + m.nominal
	}
	return l.Sent + keepAlive
}

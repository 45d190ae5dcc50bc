package session

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/tickback/tickback/session/desync"
	"github.com/tickback/tickback/wire/datagram"
)

// Messages of the control stream, by their first byte.
const (
	messageOffer       = 1 + iota // an offer with the players that begin the match
	messageAccept                 // match
	messageRefuse                 // match, players, text
	messageReady                  // match
	messageApplication            // the application's own
	messageOrders                 // match, player, frame, bytes
	messageChain                  // match, frame, chain
	messageLeave                  // match, first frame without each of the sender's players, text
	messageReset                  // text: the sender has given up the receiver
	_
	messageDone     // match, summary
	messageMember   // match, message of the membership log
	messageFill     // match, player, frame, inputs with orders from that frame on
	messageKick     // match, text
	messageNewcomer // match, players, number, address of the newcomer
	// The messages of messageDesync are in inquiry.go.
	messageRevoke = 20 // match, players who were kicked, tag of the revoked token
	messageMoved  = 21 // match, players, their new address
)

var le = binary.LittleEndian

// receiveMessages handles all complete messages from a peer.
func (m *Machine) receiveMessages(l *link) {
	defer m.sendLogEagerly()
	for {
		message, ok := l.Channel.Next()
		if !ok || m.phase == Over {
			return
		}
		err := error(nil)
		if c := m.newcomerOf(l); c != nil {
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

// receiveMessage handles one message. An error means that the peer violates the protocol, or plays a different
// match than we do. Any other message about another match is ignored.
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
		m.counts.countReceived()
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
		// It may arrive before the offer. With a lobby, the host repeats it after the offer.
		if !m.lobby.Withdraw(number) && (number == m.lobby.Number() || number > m.lobby.Number() && !m.cfg.Lobby) {
			return m.receiveRefusal(l, b)
		}
		return nil
	}
	if ours := m.lobby.Number(); number != ours {
		if m.phase == Playing && datagram.SameMatch(number, ours) {
			// The sender's datagrams are taken for our match, but the control messages in both directions are not:
			// the host gave us different match numbers.
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
	case messageNewcomer:
		return m.receiveIntroduction(l, b)
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

// receiveOrders handles the orders of one frame.
func (m *play) receiveOrders(l *link, b []byte) error {
	o, err := m.inputs.ReadOrders(&l.Peer, b)
	if err != nil || l.state == gone || !m.inMatch() {
		return err
	}
	return m.inputs.TakeOrders(o, m.match.Log() != nil && o.Frame >= m.match.Log().Limit(o.Player))
}

const (
	// keepAlive is the interval of datagrams to a peer in the lobby.
	keepAlive = 250 * time.Millisecond
	// patience is how many half tick periods may pass without a frame before the machine sends anyway, because its
	// owner only polls.
	patience = 3
)

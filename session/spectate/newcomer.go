package spectate

import (
	"iter"
	"net/netip"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// JoinRequest is the request of a spectator that wants to play, from some frame on. It may be a newcomer, or a peer
// that was in the match before.
type JoinRequest struct {
	// Players are the requested players: bit p is player p.
	Players uint16
	// Sets is the encoding of player sets in the match.
	Sets datagram.Sets
	// ID is random, and different in each attempt to join.
	ID uint64
	// Token is the host's token, of [admission.MinToken] to [admission.MaxToken] bytes, and proves that the
	// newcomer was invited. It is never sent.
	Token []byte
}

// Newcomer is a newcomer that a host has admitted: its request and its address.
type Newcomer struct {
	Players uint16
	ID      uint64
	Addr    netip.AddrPort
}

// MaxNewcomers is the maximum number of newcomers at a time: the maximum number of players in a match.
const MaxNewcomers = datagram.MaxPlayers

// Newcomers yields the newcomers that were admitted, have sent their request, and whose token is still valid, in
// the order in which they came. [Host.News] reports which have come or gone.
func (a *Host) Newcomers() iter.Seq[Newcomer] {
	return func(yield func(Newcomer) bool) {
		for _, g := range a.crowd.list {
			if g.feed.newcomer && g.feed.asked && g.gone == "" && !g.revoked && !yield(g.newcomer) {
				return
			}
		}
	}
}

// Link creates the link to a newcomer that is going to play, on the connection of its stream. It returns nil if the
// newcomer is not there, and from the second call on. The newcomer gets its end from [Follower.Link].
func (a *Host) Link(id uint64) *peer.Link {
	g, _ := a.crowd.newcomer(id)
	if g == nil || !g.feed.asked {
		return nil
	}
	return g.pipe.Link(a.now)
}

// MaxMemberList is the maximum size of a member list, in bytes.
const MaxMemberList = 1 << 10

// SendMemberList sends a newcomer the member list of the match, in the form that the caller and the newcomer agree
// on, 1 to [MaxMemberList] bytes. It arrives in order with the stream. If the newcomer is gone, or its stream is
// full, nothing is sent; each list replaces the previous one.
func (a *Host) SendMemberList(id uint64, roll []byte) {
	if g, _ := a.crowd.newcomer(id); g != nil && !g.feed.bye {
		_ = g.pipe.Channel.Send(append([]byte{messageRoll}, roll...))
	}
}

// refusesNewcomer returns why a newcomer that has proved its address is not admitted, or "". It calls Match.Admit
// last, since a newcomer that it admits is in.
func (a *Host) refusesNewcomer(from netip.AddrPort, h *datagram.Attach, ours uint64) string {
	switch a.invitation.Judge(h, ours) {
	case admission.Revoked:
		if !a.match.Joined(h.Players, h.ID) {
			return admission.WhyRevoked
		}
	case admission.Unknown:
		if !a.invitation.Good() {
			return "nobody can join here"
		}
		return admission.WhyUninvited
	}
	g, newcomers := a.crowd.newcomer(h.ID)
	if g != nil {
		if a.now-g.pipe.Heard < replaceAfter {
			return "a newcomer with this ID is here already, from another address"
		}
		g.gone = "it has come from another address"
		a.leave()
		newcomers--
	}
	if newcomers >= MaxNewcomers {
		return "there is no room for another newcomer"
	}
	why := a.match.Admit(h.Players, h.ID, from)
	return why[:min(len(why), maxText)]
}

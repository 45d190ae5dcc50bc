package spectate

import (
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// MaxMemberList is the maximum size of a member list, in bytes.
const MaxMemberList = 1 << 10

// SendMemberList sends a newcomer the member list of the match, in the form that the caller and the newcomer agree
// on, 1 to [MaxMemberList] bytes. It arrives in order with the stream. If the newcomer is gone, or its stream is
// full, nothing is sent; each list replaces the previous one.
func (a *Host) SendMemberList(id uint64, roll []byte) {
	if g := a.newcomerOf(id); g != nil && !g.bye {
		_ = g.pipe.Channel.Send(append([]byte{messageRoll}, roll...))
	}
}

// MemberList returns the newest member list from the current host, once per list. Items that were queued before it
// ([Follower.Front]) may still be waiting.
func (v *Follower) MemberList() (roll []byte, ok bool) {
	roll, v.memberList = v.memberList, nil
	return roll, roll != nil
}

// Link creates the link to the current host for a newcomer that is going to play, on the connection of the stream.
// It returns nil before the host has admitted us, and from the second call on. The host gets its end from
// [Host.Link].
func (v *Follower) Link() *peer.Link {
	if !v.heard {
		return nil
	}
	return v.pipe.Link(v.now)
}

// receiveMemberList stores a member list. Only newcomers get one.
func (v *Follower) receiveMemberList(b []byte) error {
	switch {
	case v.cfg.Join == nil:
		return datagram.ErrKind
	case len(b) == 0 || len(b) > MaxMemberList:
		return datagram.ErrRange
	}
	v.memberList = append([]byte(nil), b...)
	return nil
}

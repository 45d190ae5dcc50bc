package spectate

import (
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// MaxMemberList is the most bytes of a member list.
const MaxMemberList = 1 << 10

// SendMemberList sends a newcomer the member list of the match: who plays, in the form that the caller and
// the newcomer agree on, 1 to [MaxMemberList] bytes. It arrives in order with the stream. If the
// newcomer has gone, or takes nothing now, nothing is sent; each roll replaces the one before.
func (a *Host) SendMemberList(id uint64, roll []byte) {
	if g := a.newcomerOf(id); g != nil && !g.bye {
		_ = g.pipe.Channel.Send(append([]byte{messageRoll}, roll...))
	}
}

// MemberList returns the newest roll of the present host once, if another one has come. It comes
// after what was queued before it ([Follower.Front]), which may still wait.
func (v *Follower) MemberList() (roll []byte, ok bool) {
	roll, v.memberList = v.memberList, nil
	return roll, roll != nil
}

// Link makes the way to the present host for a newcomer that is to play, on the connection of
// the stream; nil before the host has taken us, or from the second call on. The host has it by
// [Host.Link].
func (v *Follower) Link() *peer.Link {
	if !v.heard {
		return nil
	}
	return v.pipe.Link(v.now)
}

// receiveMemberList keeps a member list. Only a newcomer is sent one.
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

package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// entrance decides whom a server lets in, as far as that depends on no match: it proves addresses
// and tokens. It stores nothing about a machine that has not proved its address.
type entrance struct {
	items      datagram.Items
	door       *admission.Door
	invitation admission.Invitation
	out        *peer.Outbox
}

// welcome answers a Hello.
func (e *entrance) welcome(now time.Duration, from netip.AddrPort, hello *datagram.Hello) {
	if e.out.Full() {
		return
	}
	if w := e.door.Welcome(e.out.Bytes, now, from, hello, e.items); len(w) > e.out.Start() {
		e.out.Seal(w, from)
	}
}

// refuses returns why a machine may not come in by its token, or "". ours is the nonce that it has
// proved its address with.
func (e *entrance) refuses(a *datagram.Attach, ours uint64) string {
	if !e.invitation.Ever() {
		return ""
	}
	switch e.invitation.Judge(a, ours) {
	case admission.Revoked:
		return "the token was revoked"
	case admission.Unknown:
		return "it does not know the token of the match"
	}
	return ""
}

package served

import (
	"net/netip"
	"time"

	"github.com/tickback/tickback/session/admission"
	"github.com/tickback/tickback/session/peer"
	"github.com/tickback/tickback/wire/datagram"
)

// admitter decides which machines a server admits, as far as that does not depend on a match: it checks addresses
// and tokens. It stores nothing about a machine that has not proved its address.
type admitter struct {
	items      datagram.Items
	door       *admission.Gate
	invitation admission.Invitation
	out        *peer.Outbox
}

// welcome answers a Hello.
func (e *admitter) welcome(now time.Duration, from netip.AddrPort, hello *datagram.Hello) {
	if e.out.Full() {
		return
	}
	if w := e.door.Welcome(e.out.Bytes, now, from, hello, e.items); len(w) > e.out.Start() {
		e.out.Seal(w, from)
	}
}

// refuses returns why a machine is not admitted because of its token, or "". ours is the nonce with which it has
// proved its address.
func (e *admitter) refuses(a *datagram.Attach, ours uint64) string {
	if !e.invitation.Ever() {
		return ""
	}
	return e.invitation.Judge(a, ours).Refuses()
}

// refusal returns the message that tells a machine why it is not admitted.
func refusal(why string) []byte {
	if why == admission.WhyRevoked || why == admission.WhyUninvited {
		return append([]byte{messageToken, bit(why == admission.WhyRevoked, 1)}, why...)
	}
	return append([]byte{messageBye}, why...)
}

// consumeRefusal reads the rest of a refusal because of a token, after its kind.
func consumeRefusal(b, token []byte) (*admission.TokenError, error) {
	switch {
	case len(b) < 1:
		return nil, datagram.ErrShort
	case b[0] > 1:
		return nil, datagram.ErrRange
	}
	return &admission.TokenError{Reason: text(b[1:]), Revoked: b[0] == 1, Missing: token == nil}, nil
}

package secure

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/online/dtls"
)

// channel is a transport that knows why it cannot understand the datagrams from an address.
type channel interface {
	tickback.Transport
	// trouble describes the problem with one address in words; "" if there is none.
	trouble(at netip.AddrPort) string
	// refuses returns the reason why an address will never understand us, or nil.
	refuses(at netip.AddrPort) error
}

// secured is a transport that encrypts.
type secured struct{ *dtls.Transport }

func (s secured) trouble(at netip.AddrPort) string {
	for _, p := range s.Peers() {
		switch {
		case p.Addr != at:
		case errors.Is(p.Trouble, dtls.ErrOtherToken):
			return "has another token: give everybody the same --secure"
		case p.Trouble == dtls.ErrPlain:
			return "does not encrypt, and we do: give everybody the same --secure"
		}
	}
	return ""
}

func (s secured) refuses(at netip.AddrPort) error {
	for _, p := range s.Peers() {
		var token *tickback.TokenError
		if p.Addr == at && errors.As(p.Trouble, &token) {
			return token
		}
	}
	return nil
}

// unsecured is a transport that does not encrypt, but notices peers that do.
type unsecured struct {
	tickback.Transport
	ciphers map[netip.AddrPort]time.Time // addresses whose datagrams seem to be encrypted, and when they were last answered
}

// maxCiphers is the maximum number of such addresses that are kept.
const maxCiphers = 64

// answerEvery is the minimum time between two answers to the same address.
const answerEvery = time.Second

// notEncrypted is the answer to encrypted datagrams: shorter than any of them, and than what an encrypting transport
// answers in turn. It begins like a datagram of a session, and every session drops it.
var notEncrypted = []byte{1}

// Receive returns the next datagram of the underlying transport. Only the goroutine that plays calls it.
func (u unsecured) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	n, from, at, ok = u.Transport.Receive(buf)
	if ok && dtls.Recognize(buf[:n]) {
		u.notice(from, at)
	}
	return n, from, at, ok
}

// notice records that an address encrypts, and answers that this machine does not. The answer is needed because a
// session sends nothing to a spectator whose datagrams it does not understand.
func (u unsecured) notice(from netip.AddrPort, now time.Time) {
	last, known := u.ciphers[from]
	if known && now.Sub(last) < answerEvery || !known && len(u.ciphers) == maxCiphers {
		return
	}
	u.ciphers[from] = now
	_ = u.Send(from, notEncrypted) // any datagram may be lost
}

func (u unsecured) trouble(at netip.AddrPort) string {
	if _, encrypts := u.ciphers[at]; encrypts {
		return "encrypts, and we do not: give --secure with the token of the others"
	}
	return ""
}

// refuses returns nil: it is not certain that the encrypted datagrams came from that address.
func (u unsecured) refuses(netip.AddrPort) error { return nil }

// socket is a transport with all optional methods.
type socket interface {
	tickback.Transport
	tickback.Waiter
	tickback.BatchSender
}

// open makes a channel of an unencrypted transport, with the same optional methods.
func open(under tickback.Transport) channel {
	u := unsecured{under, map[netip.AddrPort]time.Time{}}
	if s, all := under.(socket); all {
		return struct {
			unsecured
			tickback.Waiter
			tickback.BatchSender
		}{u, s, s}
	}
	return u
}

// Wrap makes a channel of a transport, which it takes ownership of.
func Wrap(under tickback.Transport, token tickback.Token) (channel, error) {
	if token == nil {
		return open(under), nil
	}
	t, err := dtls.New(under, dtls.Config{Token: token})
	if err != nil {
		return nil, console.Failed(err)
	}
	return secured{t}, nil
}

// Peer is another machine whose datagrams we need to understand.
type Peer struct {
	Name string
	Addr netip.AddrPort
}

// Troubles reports the problems with the peers whose datagrams we need to understand, once for each peer. It keeps
// them after the channel is closed.
type Troubles struct {
	Channel channel
	Peers   []Peer
	All     bool // all of the peers are needed; otherwise one is enough
	told    map[string]bool
	now     map[netip.AddrPort]string
}

// Tell reports problems that have not been reported yet.
func (t *Troubles) Tell(say func(format string, args ...any)) {
	if t.now == nil {
		t.told, t.now = map[string]bool{}, map[netip.AddrPort]string{}
	}
	for _, p := range t.Peers {
		text := t.Channel.trouble(p.Addr)
		t.now[p.Addr] = text
		if line := fmt.Sprintf("%s (%v) %s", p.Name, p.Addr, text); text != "" && !t.told[line] {
			t.told[line] = true
			say("%s", line)
		}
	}
}

// Final returns the reason why the peers that we need will never understand us, or nil. It wraps a
// [*tickback.TokenError].
func (t *Troubles) Final() error {
	var first error
	for _, p := range t.Peers {
		why := t.Channel.refuses(p.Addr)
		switch {
		case why == nil && !t.All:
			return nil
		case why != nil && first == nil:
			first = refusal{fmt.Sprintf("%s (%v) %s", p.Name, p.Addr, t.Of(p.Addr)), why}
		}
	}
	return first
}

// refusal is an error with its own text.
type refusal struct {
	text string
	why  error
}

// Error returns the text, which names the peer, its address, and the problem with it.
func (r refusal) Error() string { return r.text }

// Unwrap returns the reason, which is a [*tickback.TokenError].
func (r refusal) Unwrap() error { return r.why }

// Of returns the current or last problem with an address.
func (t *Troubles) Of(at netip.AddrPort) string { return t.now[at] }

// With adds the problem with an address to an error, if it is known.
func (t *Troubles) With(err error, at netip.AddrPort) error {
	if text := t.Of(at); text != "" {
		return fmt.Errorf("%w: the other side %s", err, text)
	}
	return err
}

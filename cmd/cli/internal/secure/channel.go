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

// channel is a transport that knows why datagrams from an address cannot be understood.
type channel interface {
	tickback.Transport
	// trouble returns in words what the problem with one address is, or "".
	trouble(at netip.AddrPort) string
	// refuses returns why one address will never understand us, or nil.
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

// unsecured is a transport that does not encrypt, and notices peers that do.
type unsecured struct {
	tickback.Transport
	ciphers map[netip.AddrPort]bool // addresses whose datagrams seem to be encrypted
}

// maxCiphers limits the addresses that are kept.
const maxCiphers = 64

// Receive returns the next datagram of the underlying transport. Only the goroutine that plays calls it.
func (u unsecured) Receive(buf []byte) (n int, from netip.AddrPort, at time.Time, ok bool) {
	n, from, at, ok = u.Transport.Receive(buf)
	if ok && len(u.ciphers) < maxCiphers && dtls.Recognize(buf[:n]) {
		u.ciphers[from] = true
	}
	return n, from, at, ok
}

func (u unsecured) trouble(at netip.AddrPort) string {
	if u.ciphers[at] {
		return "encrypts, and we do not: give --secure with the token of the others"
	}
	return ""
}

// refuses returns nil: it is not certain that the encrypted datagrams came from there.
func (u unsecured) refuses(netip.AddrPort) error { return nil }

// socket is a transport with all optional methods.
type socket interface {
	tickback.Transport
	tickback.Waiter
	tickback.BatchSender
}

// open makes a channel of an unencrypted transport, with the same optional methods.
func open(under tickback.Transport) channel {
	u := unsecured{under, map[netip.AddrPort]bool{}}
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

// Peer is somebody whose datagrams we need to understand.
type Peer struct {
	Name string
	Addr netip.AddrPort
}

// Troubles reports, once for each peer, the problem with those whom we need to understand, and keeps it after the
// channel is closed.
type Troubles struct {
	Channel channel
	Peers   []Peer
	All     bool // all of them are needed; otherwise one is enough
	told    map[string]bool
	now     map[netip.AddrPort]string
}

// Tell reports problems that were not reported yet.
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

// Final returns why the peers that we need will never understand us, or nil. It wraps a [*tickback.TokenError].
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

// refusal is an error with a text of ours.
type refusal struct {
	text string
	why  error
}

func (r refusal) Error() string { return r.text }
func (r refusal) Unwrap() error { return r.why }

// Of returns the present or last problem with an address.
func (t *Troubles) Of(at netip.AddrPort) string { return t.now[at] }

// With adds the problem with an address to an error, if it is known.
func (t *Troubles) With(err error, at netip.AddrPort) error {
	if text := t.Of(at); text != "" {
		return fmt.Errorf("%w: the other side %s", err, text)
	}
	return err
}

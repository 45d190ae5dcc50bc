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

// channel is a transport that knows what is in the way of understanding somebody.
type channel interface {
	tickback.Transport
	// trouble returns what is in the way of one address, in words; or nothing.
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

// unsecured is a transport that does not encrypt, and notices who does.
type unsecured struct {
	tickback.Transport
	ciphers map[netip.AddrPort]bool // of these addresses we understand nothing
}

// maxCiphers bounds the addresses that are remembered.
const maxCiphers = 64

// Receive is that of the transport below. Only the goroutine that plays calls it.
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

// refuses returns nil: what encrypts is not known to have come from there.
func (u unsecured) refuses(netip.AddrPort) error { return nil }

// socket is a transport that can do all that one can.
type socket interface {
	tickback.Transport
	tickback.Waiter
	tickback.BatchSender
}

// open makes a channel of a transport as it is, which can do as much as that.
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

// Wrap makes a channel of a transport, which it takes over.
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

// Peer is somebody whom we want to understand.
type Peer struct {
	Name string
	Addr netip.AddrPort
}

// Troubles says, once for each, what is in the way of those whom we want to understand, and
// remembers it when the channel is closed.
type Troubles struct {
	Channel channel
	Peers   []Peer
	All     bool // all of them are needed; else one is enough
	told    map[string]bool
	now     map[netip.AddrPort]string
}

// Tell says what is in the way now and was not said yet.
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

// Final returns why those whom we need will never understand us, or nil. It wraps a [*tickback.TokenError].
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

// refusal is an error in our words.
type refusal struct {
	text string
	why  error
}

func (r refusal) Error() string { return r.text }
func (r refusal) Unwrap() error { return r.why }

// Of returns what is in the way of an address, or was in the end.
func (t *Troubles) Of(at netip.AddrPort) string { return t.now[at] }

// With adds to an error what is in the way of an address, if that is known.
func (t *Troubles) With(err error, at netip.AddrPort) error {
	if text := t.Of(at); text != "" {
		return fmt.Errorf("%w: the other side %s", err, text)
	}
	return err
}

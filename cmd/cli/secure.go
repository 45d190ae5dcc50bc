package cli

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/online/dtls"
)

// secureVariable is where --secure comes from if it is not given, so that no list of
// processes shows it.
const secureVariable = "TICKBACK_SECURE"

const (
	secureNew = "new"
	secureOff = "off"

	// maxSecureFile bounds what is read of a file: a token, and white space.
	maxSecureFile = 1 << 10
)

const secureHelp = `--secure encrypts the match and authenticates who takes part: only those who have the
same TOKEN can play, watch, or understand what is sent. One of you makes a token, with
"--secure new" or the command token, and sends it to the others over a way that you
trust. A token on the command line is seen by everybody on this machine: --secure @FILE
reads it from a file, and without the flag it is taken from ` + secureVariable + `, unless
--secure is off. A token is for a group: it does not tell its members apart.

`

// secureFlag is the flag of this name.
type secureFlag struct{ text string }

func (o *secureFlag) add(cmd *cobra.Command, makes bool) {
	what := "encrypt, for those who have this `TOKEN`; @FILE reads it from there, off does not (default: that of " + secureVariable + ", if there is one)"
	if makes {
		what = strings.Replace(what, "@FILE", "new makes one, @FILE", 1)
	}
	cmd.Flags().StringVar(&o.text, "secure", "", what)
}

// token returns the token, or the zero one if nothing is to be encrypted. An error is
// wrong usage, and does not repeat the token.
func (o *secureFlag) token() (t dtls.Token, made bool, err error) {
	source, text := "--secure", o.text
	if text == "" {
		source, text = secureVariable, os.Getenv(secureVariable)
	}
	switch {
	case text == "" || text == secureOff:
		return t, false, nil
	case text == secureNew:
		return dtls.NewToken(), true, nil
	case strings.HasPrefix(text, "@"):
		source += " " + text
		if text, err = readSecure(text[1:]); err != nil {
			return t, false, usagef("%s: %w", source, err)
		}
	}
	if t, err = dtls.ParseToken(text); err != nil && joinTokenForm.MatchString(text) {
		return t, false, usagef("%s: this may be the --token of a match, with which players join; --secure needs a token of its own (make one with the command token)", source)
	} else if err != nil {
		return t, false, usagef("%s: %w", source, err)
	}
	return t, false, nil
}

// joinTokenForm is what root tokens look like.
var joinTokenForm = regexp.MustCompile(`^[0-9a-fA-F]{32,128}$`)

func readSecure(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", bare(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecureFile+1))
	switch {
	case err != nil:
		return "", bare(err)
	case len(b) > maxSecureFile:
		return "", errors.New("the file holds more than a token")
	}
	return strings.TrimSpace(string(b)), nil
}

// channel is a transport that knows what is in the way of understanding somebody.
type channel interface {
	tickback.Transport
	// trouble returns what is in the way of one address, in words; or nothing.
	trouble(at netip.AddrPort) string
}

// secured is a transport that encrypts.
type secured struct{ *dtls.Transport }

func (s secured) trouble(at netip.AddrPort) string {
	for _, p := range s.Peers() {
		switch {
		case p.Addr != at:
		case p.Trouble == dtls.ErrOtherToken:
			return "has another token: give everybody the same --secure"
		case p.Trouble == dtls.ErrPlain:
			return "does not encrypt, and we do: give everybody the same --secure"
		}
	}
	return ""
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

// secure makes a channel of a transport, which it takes over.
func secure(under tickback.Transport, token dtls.Token) (channel, error) {
	if token.IsZero() {
		return unsecured{under, map[netip.AddrPort]bool{}}, nil
	}
	t, err := dtls.New(under, dtls.Config{Token: token})
	if err != nil {
		return nil, failure{err}
	}
	return secured{t}, nil
}

// watchedPeer is somebody whom we want to understand.
type watchedPeer struct {
	name string
	addr netip.AddrPort
}

// troubles says, once for each, what is in the way of those whom we want to understand, and
// remembers it when the channel is closed.
type troubles struct {
	channel channel
	peers   []watchedPeer
	told    map[string]bool
	now     map[netip.AddrPort]string
}

func (t *troubles) tell(l *matchLog) {
	if t.now == nil {
		t.told, t.now = map[string]bool{}, map[netip.AddrPort]string{}
	}
	for _, p := range t.peers {
		text := t.channel.trouble(p.addr)
		t.now[p.addr] = text
		if line := fmt.Sprintf("%s (%v) %s", p.name, p.addr, text); text != "" && !t.told[line] {
			t.told[line] = true
			l.say("%s", line)
		}
	}
}

// of returns what is in the way of an address, or was in the end.
func (t *troubles) of(at netip.AddrPort) string { return t.now[at] }

// with adds to an error what is in the way of an address, if that is known.
func (t *troubles) with(err error, at netip.AddrPort) error {
	if text := t.of(at); text != "" {
		return fmt.Errorf("%w: the other side %s", err, text)
	}
	return err
}

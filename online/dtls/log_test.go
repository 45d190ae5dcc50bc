package dtls

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/tickback/tickback/online/peers"
)

// The log has a line for each change of a peer and for each handshake that fails, with the peer's address; what changes
// nothing is not logged.
func TestWhatIsLogged(t *testing.T) {
	var said strings.Builder
	log := slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	now := time.Now()
	tr, p := looker(now)
	tr.log, p.status.log = log, log
	used := addr(bob)
	fails := func(flags byte) {
		c := &conn{addr: addr(bob), opening: envelope{header: header{flags: flags}}}
		p.handshake.pending = c
		tr.completed(p, c, errors.New("why"))
	}
	foreign := func(echo cookie) {
		tr.foreigner(header{kind: kindHello, to: tr.greeter.self, echo: echo}, make([]byte, len(cookie{})), helloSize, used)
	}
	for _, c := range []struct {
		what string
		do   func()
		want string
	}{
		{"a handshake fails as its client", func() { fails(flagClient) }, `msg="dtls: a handshake has failed" peer=192.0.2.2:7000 client=true error=why`},
		{"a handshake fails as its server", func() { fails(flagAsk) }, `msg="dtls: a handshake has failed" peer=192.0.2.2:7000 client=false error=why`},
		{"another token, without a proof", func() { foreign(cookie{1}) }, ""},
		{"another token", func() { foreign(tr.greeter.cookies.give(used, time.Now())) }, `msg="dtls: a peer has another token" peer=192.0.2.2:7000`},
		{"another token again", func() { foreign(tr.greeter.cookies.give(used, time.Now())) }, ""},
		{"a handshake succeeds", func() {
			c := &conn{heard: moment{began: now}}
			c.to.Store(&used)
			p.handshake.pending = c
			tr.completed(p, c, nil)
			c.heard.set(now)
		}, `msg="dtls: peer connected" peer=192.0.2.2:7000`},
		{"a newer connection", func() { p.status.connected(used, now) }, ""},
		{"silence", func() {
			late := now.Add(4 * time.Second)
			p.handshake.wanted.set(late)
			tr.look(p, late)
		}, `msg="dtls: peer interrupted" peer=192.0.2.2:7000`},
		{"silence again", func() { p.status.enter(peers.Interrupted, used, now) }, ""},
	} {
		said.Reset()
		want := c.want
		if want != "" {
			want = fmt.Sprintf("level=INFO %s\n", want)
		}
		if c.do(); said.String() != want {
			t.Errorf("%s: %q is logged, want %q", c.what, said.String(), want)
		}
	}
}

package match

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback"
)

// Rule: what the flags say of spectators is what the match is told.
func TestFlagsOfSpectators(t *testing.T) {
	token := tickback.NewToken()
	for _, c := range []struct {
		flags watchFlags
		wire  string
		want  tickback.Spectators
		wrong string
	}{
		{flags: watchFlags{spectators: 3, delay: 9}, want: tickback.Spectators{Max: 3, Delay: 9}},
		{flags: watchFlags{spectators: 3, token: "off"}, want: tickback.Spectators{Max: 3, Open: true}},
		{flags: watchFlags{spectators: 3, token: token.String()}, want: tickback.Spectators{Max: 3, Token: token}},
		{flags: watchFlags{token: token.String()}, wrong: "--spectators is 0"},
		{flags: watchFlags{spectators: 3, token: "hunter22"}, wrong: "--watch-token"},
		{flags: watchFlags{spectators: 3, token: "off"}, wire: wireRBN1, wrong: "rbn1"},
	} {
		s := &matchSetup{wire: c.wire}
		err := c.flags.check(s)
		if c.wrong != "" {
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %q", c.flags, err, c.wrong)
			}
			continue
		}
		if got := s.spectators; err != nil || !bytes.Equal(got.Token, c.want.Token) || got.Max != c.want.Max || got.Delay != c.want.Delay || got.Open != c.want.Open {
			t.Errorf("%+v: %+v, %v", c.flags, got, err)
		}
	}
}

package server

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// Rule: the server gets the settings for spectators that the flags have: who may watch, with which delay, and whether
// spectators may see everything.
func TestFlagsOfSpectators(t *testing.T) {
	token := tickback.NewToken()
	for _, c := range []struct {
		flags   watchFlags
		partial bool
		want    tickback.Spectators
		wrong   string
	}{
		{flags: watchFlags{Watching: live.Watching{Max: 3}}, want: tickback.Spectators{Max: 3}},
		{flags: watchFlags{Watching: live.Watching{Max: 3, Delay: 9}}, want: tickback.Spectators{Max: 3, Delay: 9}},
		{flags: watchFlags{Watching: live.Watching{Max: 3, Token: "off"}}, want: tickback.Spectators{Max: 3, Open: true}},
		{flags: watchFlags{Watching: live.Watching{Max: 3, Token: token.String()}}, want: tickback.Spectators{Max: 3, Token: token}},
		{flags: watchFlags{Watching: live.Watching{Token: token.String()}}, wrong: "--spectators is 0"},
		{flags: watchFlags{Watching: live.Watching{Max: 3}}, partial: true},
		{flags: watchFlags{Watching: live.Watching{Max: 3}, given: true}, partial: true, wrong: "--spectators-live"},
		{flags: watchFlags{Watching: live.Watching{Max: 3, Token: token.String()}}, partial: true, wrong: "--spectators-live"},
		{flags: watchFlags{Watching: live.Watching{Max: 3}, given: true, live: true}, partial: true, want: tickback.Spectators{Max: 3, Live: true}},
		{flags: watchFlags{Watching: live.Watching{Max: 3, Delay: 9}}, partial: true, want: tickback.Spectators{Max: 3, Delay: 9}},
	} {
		got, _, err := c.flags.check(c.partial)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %q", c.flags, err, c.wrong)
			}
		case err != nil:
			t.Errorf("%+v: %v", c.flags, err)
		default:
			same := bytes.Equal(got.Token, c.want.Token)
			if got.Token = nil; !same || got.Max != c.want.Max || got.Delay != c.want.Delay || got.Open != c.want.Open || got.Live != c.want.Live {
				t.Errorf("%+v: %+v, and the right token is %v", c.flags, got, same)
			}
		}
	}
}

package server

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback"
)

// Rule: what the flags say of spectators is what the server is told: who may watch, how far behind, and whether
// all of it may be seen at once.
func TestFlagsOfSpectators(t *testing.T) {
	token := tickback.NewToken()
	for _, c := range []struct {
		flags serveFlags
		want  tickback.Spectators
		wrong string
	}{
		{flags: serveFlags{spectators: 3}, want: tickback.Spectators{Max: 3}},
		{flags: serveFlags{spectators: 3, spectatorDelay: 9}, want: tickback.Spectators{Max: 3, Delay: 9}},
		{flags: serveFlags{spectators: 3, watchToken: "off"}, want: tickback.Spectators{Max: 3, Open: true}},
		{flags: serveFlags{spectators: 3, watchToken: token.String()}, want: tickback.Spectators{Max: 3, Token: token}},
		{flags: serveFlags{watchToken: token.String()}, wrong: "--spectators is 0"},
		{flags: serveFlags{spectators: 3, shared: shared{sight: sightPartial}}},
		{flags: serveFlags{spectators: 3, shared: shared{sight: sightPartial}, watches: true}, wrong: "--spectators-live"},
		{flags: serveFlags{spectators: 3, shared: shared{sight: sightPartial}, watchToken: token.String()}, wrong: "--spectators-live"},
		{flags: serveFlags{spectators: 3, shared: shared{sight: sightPartial}, watches: true, spectatorsLive: true}, want: tickback.Spectators{Max: 3, Live: true}},
		{flags: serveFlags{spectators: 3, shared: shared{sight: sightPartial}, spectatorDelay: 9}, want: tickback.Spectators{Max: 3, Delay: 9}},
	} {
		h := &serverSetup{flags: &c.flags}
		switch err := h.checkSpectators(); {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%+v: %v, want %q", c.flags, err, c.wrong)
			}
		case err != nil:
			t.Errorf("%+v: %v", c.flags, err)
		default:
			got := h.spectators
			same := bytes.Equal(got.Token, c.want.Token)
			if got.Token = nil; !same || got.Max != c.want.Max || got.Delay != c.want.Delay || got.Open != c.want.Open || got.Live != c.want.Live {
				t.Errorf("%+v: %+v, and the right token is %v", c.flags, got, same)
			}
		}
	}
}

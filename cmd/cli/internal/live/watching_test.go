package live

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/session/spectate"
)

// Rule: the flags say how many may watch, how late, and with which token; what contradicts itself is wrong usage.
func TestFlagsOfSpectators(t *testing.T) {
	token := tickback.NewToken()
	for _, c := range []struct {
		args  string
		want  tickback.Spectators
		made  bool
		wrong string
	}{
		{args: "", want: tickback.Spectators{Max: spectate.MaxSpectators}},
		{args: "--spectators 3 --spectator-delay 9", want: tickback.Spectators{Max: 3, Delay: 9}},
		{args: "--spectators 3 --watch-token off", want: tickback.Spectators{Max: 3, Open: true}},
		{args: "--spectators 3 --watch-token " + token.String(), want: tickback.Spectators{Max: 3, Token: token}},
		{args: "--spectators 3 --watch-token new", want: tickback.Spectators{Max: 3}, made: true},
		{args: "--spectators 0 --watch-token " + token.String(), wrong: "--spectators is 0"},
		{args: "--watch-token hunter22", wrong: "--watch-token"},
		{args: "--spectators -1", wrong: "must be 0 to 32"},
		{args: "--spectators 33", wrong: "must be 0 to 32"},
		{args: "--spectator-delay -1", wrong: "frames"},
	} {
		var w Watching
		cmd := &cobra.Command{}
		w.Add(cmd, "", "frames")
		if err := cmd.ParseFlags(strings.Fields(c.args)); err != nil {
			t.Fatal(err)
		}
		got, made, err := w.Check()
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s: %v, want %q", c.args, err, c.wrong)
			}
		case err != nil || made != c.made || made != (got.Token != nil && c.want.Token == nil) || !made && !bytes.Equal(got.Token, c.want.Token),
			got.Max != c.want.Max || got.Delay != c.want.Delay || got.Open != c.want.Open:
			t.Errorf("%s: %+v, made here %v, %v", c.args, got, made, err)
		}
	}
}

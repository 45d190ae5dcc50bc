package match

import (
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// Rule: a match over RBN1 has no token for spectators; another one has what the flags say.
func TestFlagsOfSpectators(t *testing.T) {
	for wire, wrong := range map[string]string{wireTickback: "", wireRBN1: "rbn1"} {
		s := &matchSetup{seat: seat{wire: wire}}
		o := watchFlags{live.Watching{Max: 3, Token: "new"}}
		if err := o.check(s); (err != nil) != (wrong != "") || err != nil && !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v, want %q", wire, err, wrong)
		}
		if played := wrong == ""; s.tokens.made.watch != played || (s.spectators.Token != nil) != played {
			t.Errorf("%s: %+v, made here %v", wire, s.spectators, s.tokens.made.watch)
		}
	}
}

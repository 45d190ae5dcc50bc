package match

import (
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/live"
)

// watchFlags are the flags that decide who may watch the match through this player.
type watchFlags struct{ live.Watching }

// check completes the setup; every error is about wrong usage.
func (o *watchFlags) check(s *matchSetup) (err error) {
	if o.Token != "" && s.seat.wire == wireRBN1 {
		return console.Usagef("--watch-token is not for rbn1, where nobody watches")
	}
	s.spectators, s.tokens.made.watch, err = o.Check()
	return err
}

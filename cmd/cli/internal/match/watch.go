package match

import (
	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/session/spectate"
)

// watchFlags are the flags about who may watch at this player.
type watchFlags struct {
	spectators, delay int
	token             string
}

func (o *watchFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.IntVar(&o.spectators, "spectators", spectate.MaxSpectators, "let `N` spectators watch at this player")
	f.StringVar(&o.token, "watch-token", "", "let those watch who know this `TOKEN`, or @FILE; new makes one, and off lets all watch (default those with the --token)")
	f.IntVar(&o.delay, "spectator-delay", 0, "keep spectators `FRAMES` behind, so that they cannot help a player")
}

// check completes the seat; every error is about wrong usage. By default, those who know the token of the match may
// watch, if it has one.
func (o *watchFlags) check(s *matchSetup) (err error) {
	s.spectators = tickback.Spectators{Max: o.spectators, Delay: o.delay}
	switch {
	case o.spectators < 0 || o.spectators > spectate.MaxSpectators:
		return console.Usagef("--spectators %d: must be 0 to %d", o.spectators, spectate.MaxSpectators)
	case o.delay < 0 || o.delay > spectate.MaxDelay:
		return console.Usagef("--spectator-delay %d: must be 0 to %d frames", o.delay, spectate.MaxDelay)
	case o.token == "":
		return nil
	case o.spectators == 0:
		return console.Usagef("--watch-token is for spectators, and --spectators is 0")
	case s.wire == wireRBN1:
		return console.Usagef("--watch-token is not for rbn1, where nobody watches")
	case o.token == secure.Off:
		s.spectators.Open = true
		return nil
	}
	s.spectators.Token, s.made.watch, err = secure.Read("--watch-token", o.token)
	return err
}

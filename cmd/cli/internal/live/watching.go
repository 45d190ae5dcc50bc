package live

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/secure"
	"github.com/tickback/tickback/session/spectate"
)

// Watching says who may watch, by --spectators, --spectator-delay and --watch-token.
type Watching struct {
	Max, Delay int
	Token      string // the text of the flag

	unit string // of the delay
}

// Add adds the flags. more is appended to the help of --spectators, and unit is what the delay counts, such as "frames".
func (w *Watching) Add(cmd *cobra.Command, more, unit string) {
	w.unit = unit
	f := cmd.Flags()
	f.IntVar(&w.Max, "spectators", spectate.MaxSpectators, "let `N` spectators watch"+more)
	f.StringVar(&w.Token, "watch-token", "", "let those watch who know this `TOKEN`, or @FILE; new makes one, and off lets all watch (default those with the --token)")
	f.IntVar(&w.Delay, "spectator-delay", 0, "keep spectators `"+strings.ToUpper(unit)+"` behind, so that they cannot help a player")
}

// Check returns who may watch, and whether the token for them was made here; an error is about wrong usage. By default,
// those who know the token of the match may watch, if it has one.
func (w *Watching) Check() (s tickback.Spectators, made bool, err error) {
	s = tickback.Spectators{Max: w.Max, Delay: w.Delay}
	switch {
	case w.Max < 0 || w.Max > spectate.MaxSpectators:
		return s, false, console.Usagef("--spectators %d: must be 0 to %d", w.Max, spectate.MaxSpectators)
	case w.Delay < 0 || w.Delay > spectate.MaxDelay:
		return s, false, console.Usagef("--spectator-delay %d: must be 0 to %d %s", w.Delay, spectate.MaxDelay, w.unit)
	case w.Token == "":
		return s, false, nil
	case w.Max == 0:
		return s, false, console.Usagef("--watch-token is for spectators, and --spectators is 0")
	case w.Token == secure.Off:
		s.Open = true
		return s, false, nil
	}
	s.Token, made, err = secure.Read("--watch-token", w.Token)
	return s, made, err
}

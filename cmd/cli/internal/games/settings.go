package games

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/game"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// Settings is the flag --set: the values of a game's own numbers, chosen for a match.
type Settings struct{ chosen map[string]int }

// Add adds the flag.
func (s *Settings) Add(cmd *cobra.Command, also string) {
	cmd.Flags().StringToIntVar(&s.chosen, "set", nil, "the game's own numbers, such as `NAME=N`; once for each, or as a list"+also)
}

// Given reports whether anything was chosen.
func (s *Settings) Given() bool { return len(s.chosen) > 0 }

// Data returns the data of the match's parameters; nil if the game has no settings, or if none was chosen. All errors
// are about wrong usage.
func (s *Settings) Data(g *Info) ([]byte, error) {
	if !s.Given() {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.chosen)) {
		i := slices.IndexFunc(g.Settings, func(t game.Setting) bool { return t.Name == name })
		switch {
		case len(g.Settings) == 0:
			return nil, console.Usagef("--set %s: %s has nothing to set", name, g.ID)
		case i < 0:
			return nil, console.Usagef("--set %s: %s has %s", name, g.ID, strings.Join(g.settingNames(), ", "))
		}
		if t, v := g.Settings[i], s.chosen[name]; v < t.Min || v > t.Max {
			return nil, console.Usagef("--set %s=%d: must be %d to %d", name, v, t.Min, t.Max)
		}
	}
	values := make([]int, len(g.Settings))
	for i, t := range g.Settings {
		values[i] = t.Usual
		if v, ok := s.chosen[t.Name]; ok {
			values[i] = v
		}
	}
	return g.data(values), nil
}

// String returns the flag with its values, for use on a command line; empty if there are none.
func (s *Settings) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s.chosen)) {
		fmt.Fprintf(&b, " --set %s=%d", name, s.chosen[name])
	}
	return b.String()
}

func (g *Info) settingNames() (names []string) {
	for _, t := range g.Settings {
		names = append(names, t.Name)
	}
	return names
}

// SettingLines describes the settings of a game, one line each, for help texts.
func (g *Info) SettingLines() (lines []string) {
	for _, t := range g.Settings {
		lines = append(lines, fmt.Sprintf("--set %s=N: %s (%d to %d, default %d)", t.Name, t.About, t.Min, t.Max, t.Usual))
	}
	return lines
}

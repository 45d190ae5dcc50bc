package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/build"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

func versionCommand(a *console.App, all catalog) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this build",
		Long: "Prints the version of this build, what made it and for which machine, and its\n" +
			"games. A build that git does not know says so.",
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			fmt.Fprintf(a.Stdout, "%s %s\n", a.Name, build.Version(info))
			fmt.Fprintf(a.Stdout, "%s %s\n", runtime.Version(), build.Platform(info))
			fmt.Fprintf(a.Stdout, "games: %s\n", strings.Join(all.ids(), ", "))
			return nil
		},
	}
}

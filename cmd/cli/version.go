package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func versionCommand(a *app, all games) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this build",
		Long: "Prints the version of this build, what made it and for which machine, and its\n" +
			"games. A build that git does not know says so.",
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			info, ok := debug.ReadBuildInfo()
			if !ok {
				info = &debug.BuildInfo{}
			}
			fmt.Fprintf(a.stdout, "%s %s\n", a.name, buildVersion(info))
			fmt.Fprintf(a.stdout, "%s %s\n", runtime.Version(), platform(info))
			fmt.Fprintf(a.stdout, "games: %s\n", strings.Join(all.ids(), ", "))
			return nil
		},
	}
}

package cli

import (
	_ "embed" // the licences
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// notices are the licences of everything in the tickback binary; make notices writes them.
//
//go:embed notices.txt
var notices string

func licensesCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "licenses",
		Short: "Print the licenses of all that this is built of",
		Long: "Prints the license of Tickback, and of Go and each library that its command line\n" +
			"is built of. A game's own binary may have more of them, for the libraries of its game.",
		Args: console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprint(a.Stdout, notices)
			return nil
		},
	}
}

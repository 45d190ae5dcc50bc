package match

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// TokenCommand returns the command that prints a new token.
func TokenCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use: "token", Short: "Make a token, which lets others join, play, watch or understand a match", Args: console.NoArgs,
		Long: "Prints a new token: 128 random bits, as letters and digits with a checksum. There is one kind for\n" +
			"--token, --watch-token and --secure, also as @FILE. It is a secret: send it to those who play over\n" +
			"a way that you trust.",
		Example: "  " + a.Name + " token > token.txt\n  " + a.Name + " match --secure @token.txt --player 1 --listen :7000 --peer host2:7000",
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.Stdout, tickback.NewToken())
			return nil
		},
	}
}

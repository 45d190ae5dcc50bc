package match

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/online/dtls"
)

// TokenCommand prints a new token.
func TokenCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use: "token", Short: "Make a token that encrypts a match", Args: cobra.NoArgs,
		Long: "Prints a new token for \"match --secure\": 128 random bits, as letters and digits with a\n" +
			"checksum. It is a secret: send it to those who play over a way that you trust.",
		Example: "  " + a.Name + " token > token.txt\n  " + a.Name + " match --secure @token.txt --player 1 --listen :7000 --peer host2:7000",
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.Stdout, dtls.NewToken())
			return nil
		},
	}
}

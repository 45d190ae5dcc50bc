package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/online/dtls"
)

// tokenCommand prints a new token.
func tokenCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "token", Short: "Make a token that encrypts a match", Args: cobra.NoArgs,
		Long: "Prints a new token for \"match --secure\": 128 random bits, as letters and digits with a\n" +
			"checksum. It is a secret: send it to those who play over a way that you trust.",
		Example: "  " + a.name + " token > token.txt\n  " + a.name + " match --secure @token.txt --player 1 --listen :7000 --peer host2:7000",
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintln(a.stdout, dtls.NewToken())
			return nil
		},
	}
}

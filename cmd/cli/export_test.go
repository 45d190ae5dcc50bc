package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// Tree returns all commands of a program called name.
func Tree(name string, list ...Game) *cobra.Command {
	return commands(console.New(name, strings.NewReader(""), io.Discard, io.Discard), list)
}

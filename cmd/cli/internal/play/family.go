package play

import (
	"github.com/spf13/cobra"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// family has the command play.
type family struct{ *console.App }

// Command returns the command play.
func Command(a *console.App) *cobra.Command { return (&family{a}).playCommand() }

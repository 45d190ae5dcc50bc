package cli

import "github.com/spf13/cobra"

// playFamily is the command play.
type playFamily struct{ *app }

// newPlayCommand returns the command play.
func newPlayCommand(a *app) *cobra.Command { return (&playFamily{a}).playCommand() }

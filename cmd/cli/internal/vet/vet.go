// Package vet has the command that examines a game's source for causes of divergence between machines.
package vet

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/detlint"
)

// Command returns the command vet: detlint, in the module of the working directory.
func Command(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "vet [flags] [packages]",
		Short: "Find in the source what can make the machines of a match diverge",
		Long: "Starts from the functions that are given to Tickback, such as Step, Save and Hash, examines\n" +
			"everything that they reach, and reports what can make the machines of a match diverge.\n" +
			"Packages are named as the go command takes them, such as ./rules; unless told, all below this\n" +
			"directory. It needs the go command. docs/detlint.md says more.\n\n" +
			"A game with Floats: tickback.Strict is judged as in a program of \"" + a.Name + " build --strict\"; with --strict,\n" +
			"every game is: of floats only that is found which strictness does not cover.",
		DisableFlagParsing: true, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				if err := cmd.Help(); err != nil {
					return err
				}
				detlint.Main([]string{"-help"}, a.Stdout, a.Stdout)
				return nil
			}
			switch detlint.Main(args, a.Stdout, a.Stderr) {
			case 0:
				return nil
			case 1:
				return console.ErrReported
			default:
				return console.ErrMisused
			}
		},
	}
}

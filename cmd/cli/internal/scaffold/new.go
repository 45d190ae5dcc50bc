package scaffold

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/build"
	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// flags are the flags of the command new.
type flags struct {
	dir, checkout string
	empty         bool
	form          form
}

// Command returns the command new.
func Command(a *console.App) *cobra.Command {
	var o flags
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a module with a small game of your own",
		Long: "Makes a Go module with a small complete game: its rules, their test, its page for the\n" +
			"browser, its command line, and a README. NAME is the module's path, such as potato or\n" +
			"example.org/games/potato; its last element names the game and the new directory.\n\n" +
			"It needs the go command, which looks up the libraries that the game is built of. The\n" +
			"module requires the release of Tickback that this program is of. Of a program that was\n" +
			"built from a checkout it requires the checkout, by replace lines in go.mod.\n\n" +
			"Unless told, the players of a match are peers, whose machines send to each other. With\n" +
			"--server a server owns the match: players come and go, and nobody waits for a slow one.\n" +
			"With --world the state is a world: thousands of entities, of which a snapshot copies only\n" +
			"what has changed. With --window it has a program with a window, too, which plays with\n" +
			"the page. All of them go together.\n\n" +
			"Nothing is left behind if it fails.",
		Example: "  " + a.Name + " new potato\n" +
			"  " + a.Name + " new example.org/games/potato --dir src/potato\n" +
			"  " + a.Name + " new potato --window\n" +
			"  " + a.Name + " new potato --server --world",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return console.Usagef("%s needs one NAME, not %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), a, args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.dir, "dir", "", "make this `DIR` (default the last element of NAME)")
	f.StringVar(&o.checkout, "checkout", "", "require the checkout of Tickback in this `DIR`")
	f.BoolVar(&o.form.server, "server", false, "write a game whose matches a server owns")
	f.BoolVar(&o.form.world, "world", false, "write a game that keeps its state in a world, for thousands of entities")
	f.BoolVar(&o.form.window, "window", false, "write a program with a window, too, which needs what Ebitengine needs")
	f.BoolVar(&o.empty, "empty", false, "write go.mod alone, for a game that you write yourself")
	return cmd
}

// run makes the module, and prints what to do with it.
func (o *flags) run(ctx context.Context, a *console.App, name string) error {
	if err := checkName(name); err != nil {
		return console.Usagef("%w", err)
	}
	if chosen := o.form.flags(); o.empty && len(chosen) > 0 {
		return console.Usagef("--empty writes no game, and %s chooses which one: leave out one of them", strings.Join(chosen, " "))
	}
	goCommand, err := findGo()
	if err != nil {
		return console.Failed(err)
	}
	if err := checkStandard(ctx, goCommand, name); err != nil {
		return console.Usagef("%w", err)
	}
	if o.dir == "" {
		o.dir = gameName(name)
	}
	lib, err := findLibrary(o.checkout, build.Release())
	if err != nil {
		return console.Failed(err)
	}
	m := module{name: name, dir: o.dir, library: lib, empty: o.empty, form: o.form}
	if err := m.make(ctx, goCommand); err != nil {
		return console.Failed(err)
	}
	fmt.Fprintf(a.Stdout, "%s: the module %s, which requires %s\n", console.Printable(o.dir), name, console.Printable(lib.String()))
	if work := workspaceAbove(m.dir); work != "" {
		fmt.Fprintf(a.Stdout, "%s does not list it: run \"go work use .\" in it, or set GOWORK=off.\n", console.Printable(work))
	}
	if !o.empty {
		fmt.Fprintf(a.Stdout, "\n  cd %s\n  go test ./...\n%s\nREADME.md says more.\n", console.Printable(filepath.ToSlash(o.dir)), o.form.first())
	}
	return nil
}

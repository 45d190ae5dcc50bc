package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/match"
	"github.com/tickback/tickback/cmd/cli/internal/play"
	"github.com/tickback/tickback/cmd/cli/internal/recordings"
	"github.com/tickback/tickback/cmd/cli/internal/reports"
	"github.com/tickback/tickback/cmd/cli/internal/scaffold"
	"github.com/tickback/tickback/cmd/cli/internal/server"
	"github.com/tickback/tickback/cmd/cli/internal/sim"
	"github.com/tickback/tickback/cmd/cli/internal/soak"
	"github.com/tickback/tickback/cmd/cli/internal/spectate"
	"github.com/tickback/tickback/cmd/cli/internal/strict"
	"github.com/tickback/tickback/cmd/cli/internal/vet"
	proof "github.com/tickback/tickback/portable/strict"
)

// oneInterrupt is how long further signals count as the same interrupt: timeout(1) sends its signal to the process,
// and then to its group.
const oneInterrupt = time.Second

// Main runs the command line of this process with these games and exits. An interrupt (Ctrl-C) ends the work cleanly; a
// second one, a moment later, ends it at once. It panics if two games have the same ID.
func Main(list ...Game) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, func() { time.AfterFunc(oneInterrupt, stop) })
	// Signals remain caught until the end: if the same interrupt arrived once more now, it would replace the exit
	// code.
	os.Exit(Run(ctx, filepath.Base(os.Args[0]), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, list...))
}

// Run runs the command line called name with these arguments and returns the exit code. Progress is shown if stderr
// is a terminal. It returns soon after ctx ends.
func Run(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer, list ...Game) int {
	catalog(list).check()
	a := console.New(name, stdin, stdout, stderr)
	root := commands(a, list)
	proof.Provide(name, console.Subcommands(root)) // errors of the library name this program from now on
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if a.Unwritten(err) {
		err = nil // it is reported below
	}
	code := a.Report(err)
	if err := a.Stdout.Flush(); err != nil {
		a.Complain(fmt.Errorf("writing the output: %w", err))
		return max(code, console.ExitFailed)
	}
	return code
}

// commands makes the whole command tree.
func commands(a *console.App, all catalog) *cobra.Command {
	root := console.Group(a.Name, "Deterministic games: play, replay, prove")
	root.Long = "Runs, records and verifies matches of deterministic games.\n\nGames:\n"
	for _, g := range all {
		root.Long += fmt.Sprintf("  %-10s %s\n", g.info.ID, g.info.About)
	}
	root.Long += "\nExit codes: 0 all is well, 1 something failed, 2 wrong usage."
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(console.FlagError)
	root.SetOut(a.Stdout) // before the completion commands are made, which keep it
	root.SetErr(a.Stderr)
	playing, short := match.Commands(a, views(all, func(g *Game) match.Game { return g.match }))
	root.AddCommand(
		playing,
		spectate.Command(a, views(all, func(g *Game) spectate.Game { return g.spectate })),
		sim.Command(a, views(all, func(g *Game) sim.Game { return g.sim })),
		soak.Command(a, views(all, func(g *Game) soak.Game { return g.soak })),
		reports.Command(a, views(all, func(g *Game) reports.Game { return g.report })),
		recordings.Command(a, views(all, func(g *Game) recordings.Game { return g.recording })),
		play.Command(a), scaffold.Command(a), scaffold.AdoptCommand(a), vet.Command(a), match.TokenCommand(a), versionCommand(a, all), licensesCommand(a),
	)
	root.AddCommand(strict.Commands(a)...)
	if len(all) == 1 {
		root.AddCommand(server.Commands(a, all[0].server, a.Name)...) // whose game it is need not be said
	}
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			console.Grouped(c)
		}
	}
	console.Helped(root)
	for i, c := range short {
		c.AddCommand(server.Commands(a, all[i].server, a.Name+" "+c.Name())...)
		if !slices.Contains(append(console.Subcommands(root), reserved...), c.Name()) {
			root.AddCommand(c)
		}
	}
	return root
}

// reserved has the names of commands that do not exist yet when the commands of games are made.
var reserved = []string{"help", "completion"}

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

	"github.com/spf13/cobra"
)

// Main runs the command line of this process with these games and exits. An
// interrupt (Ctrl-C) ends the work in order, a second one at once. Two games of
// one ID are a panic.
func Main(list ...Game) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	code := Run(ctx, filepath.Base(os.Args[0]), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, list...)
	stop()
	os.Exit(code)
}

// Run runs the command line called name with these arguments and returns the
// exit code. Progress is shown if stderr is a terminal. It ends soon after ctx
// does.
func Run(ctx context.Context, name string, args []string, stdin io.Reader, stdout, stderr io.Writer, list ...Game) int {
	games(list).check()
	a := newApp(name, stdin, stdout, stderr)
	root := commands(a, list)
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(stderr)
	code := a.report(root.ExecuteContext(ctx))
	if err := a.stdout.Flush(); err != nil {
		a.complain(fmt.Errorf("writing the output: %w", err))
		return max(code, exitFailed)
	}
	return code
}

// commands makes the whole tree.
func commands(a *app, all games) *cobra.Command {
	root := group(a.name, "Deterministic games: play, replay, prove")
	root.Long = "Runs, records and verifies matches of deterministic games.\n\nGames:\n"
	for _, g := range all {
		root.Long += fmt.Sprintf("  %-10s %s\n", g.info.id, g.info.about)
	}
	root.Long += "\nExit codes: 0 all is well, 1 something failed, 2 wrong usage."
	root.SilenceErrors, root.SilenceUsage = true, true
	match, short := matchCommands(a, views(all, func(g *Game) matchGame { return g.match }))
	root.AddCommand(
		match,
		newSpectateCommand(a, views(all, func(g *Game) spectateGame { return g.spectate })),
		newSimCommand(a, views(all, func(g *Game) simGame { return g.sim })),
		newSoakCommand(a, views(all, func(g *Game) soakGame { return g.soak })),
		newDesyncCommand(a, views(all, func(g *Game) reportsGame { return g.report })),
		newReplayCommand(a, views(all, func(g *Game) recordingsGame { return g.recording })),
		newPlayCommand(a), tokenCommand(a), versionCommand(a, all), licensesCommand(a),
	)
	for _, c := range short {
		if !slices.Contains(append(subcommands(root), reserved...), c.Name()) {
			root.AddCommand(c)
		}
	}
	return root
}

// reserved are names of commands that are not in the way yet when the games'
// own are made.
var reserved = []string{"help", "completion"}

package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
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
	a := &app{games: list, name: name, stdin: stdin, output: stdout, stdout: bufio.NewWriter(stdout), stderr: stderr}
	a.games.check()
	root := a.rootCommand()
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

// app is one run of the command line.
type app struct {
	games  games
	name   string
	stdin  io.Reader
	output io.Writer     // behind stdout
	stdout *bufio.Writer // flushed by Run, and by long work after each result
	stderr io.Writer
}

func (a *app) rootCommand() *cobra.Command {
	root := group(a.name, "Deterministic games: play, replay, prove")
	root.Long = "Runs, records and verifies matches of deterministic games.\n\nGames:\n"
	for _, g := range a.games {
		root.Long += fmt.Sprintf("  %-10s %s\n", g.info().id, g.info().about)
	}
	root.Long += "\nExit codes: 0 all is well, 1 something failed, 2 wrong usage."
	root.SilenceErrors, root.SilenceUsage = true, true
	root.AddCommand(a.matchCommand(), a.spectateCommand(), a.simCommand(), a.soakCommand(), a.desyncCommand(), a.replayCommand(), a.playCommand(), a.tokenCommand(), a.versionCommand(), a.licensesCommand())
	for _, g := range a.games {
		if !slices.Contains(append(subcommands(root), reserved...), g.info().id) {
			root.AddCommand(a.shortMatch(g))
		}
	}
	return root
}

// reserved are names of commands that are not in the way yet when the games'
// own are made.
var reserved = []string{"help", "completion"}

// group is a command that only has commands below it.
func group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: cobra.NoArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usagef("%s needs a command: %s", cmd.CommandPath(), strings.Join(subcommands(cmd), ", "))
		},
	}
}

func subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// failure is an error of the work itself. Every other error that a command
// returns (cobra's about flags and arguments too) is wrong usage.
type failure struct{ error }

// Unwrap returns what has failed.
func (f failure) Unwrap() error { return f.error }

// errReported: something failed and has been said already.
var errReported = failure{errors.New("some work failed")}

// usagef is an error about usage that cobra cannot see.
func usagef(format string, args ...any) error { return fmt.Errorf(format, args...) }

// report says what is wrong, and turns it into an exit code.
func (a *app) report(err error) int {
	var failed failure
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errReported):
		return exitFailed
	case errors.As(err, &failed):
		a.complain(err)
		return exitFailed
	default:
		a.complain(err)
		fmt.Fprintf(a.stderr, "Add --help to see how it is used.\n")
		return exitUsage
	}
}

// complain prints one line about an error.
func (a *app) complain(err error) {
	fmt.Fprintf(a.stderr, "%s: %s\n", a.name, printable(err.Error()))
}

// printable is text that a terminal can be given: a file's name may hold line
// breaks, and sequences that move the cursor.
func printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

package console

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Exit codes.
const (
	exitOK     = 0
	ExitFailed = 1
	exitUsage  = 2
)

// App is one run of the command line.
type App struct {
	Name   string
	Stdin  io.Reader
	Output io.Writer     // what Stdout writes to
	Stdout *bufio.Writer // flushed by Run, and by long work after each result
	Stderr io.Writer
}

// New returns a run with these streams.
func New(name string, stdin io.Reader, stdout, stderr io.Writer) *App {
	return &App{Name: name, Stdin: stdin, Output: stdout, Stdout: bufio.NewWriter(stdout), Stderr: stderr}
}

// Group returns a command whose only purpose is its subcommands.
func Group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: NoArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Usagef("%s needs a command: %s", cmd.CommandPath(), strings.Join(Subcommands(cmd), ", "))
		},
	}
}

// NoArgs returns an error for a word that is not a subcommand, and for any word if there are no subcommands.
func NoArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case len(Subcommands(cmd)) == 0:
		return Usagef("%s has no use for %q: it takes flags alone", cmd.CommandPath(), args[0])
	case isFile(args[0]):
		return Usagef("%s has no command %q; a file comes after one of: %s", cmd.CommandPath(), args[0], strings.Join(Subcommands(cmd), ", "))
	}
	if near := Nearest(args[0], Subcommands(cmd)); near != "" {
		return Usagef("%s has no command %q; did you mean %s?", cmd.CommandPath(), args[0], near)
	}
	if below := pathsTo(cmd, args[0]); len(below) > 0 {
		return Usagef("%s has no command %q; did you mean %s?", cmd.CommandPath(), args[0], strings.Join(below, " or "))
	}
	return Usagef("%s has no command %q; there are: %s", cmd.CommandPath(), args[0], strings.Join(Subcommands(cmd), ", "))
}

// isFile reports whether a word is the name of an existing file.
func isFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && !info.IsDir()
}

// pathsTo returns the paths of all commands with a name at lower levels, as they are typed.
func pathsTo(cmd *cobra.Command, name string) (paths []string) {
	for _, c := range cmd.Commands() {
		switch {
		case !c.IsAvailableCommand():
		case slices.Contains(Subcommands(c), name):
			paths = append(paths, c.CommandPath()+" "+name)
		default:
			paths = append(paths, pathsTo(c, name)...)
		}
	}
	return paths
}

// Helped makes the help command of a root reject unknown commands: cobra's help command prints the help of the root
// instead.
func Helped(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, words []string) error {
				cmd, rest, err := root.Find(words)
				if err != nil {
					return err
				}
				return NoArgs(cmd, rest)
			}
		}
	}
}

// Grouped makes a command of cobra that only has subcommands reject unknown ones, as a [Group] does.
func Grouped(cmd *cobra.Command) {
	g := Group(cmd.Use, cmd.Short)
	cmd.Args, cmd.RunE, cmd.DisableFlagsInUseLine = g.Args, g.RunE, true
}

// Subcommands returns the names of the visible subcommands.
func Subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Failure is an error of the work itself. Every other error that a command returns (including cobra's about flags and
// arguments) is wrong usage.
type Failure struct{ error }

// Unwrap returns the error that is wrapped.
func (f Failure) Unwrap() error { return f.error }

// Failed wraps an error of the work itself.
func Failed(err error) error { return Failure{err} }

// ErrReported means that something failed, and that this has already been reported.
var ErrReported = Failure{errors.New("some work failed")}

// ErrMisused means that the usage was wrong, and that this has already been reported.
var ErrMisused = errors.New("wrong usage")

// Usagef returns an error about usage that cobra cannot detect.
func Usagef(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Unwritten reports whether an error is that of the standard output, which is reported at the end.
func (a *App) Unwritten(err error) bool {
	_, failed := a.Stdout.Write(nil) // the first error, which a bufio.Writer keeps
	return failed != nil && errors.Is(err, failed)
}

// Report prints an error, and returns the exit code for it.
func (a *App) Report(err error) int {
	var failed Failure
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, ErrReported):
		return ExitFailed
	case errors.Is(err, ErrMisused):
		return exitUsage
	case errors.As(err, &failed):
		a.Complain(err)
		return ExitFailed
	default:
		a.Complain(err)
		fmt.Fprintf(a.Stderr, "Add --help to see how it is used.\n")
		return exitUsage
	}
}

// Complain prints one line about an error.
func (a *App) Complain(err error) {
	fmt.Fprintf(a.Stderr, "%s: %s\n", a.Name, Printable(err.Error()))
}

// Printable returns a text that is safe for a terminal: the name of a file may contain line breaks, and sequences
// that move the cursor.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// IsOutput reports whether a path is the same file or pipe as the standard output. Using a device such as /dev/null
// for both is harmless.
func (a *App) IsOutput(path string) bool {
	output, ok := a.Output.(*os.File)
	if !ok || path == "" {
		return false
	}
	theirs, errTheirs := os.Stat(path)
	ours, errOurs := output.Stat()
	return errTheirs == nil && errOurs == nil && ours.Mode()&os.ModeDevice == 0 && os.SameFile(theirs, ours)
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

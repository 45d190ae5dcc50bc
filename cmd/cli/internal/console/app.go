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
	Output io.Writer     // behind stdout
	Stdout *bufio.Writer // flushed by Run, and by long work after each result
	Stderr io.Writer
}

// New returns a run with these streams.
func New(name string, stdin io.Reader, stdout, stderr io.Writer) *App {
	return &App{Name: name, Stdin: stdin, Output: stdout, Stdout: bufio.NewWriter(stdout), Stderr: stderr}
}

// Group is a command that only has commands below it.
func Group(use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short,
		Args: NoArgs, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return Usagef("%s needs a command: %s", cmd.CommandPath(), strings.Join(Subcommands(cmd), ", "))
		},
	}
}

// NoArgs refuses a word that is none of the commands below one, and any word if there are none.
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

// isFile reports whether a word is the name of a file that is there.
func isFile(word string) bool {
	info, err := os.Stat(word)
	return err == nil && !info.IsDir()
}

// pathsTo returns the commands of a name that are further below one, in words that call them.
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

// Helped has the help command of a root refuse what is no command: the library's prints the help of the root.
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

// Grouped has a command of the library that has only commands below it refuse what none of them is, as a [Group] does.
func Grouped(cmd *cobra.Command) {
	g := Group(cmd.Use, cmd.Short)
	cmd.Args, cmd.RunE, cmd.DisableFlagsInUseLine = g.Args, g.RunE, true
}

// Subcommands are the names of the commands below one that a user can see.
func Subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	return names
}

// Failure is an error of the work itself. Every other error that a command
// returns (cobra's about flags and arguments too) is wrong usage.
type Failure struct{ error }

// Unwrap returns what has failed.
func (f Failure) Unwrap() error { return f.error }

// Failed makes an error one of the work itself.
func Failed(err error) error { return Failure{err} }

// ErrReported: something failed and has been said already.
var ErrReported = Failure{errors.New("some work failed")}

// ErrMisused: it was used wrongly, and that has been said already.
var ErrMisused = errors.New("wrong usage")

// Usagef is an error about usage that cobra cannot see.
func Usagef(format string, args ...any) error { return fmt.Errorf(format, args...) }

// Report says what is wrong, and turns it into an exit code.
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

// Printable is text that a terminal can be given: a file's name may hold line
// breaks, and sequences that move the cursor.
func Printable(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// IsOutput reports whether a path leads to the file or pipe of the standard
// output. Both ends of a device such as /dev/null do no harm.
func (a *App) IsOutput(path string) bool {
	output, ok := a.Output.(*os.File)
	if !ok || path == "" {
		return false
	}
	theirs, errTheirs := os.Stat(path)
	ours, errOurs := output.Stat()
	return errTheirs == nil && errOurs == nil && ours.Mode()&os.ModeDevice == 0 && os.SameFile(theirs, ours)
}

// IsTerminal reports whether a stream is one.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

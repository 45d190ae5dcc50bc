package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
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
	exitFailed = 1
	exitUsage  = 2
)

// app is one run of the command line.
type app struct {
	name   string
	stdin  io.Reader
	output io.Writer     // behind stdout
	stdout *bufio.Writer // flushed by Run, and by long work after each result
	stderr io.Writer
}

// newApp returns a run with these streams.
func newApp(name string, stdin io.Reader, stdout, stderr io.Writer) *app {
	return &app{name: name, stdin: stdin, output: stdout, stdout: bufio.NewWriter(stdout), stderr: stderr}
}

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

// isOutput reports whether a path leads to the file or pipe of the standard
// output. Both ends of a device such as /dev/null do no harm.
func (a *app) isOutput(path string) bool {
	output, ok := a.output.(*os.File)
	if !ok || path == "" {
		return false
	}
	theirs, errTheirs := os.Stat(path)
	ours, errOurs := output.Stat()
	return errTheirs == nil && errOurs == nil && ours.Mode()&os.ModeDevice == 0 && os.SameFile(theirs, ours)
}

// isTerminal reports whether a stream is one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

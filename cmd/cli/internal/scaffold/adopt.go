package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/build"
	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
	"github.com/tickback/tickback/detlint"
)

// adoption has the flags of the command adopt.
type adoption struct {
	step, out, tags, checkout string
}

// AdoptCommand returns the command adopt.
func AdoptCommand(a *console.App) *cobra.Command {
	var o adoption
	cmd := &cobra.Command{
		Use:   "adopt [PACKAGE]",
		Short: "Give a game that exists already to Tickback",
		Long: "Reads a game that knows nothing of Tickback, from the function that computes a frame: lists where\n" +
			"its state is, what cannot be saved as it is, and what would not be the same on each machine (clocks,\n" +
			"random numbers, the order of maps, goroutines, floats). Then it writes a file for the game's package\n" +
			"that gives the game to Tickback, saved in place, and a test beside it. What you have to decide in it has the word TODO.\n\n" +
			"PACKAGE is named as the go command takes it, such as ./game; unless told, it is the one here. Nothing\n" +
			"that exists is changed. docs/existing-game.md goes on from there.",
		Example: "  " + a.Name + " adopt ./game\n" +
			"  " + a.Name + " adopt ./game --step game.World.Update --out -",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return console.Usagef("%s needs one PACKAGE, not %d", cmd.CommandPath(), len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			return o.run(a, append(args, ".")[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.step, "step", "", "`FUNCTION` computes a frame: package.Func or package.Type.Method (default the one called Update, Step, Tick or Advance)")
	f.StringVar(&o.out, "out", "online.go", "write the code to this `FILE` in the folder of the package; - writes it here")
	f.StringVar(&o.tags, "tags", "", "build `TAGS`, separated by commas")
	f.StringVar(&o.checkout, "checkout", "", "tell how to require the checkout of Tickback in this `DIR`")
	return cmd
}

func (o *adoption) run(a *console.App, pattern string) error {
	options := detlint.Options{Patterns: []string{pattern}, Tags: o.tags}
	if strings.HasSuffix(pattern, "...") {
		return console.Usagef("%s is more than one package: name the one of the function that computes a frame", pattern)
	}
	if o.step != "" {
		options.Roots = []string{o.step}
	}
	// A first attempt may have left code that cannot be read before the module requires Tickback.
	if path := filepath.Join(pattern, o.out); strings.HasPrefix(pattern, ".") && o.out != "-" && !filepath.IsAbs(o.out) {
		if _, err := os.Lstat(path); err == nil {
			return console.Failed(exists(path))
		}
	}
	found, err := detlint.Adopt(options)
	if step := (*detlint.StepError)(nil); errors.As(err, &step) {
		return console.Usagef("%w: say so with --step", err)
	} else if err != nil {
		for line := range strings.Lines(err.Error()) { // of a program that does not compile there are several
			a.Complain(errors.New(strings.TrimSpace(line)))
		}
		return console.ErrReported
	}
	here, err := os.Getwd()
	if err != nil {
		return console.Failed(err)
	}
	if o.out == "-" {
		_, err := a.Stdout.Write(found.Code)
		return err
	}
	if err := found.Text(a.Stdout, here); err != nil {
		return err
	}
	path := o.out
	if !filepath.IsAbs(path) {
		path = filepath.Join(found.Dir, path)
	}
	if err := create(path, found.Code); err != nil {
		return console.Failed(err)
	}
	test := strings.TrimSuffix(path, ".go") + "_test.go"
	if err := create(test, found.Test); err != nil {
		return console.Failed(errors.Join(err, os.Remove(path)))
	}
	fmt.Fprintf(a.Stdout, "\n%s gives the game to Tickback: look for TODO in it. %s tests it.\n", shown(here, path), shown(here, test))
	o.require(a, found.Dir)
	return nil
}

// shown returns a path as people read it.
func shown(here, path string) string {
	if rel, err := filepath.Rel(here, path); err == nil {
		path = rel
	}
	return console.Printable(filepath.ToSlash(path))
}

// create writes a file that does not exist yet, as a whole or not at all.
func create(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return exists(path)
	}
	if err != nil {
		return fmt.Errorf("cannot write the code: %w", err)
	}
	_, err = f.Write(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("cannot write %s: %w", path, disk.Bare(err)), os.Remove(path))
	}
	return nil
}

func exists(path string) error {
	return fmt.Errorf("%s exists already, and nothing was written: name another file with --out, or - to see the code here", path)
}

// require says what the module needs, if its go.mod does not have it.
func (o *adoption) require(a *console.App, dir string) {
	root := above(dir, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "go.mod"))
		return err == nil
	})
	b, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || strings.Contains(string(b), library+" ") {
		return
	}
	from, err := findLibrary(o.checkout, build.Release())
	if err != nil {
		fmt.Fprintf(a.Stdout, "Its module has to require %s: %v\n", library, err)
		return
	}
	fmt.Fprint(a.Stdout, "Its module has to require Tickback:\n\n")
	if from.checkout != "" {
		fmt.Fprintf(a.Stdout, "  go mod edit -replace %s=%s\n", library, console.Printable(filepath.ToSlash(from.checkout)))
		fmt.Fprint(a.Stdout, "  go mod tidy\n")
		return
	}
	fmt.Fprintf(a.Stdout, "  go get %s@%s\n", library, from.version)
}

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// SomeFiles checks the arguments of commands that take one or more files.
func SomeFiles(cmd *cobra.Command, files []string) error {
	if len(files) == 0 {
		return console.Usagef("%s needs at least one FILE", cmd.CommandPath())
	}
	return nil
}

// ExactlyFiles checks the arguments of commands that take n files.
func ExactlyFiles(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, files []string) error {
		switch {
		case len(files) == n:
			return nil
		case n == 1 && len(files) == 2 && cmd.Flags().Lookup("output") != nil && !cmd.Flags().Changed("output"):
			return console.Usagef("%s needs one FILE, not 2: the one to write is named by -o", cmd.CommandPath())
		case n == 1:
			return console.Usagef("%s needs one FILE, not %d", cmd.CommandPath(), len(files))
		}
		return console.Usagef("%s needs %d FILEs, not %d", cmd.CommandPath(), n, len(files))
	}
}

// CheckPlace returns an error if the folder of a file to be written later does not exist.
func CheckPlace(flag, path string) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); path != "" && (err != nil || !info.IsDir()) {
		return console.Usagef("%s %s: there is no folder %s", flag, path, dir)
	}
	return nil
}

// Each runs work on each file, and then done with its result, which is the zero R if the file could not even be
// opened. A file that fails is reported in one line on stderr and never stops the others; only an interrupt does. The
// result is nil if nothing failed.
func Each[R any](ctx context.Context, a *console.App, paths []string,
	work func(src io.Reader, p *console.Progress) (R, error), done func(path string, res R, err error),
) error {
	p := console.NewProgress(a.Stderr, totalSize(paths), "reading")
	defer p.Hide()
	var failed error
	for _, path := range paths {
		var res R
		err := read(ctx, a, path, func(src io.Reader) error {
			return console.CatchPanic(func() (err error) {
				res, err = work(src, p)
				return err
			})
		})
		p.Hide()
		if errors.Is(err, console.ErrInterrupted) {
			return console.Failed(console.ErrInterrupted)
		}
		if err != nil {
			a.Complain(fmt.Errorf("%s: %w", NameOf(path), err))
			failed = console.ErrReported
		}
		done(path, res, err)
	}
	return failed
}

// read opens a file, or the standard input for "-", and passes it to work.
func read(ctx context.Context, a *console.App, path string, work func(src io.Reader) error) error {
	if path == "-" {
		return Bare(work(&console.Interruptible{Ctx: ctx, Src: a.Stdin}))
	}
	f, err := Open(ctx, path)
	if err != nil {
		return Bare(err)
	}
	defer f.Close()
	// Reading a file does not block for long, and handing each read to a goroutine costs a tenth of the speed.
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return Bare(work(f))
	}
	return Bare(work(&console.Interruptible{Ctx: ctx, Src: f}))
}

// totalSize adds up the sizes of the files, for the progress bar; it returns -1 if one has no size yet.
func totalSize(paths []string) int64 {
	total := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case path == "-" || err == nil && !info.Mode().IsRegular():
			return -1
		case err == nil:
			total += info.Size()
		}
	}
	return total
}

// NameOf returns a path as messages show it: in quotes if it is empty.
func NameOf(path string) string {
	if path == "" {
		return `""`
	}
	return path
}

// Bare removes the operation and the path from an error of the file system, for lines that name the file anyway.
func Bare(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// someFiles is for commands that take one or more.
func someFiles(cmd *cobra.Command, files []string) error {
	if len(files) == 0 {
		return usagef("%s needs at least one FILE", cmd.CommandPath())
	}
	return nil
}

// exactly is for commands that take so many.
func exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, files []string) error {
		switch {
		case len(files) == n:
			return nil
		case n == 1:
			return usagef("%s needs one FILE, not %d", cmd.CommandPath(), len(files))
		}
		return usagef("%s needs %d FILEs, not %d", cmd.CommandPath(), n, len(files))
	}
}

// eachFile runs work on each file, and then done with what came of it: the zero
// R if the file could not even be opened. A file that fails is one line on
// stderr and never stops the others; only an interrupt does. The result is nil
// if nothing failed.
func eachFile[R any](ctx context.Context, a *app, paths []string,
	work func(src io.Reader, p *progress) (R, error), done func(path string, res R, err error),
) error {
	p := newProgress(a.stderr, totalSize(paths), "reading")
	defer p.hide()
	var failed error
	for _, path := range paths {
		var res R
		err := read(ctx, a, path, func(src io.Reader) error {
			return survive(func() (err error) {
				res, err = work(src, p)
				return err
			})
		})
		p.hide()
		if errors.Is(err, errInterrupted) {
			return failure{errInterrupted}
		}
		if err != nil {
			a.complain(fmt.Errorf("%s: %w", nameOf(path), err))
			failed = errReported
		}
		done(path, res, err)
	}
	return failed
}

// read opens a file, "-" being the standard input, for work to read.
func read(ctx context.Context, a *app, path string, work func(src io.Reader) error) error {
	if path == "-" {
		return bare(work(&interruptible{ctx: ctx, src: a.stdin}))
	}
	// A named pipe opens only when somebody writes to it.
	f, err := await(ctx, func() (*os.File, error) { return os.Open(path) })
	if err != nil {
		return bare(err)
	}
	defer f.Close()
	// A file answers at once, and handing each read to a goroutine costs a tenth
	// of the speed.
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return bare(work(f))
	}
	return bare(work(&interruptible{ctx: ctx, src: f}))
}

// totalSize adds up the files, for the progress bar; -1 if one has no size yet.
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

// nameOf is a path as a message shows it.
func nameOf(path string) string {
	if path == "" {
		return `""`
	}
	return path
}

// bare takes the operation and the path off an error of the file system, for
// lines that name the file anyway.
func bare(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

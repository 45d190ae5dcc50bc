package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tickback/tickback/replay/rplk"
)

func (a *app) replayCommand() *cobra.Command {
	cmd := group("replay", "Look at and verify recordings of matches")
	cmd.AddCommand(a.infoCommand(), a.verifyCommand())
	return cmd
}

// someFiles is for commands that take one or more.
func someFiles(cmd *cobra.Command, files []string) error {
	if len(files) == 0 {
		return usagef("%s needs at least one FILE", cmd.CommandPath())
	}
	return nil
}

// nameOf is a path as a message shows it.
func nameOf(path string) string {
	if path == "" {
		return `""`
	}
	return path
}

// batchFrames is how many frames are read, and played, at a time: few enough to
// stay in the nearest cache, enough to make the rest of the loop free.
const batchFrames = 4096

// interruptible reads from src until ctx ends, even if src never answers: it may
// be a pipe that nobody writes to.
type interruptible struct {
	ctx context.Context
	src io.Reader
	buf []byte // of a read that may outlive its caller
}

// Read returns errInterrupted once ctx has ended.
func (r *interruptible) Read(p []byte) (int, error) {
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	n, err := await(r.ctx, func() (int, error) { return r.src.Read(r.buf[:len(p)]) })
	return copy(p, r.buf[:n]), err
}

// await runs work until it is done or ctx ends; then work is left to itself.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var none T
		return none, errInterrupted
	}
}

// scan reads a recording to its end, which also proves it undamaged, and hands
// its frames to each, a batch at a time. begin sees the header first.
func scan(ctx context.Context, src io.Reader, p *progress, begin func(rplk.Header) error, each func([]rplk.Inputs)) error {
	r, err := rplk.NewReader(src)
	if err != nil {
		return err
	}
	if err := begin(r.Header()); err != nil {
		return err
	}
	p.add(rplk.HeaderSize)
	frames := make([]rplk.Inputs, batchFrames)
	for ctx.Err() == nil {
		n, err := r.Read(frames)
		each(frames[:n])
		p.add(int64(n) * rplk.FrameSize)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return errInterrupted
}

// errInterrupted is what Ctrl-C comes to.
var errInterrupted = errors.New("interrupted")

// bare takes the operation and the path off an error of the file system, for
// lines that name the file anyway.
func bare(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
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
		err := a.read(ctx, path, func(src io.Reader) error {
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
func (a *app) read(ctx context.Context, path string, work func(src io.Reader) error) error {
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

package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// pipeWait is how long to wait for a process at the other end of a named pipe: enough for one that was started at the
// same time.
const pipeWait = 10 * time.Second

// Open opens a file for reading. Opening a named pipe blocks until a process opens it for writing: Open waits for
// that for a while, but no longer once ctx has ended.
func Open(ctx context.Context, path string) (*os.File, error) {
	return openWithin(ctx, pipeWait, path, os.O_RDONLY, 0, "writes to it")
}

// OpenFile opens a file for writing, like [os.OpenFile], and waits for a reader as [Open] waits for a writer.
func OpenFile(ctx context.Context, path string, how int, mode fs.FileMode) (*os.File, error) {
	return openWithin(ctx, pipeWait, path, how, mode, "reads from it")
}

func openWithin(ctx context.Context, wait time.Duration, path string, how int, mode fs.FileMode, missing string) (*os.File, error) {
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	f, err := console.Await(limited, func() (*os.File, error) { return os.OpenFile(path, how, mode) })
	if errors.Is(err, console.ErrInterrupted) && ctx.Err() == nil {
		return nil, fmt.Errorf("nothing %s: it did not open within %v, as a named pipe does not until then", missing, wait)
	}
	return f, err
}

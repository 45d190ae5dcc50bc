package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

// File is a file that is being written. It gets its name when it is complete: until then its name is
// FILE.PROCESS.part, or FILE.PROCESS-2.part and so on if that exists, and an existing file under the final name is
// kept.
type File struct {
	*os.File
	path, part string // the same for a device or a pipe, which is written directly
	done       bool   // the file has its final name
}

// Create begins to write a file of this name. An existing one is unchanged until Commit.
func Create(ctx context.Context, path string) (*File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Beside(path, 0o666)
	}
	if err != nil {
		return nil, err
	}
	// If the path is a link, the file behind it is replaced, not the link. A file that cannot be found behind the
	// link is open elsewhere, which can be the case with /dev/stdout.
	target, err := filepath.EvalSymlinks(path)
	if err != nil || !info.Mode().IsRegular() {
		file, err := OpenFile(ctx, path, os.O_WRONLY, 0) // renaming another file would replace the device or pipe
		if err != nil {
			return nil, err
		}
		return &File{file, path, path, false}, nil
	}
	// A read-only file must not be replaced either.
	writable, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	writable.Close()
	return Beside(target, info.Mode().Perm())
}

// Beside begins to write a file beside path, which Commit renames to it.
func Beside(path string, mode fs.FileMode) (*File, error) {
	// Create it exclusively: an existing file of that name belongs to somebody else, or to a process that was killed.
	// In a container every process may have the same number.
	for n := 1; ; n++ {
		part := fmt.Sprintf("%s.%d.part", path, os.Getpid())
		if n > 1 {
			part = fmt.Sprintf("%s.%d-%d.part", path, os.Getpid(), n)
		}
		file, err := os.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		switch {
		case err == nil:
			return &File{file, path, part, false}, nil
		case n == mostParts || !errors.Is(err, fs.ErrExist):
			return nil, err
		}
	}
}

// mostParts is the maximum number of unfinished files for one name, by processes with the same number.
const mostParts = 100

// direct reports whether the file is a device or a pipe, which is written directly. It may seem to support seeking
// without really doing so.
func (o *File) direct() bool { return o.part == o.path }

// Commit calls finish, which writes the rest of the file, and then gives the file its name.
func (o *File) Commit(ctx context.Context, finish func() error) error {
	if o.direct() {
		// This may write a lot, and the reader of a pipe may never read it.
		_, err := console.Await(ctx, func() (struct{}, error) { return struct{}{}, errors.Join(finish(), o.Close()) })
		return err
	}
	if err := finish(); err != nil {
		return err
	}
	// The content must be on the disk before the file gets its name. Some disks only report here that they are full.
	if err := errors.Join(o.Sync(), o.Close()); err != nil {
		return err
	}
	if err := os.Rename(o.part, o.path); err != nil {
		return err
	}
	o.done = true
	return nil
}

// Discard removes an incomplete file. After Commit it does nothing.
func (o *File) Discard() {
	o.Close()
	if !o.direct() && !o.done {
		os.Remove(o.part)
	}
}

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

// File is a file that is being written. It becomes visible under its name when it
// is whole: until then it is FILE.PROCESS.part, or FILE.PROCESS-2.part and so on if there is one of that name, and
// whatever was under the name stays.
type File struct {
	*os.File
	path, part string // equal for a device or a pipe, which is written directly
	done       bool   // the file has its name
}

// Create begins to write a file of this name, which stays as it is until Commit.
func Create(ctx context.Context, path string) (*File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Beside(path, 0o666)
	}
	if err != nil {
		return nil, err
	}
	// The file behind a link is replaced, not the link. One that cannot be found
	// behind it is open elsewhere, as that of /dev/stdout can be.
	target, err := filepath.EvalSymlinks(path)
	if err != nil || !info.Mode().IsRegular() {
		file, err := OpenFile(ctx, path, os.O_WRONLY, 0) // a rename would replace it
		if err != nil {
			return nil, err
		}
		return &File{file, path, path, false}, nil
	}
	// A file that must not be written must not be replaced either.
	writable, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	writable.Close()
	return Beside(target, info.Mode().Perm())
}

// Beside writes into a file beside path.
func Beside(path string, mode fs.FileMode) (*File, error) {
	// Exclusive: a file of that name would be somebody else's, or that of a process that was killed. In a container
	// every process may have the same number.
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

// mostParts is how many files may be written under one name, by processes of one number.
const mostParts = 100

// direct reports whether it is a device or a pipe, which may only pretend to seek.
func (o *File) direct() bool { return o.part == o.path }

// Commit writes what is left by finish, and gives the file its name.
func (o *File) Commit(ctx context.Context, finish func() error) error {
	if o.direct() {
		// Much may be written here, and whoever reads may never do so.
		_, err := console.Await(ctx, func() (struct{}, error) { return struct{}{}, errors.Join(finish(), o.Close()) })
		return err
	}
	if err := finish(); err != nil {
		return err
	}
	// The name must not come before the content does. Some disks say only here
	// that they are full.
	if err := errors.Join(o.Sync(), o.Close()); err != nil {
		return err
	}
	if err := os.Rename(o.part, o.path); err != nil {
		return err
	}
	o.done = true
	return nil
}

// Discard removes what is not complete. After commit it does nothing.
func (o *File) Discard() {
	o.Close()
	if !o.direct() && !o.done {
		os.Remove(o.part)
	}
}

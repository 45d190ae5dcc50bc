package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tickback/tickback/replay/rplk"
)

// recording is a file that is being recorded. It becomes visible under its name
// when it is whole: until then it is FILE.PROCESS.part, and whatever was under the
// name stays.
type recording struct {
	*rplk.Writer
	path, part string // equal for a device or a pipe, which is written directly
	file       *os.File
	done       bool // the recording has its name
}

func newRecording(ctx context.Context, path string, seed uint32) (*recording, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newFile(path, 0o666, seed)
	}
	if err != nil {
		return nil, err
	}
	// The file behind a link is replaced, not the link. One that cannot be found
	// behind it is open elsewhere, as that of /dev/stdout can be.
	target, err := filepath.EvalSymlinks(path)
	if err != nil || !info.Mode().IsRegular() {
		return newStream(ctx, path, seed)
	}
	// A file that must not be written must not be replaced either.
	writable, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	writable.Close()
	return newFile(target, info.Mode().Perm(), seed)
}

// newFile records into a file beside path.
func newFile(path string, mode fs.FileMode, seed uint32) (*recording, error) {
	r := &recording{path: path, part: fmt.Sprintf("%s.%d.part", path, os.Getpid())}
	var err error
	// Exclusive: a file of that name would be somebody else's.
	if r.file, err = os.OpenFile(r.part, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode); err != nil {
		return nil, err
	}
	if r.Writer, err = rplk.NewWriter(r.file, seed); err != nil {
		r.discard()
		return nil, err
	}
	return r, nil
}

// newStream records into a device or a named pipe, which a rename would replace
// by a file.
func newStream(ctx context.Context, path string, seed uint32) (*recording, error) {
	// A pipe opens only when somebody reads from it.
	file, err := await(ctx, func() (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) })
	if err != nil {
		return nil, err
	}
	r := &recording{path: path, part: path, file: file}
	// A device may only pretend to seek.
	r.Writer, err = rplk.NewWriter(struct{ io.Writer }{file}, seed)
	if err != nil {
		r.discard()
		return nil, err
	}
	return r, nil
}

// commit completes the recording and gives it its name.
func (r *recording) commit(ctx context.Context) error {
	if r.part == r.path {
		// All of it is written here, and whoever reads may never do so.
		_, err := await(ctx, func() (struct{}, error) { return struct{}{}, errors.Join(r.Close(), r.file.Close()) })
		return err
	}
	if err := r.Close(); err != nil {
		return err
	}
	// The name must not come before the content does. Some disks say only here
	// that they are full.
	if err := errors.Join(r.file.Sync(), r.file.Close()); err != nil {
		return err
	}
	if err := os.Rename(r.part, r.path); err != nil {
		return err
	}
	r.done = true
	return nil
}

// discard removes what is not complete. After commit it does nothing.
func (r *recording) discard() {
	r.file.Close()
	if r.part != r.path && !r.done {
		os.Remove(r.part)
	}
}

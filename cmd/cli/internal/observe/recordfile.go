package observe

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/tickback/tickback/cmd/cli/internal/console"
	"github.com/tickback/tickback/cmd/cli/internal/disk"
)

// recordingFile is a file that a match is recorded to. It is only created when the first byte is written, so a match
// that never began leaves nothing behind; and it has its final name from then on, so it can be found after a crash. An
// existing file is never replaced: only a device or a pipe is written to.
//
// If the disk hangs, Write can still be running when the file is closed.
type recordingFile struct {
	path string
	file atomic.Pointer[os.File] // nil until something is written
	used atomic.Bool             // Write was called
}

// openRecord returns an error at once if a file of that name cannot be created.
func openRecord(ctx context.Context, path string) (*recordingFile, error) {
	r := &recordingFile{path: path}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		f, err := openObserver(ctx, path, 0)
		r.file.Store(f)
		return r, err
	}
	err := r.create()
	if errors.Is(err, fs.ErrExist) {
		return nil, console.Failed(fmt.Errorf("%s: %w, and a recording replaces none: give another name", disk.NameOf(path), disk.Bare(err)))
	}
	if err != nil {
		return nil, about(path, err)
	}
	r.remove()
	return r, nil
}

func (r *recordingFile) create() error {
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		r.file.Store(f)
	}
	return err
}

func (r *recordingFile) remove() {
	r.file.Swap(nil).Close()
	os.Remove(r.path)
}

// Write creates the file, if it does not exist yet, and writes to it.
func (r *recordingFile) Write(b []byte) (int, error) {
	r.used.Store(true)
	if r.file.Load() == nil {
		if err := r.create(); err != nil {
			return 0, disk.Bare(err)
		}
	}
	n, err := r.file.Load().Write(b)
	return n, disk.Bare(err)
}

// close closes the file. An empty one is removed: it would not be a recording, and would block the next one.
func (r *recordingFile) close() error {
	f := r.file.Load()
	if f == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return f.Close()
	}
	if info.Size() == 0 {
		r.remove()
		return nil
	}
	// Some disks only report here that they are full.
	return errors.Join(f.Sync(), f.Close())
}

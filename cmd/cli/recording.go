package cli

import (
	"errors"
	"io/fs"
	"os"

	"github.com/tickback/tickback/replay/rplk"
)

// recording is a file that is being recorded. It becomes visible under its name
// when it is whole: until then it is FILE.part, and whatever was under the name
// stays.
type recording struct {
	*rplk.Writer
	path, part string // equal for a device or a pipe, which is written directly
	file       *os.File
}

func newRecording(path string, seed uint32) (*recording, error) {
	r := &recording{path: path, part: path + ".part"}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		r.part = path // a rename would replace the device by a file
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var err error
	if r.file, err = os.Create(r.part); err != nil {
		return nil, err
	}
	if r.Writer, err = rplk.NewWriter(r.file, seed); err != nil {
		r.discard()
		return nil, err
	}
	return r, nil
}

// commit completes the recording and gives it its name.
func (r *recording) commit() error {
	if err := r.Close(); err != nil {
		return err
	}
	// Some disks say only here that they are full.
	if err := r.file.Close(); err != nil {
		return err
	}
	if r.part == r.path {
		return nil
	}
	return os.Rename(r.part, r.path)
}

// discard removes what is not complete. After commit it does nothing.
func (r *recording) discard() {
	r.file.Close()
	if r.part != r.path {
		os.Remove(r.part)
	}
}

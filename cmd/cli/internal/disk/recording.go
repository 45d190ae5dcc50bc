package disk

import (
	"context"
	"io"

	"github.com/tickback/tickback/classic/rplk"
)

// RPLK is a recording in RPLK v1 that is being written.
type RPLK struct {
	*rplk.Writer
	file *File
}

// CreateRPLK begins to record to a file of this name.
func CreateRPLK(ctx context.Context, path string, seed uint32) (*RPLK, error) {
	file, err := Create(ctx, path)
	if err != nil {
		return nil, err
	}
	var w io.Writer = file
	if file.direct() {
		w = struct{ io.Writer }{file}
	}
	r := &RPLK{file: file}
	if r.Writer, err = rplk.NewWriter(w, seed); err != nil {
		file.Discard()
		return nil, err
	}
	return r, nil
}

// Commit completes the recording and gives it its name.
func (r *RPLK) Commit(ctx context.Context) error { return r.file.Commit(ctx, r.Writer.Close) }

// Discard removes an incomplete recording. After Commit it does nothing.
func (r *RPLK) Discard() { r.file.Discard() }

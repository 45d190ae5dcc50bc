package cli

import (
	"context"
	"io"

	"github.com/tickback/tickback/classic/rplk"
)

// recording is a file of RPLK v1 that is being recorded.
type recording struct {
	*rplk.Writer
	file *outfile
}

func newRecording(ctx context.Context, path string, seed uint32) (*recording, error) {
	file, err := newOutfile(ctx, path)
	if err != nil {
		return nil, err
	}
	var w io.Writer = file
	if file.direct() {
		w = struct{ io.Writer }{file}
	}
	r := &recording{file: file}
	if r.Writer, err = rplk.NewWriter(w, seed); err != nil {
		file.discard()
		return nil, err
	}
	return r, nil
}

// commit completes the recording and gives it its name.
func (r *recording) commit(ctx context.Context) error { return r.file.commit(ctx, r.Writer.Close) }

// discard removes what is not complete. After commit it does nothing.
func (r *recording) discard() { r.file.discard() }

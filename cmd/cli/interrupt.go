package cli

import (
	"context"
	"errors"
	"io"
)

// errInterrupted is what Ctrl-C comes to.
var errInterrupted = errors.New("interrupted")

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

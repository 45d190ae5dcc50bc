package console

import (
	"context"
	"errors"
	"io"
)

// ErrInterrupted is the error of work that was interrupted with Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// Interruptible reads from src until ctx ends, even if src blocks forever: it may be a pipe that nobody writes to.
type Interruptible struct {
	Ctx context.Context
	Src io.Reader
	buf []byte // the buffer of a read that may outlive its caller
}

// Read returns ErrInterrupted once ctx has ended.
func (r *Interruptible) Read(p []byte) (int, error) {
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	n, err := Await(r.Ctx, func() (int, error) { return r.Src.Read(r.buf[:len(p)]) })
	return copy(p, r.buf[:n]), err
}

// Await runs work until it is done or ctx ends; in that case work continues in the background.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
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
		return none, ErrInterrupted
	}
}

package observe

import (
	"io"
	"sync/atomic"
)

// log is where a log goes. slog ignores the errors of its writer, so the first one is kept until the end.
type log struct {
	to     io.Writer
	file   io.Closer             // nil if it is not ours to close
	failed atomic.Pointer[error] // the first error of Write
}

// Write writes a record.
func (l *log) Write(b []byte) (int, error) {
	n, err := l.to.Write(b)
	if err != nil {
		l.failed.CompareAndSwap(nil, &err)
	}
	return n, err
}

// close closes the file, and returns the first error since it was opened.
func (l *log) close() (err error) {
	if l.file != nil {
		err = l.file.Close()
	}
	if failed := l.failed.Load(); failed != nil {
		return *failed
	}
	return err
}

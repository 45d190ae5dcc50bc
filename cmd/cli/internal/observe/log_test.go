package observe

import (
	"errors"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/console"
)

type brokenWriter struct{ left int }

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, errors.New("the pipe is broken")
	}
	return len(b), nil
}

// Rule: a log that could not be written whole is a failure, stderr included.
func TestALogThatBreaksIsAFailure(t *testing.T) {
	for _, format := range []string{logText, logJSON} {
		for left, failed := range []bool{true, true, false} {
			o := Flags{Log: "-", logFormat: format}
			all, err := o.Open(t.Context(), &console.App{Stderr: &brokenWriter{left}})
			if err != nil {
				t.Fatal(err)
			}
			all.Log.Info("one")
			all.Log.Info("two")
			if err := all.Close(); (err != nil) != failed || failed && !strings.Contains(err.Error(), "stderr: the pipe is broken") {
				t.Errorf("%s, %d records written: %v", format, left, err)
			}
		}
	}
}

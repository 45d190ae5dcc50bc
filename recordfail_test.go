package tickback_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tickback/tickback"
)

// explosive is a writer that panics at its n-th call.
type explosive struct {
	bytes.Buffer
	n int
}

func (e *explosive) Write(b []byte) (int, error) {
	if e.n--; e.n < 0 {
		panic("out of ink")
	}
	return e.Buffer.Write(b)
}

// Rule: a writer that panics ends the recording, like one that fails, and the match goes on.
func TestAWriterThatPanicsEndsTheRecordingOnly(t *testing.T) {
	for calls := range 4 {
		out := &explosive{n: calls}
		f, _ := filmed(t, 200, out, nil)
		if err := f.Close(); err != nil || f.err != nil {
			t.Fatalf("after %d calls the match ends: %v, %v", calls, f.err, err)
		}
		f.events = append(f.events, f.Events()...)
		if e := f.saw(tickback.Recorded); e == nil || !strings.Contains(e.Text, "the writer panicked: out of ink") {
			t.Errorf("after %d calls: %v", calls, e)
		}
		if v := f.View(); v.Frame < 198 {
			t.Errorf("after %d calls the match stands at frame %d", calls, v.Frame)
		}
	}
}

package console

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// The bar appears once the work has taken a while, grows, never exceeds its full length, and can be removed from the
// screen.
func TestBarAppearsAfterAWhile(t *testing.T) {
	var screen bytes.Buffer
	p := &Progress{out: &screen, unit: "reading", total: 100, deadline: time.Now().Add(time.Hour)}
	p.Add(10)
	p.Hide()
	if screen.Len() != 0 {
		t.Fatalf("short work draws %q", screen.String())
	}
	p.deadline = time.Now().Add(-time.Second)
	p.Add(40)
	if !strings.Contains(screen.String(), "reading  50%") {
		t.Errorf("half of the work draws %q", screen.String())
	}
	p.Add(1000)
	if strings.Contains(screen.String(), "1050") || p.bar.State().CurrentNum > 100 {
		t.Errorf("more than all of the work draws %q", screen.String())
	}
	screen.Reset()
	p.Hide()
	if !strings.HasSuffix(screen.String(), "\r") {
		t.Errorf("hiding leaves the cursor after %q", screen.String())
	}
}

// A bar is only shown on a terminal: logs and pipes stay clean.
func TestNoBarWithoutATerminal(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/stderr")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, stderr := range []io.Writer{file, &bytes.Buffer{}} {
		p := NewProgress(stderr, 100, "reading")
		p.deadline = time.Time{}
		p.Add(50)
		if p.bar != nil {
			t.Errorf("a bar on %T", stderr)
		}
	}
}

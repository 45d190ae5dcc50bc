package detlint

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Rule: a long run shows its progress a few times a second and removes it at the end; a quick one shows nothing.
func TestALongRunSaysHowFarItIs(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(100, 0)
	p := &progress{out: &out, now: func() time.Time { return now }, began: now}
	p.tell("reading packages", 1, 40)
	if p.end(); out.Len() != 0 {
		t.Errorf("a quick run says %q", out.String())
	}
	now = now.Add(1500 * time.Millisecond)
	p.tell("reading packages", 2, 40)
	p.tell("reading packages", 3, 40) // at the same time
	now = now.Add(time.Second)
	p.tell("examining what they have", 0, 0)
	p.end()
	p.end()
	const want = "\r\x1b[Kdetlint: reading packages: 2 of 40, 2 s\r\x1b[Kdetlint: examining what they have, 2 s\r\x1b[K"
	if got := out.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Rule: progress is shown on terminals only.
func TestProgressIsForTerminals(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "errors"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range []*progress{newProgress(f), newProgress(&bytes.Buffer{})} {
		if p != nil {
			t.Error("a file is a terminal")
		}
		p.tell("nothing", 0, 0)
		p.end()
	}
}

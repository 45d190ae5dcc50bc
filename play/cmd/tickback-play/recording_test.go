//go:build !js

package main_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/online/browsertest"
	"github.com/tickback/tickback/online/rooms"
	"github.com/tickback/tickback/play/app"
)

// tape returns the newest recording of a page.
func tape(t *testing.T, p browsertest.Asked) []byte {
	t.Helper()
	until(t, p, "there is a recording", func(s app.Status) bool { return s.Recordings > 0 })
	var text string
	p.Eval(`(() => { let text = ""; for (const b of tickbackRecording(0)) text += String.fromCharCode(b); return btoa(text) })()`, &text)
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// verifies makes the command line verify a page's recording of a match that has ended in this way: it succeeds, and it
// fails with another expected end.
func verifies(t *testing.T, tape []byte, end app.Outcome) {
	t.Helper()
	file := filepath.Join(t.ArtifactDir(), "match.tbr")
	if err := os.WriteFile(file, tape, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		expected string
		good     bool
	}{{end.Checksum, true}, {"0x00000001", false}} {
		verify := exec.Command("go", "run", "./cmd/tickback", "replay", "verify", file, "--expect", c.expected)
		verify.Dir = filepath.Join("..", "..", "..")
		out, err := verify.CombinedOutput()
		if (err == nil) != c.good || !strings.Contains(string(out), end.Checksum) {
			t.Errorf("%d bytes, expecting %s: %v: %s", len(tape), c.expected, err, out)
		}
	}
}

// drop drops a file on a page.
func drop(p browsertest.Asked, name string, file []byte) {
	p.Eval(fmt.Sprintf(`(() => {
  const bytes = Uint8Array.from(atob(%q), c => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], %q));
  document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
})()`, base64.StdEncoding.EncodeToString(file), name), nil)
}

// A match that was played in the page is verified by the command line; if its file is dropped on a page, it is played
// and verified there, too. Other files are refused.
func TestRecordingsOfThePage(t *testing.T) {
	site := open(t, rooms.Config{})
	p := visit(t, "the page", site.url+"?mode=versus-bot&auto=1&seed=5&silent=1", width, height, calm)
	end := ends(t, p, 1)[0]
	file := tape(t, p)
	verifies(t, file, end.Outcome)
	p.Navigate(site.url + "?mode=theatre&silent=1")
	until(t, p, "the theatre is open", func(s app.Status) bool { return s.Mode == "theatre" && s.Pictures > 5 })
	drop(p, "match.tbr", file)
	until(t, p, "the theatre plays it", func(s app.Status) bool { return s.Mode == "player" && s.Playing && s.Frame > 0 })
	p.Shot("the theatre")
	p.Key("KeyV", true)
	until(t, p, "it is verified", func(s app.Status) bool { return s.Verified != "" })
	p.Key("KeyV", false)
	if s := until(t, p, "it is verified to its end", func(s app.Status) bool { return !strings.HasPrefix(s.Verified, "running") }); s.Verified != "ok" {
		t.Errorf("it says %q", s.Verified)
	}
	p.Shot("verified")
	s := until(t, p, "it is played to its end", func(s app.Status) bool { return !s.Playing })
	if s.Frame != end.Frame || s.Checksum != end.Checksum {
		t.Errorf("it ends at frame %d with %s, and was recorded with %+v", s.Frame, s.Checksum, end.Outcome)
	}
	drop(p, "notes.txt", []byte("no recording"))
	if s := browsertest.Until(p, "it is refused", func(s app.Status) bool { return s.Message != "" }); !strings.Contains(s.Message, "notes.txt") {
		t.Errorf("it says %q", s.Message)
	}
	p.Shot("no recording")
}

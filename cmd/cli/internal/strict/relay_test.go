package strict_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/strict"
	"github.com/tickback/tickback/cmd/cli/internal/strict/rewrite"
)

// Rule: the go command gets the same answers, errors and exit codes from the relay as from the command line itself: of
// the versions of tools, and when one of them runs.
func TestTheRelayAnswersAsTheCommandDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	cache := t.TempDir()
	relay := strict.Relay(t.Context(), cache, "go1.26")
	if again := strict.Relay(t.Context(), cache, "go1.26"); relay == "" || again != relay {
		t.Fatalf("made as %q, then as %q", relay, again)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	called := func(words ...string) (out, errs string, code int) {
		var stdout, stderr strings.Builder
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		var exit *exec.ExitError
		if err := cmd.Run(); errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		return stdout.String(), stderr.String(), code
	}
	tools := strings.TrimSpace(string(output(t, "go", "env", "GOTOOLDIR")))
	broken := filepath.Join(t.TempDir(), "broken.go")
	if err := os.WriteFile(broken, []byte("package broken\n\nfunc f() int { return missing }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	object := broken + ".o"
	for _, options := range [][]string{nil, {rewrite.Products}, {rewrite.Math + "=/cache/1234/overlay.json"}} {
		for _, tool := range [][]string{
			{"compile", "-V=full"},
			{"asm", "-V=full"},
			{"link", "-V=full"},
			{"compile", "-V=no"},
			{"missing", "-V=full"},
			{"missing"},
			{"compile", "-p=broken", "-o=" + object, broken},
		} {
			if len(options) > 0 && !strings.HasPrefix(tool[len(tool)-1], "-V") {
				continue
			}
			words := append([]string{self, rewrite.Name}, options...)
			words = append(append(words, filepath.Join(tools, tool[0])), tool[1:]...)
			out, errs, code := called(words...)
			o, e, c := called(append([]string{relay, rewrite.VersionWith(options)}, words...)...)
			if o != out || e != errs || c != code {
				t.Errorf("%v: %q, %q, exit code %d; without the relay %q, %q, %d", words[1:], o, e, c, out, errs, code)
			}
		}
	}
}

// Rule: where the relay cannot be made, and with a Go that identifies its tools in another way, builds do without.
func TestBuildsDoWithoutTheRelay(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	cache := t.TempDir()
	if relay := strict.Relay(t.Context(), cache, "devel go1.27-0123456789"); relay != "" {
		t.Errorf("for a Go of today's sources: %s", relay)
	}
	if relay := strict.Relay(t.Context(), filepath.Join(cache, "missing"), "go1.26"); relay != "" {
		t.Errorf("in a folder that does not exist: %s", relay)
	}
	t.Setenv("PATH", "")
	if relay := strict.Relay(t.Context(), cache, "go1.26"); relay != "" {
		t.Errorf("without the go command: %s", relay)
	}
}

func output(t *testing.T, words ...string) []byte {
	t.Helper()
	out, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

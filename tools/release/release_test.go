package release

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// repository makes a repository with the script and a module, committed.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile(filepath.Join("..", "..", "scripts", "release.sh"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "scripts/release.sh", string(script))
	write(t, dir, "go.mod", "module github.com/tickback/tickback\n")
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "all")
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=test", "-c", "user.email=test@localhost"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// release runs the script.
func release(t *testing.T, dir string, args ...string) (code int, output string) {
	t.Helper()
	cmd := exec.Command("bash", append([]string{filepath.Join(dir, "scripts", "release.sh")}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@localhost", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@localhost")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// Rule: what is no version, a tree with changes, a tag that exists and a module that is broken
// make no release, and leave the tags, the branch and the files as they were.
func TestWhatIsNotReadyIsNotTagged(t *testing.T) {
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		args    []string
		code    int
		words   string
	}{
		{"no version", func(*testing.T, string) {}, nil, 2, "usage: "},
		{"two versions", func(*testing.T, string) {}, []string{"v1.0.0", "v1.0.1"}, 2, "usage: "},
		{"half a version", func(*testing.T, string) {}, []string{"v1.0"}, 2, "usage: "},
		{"no v", func(*testing.T, string) {}, []string{"1.0.0"}, 2, "usage: "},
		{"changes", func(t *testing.T, dir string) { write(t, dir, "new.txt", "new") }, []string{"v1.0.0"}, 1, "changes that are not committed"},
		{"a tag", func(t *testing.T, dir string) { git(t, dir, "tag", "play/v1.0.0") }, []string{"v1.0.0"}, 1, "the tag play/v1.0.0 exists already"},
		{"no modules", func(*testing.T, string) {}, []string{"v1.0.0"}, 1, "online/go.mod"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := repository(t)
			c.prepare(t, dir)
			state := func() string {
				return git(t, dir, "tag") + git(t, dir, "status", "--porcelain", "--branch") + git(t, dir, "rev-parse", "HEAD")
			}
			before := state()
			code, output := release(t, dir, c.args...)
			if code != c.code || !strings.Contains(output, c.words) {
				t.Errorf("exit code %d, want %d and %q:\n%s", code, c.code, c.words, output)
			}
			if after := state(); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tickback/tickback/cmd/cli/internal/clitest"
)

// Rule: "serve --journal" goes on with the match of the file; what cannot go on, or be opened, is named with its file, and
// nothing is changed.
func TestAServerWithAJournal(t *testing.T) {
	g := clitest.ToyGame()
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	serve := func(args ...string) clitest.Ended {
		return clitest.Player(t.Context(), t, g, append([]string{"toy", "serve", "--listen", "127.0.0.1:0", "--json"}, args...))
	}
	if e := serve("--journal", file("m"), "--length", "50ms"); e.Code != 0 {
		t.Fatalf("exit code %d:\n%s", e.Code, e.Stderr)
	}
	if info, err := os.Stat(file("m")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(file("diary"), []byte("my own diary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{1, "--journal " + file("m") + ": its match has ended", []string{"--journal", file("m")}},
		{2, "--journal " + file("diary") + ": journal: the file is no journal", []string{"--journal", file("diary")}},
		{2, "--journal " + dir, []string{"--journal", dir}},
		{2, "--journal-sync goes with --journal", []string{"--journal-sync"}},
		{2, "--token new with --journal", []string{"--journal", file("n"), "--token", "new"}},
	} {
		if e := serve(c.args...); e.Code != c.code || !strings.Contains(e.Stderr, c.want) {
			t.Errorf("%q: exit code %d:\n%s", c.args, e.Code, e.Stderr)
		}
	}
	if b, err := os.ReadFile(file("diary")); string(b) != "my own diary" || err != nil {
		t.Errorf("the diary is %q now: %v", b, err)
	}
	if _, err := os.Stat(file("n")); err == nil {
		t.Error("a file was made though the flags are wrong")
	}
}

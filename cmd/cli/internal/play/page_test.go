package play

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Without a page, the error names the program that can be built: not everybody works in this repository.
func TestSaysHowAPageIsBuiltHere(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{nil, "the command new"},
		{[]string{"Makefile"}, "the command new"}, // of somebody else's
		{[]string{"pack/main.go", "Makefile"}, "go run ./pack"},
		{[]string{"Makefile", "play/cmd/x"}, "make play-build"},
	} {
		dir := t.TempDir()
		for _, f := range c.files {
			path := filepath.Join(dir, filepath.FromSlash(f))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got := howToBuild(dir)
		if !strings.Contains(got, c.want) || strings.Contains(got, "make ") != strings.HasPrefix(c.want, "make ") {
			t.Errorf("with %v: %q, want %q", c.files, got, c.want)
		}
	}
}

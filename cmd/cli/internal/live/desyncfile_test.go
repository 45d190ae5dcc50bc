package live

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A report never replaces another file: the default name gets a number, and an existing file with a requested name is
// an error.
func TestReportsOverwriteNothing(t *testing.T) {
	dir := t.TempDir()
	usual := filepath.Join(dir, "desync-1-7.tbd")
	for i, want := range []string{usual, filepath.Join(dir, "desync-1-7-2.tbd"), filepath.Join(dir, "desync-1-7-3.tbd")} {
		name, err := writeReport("", usual, []byte{byte(i)})
		b, read := os.ReadFile(want)
		if name != want || err != nil || read != nil || b[0] != byte(i) {
			t.Errorf("%s, %v, %v", name, err, read)
		}
	}
	if name, err := writeReport(usual, "", []byte{9}); !errors.Is(err, fs.ErrExist) || name != usual {
		t.Errorf("%s: %v", name, err)
	}
	if b, err := os.ReadFile(usual); err != nil || b[0] != 0 {
		t.Errorf("%v, %v", b, err)
	}
	if _, err := writeReport("", filepath.Join(dir, "none", "x.tbd"), nil); err == nil {
		t.Error("there is no such directory")
	}
}

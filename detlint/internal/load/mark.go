package load

import (
	"bytes"
	"os"

	"github.com/tickback/tickback/detlint/internal/reach"
)

// hasMark reports whether one of the files may have a function with the mark of a root.
func hasMark(files []string) bool {
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte("\n"+reach.Mark)) {
			return true
		}
	}
	return false
}

package load

import (
	"bytes"
	"os"
)

// anyHas reports whether one of the files contains a text. Files that cannot be read are skipped: the go command
// reports them.
func anyHas(files []string, text string) bool {
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

package load

import (
	"bytes"
	"os"
)

// anyHas reports whether a text is in one of the files. What cannot be read is in none: the go command says what is wrong.
func anyHas(files []string, text string) bool {
	for _, name := range files {
		if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte(text)) {
			return true
		}
	}
	return false
}

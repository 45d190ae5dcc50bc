package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const (
	begin = "<!-- measured: begin -->"
	end   = "<!-- measured: end -->"
)

// writePage writes tables into the page.
func writePage(root, tables string) error {
	path := filepath.Join(root, "docs", "reference", "peers.md")
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page, err := between(string(old), tables)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(page), 0o644)
}

// between puts a text between the two marks of a page, in the place of what is there.
func between(page, text string) (string, error) {
	before, rest, found := strings.Cut(page, begin+"\n")
	_, after, closed := strings.Cut(rest, end+"\n")
	if !found || !closed {
		return "", fmt.Errorf("there is no line %q with a line %q below it", begin, end)
	}
	return before + begin + "\n\n" + strings.TrimRight(text, "\n") + "\n\n" + end + "\n" + after, nil
}
